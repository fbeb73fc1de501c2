// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "core/features/features.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "models/checkpoints/model_folder.h"
#include "models/contributions/memory.h"
#include "training/loop/memory.h"
#include "training/loop/trainer.h"
#include "training/worker/commands.h"
#include "training/worker/termination.h"

#include <chrono>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibTorch = "2.11.0";

std::int64_t usableThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

std::string hostName() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// What a new run is made of.
struct RunDocuments {
    Architecture architecture;
    Recipe recipe;
};

/// The features of this version are LogMelFilterbank's: a model of others could never be used.
void checkFeatures(const Architecture& architecture, const std::string& file) {
    if (architecture.decoder && architecture.decoder->positions == TextPositions::Learnt)
        throw Error("train.decoder",
                    file + ", decoder.positions: a decoder with learnt positions (Whisper) can be opened, analysed "
                           "and decoded, but this version does not train it.",
                    {{"file", file}});
    const bool mel = architecture.frontEnd.reads == InputKind::KaldiLogMel;
    if (architecture.languageModel || !mel || architecture.frontEnd.features == LogMelFilterbank::kBins)
        return;
    throw Error("train.features",
                file + ", frontEnd.features: this version computes " +
                    std::to_string(LogMelFilterbank::kBins) + " mel bins, and " +
                    std::to_string(architecture.frontEnd.features) +
                    " are asked for (a published 83 is 80 mel bins and 3 of pitch).",
                {{"file", file}, {"features", architecture.frontEnd.features}});
}

RunDocuments readDocuments(const TrainOptions& options) {
    RunDocuments wanted{readArchitecture(options.architecture), readRecipe(options.recipe)};
    for (const std::string& assignment : options.set)
        overrideRecipe(wanted.recipe, assignment);
    if (options.seed)
        overrideRecipe(wanted.recipe, "machine.seed=" + std::to_string(*options.seed));
    checkTrainable(wanted.architecture, wanted.recipe.loss, options.architecture.string());
    checkFeatures(wanted.architecture, options.architecture.string());
    return wanted;
}

/// Sets the sizes of the outputs to the tokenizer's pieces, and says so in a sentence; empty where they were
/// right. The blank of a CTC output is <s>, one of the pieces.
std::string matchVocabulary(Architecture& architecture, int pieces, const fs::path& tokenizer) {
    std::string note;
    const bool characters = tokenizer.extension() == ".json"; // rows of the output may be left over
    const auto set = [&](const char* what, int& size) {
        if (characters ? size >= pieces : size == pieces)
            return;
        note += std::string(note.empty() ? "" : " ") + "The " + what + " was set from " +
                std::to_string(size) + " to " + std::to_string(pieces) + ", the pieces of " +
                tokenizer.filename().string() + ".";
        size = pieces;
    };
    if (architecture.decoder)
        set("vocabulary", architecture.vocabulary);
    if (architecture.ctc)
        set("CTC output", *architecture.ctc);
    return note;
}

/// The SentencePiece model: of the model that everything is taken from, else the corpus's.
fs::path tokenizerFor(const std::optional<StartFrom>& startFrom, const Corpus& corpus,
                      const std::string& task) {
    const fs::path own = corpus.folder() / corpusTokenizerName(task);
    // An encoder may be taken from a model of another language: what is written then is the corpus's.
    if (startFrom && (!startFrom->encoderOnly || !fs::exists(own))) {
        const fs::path found = models::describeModelFolder(startFrom->model).tokenizer;
        if (!found.empty())
            return found;
    }
    if (!fs::exists(own))
        throw Error("data.tokenizer",
                    corpus.folder().string() + " has no " + own.filename().string() +
                        ", and no start model has one.",
                    {{"file", own.string()}});
    return own;
}

std::string parentOf(const std::optional<StartFrom>& startFrom) {
    if (!startFrom)
        return {};
    const fs::path folder = fs::absolute(startFrom->model).lexically_normal();
    const fs::path named = folder.filename().empty() ? folder.parent_path() : folder;
    const fs::path run = fs::exists(RunPaths{named}.run()) ? named : named.parent_path();
    return fs::exists(RunPaths{run}.run()) ? run.filename().string() : std::string();
}

/// A run that goes on keeps what it is: where the command line says otherwise, the first difference is said.
void refuseOtherwise(const TrainOptions& options, const fs::path& folder, const Recipe& recipe,
                     const Architecture& architecture) {
    if (options.architecture.empty() && options.recipe.empty() && options.set.empty() && !options.seed)
        return;
    const auto refuse = [&](const std::string& what) {
        throw Error("train.otherRun", "The run " + folder.string() + " cannot be resumed: " + what + ".",
                    {{"run", folder.string()}});
    };
    Recipe wanted = options.recipe.empty() ? recipe : readRecipe(options.recipe);
    for (const std::string& assignment : options.set)
        overrideRecipe(wanted, assignment);
    if (options.seed)
        overrideRecipe(wanted, "machine.seed=" + std::to_string(*options.seed));
    const auto different = differences(recipe, wanted);
    if (!different.empty())
        refuse("its " + different[0].key + " is " + different[0].left + ", and " + different[0].right +
               " was asked for");
    if (!options.architecture.empty()) {
        Architecture asked = readArchitecture(options.architecture);
        asked.vocabulary = architecture.vocabulary; // set to match the corpus at the start
        if (asked.ctc && architecture.ctc)
            asked.ctc = architecture.ctc;
        if (!(asked == architecture))
            refuse("its architecture differs from " + options.architecture.string());
    }
}

/// The lock may be held for a moment by a queue that is just being asked about it.
FileLock takePatiently(const fs::path& folder) {
    for (int attempt = 0;; ++attempt) {
        try {
            return takeRun(folder);
        } catch (const Error& error) {
            if (error.code() != "run.inUse" || attempt == 4)
                throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }
}

class TrainCommand {
public:
    TrainCommand(const TrainOptions& options, Console& console)
        : m_options(options)
        , m_console(console)
        , m_folder(fs::absolute(options.run).lexically_normal()) {
        if (m_folder.filename().empty())
            m_folder = m_folder.parent_path();
    }

    void run() {
        const bool exists = fs::exists(RunPaths{m_folder}.run());
        if (exists && !m_options.resume)
            throw Error("run.exists",
                        "The run " + m_options.run.string() + " already exists. Use --resume to continue it.",
                        {{"run", m_folder.string()}});
        if (!exists && (m_options.architecture.empty() || m_options.recipe.empty() || m_options.data.empty()))
            throw Error("run.missing",
                        "The run " + m_options.run.string() +
                            " does not exist. A new one needs --architecture, --recipe and --data.",
                        {{"run", m_folder.string()}});
        // Mistakes in documents are said before anything is made.
        std::optional<RunDocuments> wanted;
        if (!exists)
            wanted = readDocuments(m_options);
        const FileLock lock = takePatiently(m_folder);
        if (exists)
            takeUp();
        else
            makeNew(*wanted);
        m_setup.stop = &terminationFlag();
        m_setup.resume = exists;
        m_setup.progress = [this](const Progress& progress) { show(progress); };
        work();
    }

private:
    void makeNew(const RunDocuments& wanted) {
        m_setup.recipe = wanted.recipe;
        m_setup.architecture = wanted.architecture;
        if (!m_options.startFrom.empty())
            m_setup.startFrom = StartFrom::parse(m_options.startFrom);
        m_info.id = m_folder.filename().string();
        m_info.created = utcNow();
        m_info.seed = static_cast<std::uint64_t>(wanted.recipe.machine.seed);
        m_info.startFrom = m_options.startFrom;
        if (m_setup.startFrom)
            m_info.startFrom = fs::absolute(m_setup.startFrom->model).lexically_normal().string() +
                               (m_setup.startFrom->encoderOnly ? ":encoder" : "");
        m_info.parent = parentOf(m_setup.startFrom);
        m_info.data = fs::absolute(m_options.data).lexically_normal().string();
        m_info.decided.precision = wanted.recipe.machine.precision;
        m_info.decided.threads =
            wanted.recipe.machine.threads > 0 ? wanted.recipe.machine.threads : usableThreads();
        m_info.maxUpdates = wanted.recipe.length.maxUpdates;
        readData();
        if (m_setup.startFrom) // whether it fits is said before the run is made
            takeWeights(*m_setup.startFrom, m_setup.architecture,
                        initialWeights(m_setup.architecture, false, 0));
        const RunPaths paths{m_folder};
        writeAtomically(paths.architecture(), std::string_view(canonicalText(m_setup.architecture)),
                        "run.unwritable");
        writeAtomically(paths.recipe(), std::string_view(canonicalText(m_setup.recipe)), "run.unwritable");
    }

    void takeUp() {
        m_info = readRun(m_folder);
        if (m_info.state == RunState::Finished)
            throw Error("train.finished", "The run " + m_options.run.string() + " is finished.",
                        {{"run", m_folder.string()}});
        const RunPaths paths{m_folder};
        m_setup.recipe = readRecipe(paths.recipe());
        m_setup.architecture = readArchitecture(paths.architecture());
        refuseOtherwise(m_options, m_folder, m_setup.recipe, m_setup.architecture);
        checkTrainable(m_setup.architecture, m_setup.recipe.loss, paths.architecture().string());
        if (!m_info.startFrom.empty())
            m_setup.startFrom = StartFrom::parse(m_info.startFrom);
        if (!m_options.data.empty())
            m_info.data = fs::absolute(m_options.data).lexically_normal().string();
        ++m_info.resumed;
        const std::string hash = m_info.decided.dataHash;
        readData();
        if (m_info.decided.dataHash != hash)
            throw Error("train.otherData",
                        m_info.data + " has changed since the run " + m_options.run.string() +
                            " started: its recordings or texts differ.",
                        {{"data", m_info.data}});
    }

    void readData() {
        const Corpus corpus = Corpus::open(m_info.data);
        constexpr std::size_t kSaid = 20;
        for (const CorpusProblem& problem : corpus.problems())
            if (m_notes.size() < kSaid)
                m_notes.push_back(problem.sentence);
        if (corpus.problems().size() > kSaid)
            m_notes.push_back("And " + std::to_string(corpus.problems().size() - kSaid) +
                              " more invalid rows.");
        const Recipe& recipe = m_setup.recipe;
        m_setup.tokenizer = tokenizerFor(m_setup.startFrom, corpus, recipe.task);
        const Tokenizer tokenizer(m_setup.tokenizer);
        const int unknown = checkTokenIds(tokenizer, m_setup.tokenizer);
        const auto note = matchVocabulary(m_setup.architecture, tokenizer.size(), m_setup.tokenizer);
        if (!note.empty()) {
            m_info.note = note;
            m_notes.push_back(note);
        }
        const Recipe::Augmentation& masks = recipe.augmentation;
        if (m_setup.architecture.frontEnd.reads == InputKind::Waveform &&
            masks.frequencyMasks + masks.timeMasks > 0)
            m_notes.push_back("The recipe's masks (SpecAugment) are of mel bins and are not applied: " +
                              m_setup.architecture.name + " reads samples.");
        m_setup.train = readExamples(corpus, recipe, recipe.data.trainSplit, true, tokenizer, unknown);
        m_setup.validation =
            readExamples(corpus, recipe, recipe.data.validationSplit, false, tokenizer, unknown);
        m_info.decided.dataHash = hashOf({&m_setup.train, &m_setup.validation});
        for (const ExampleSet* set : {&m_setup.train, &m_setup.validation})
            m_notes.insert(m_notes.end(), set->notes.begin(), set->notes.end());
        expectMemory();
    }

    /// What would not fit is refused before anything is written.
    void expectMemory() {
        const std::int64_t needed =
            predictedBytes(m_setup.architecture, m_setup.recipe, extentOf(m_setup.train, m_setup.recipe),
                           m_info.decided.precision);
        const std::int64_t available = models::freeMemory();
        refuseTrainingThatDoesNotFit(needed, available);
        m_info.predictedBytes = residentBytes() + needed;
        m_notes.push_back("This run will need about " + models::bytesText(m_info.predictedBytes) +
                          " of memory" +
                          (available < 0 ? "." : "; " + models::bytesText(available) + " are free."));
    }

    void work() {
        m_info.state = RunState::Running;
        m_info.error.clear();
        m_info.started = utcNow();
        m_info.ended.clear();
        m_info.host = hostName();
        m_info.process = ::getpid();
        m_info.version = HEADROOM_VERSION;
        m_info.libtorch = kLibTorch;
        clearRequest(m_folder);
        Journal journal(RunPaths{m_folder}, m_info);
        journal.save();
        for (const std::string& note : m_notes) {
            m_console.note(note);
            journal.log(note);
        }
        try {
            const RunState state = train(m_setup, journal);
            m_console.line("The run " + m_info.id + " " +
                           (state == RunState::Finished ? "is finished" : "has stopped") + " at update " +
                           std::to_string(journal.info().update) + "; its peak memory was " +
                           models::bytesText(journal.info().peakBytes) + ", and " +
                           models::bytesText(journal.info().predictedBytes) + " was expected.");
        } catch (const Error& error) {
            failEnding(journal, error);
            throw;
        } catch (const std::bad_alloc&) {
            const Error told("train.memory",
                             "This machine ran out of memory: a smaller data.maxBatchFrames with a "
                             "larger optimiser.accumulate trains the same with less.");
            failEnding(journal, told);
            throw told;
        } catch (const std::exception& error) { // torch
            const Error told("train.failed",
                             std::string("Training failed: ") + firstLine(error.what()) + ".");
            failEnding(journal, told);
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

    static std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

    static void failEnding(Journal& journal, const Error& error) {
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
        m_console.progress(progress.update, progress.maxUpdates, progress.text);
    }

    const TrainOptions& m_options;
    Console& m_console;
    fs::path m_folder;
    TrainSetup m_setup;
    RunInfo m_info;
    std::vector<std::string> m_notes;
    std::chrono::steady_clock::time_point m_shown;
};

} // namespace

void trainModel(const TrainOptions& options, Console& console) {
    catchTermination();
    TrainCommand(options, console).run();
}

} // namespace headroom::training
