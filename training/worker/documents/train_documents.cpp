// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/documents/train_documents.h"

#include "core/corpus/problems_of.h"
#include "core/errors/count_text.h"
#include "core/errors/whole_path.h"
#include "core/features/kaldi_pitch.h"
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/model_folder.h"
#include "training/data/sentences.h"
#include "training/loop/layer_drop.h"
#include "training/loop/memory.h"
#include "training/ranks/place.h"

#include <chrono>
#include <thread>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

/// The file as it was given; a job's copy of the document has a path that nobody chose, so that the name stands for it.
std::string shownName(const RunDocuments& wanted, const TrainOptions& options) {
    const bool isCopy = wholePath(options.architecture).parent_path() == jobInputs(wholePath(options.run).parent_path());
    const std::string& name = wanted.architecture.name;
    return name.empty() || !isCopy ? options.architecture.string() : "“" + name + "”";
}

/// A model of features that Headroom does not compute could never be used.
void checkFeatures(const Architecture& architecture, const std::string& file) {
    const bool mel = architecture.frontEnd.reads == InputKind::KaldiLogMel;
    if (architecture.languageModel || !mel || isKaldiColumns(architecture.frontEnd.features))
        return;
    throw Error("train.features",
                file + ", frontEnd.features: Headroom computes 80 mel bins, or 83 features (80 mel bins and 3 of pitch), and " +
                    std::to_string(architecture.frontEnd.features) + " are asked for.",
                {{"file", file}, {"features", architecture.frontEnd.features}});
}

/// Global CMVN is of mel features.
void checkCmvn(const RunDocuments& wanted, const TrainOptions& options) {
    if (wanted.recipe.data.cmvn == "global" &&
        (wanted.architecture.languageModel || wanted.architecture.frontEnd.reads != InputKind::KaldiLogMel))
        throw Error("train.cmvn",
                    options.recipe.string() + ", data.cmvn: global CMVN applies to Kaldi's mel features, which " +
                        shownName(wanted, options) + " does not read. Set it to utterance.",
                    {{"key", "data.cmvn"}});
}

/// A language model is trained with the task "lm", and nothing else is.
void checkTask(const RunDocuments& wanted, const TrainOptions& options) {
    const bool isLanguage = wanted.architecture.languageModel.has_value();
    if (isLanguage != isLanguageTask(wanted.recipe.task))
        throw Error("train.task",
                    shownName(wanted, options) + " is a " + (isLanguage ? "language" : "speech or text") +
                        " model, and the task of " + options.recipe.string() + " is “" + wanted.recipe.task + "”. " +
                        (isLanguage ? "Set it to lm, or to lm_TASK for the texts of TASK."
                                    : "Set it to a task of the corpus."),
                    {{"task", wanted.recipe.task}});
    const std::string& best = wanted.recipe.validation.best;
    if (isLanguage && best != "loss" && best != "nll")
        throw Error("train.task",
                    options.recipe.string() + ": a language model writes no text, so validation.best must be loss or nll.",
                    {{"key", "validation.best"}});
    if (best == "ctc" && !(wanted.architecture.decoder && wanted.architecture.ctc))
        throw Error("train.task",
                    options.recipe.string() + ": validation.best is ctc, which needs a CTC output beside a decoder, and " +
                        shownName(wanted, options) + " does not have both. Without a decoder the loss is that of CTC.",
                    {{"key", "validation.best"}});
}

} // namespace

RunDocuments readDocuments(const TrainOptions& options) {
    RunDocuments wanted{readArchitecture(options.architecture), readRecipe(options.recipe)};
    for (const std::string& assignment : options.set)
        overrideRecipe(wanted.recipe, assignment);
    if (options.seed)
        overrideRecipe(wanted.recipe, "machine.seed=" + std::to_string(*options.seed));
    checkTrainable(wanted.architecture, wanted.recipe.loss, shownName(wanted, options));
    checkLayerDrop(wanted.architecture, wanted.recipe.optimiser, shownName(wanted, options));
    checkFeatures(wanted.architecture, shownName(wanted, options));
    checkTask(wanted, options);
    checkCmvn(wanted, options);
    return wanted;
}

namespace {

/// Sets a size to the pieces of a tokenizer, and says so at the end of `note`.
void matchSize(const char* what, int& size, int pieces, const fs::path& tokenizer, std::string& note) {
    const bool characters = tokenizer.extension() == ".json"; // rows of the output may be left over
    if (characters ? size >= pieces : size == pieces)
        return;
    note += std::string(note.empty() ? "" : " ") + "The " + what + " was set from " + std::to_string(size) + " to " +
            std::to_string(pieces) + ", the pieces of " + tokenizer.filename().string() + ".";
    size = pieces;
}

/// Whether two tokenizers are of one vocabulary, and differ in how they cut.
bool numberAlike(const fs::path& one, const fs::path& other) {
    const Tokenizer first(one), second(other);
    if (first.size() != second.size())
        return false;
    for (int id = 0; id < first.size(); ++id)
        if (first.piece(id) != second.piece(id))
            return false;
    return true;
}

} // namespace

std::string matchVocabulary(Architecture& architecture, const TextOfModel& text) {
    const int pieces = Tokenizer(text.tokenizer).size();
    std::string note;
    if (architecture.decoder || architecture.languageModel)
        matchSize("vocabulary", architecture.vocabulary, pieces, text.tokenizer, note);
    if (architecture.ctc)
        matchSize("CTC output", *architecture.ctc, pieces, text.tokenizer, note);
    if (architecture.frontEnd.vocabulary > 0)
        matchSize("vocabulary of the source", architecture.frontEnd.vocabulary, Tokenizer(text.sourceTokenizer).size(),
                  text.sourceTokenizer, note);
    return note;
}

void checkVocabularies(const Architecture& architecture, const TextOfModel& text) {
    const bool own = architecture.frontEnd.vocabulary > 0, given = !text.sourceTokenizer.empty();
    if (architecture.frontEnd.reads != InputKind::Text || (own && given) ||
        (!own && (!given || numberAlike(text.tokenizer, text.sourceTokenizer))))
        return;
    const std::string pieces = text.tokenizer.string();
    throw Error("data.tokenizer",
                own ? "“" + architecture.name + "” has a vocabulary for the source alone (frontEnd.vocabulary), and beside " + pieces +
                          " there is none. Learn one for each language with headroom-worker corpus pieces --separate, or remove the key."
                    : text.sourceTokenizer.string() + " is a vocabulary of the source alone, and “" + architecture.name +
                          "” embeds source and target with one table. Give its front end the key “vocabulary”, or learn one "
                          "vocabulary of both with headroom-worker corpus pieces.",
                {{"file", pieces}});
}

TextOfModel tokenizerFor(const std::optional<StartFrom>& startFrom, const fs::path& own, const fs::path& ownSource) {
    TextOfModel corpus{own, {}, !ownSource.empty() && fs::exists(ownSource) ? ownSource : fs::path()};
    // An encoder may be taken from a model of another language: what is written then is the corpus's.
    if (startFrom && (!startFrom->encoderOnly || !fs::exists(own))) {
        const models::ModelFolder found = models::describeModelFolder(startFrom->model);
        if (!found.tokenizer.empty())
            return {found.tokenizer, found.tokens, found.sourceTokenizer};
    } else if (startFrom) { // an encoder knows the pieces of its source
        const models::ModelFolder found = models::describeModelFolder(startFrom->model);
        if (found.architecture.frontEnd.vocabulary > 0)
            corpus.sourceTokenizer = found.sourceTokenizer;
    }
    if (!fs::exists(own))
        throw Error("data.tokenizer",
                    own.parent_path().string() + " has no " + own.filename().string() +
                        ", and no start model has one.",
                    {{"file", own.string()}});
    return corpus;
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

std::vector<std::string> problemNotes(const Corpus& corpus, const Recipe& recipe) {
    constexpr std::size_t kSaid = 20;
    std::vector<std::string> notes;
    std::size_t count = 0;
    for (const CorpusProblem& problem : problemsOf(corpus, recipe.task, {recipe.data.trainSplit, recipe.data.validationSplit}))
        if (++count <= kSaid)
            notes.push_back(problem.sentence);
    if (count > kSaid)
        notes.push_back("And " + counted(static_cast<std::int64_t>(count - kSaid), "more invalid row") + ".");
    return notes;
}

std::string deviceOfRecipe(const TrainOptions& options) {
    try {
        if (std::error_code ignored; options.resume && fs::exists(RunPaths{options.run}.run(), ignored)) {
            const std::string decided = readRun(options.run).decided.device;
            const bool several = options.ranks > 1 || placeFromEnvironment().has_value(); // each takes one of its own
            if (!decided.empty())
                return several && decided.starts_with("cuda:") ? "cuda" : decided;
        }
        Recipe recipe = readRecipe(options.recipe.empty() ? RunPaths{options.run}.recipe() : options.recipe);
        for (const std::string& assignment : options.set)
            overrideRecipe(recipe, assignment);
        return recipe.machine.device;
    } catch (const Error&) {
        return Recipe().machine.device;
    }
}

std::string parentOf(const std::optional<StartFrom>& startFrom) {
    if (!startFrom)
        return {};
    const fs::path named = wholePath(startFrom->model);
    const bool isBranch = named.parent_path().filename() == "branches";
    const fs::path run = fs::exists(RunPaths{named}.run()) ? named
                         : isBranch                        ? named.parent_path().parent_path()
                                                           : named.parent_path();
    return fs::exists(RunPaths{run}.run()) ? run.filename().string() : std::string();
}

std::string differenceFrom(const TrainOptions& options, const Recipe& recipe, const Architecture& architecture,
                           const std::string& whose) {
    if (options.architecture.empty() && options.recipe.empty() && options.set.empty() && !options.seed)
        return {};
    Recipe wanted = options.recipe.empty() ? recipe : readRecipe(options.recipe);
    for (const std::string& assignment : options.set)
        overrideRecipe(wanted, assignment);
    if (options.seed)
        overrideRecipe(wanted, "machine.seed=" + std::to_string(*options.seed));
    const auto different = differences(recipe, wanted);
    if (!different.empty())
        return whose + " " + different[0].key + " is " + different[0].left + ", and " + different[0].right +
               " was asked for";
    if (options.architecture.empty())
        return {};
    Architecture asked = readArchitecture(options.architecture);
    asked.vocabulary = architecture.vocabulary; // set to match the corpus at the start
    if (asked.frontEnd.vocabulary > 0 && architecture.frontEnd.vocabulary > 0)
        asked.frontEnd.vocabulary = architecture.frontEnd.vocabulary;
    if (!asked.frontEnd.cmvn)
        asked.frontEnd.cmvn = architecture.frontEnd.cmvn;
    if (asked.ctc && architecture.ctc)
        asked.ctc = architecture.ctc;
    return asked == architecture ? "" : whose + " architecture differs from " + options.architecture.string();
}

void refuseOtherwise(const TrainOptions& options, const fs::path& folder, const Recipe& recipe,
                     const Architecture& architecture) {
    const std::string difference = differenceFrom(options, recipe, architecture, "its");
    if (!difference.empty())
        throw Error("train.otherRun", "The run " + folder.string() + " cannot be resumed: " + difference + ".",
                    {{"run", folder.string()}});
}

} // namespace headroom::training
