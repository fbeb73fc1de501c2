// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "core/corpus/needed_splits.h"
#include "core/errors/count_text.h"
#include "core/errors/whole_path.h"
#include "core/features/features.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "models/contributions/memory.h"
#include "models/layers/device.h"
#include "models/layers/device_errors.h"
#include "training/data/sentences.h"
#include "training/devices/devices.h"
#include "training/loop/memory.h"
#include "training/loop/out_of_memory.h"
#include "training/loop/trainer.h"
#include "training/worker/commands.h"
#include "training/worker/corpus_import_command.h"
#include "training/worker/documents/kept_text.h"
#include "training/worker/documents/start_model.h"
#include "training/worker/global_cmvn.h"
#include "training/worker/recordings.h"
#include "training/worker/termination.h"
#include "training/worker/train_at_place.h"
#include "training/worker/train_ranks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibTorch = "2.11.0";

class TrainCommand {
public:
    TrainCommand(const TrainOptions& options, const std::string& device, int wantedRanks, Console& console)
        : m_options(options)
        , m_device(device)
        , m_wantedRanks(wantedRanks)
        , m_console(console)
        , m_folder(wholePath(options.run)) {}

    void run() {
        m_setup.stop = &terminationFlag();
        m_place = placeOf(m_options);
        if (m_place && m_place->rank > 0)
            return follow();
        const bool exists = fs::exists(RunPaths{m_folder}.run());
        if (std::error_code ignored; fs::exists(m_folder, ignored) && !fs::is_directory(m_folder, ignored))
            throw Error("run.notAFolder", m_options.run.string() + " is a file, not the folder of a run.", {{"run", m_folder.string()}});
        if (exists && !m_options.resume)
            throw Error("run.exists", "The run " + m_options.run.string() + " already exists. Use --resume to continue it.",
                        {{"run", m_folder.string()}});
        if (!exists && (m_options.architecture.empty() || m_options.recipe.empty() || m_options.data.empty()))
            throw Error("run.missing",
                        "The run " + m_options.run.string() + " does not exist. A new one needs --architecture, --recipe and --data.",
                        {{"run", m_folder.string()}});
        const auto wanted = exists ? std::nullopt : std::optional(readDocuments(m_options)); // mistakes are said before anything is made
        std::error_code ignored;
        const bool isNew = !fs::exists(m_folder, ignored);
        const FileLock lock = takePatiently(m_folder);
        clearRequest(m_folder); // of before; what is asked for while the data are read is meant for this start
        exists ? takeUp() : makeNewOrNothing(*wanted, isNew);
        m_setup.resume = exists;
        m_setup.progress = [this](const Progress& progress) { show(progress); };
        work();
    }

private:
    /// A run that is refused leaves no folder that was not there before. What others put there meanwhile stays.
    void makeNewOrNothing(const RunDocuments& wanted, bool isNew) {
        try {
            makeNew(wanted);
        } catch (...) {
            std::error_code ignored;
            if (isNew)
                fs::remove_all(RunPaths{m_folder}.tokenizer(), ignored);
            const fs::path lock = RunPaths{m_folder}.lock();
            const auto isOther = [&](const fs::directory_entry& entry) { return entry.path() != lock; };
            if (isNew && std::ranges::none_of(fs::directory_iterator(m_folder, ignored), isOther)) {
                fs::remove(lock, ignored);
                fs::remove(m_folder, ignored);
            }
            throw;
        }
    }

    void makeNew(const RunDocuments& wanted) {
        m_setup.recipe = wanted.recipe;
        m_setup.architecture = wanted.architecture;
        if (!m_options.startFrom.empty())
            m_setup.startFrom = StartFrom::parse(m_options.startFrom);
        m_info.id = m_folder.filename().string();
        m_info.created = utcNow();
        m_info.seed = static_cast<std::uint64_t>(wanted.recipe.machine.seed);
        if (m_setup.startFrom)
            m_info.startFrom = StartFrom{fs::absolute(m_setup.startFrom->model).lexically_normal(), m_setup.startFrom->encoderOnly}.text();
        m_info.parent = parentOf(m_setup.startFrom);
        m_info.data = wholeCorpus(m_options.data);
        m_info.decided.precision = wanted.recipe.machine.precision;
        m_info.decided.threads = wanted.recipe.machine.threads > 0 ? wanted.recipe.machine.threads : threadsOfARank();
        m_info.maxUpdates = wanted.recipe.length.maxUpdates;
        readData();
        if (m_setup.startFrom) // whether it fits is said before the run is made
            if (auto note = takeWeights(*m_setup.startFrom, m_setup.architecture,
                                        initialWeights(m_setup.architecture, m_setup.recipe.loss.ctcWeight > 0, 0));
                !note.empty())
                m_notes.push_back(std::move(note));
        keepText(m_setup, m_folder);
        writeAtomically(RunPaths{m_folder}.architecture(), std::string_view(canonicalText(m_setup.architecture)), "run.unwritable");
        writeAtomically(RunPaths{m_folder}.recipe(), std::string_view(canonicalText(m_setup.recipe)), "run.unwritable");
    }

    void takeUp() {
        m_info = readRun(m_folder);
        if (m_info.state == RunState::Finished)
            throw Error("train.finished", "The run " + m_options.run.string() + " is finished.", {{"run", m_folder.string()}});
        const RunPaths paths{m_folder};
        m_setup.recipe = readRecipe(paths.recipe());
        m_setup.architecture = readArchitecture(paths.architecture());
        refuseOtherwise(m_options, m_folder, m_setup.recipe, m_setup.architecture);
        checkTrainable(m_setup.architecture, m_setup.recipe.loss, paths.architecture().string());
        if (!m_info.startFrom.empty())
            m_setup.startFrom = StartFrom::parse(m_info.startFrom);
        if (!m_options.data.empty())
            m_info.data = wholeCorpus(m_options.data);
        countResume(m_folder, m_info);
        m_kept = keptText(m_folder, m_setup.architecture);
        const std::string hash = m_info.decided.dataHash;
        readData();
        if (m_info.decided.dataHash != hash)
            throw Error("train.otherData",
                        m_info.data + " has changed since the run " + m_options.run.string() +
                            " started: its recordings or texts differ. Restore the corpus as it was, or start a new run.",
                        {{"data", m_info.data}});
        if (!m_kept) // an earlier version began it
            keepText(m_setup, m_folder);
    }

    void readData() {
        const bool isLanguage = isLanguageTask(m_setup.recipe.task);
        isLanguage ? readSentences() : readUtterances();
        m_info.decided.dataHash = hashOf({&m_setup.train, &m_setup.validation});
        for (const ExampleSet* set : {&m_setup.train, &m_setup.validation}) {
            if (!isLanguage)
                checkReadable(*set, m_setup.architecture.frontEnd, m_setup.architecture.name);
            m_notes.insert(m_notes.end(), set->notes.begin(), set->notes.end());
        }
        expectMemory();
    }

    void tell(const Corpus& corpus) {
        std::ranges::copy(problemNotes(corpus, m_setup.recipe), std::back_inserter(m_notes));
    }

    /// Sets tokenizer, rules and vocabulary. Returns the id of unknown text.
    int setTokenizer(const fs::path& own, const fs::path& ownSource = {}) {
        const TextOfModel text = m_kept ? *m_kept : tokenizerFor(m_setup.startFrom, own, ownSource);
        checkVocabularies(m_setup.architecture, text);
        std::tie(m_setup.tokenizer, m_setup.sourceTokenizer, m_setup.tokens) = std::tie(text.tokenizer, text.sourceTokenizer, text.rules);
        const int unknown = checkTokenIds(Tokenizer(text.tokenizer), text.tokenizer);
        if (const auto note = matchVocabulary(m_setup.architecture, text); !note.empty()) {
            m_info.note = note;
            m_notes.push_back(note);
        }
        return unknown;
    }

    void readUtterances() {
        const Corpus corpus = openTranscribed(m_info.data, &m_console);
        tell(corpus);
        const Recipe& recipe = m_setup.recipe;
        needOneOf(corpus, recipe.data.trainSplit, recipe.data.validationSplit);
        const int unknown = setTokenizer(corpus.folder() / corpusTokenizerName(recipe.task),
                                         corpus.folder() / corpusSourceTokenizerName(recipe.task));
        const Tokenizer tokenizer(m_setup.tokenizer);
        const auto source = SourcePieces::of(m_setup.sourceTokenizer);
        const Recipe::Augmentation& masks = recipe.augmentation;
        const InputKind reads = m_setup.architecture.frontEnd.reads;
        if ((reads == InputKind::Waveform || reads == InputKind::Text) && masks.frequencyMasks + masks.timeMasks > 0)
            m_notes.push_back("The recipe's masks (SpecAugment) cover mel bins and are not applied: " +
                              m_setup.architecture.name + (reads == InputKind::Text ? " reads text." : " reads samples."));
        const auto form = textFormOf(m_setup.tokens, m_setup.architecture, corpus.document(), recipe.task);
        m_setup.train = readExamples(corpus, recipe, recipe.data.trainSplit, true, tokenizer, unknown, form, source ? &*source : nullptr);
        m_setup.validation = readExamples(corpus, recipe, recipe.data.validationSplit, false, tokenizer, unknown, form, source ? &*source : nullptr);
        if (!m_kept) // otherwise the architecture has it
            setGlobalCmvn(m_setup, m_info.data, m_console, m_notes);
    }

    void readSentences() {
        const Recipe& recipe = m_setup.recipe;
        const Sentences sentences = Sentences::open(m_info.data, recipe.task);
        if (sentences.corpus()) {
            tell(*sentences.corpus());
            needOneOf(*sentences.corpus(), recipe.data.trainSplit, recipe.data.validationSplit);
        }
        const int unknown = setTokenizer(sentences.tokenizer());
        const Tokenizer tokenizer(m_setup.tokenizer);
        m_setup.train = sentences.read(recipe, recipe.data.trainSplit, true, tokenizer, unknown);
        m_setup.validation = sentences.read(recipe, recipe.data.validationSplit, false, tokenizer, unknown);
    }

    /// What would not fit is refused before anything is written.
    void expectMemory() {
        const std::string device = models::usedDeviceId();
        const MemoryNeeds needs = predictedNeeds(m_setup.architecture, m_setup.recipe, extentOf(m_setup.train, m_setup.recipe),
                                                 m_info.decided.precision, m_place.has_value(), device == "cpu");
        const std::int64_t available = models::freeMemoryToCompute();
        refuseTrainingThatDoesNotFit(needs, device, available, models::freeMemory());
        m_info.predictedBytes = usedBytes() + (device == "cpu" ? needs.onCpu() : needs.computing);
        m_notes.push_back("This run will need about " + models::bytesText(m_info.predictedBytes) + " of memory" + (device == "cpu" ? "" : " on " + device) +
                          (available < 0 ? "." : "; " + models::bytesText(available) + " are free."));
    }

    std::int64_t threadsOfARank() const {
        const bool shared = m_place && m_place->port == 0; // the processors of this machine
        return shared ? std::max<std::int64_t>(1, usableThreads() / m_place->world) : usableThreads();
    }

    /// Everything that `train` does at rank 1 and above: rank 0 says what, and writes the results.
    void follow() {
        LocalRanks none;
        m_ranks = meetRanks(m_options, *m_place, m_device, none, m_info.gpus);
        shareRun(*m_ranks, m_setup, m_info);
        if (!m_info.startFrom.empty())
            m_setup.startFrom = StartFrom::parse(m_info.startFrom);
        const std::string hash = m_info.decided.dataHash;
        std::string problem;
        try {
            TrainOptions own = m_options; // documents may be at rank 0 only
            for (fs::path* document : {&own.recipe, &own.architecture})
                if (!fs::exists(*document))
                    document->clear();
            problem = differenceFrom(own, m_setup.recipe, m_setup.architecture, "rank 0's");
            m_kept = keptText(m_folder, m_setup.architecture);
            if (problem.empty())
                readData();
            if (m_info.decided.dataHash != hash)
                problem = m_info.data + " has other recordings or texts there than at rank 0";
        } catch (const Error& error) {
            problem = error.what();
            problem.erase(problem.find_last_not_of('.') + 1);
        }
        agree(*m_ranks, problem);
        m_setup.ranks = m_ranks.get();
        Journal journal = Journal::silent(RunPaths{m_folder}, m_info);
        m_ranks->whenHanging([&](const std::string& sentence) { endNow(sentence); });
        try {
            train(m_setup, journal);
        } catch (const std::exception& error) {
            leave(toldOf(error, journal.info().update).what());
        }
    }

    /// Meets the other ranks, if there are any, before the run is written.
    void meet() {
        m_info.gpus = ownGpu();
        if (!m_place)
            return;
        m_ranks = meetRanks(m_options, *m_place, m_device, m_local, m_info.gpus);
        shareRun(*m_ranks, m_setup, m_info);
        agree(*m_ranks, {});
        m_setup.ranks = m_ranks.get();
        m_notes.push_back(std::to_string(m_place->world) + " ranks train this run.");
    }

    /// Ends this process, and tells the other ranks why: they wait for it, and some may never answer.
    [[noreturn]] void leave(const std::string& sentence) {
        m_ranks->fail(sentence);
        endNow(sentence);
    }

    [[noreturn]] void endNow(const std::string& sentence) {
        m_console.problem(sentence);
        std::_Exit(m_console.finish());
    }

    void work() {
        meet();
        m_info.state = RunState::Running;
        m_info.error.clear();
        m_info.started = utcNow();
        m_info.ended.clear();
        m_info.host = hostName();
        m_info.decided.device = models::usedDeviceId();
        if (const std::string note = decideRanks(m_info, m_place ? m_place->world : 1, m_wantedRanks); !note.empty())
            m_notes.push_back(note);
        m_info.process = ::getpid();
        m_info.version = HEADROOM_VERSION;
        m_info.libtorch = kLibTorch;
        Journal journal(RunPaths{m_folder}, m_info);
        journal.save();
        for (const std::string& note : m_notes) {
            m_console.note(note);
            journal.log(note);
        }
        if (m_ranks)
            m_ranks->whenHanging([&](const std::string& sentence) {
                failEnding(journal, Error("ranks.lost", sentence)); // the training, which hangs, writes nothing
                endNow(sentence);
            });
        try {
            const RunState state = train(m_setup, journal);
            m_console.line("The run " + m_info.id + (state == RunState::Finished ? " is finished" : " has stopped") + " at update " +
                           grouped(journal.info().update) + "; its peak memory was " + models::bytesText(journal.info().peakBytes) +
                           ", and " + models::bytesText(journal.info().predictedBytes) + " was expected.");
        } catch (const std::exception& error) {
            const Error told = toldOf(error, journal.info().update);
            failEnding(journal, told);
            if (m_ranks)
                leave(told.what());
            throw told;
        }
        const RunInfo& end = journal.info();
        m_console.document({{"format", "headroom/training"},
                            {"version", 1},
                            {"run", m_folder.string()},
                            {"state", toText(end.state)},
                            {"update", end.update},
                            {"best", end.best},
                            {"predictedBytes", end.predictedBytes},
                            {"peakBytes", end.peakBytes},
                            {"model", RunPaths{m_folder}.model().string()}});
    }

    /// What went wrong: an error of our own as it is, or what torch refused.
    Error toldOf(const std::exception& error, std::int64_t update) const {
        if (const auto* own = dynamic_cast<const Error*>(&error))
            return *own;
        if (m_ranks && m_ranks->lost()) // what waited for a GPU only knows that the sum was given up
            return Error("ranks.lost", m_ranks->whyLost());
        if (models::isOutOfMemory(error))
            return outOfMemory(RunPaths{m_folder}, m_setup.recipe, update, nullptr);
        if (models::isDeviceLost(error))
            return deviceLost(RunPaths{m_folder}, update, error);
        const std::string said = error.what();
        return Error("train.failed", "Training failed: " + said.substr(0, said.find('\n')) + ".");
    }

    /// The training's thread or the one that found it hanging: whoever is second waits for the end of the process.
    void failEnding(Journal& journal, const Error& error) {
        if (m_ranks && m_ending.test_and_set())
            for (;;)
                std::this_thread::sleep_for(std::chrono::hours(1));
        try {
            journal.end(RunState::Failed, error.what());
        } catch (const Error&) {
            // The disk that made training fail refuses this too; the run then reads as interrupted.
        }
    }

    void show(const Progress& progress) {
        const auto now = std::chrono::steady_clock::now();
        const bool last = progress.update == progress.maxUpdates;
        if (!last && now - m_shown < std::chrono::seconds(m_console.isTerminal() ? 0 : 10))
            return;
        m_shown = now;
        m_console.progressAt(progress.update, progress.maxUpdates, progress.text);
    }

    const TrainOptions& m_options;
    const std::string m_device; ///< as it was given
    const int m_wantedRanks;    ///< of the run that is resumed, if there are too few GPUs for them
    Console& m_console;
    fs::path m_folder;
    TrainSetup m_setup;
    RunInfo m_info;
    std::optional<TextOfModel> m_kept; ///< of a run that has begun
    std::vector<std::string> m_notes;
    std::chrono::steady_clock::time_point m_shown;
    std::optional<RankPlace> m_place; ///< nullopt: one process
    LocalRanks m_local;
    std::unique_ptr<Ranks> m_ranks; ///< before m_local ends
    std::atomic_flag m_ending;      ///< somebody writes the end of the run
};

} // namespace

void trainModel(const TrainOptions& given, const std::string& device, int wantedRanks, Console& console) {
    catchTermination();
    const TrainOptions options = withStartModel(given);
    if (isAtPlace(options))
        return trainAtPlace(options, console);
    if (options.watch)
        throw Error("train.watch", "--watch needs the --place where the run is. A run of this machine is seen in its folder.");
    if (!options.seeds.empty())
        throw Error("seeds.place", "--seeds needs a --place other than this machine. Here the queue trains seeds one after the other; "
                                   "a command trains one, with --seed.");
    TrainCommand(options, device, wantedRanks, console).run();
}

} // namespace headroom::training
