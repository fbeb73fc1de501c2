// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/measuring.h"

#include "core/audio/audio_name.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/tensors/sha256.h"
#include "models/layers/device_errors.h"
#include "models/networks/recording_limits.h"
#include "training/studies/eta.h"
#include "training/studies/phone_labels.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

namespace headroom::training {

namespace {

/// The SHA-256 of the recording or of the sentence; of a part of a file or another speed, that of the file with them.
std::string recordingHash(const StudyUtterance& utterance) {
    if (!utterance.text.empty())
        return sha256OfBytes(std::as_bytes(std::span(utterance.text)));
    const AudioName name = audioName(utterance.audio);
    auto hash = sha256OfFile(name.file);
    if (name.isWhole())
        return hash;
    hash += name.suffix();
    return sha256OfBytes(std::as_bytes(std::span(hash)));
}

namespace fs = std::filesystem;

// Beside the arrays of the kind, what the document says of an utterance.
constexpr const char* kFacts = "utterance"; // f64 [2]: seconds, tokens
constexpr const char* kTooShort = "study.tooShort"; // left out by a setting, which is no problem with the utterance

/// One study being measured. Jobs are utterances: all models of one on one thread, so that a recording is
/// read once.
class Pool {
public:
    Pool(Study& study, const Measuring& how)
        : m_study(study)
        , m_how(how)
        , m_phones(phoneMapOf(study.settings.value("phoneMap", "auto")))
        , m_eta(costs(study), how.threads) {
        const auto count = study.utterances.size();
        for (const auto& source : how.sources)
            m_result.models.push_back({source->model(), std::vector<Measurement>(count)});
        m_order.resize(count);
        std::iota(m_order.begin(), m_order.end(), 0);
        std::stable_sort(m_order.begin(), m_order.end(),
                         [&](std::size_t a, std::size_t b) { return m_eta.cost(a) > m_eta.cost(b); });
        m_origins.resize(count);
        m_result.progress.total = static_cast<std::int64_t>(count * how.sources.size());
        m_result.progress.stage = how.sources.size() == 1
                                      ? "Measuring " + how.sources.front()->model().name
                                      : "Measuring " + std::to_string(how.sources.size()) + " models";
    }

    Measured run() {
        measureOnThreads(std::min<std::size_t>(
            static_cast<std::size_t>(std::max<std::int64_t>(m_how.threads, 1)), m_order.size()));
        if (!m_cancel && !m_deferred.empty()) { // what did not fit beside the others may fit alone
            m_order.swap(m_deferred);
            std::sort(m_order.begin(), m_order.end());
            m_next = 0;
            measureOnThreads(1);
        }
        m_result.stopped = m_cancel;
        leaveOutEverywhere();
        noteLostAlignments();
        noteWarnings();
        report();
        return std::move(m_result);
    }

private:
    /// What is in the order from m_next on.
    void measureOnThreads(std::size_t threads) {
        m_many = threads > 1;
        std::vector<std::thread> pool;
        {
            const std::lock_guard lock(m_mutex);
            m_working = threads;
        }
        for (std::size_t i = 0; i < threads; ++i)
            pool.emplace_back([this] { work(); });
        watch();
        for (std::thread& thread : pool)
            thread.join();
        if (m_failure)
            std::rethrow_exception(m_failure);
    }

    /// The size of a file is near enough to its length.
    static std::vector<double> costs(const Study& study) {
        std::vector<double> sizes;
        for (const StudyUtterance& utterance : study.utterances) {
            if (!utterance.text.empty()) {
                sizes.push_back(static_cast<double>(utterance.text.size()));
                continue;
            }
            std::error_code missing;
            const auto name = audioName(utterance.audio);
            const auto size = fs::file_size(name.file, missing);
            constexpr double kBytes = 2; // of a sample
            sizes.push_back(name.part ? kBytes * static_cast<double>(name.part->count)
                            : missing ? 0
                                      : static_cast<double>(size));
        }
        return sizes;
    }

    std::vector<std::unique_ptr<LayerSource>> shared() const {
        std::vector<std::unique_ptr<LayerSource>> sources;
        for (const auto& source : m_how.sources)
            sources.push_back(source->share());
        return sources;
    }

    /// One thread of the pool.
    void work() {
        try {
            at::set_num_threads(1);
            auto sources = shared();
            while (true) {
                std::size_t index = 0;
                {
                    const std::lock_guard lock(m_mutex);
                    if (m_next == m_order.size() || m_cancel)
                        break;
                    index = m_order[m_next++];
                }
                measureUtterance(sources, index);
            }
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            if (!m_failure)
                m_failure = std::current_exception();
            m_cancel = true;
        }
        const std::lock_guard lock(m_mutex);
        --m_working;
        m_ended.notify_all();
    }

    /// The thread that called: tells how far it is until all threads have ended.
    void watch() {
        std::unique_lock lock(m_mutex);
        while (m_working > 0) {
            m_ended.wait_for(lock, std::chrono::milliseconds(200));
            lock.unlock();
            report();
            if (m_how.stop && m_how.stop())
                m_cancel = true;
            lock.lock();
        }
    }

    void report() {
        StudyProgress progress;
        std::vector<std::string> problems;
        {
            const std::lock_guard lock(m_mutex);
            m_result.progress.secondsLeft = m_eta.secondsLeft();
            progress = m_result.progress;
            problems.swap(m_problems);
        }
        if (m_how.listener.problem)
            for (const std::string& problem : problems)
                m_how.listener.problem(problem);
        if (m_how.onProgress)
            m_how.onProgress(progress);
        if (m_how.listener.progress)
            m_how.listener.progress(progress);
    }

    /// Bad input and too little memory are the utterance's; everything else ends the study.
    void measureUtterance(std::vector<std::unique_ptr<LayerSource>>& sources, std::size_t index) {
        StudyUtterance utterance = m_study.utterances[index]; // a copy: others read the document
        bool measuredNow = false, isProblem = true;
        try {
            measuredNow = measure(sources, index, utterance);
        } catch (const models::Cancelled&) {
            return;
        } catch (const Error& error) {
            if (error.code() == "study.cacheUnwritable")
                throw;
            if (error.code() == "model.memory" && later(index))
                return;
            utterance.error = sentenceAbout(utterance, models::withAdvice(error, "")); // a study has no parts
            isProblem = error.code() != kTooShort;
        } catch (const std::exception& error) {
            if (!models::isOutOfMemory(error))
                throw;
            if (later(index))
                return;
            utterance.error = displayName(utterance.audio) + " does not fit into memory.";
        }
        const std::lock_guard lock(m_mutex);
        m_eta.done(index, measuredNow);
        if (!utterance.error.empty() && isProblem)
            m_problems.push_back(utterance.error);
        const auto models = static_cast<std::int64_t>(sources.size());
        m_result.progress.done += models;
        m_finished.emplace_back(index, std::move(utterance));
    }

    bool later(std::size_t index) {
        const std::lock_guard lock(m_mutex);
        if (m_many)
            m_deferred.push_back(index);
        return m_many;
    }

    /// False where everything was known already.
    bool measure(std::vector<std::unique_ptr<LayerSource>>& sources, std::size_t index,
                 StudyUtterance& utterance) {
        utterance.hash = recordingHash(utterance);
        AlignmentUse use = m_how.work.needsPhones()      ? AlignmentUse::Required
                           : m_how.work.needsAlignment() ? AlignmentUse::Words
                           : m_how.work.usesAlignment()  ? AlignmentUse::IfThere
                                                         : AlignmentUse::None;
        if (hasLostAlignment(utterance)) {
            if (use == AlignmentUse::Required || use == AlignmentUse::Words)
                throw Error("study.alignment", "The alignment of " + displayName(utterance.audio) + " was not found: " + utterance.alignment + ".",
                            {{"file", utterance.alignment}});
            use = AlignmentUse::None; // as one without
            const std::lock_guard lock(m_mutex);
            m_lostAlignments.insert(index);
        }
        MeasurementKey key;
        key.audio = utterance.hash;
        key.measurement = m_how.work.measurementKey();
        if (use != AlignmentUse::None && !utterance.alignment.empty()) {
            const auto written = alignmentAsWritten(utterance);
            key.alignment = alignmentIdentity(utterance, written);
            if (written && hasPhones(*written))
                m_origins[index] = written->origin;
        }
        std::optional<StudyInput> input;
        LayerSource* read = nullptr; // the source that the input is for
        bool measuredNow = false;
        for (std::size_t model = 0; model < sources.size(); ++model) {
            LayerSource& source = *sources[model];
            key.weights = source.measurementIdentity(utterance);
            key.frontEnd = source.frontEnd();
            std::string problem;
            auto known = m_how.cache.find(key, problem);
            if (known && !hasFacts(*known))
                known.reset();
            if (!problem.empty())
                note(problem);
            if (!known) {
                if (!input || !readAlike(*read, source)) {
                    input = loadInput(static_cast<int>(index), utterance, use, source, m_phones,
                                      utterance.seconds);
                    read = &source;
                }
                requireLength(utterance); // before the work of measuring it
                known = measureOne(source, *input, utterance);
                m_how.cache.store(key, *known);
                measuredNow = true;
            } else {
                const std::lock_guard lock(m_mutex);
                ++m_result.progress.cached;
            }
            const auto facts = toDoubles(known->at(kFacts).view());
            utterance.seconds = facts[0];
            requireLength(utterance);
            if (std::string doubt = source.warning(utterance, Seconds(facts[0])); !doubt.empty()) {
                const std::lock_guard lock(m_mutex);
                m_warnings.emplace(std::pair(model, index), std::move(doubt));
            }
            if (model == 0)
                utterance.tokens = static_cast<std::int64_t>(facts[1]);
            known->erase(kFacts);
            m_result.models[model].utterances[index] = std::move(*known);
        }
        return measuredNow;
    }

    void requireLength(const StudyUtterance& utterance) const {
        if (const std::string why = m_how.work.whyTooShort(utterance); !why.empty())
            throw Error(kTooShort, why);
    }

    static bool hasFacts(const Measurement& measurement) {
        const auto found = measurement.find(kFacts);
        return found != measurement.end() && found->second.shape == std::vector<std::int64_t>{2};
    }

    Measurement measureOne(LayerSource& source, const StudyInput& input, const StudyUtterance& utterance) {
        Measurement measurement = m_how.work.measure(source, input, m_cancel);
        measurement.insert_or_assign(
            kFacts, Tensor::of<double>({2}, std::vector<double>{utterance.seconds,
                                                                static_cast<double>(source.tokens(input))}));
        return measurement;
    }

    void note(const std::string& sentence) {
        const std::lock_guard lock(m_mutex);
        m_result.notes.push_back(sentence);
    }

    /// Of those that are measured without one.
    void noteLostAlignments() {
        std::erase_if(m_lostAlignments, [this](std::size_t index) { return !m_study.utterances[index].error.empty(); });
        if (m_lostAlignments.empty())
            return;
        const StudyUtterance& first = m_study.utterances[*m_lostAlignments.begin()];
        const auto more = static_cast<std::int64_t>(m_lostAlignments.size()) - 1;
        m_result.notes.push_back("The alignment of " + displayName(first.audio) + " was not found, so it was left out: " + first.alignment + "." +
                                 (more > 0 ? " The same is true of " + counted(more, "other utterance") + "." : ""));
    }

    /// Only the first of each source is written out: a wrong step is that of all files.
    void noteWarnings() {
        std::map<std::size_t, std::size_t> counts; // by source
        for (const auto& [where, sentence] : m_warnings)
            ++counts[where.first];
        for (const auto& [source, count] : counts) {
            const auto first = m_warnings.lower_bound({source, 0});
            m_result.notes.push_back(first->second +
                                     (count > 1 ? " The same is true of " + counted(static_cast<std::int64_t>(count - 1), "other utterance") + "." : ""));
        }
    }

    void leaveOutEverywhere() {
        for (auto& [index, utterance] : m_finished)
            m_study.utterances[index] = std::move(utterance);
        for (std::size_t index = 0; index < m_study.utterances.size(); ++index) {
            if (m_study.utterances[index].error.empty()) {
                if (m_origins[index])
                    ++m_result.origins[*m_origins[index]];
                continue;
            }
            m_study.utterances[index].tokens = 0;
            for (ModelMeasurements& model : m_result.models)
                model.utterances[index].clear();
        }
    }

    Study& m_study;
    const Measuring& m_how;
    const PhoneMap m_phones;
    std::vector<std::size_t> m_order;
    std::vector<std::optional<std::string>> m_origins; ///< each written by who measures the utterance
    models::CancelFlag m_cancel{false};
    std::atomic<bool> m_many{false};

    std::mutex m_mutex; ///< of everything below; m_result.models' rows belong to who measures them
    std::condition_variable m_ended;
    Measured m_result;
    Eta m_eta;
    std::size_t m_next = 0, m_working = 0;
    std::vector<std::size_t> m_deferred;
    std::vector<std::pair<std::size_t, StudyUtterance>> m_finished;
    std::vector<std::string> m_problems;
    std::set<std::size_t> m_lostAlignments; ///< utterances that are measured without theirs
    std::map<std::pair<std::size_t, std::size_t>, std::string> m_warnings; ///< by source and utterance
    std::exception_ptr m_failure;
};

} // namespace

Measured measureAll(Study& study, const Measuring& how) {
    return Pool(study, how).run();
}

} // namespace headroom::training
