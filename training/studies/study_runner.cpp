// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_name.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"
#include "models/layers/device.h"
#include "models/layers/device_errors.h"
#include "training/devices/devices.h"
#include "training/studies/latency_rounds.h"
#include "training/studies/measuring.h"
#include "training/studies/phone_labels.h"
#include "training/studies/requested_study.h"
#include "training/studies/sources.h"
#include "training/studies/study_claim.h"
#include "training/studies/study_draft.h"
#include "training/studies/study_folder.h"
#include "training/studies/study_text.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

/// The processors of this process again, when whoever sets another number goes.
class TorchThreads {
public:
    explicit TorchThreads(std::int64_t threads) : m_before(at::get_num_threads()) {
        at::set_num_threads(static_cast<int>(threads));
    }
    ~TorchThreads() { at::set_num_threads(m_before); }
    TorchThreads(const TorchThreads&) = delete;
    TorchThreads& operator=(const TorchThreads&) = delete;

private:
    const int m_before;
};

class Runner {
public:
    Runner(const StudyRequest& request, const StudyListener& listener)
        : m_request(request)
        , m_listener(listener)
        , m_paths{request.out}
        , m_threads(request.threads > 0 ? request.threads : usableThreads()) {}

    Study run() {
        if (m_request.resume)
            readStudy(m_paths.folder); // a mistyped name makes no folder
        m_claim.emplace(m_paths.folder);
        std::error_code ignored;
        if (m_request.resume || fs::exists(m_paths.study(), ignored))
            goOn();
        else
            begin();
        if (m_study.state == RunState::Finished)
            return m_study;
        fs::remove(m_paths.control(), ignored); // from an earlier life
        m_study.state = RunState::Running;
        m_study.error.clear();
        m_study.ended.clear();
        writeStudy(m_paths.folder, m_study);
        try {
            measureAndSummarise();
        } catch (const models::Cancelled&) {
            end(RunState::Stopped);
        } catch (const Error& error) {
            fail(error.what());
            throw;
        } catch (const std::exception& error) {
            if (models::isOutOfMemory(error)) {
                fail(models::outOfMemorySentence());
                throw;
            }
            if (models::isDeviceLost(error)) {
                const std::string sentence = models::deviceLostSentence(error) + " Resume the study when the device answers, or with "
                                                                                 "another --device; what was measured is kept.";
                fail(sentence);
                throw Error("device.lost", sentence, {{"device", models::usedDeviceId()}});
            }
            fail(error.what());
            throw;
        }
        return m_study;
    }

private:
    /// The study will name a recording by its whole path; whoever mistyped it is told what was typed.
    void refuseWithoutRecordings() const {
        const auto isThere = [](const fs::path& one) {
            std::error_code problem;
            return fs::exists(audioName(one).file, problem) || problem;
        };
        if (!m_request.audio.empty() && std::ranges::none_of(m_request.audio, isThere))
            throw Error("audio.missing", unreadText(audioName(m_request.audio.front()).file));
    }

    /// What a study is, before anything is measured.
    void begin() {
        refuseWithoutRecordings();
        m_study = requested();
        m_work = studyWork(m_request.kind, m_request.settings);
        if (m_request.draft.empty())
            requireNoDraft(m_paths.folder);
        openSources(modelFolders());
        m_work->prepare(m_study);
        m_study.settings = m_work->settings();
        keepPhoneMap(m_paths.folder, m_study.settings);
        m_study.created = utcNow();
        noteProgram();
        if (!m_request.draft.empty())
            m_study.notes.push_back("Every model runs with the heads of the draft " + keepDraft(m_paths.folder, m_request.draft) + " (draft.json), untrained.");
    }

    void noteProgram() { // what computes it from now on
        m_study.version = HEADROOM_VERSION;
        m_study.device = models::usedDeviceId() == "cpu" ? std::string() : models::usedDeviceId();
    }

    /// The draft of the models: that of the request, or of the study that is resumed. Empty: none.
    fs::path draft() const { return m_request.resume ? keptDraft(m_paths.folder) : m_request.draft; }

    Study requested() const {
        std::vector<std::string> problems;
        Study study = documentOf(m_request, problems);
        for (const std::string& problem : problems)
            say(m_listener.problem, problem);
        return study;
    }

    void goOn() {
        Study before = readStudy(m_paths.folder);
        if (!m_request.resume)
            requireSameStudy(before, m_request, requested()); // the same command again goes on; another one must not
        m_study = std::move(before);
        findKeptPhoneMap(m_paths.folder, m_study.settings);
        m_work = studyWork(m_study.kind, m_study.settings);
        if (m_study.state == RunState::Finished)
            return;
        for (StudyUtterance& utterance : m_study.utterances)
            utterance.error.clear(); // it may be there now
        noteProgram();
        m_before = m_study.models;
        openSources(modelFolders());
        for (std::size_t i = 0; i < m_before.size(); ++i)
            if (m_before[i].weightsHash != m_study.models[i].weightsHash || m_before[i].architecture != m_study.models[i].architecture)
                throw Error("study.changedModel",
                            "The weights of " + m_before[i].name + " in " + m_before[i].folder +
                                " have changed since this study started. Start a new study.",
                            {{"model", m_before[i].name}});
    }

    std::vector<fs::path> modelFolders() const {
        if (!m_request.resume)
            return requestedModels(m_request);
        std::vector<fs::path> folders;
        for (const StudyModel& model : m_study.models)
            folders.emplace_back(model.folder);
        return folders;
    }

    bool isMaps(const fs::path& folder) const {
        return folder == m_request.maps ||
               std::any_of(m_before.begin(), m_before.end(),
                           [&](const StudyModel& model) { return model.maps && model.folder == folder; });
    }

    /// What a model is called; empty: as it calls itself. A study that goes on keeps its names.
    std::string nameOf(std::size_t model) const {
        if (model < m_before.size())
            return m_before[model].name;
        return model < m_request.names.size() ? m_request.names[model] : std::string();
    }

    std::unique_ptr<LayerSource> open(const fs::path& folder, const std::string& name, std::vector<std::string>& assumed) const {
        if (isMaps(folder))
            return openMapsSource(folder, m_study.utterances);
        if (!isArchitectureDocument(folder))
            return openModelSource(folder, draft(), &assumed, name);
        if (!draft().empty())
            throw Error("study.draft", displayName(folder) + " is an architecture without weights. A draft changes the "
                                                             "heads of a model; study the draft's own file instead.");
        if (!m_work->takesDrawnWeights())
            throw Error("study.needsWeights",
                        displayName(folder) + " is an architecture without weights, and a study of " +
                            toText(m_study.kind) + " needs a model. Only latency works without weights.");
        return openDrawnSource(folder, m_study.seed);
    }

    void openSources(const std::vector<fs::path>& folders) {
        if (folders.empty())
            throw Error("study.noModel", "A study needs at least one model.");
        std::vector<std::string> assumed;
        m_study.models.clear();
        for (const fs::path& folder : folders) {
            m_sources.push_back(open(folder, nameOf(m_sources.size()), assumed));
            m_study.models.push_back(m_sources.back()->model());
            if (m_study.models.back().maps && m_work->needsWeights())
                throw Error("study.needsWeights",
                            std::string("A study of ") + toText(m_study.kind) +
                                " needs the model itself, not imported maps.");
        }
        makeNamesDiffer(m_study.models);
        for (const std::string& sentence : assumed)
            say(m_listener.note, sentence);
        if (!m_work->mixesFrontEnds())
            requireOneFrontEnd(m_sources, m_work->insteadOfMixing());
    }

    void measureAndSummarise() {
        Measured measured;
        if (m_work->measures()) {
            const MeasurementCache cache(m_request.cache.empty() ? MeasurementCache::userFolder() : m_request.cache,
                                         HEADROOM_VERSION);
            measured = measureAll(m_study, {*m_work, m_sources, cache, m_threads, m_listener,
                                            [this](const StudyProgress& progress) { keep(progress); },
                                            [this] { return stopAsked(); }});
            if (measured.stopped)
                throw models::Cancelled();
            cache.trim(kCacheBytes);
            requireOneUtterance();
        } else {
            for (const auto& source : m_sources)
                measured.models.push_back({source->model(), {}});
        }
        for (std::size_t m = 0; m < measured.models.size(); ++m)
            measured.models[m].model = m_study.models[m];
        const std::string origins = originsText(measured.origins);
        if (!origins.empty())
            measured.notes.push_back("Alignment: " + origins + ".");
        for (const std::string& note : measured.notes)
            say(m_listener.note, note);
        StudyResults results = summarise(std::move(measured.models), measured.progress);
        for (StudyTable& table : results.tables) {
            explainMissing(m_study, table);
            if (!origins.empty())
                table.caption += " Alignment: " + origins + ".";
        }
        // Not before the end: a life that stops here says them again in the next.
        for (const auto* notes : {&measured.notes, &results.notes})
            m_study.notes.insert(m_study.notes.end(), notes->begin(), notes->end());
        m_study.tables = results.tables;
        writeStudyResults(m_paths.folder, results);
        end(RunState::Finished);
        LatencyRounds::remove(m_paths.folder);
    }

    /// That some have no alignment is known before a study; what is wrong with those that have one is not.
    void requireOneUtterance() const {
        std::int64_t without = 0;
        std::string first, firstAligned;
        for (const StudyUtterance& utterance : m_study.utterances) {
            if (utterance.error.empty())
                return;
            const bool lacks = (m_work->needsPhones() || m_work->needsAlignment()) && utterance.alignment.empty();
            without += lacks;
            for (std::string* sentence : {&first, lacks ? nullptr : &firstAligned})
                if (sentence && sentence->empty())
                    *sentence = utterance.error;
        }
        const bool both = without > 0 && !firstAligned.empty();
        throw Error("study.nothingMeasured",
                    both ? "None of the utterances could be measured. " + grouped(without) + (without == 1 ? " has" : " have") +
                               " no alignment; the first of the others: " + firstAligned
                         : "None of the utterances could be measured; the first: " + first);
    }

    /// Beside it a thread looks whether somebody asks for a stop: summaries may train for minutes.
    StudyResults summarise(std::vector<ModelMeasurements>&& measured, const StudyProgress& before) {
        const TorchThreads all(m_threads);
        models::CancelFlag cancel{false};
        std::atomic<bool> ended{false};
        std::thread watcher([&] {
            while (!ended) {
                if (stopAsked())
                    cancel = true;
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
        });
        StepEta eta;
        const auto report = [&](std::int64_t done, std::int64_t total, const std::string& stage, StepsLeft left) {
            const StudyProgress progress{done, total, stage, eta.secondsLeft(done, total, left, StepEta::Clock::now()), before.cached};
            keep(progress);
            if (m_listener.progress)
                m_listener.progress(progress);
        };
        try {
            if (m_work->wantsExample())
                m_study.settings["example"] = writeStudyExample(
                    m_paths.folder, m_study, m_study.settings.value("example", std::string()), m_sources, cancel);
            m_work->keepIn(m_paths.folder);
            StudyResults results = m_work->summarise(m_study, std::move(measured), m_sources, report, cancel);
            ended = true;
            watcher.join();
            return results;
        } catch (...) {
            ended = true;
            watcher.join();
            throw;
        }
    }

    bool stopAsked() const {
        return (m_listener.stop && m_listener.stop()) || studyWasAskedToStop(m_paths.folder);
    }

    /// Into progress.json, twice a second at most; who reads it does so as often.
    void keep(const StudyProgress& progress) {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_kept < std::chrono::milliseconds(500) && progress.done < progress.total)
            return;
        m_kept = now;
        writeStudyProgress(m_paths.folder, progress);
    }

    static void say(const std::function<void(const std::string&)>& where, const std::string& sentence) {
        if (where)
            where(sentence);
    }

    void end(RunState state) {
        m_study.state = state;
        m_study.ended = utcNow();
        writeStudy(m_paths.folder, m_study);
    }

    void fail(const std::string& sentence) {
        m_study.error = validText(sentence);
        try {
            end(RunState::Failed);
        } catch (const Error&) { // a full disk is said by the error that brought us here
        }
    }

    const StudyRequest& m_request;
    const StudyListener& m_listener;
    const StudyPaths m_paths;
    const std::int64_t m_threads;
    std::optional<StudyClaim> m_claim;
    Study m_study;
    std::unique_ptr<StudyWork> m_work;
    std::vector<StudyModel> m_before; ///< of a study that goes on
    std::vector<std::unique_ptr<LayerSource>> m_sources;
    std::chrono::steady_clock::time_point m_kept;
};

} // namespace

Study runStudy(const StudyRequest& request, const StudyListener& listener) {
    return Runner(request, listener).run();
}

} // namespace headroom::training
