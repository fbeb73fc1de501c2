// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/documents/start_model.h"

#include "core/architecture/trained_architecture.h"
#include "core/places/run_text.h"
#include "core/runs/checkpoint_name.h"
#include "core/runs/run_folder.h"
#include "models/checkpoints/model_folder.h"
#include "training/data/sentences.h"
#include "training/loop/checkpoint.h"
#include "training/loop/export_model.h"
#include "training/worker/documents/kept_text.h"

#include <chrono>
#include <thread>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

/// Waits until nobody else has it.
FileLock lockOf(const fs::path& file) {
    for (;;) {
        if (auto lock = FileLock::tryTake(file, "run.unwritable"))
            return std::move(*lock);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

/// Whether a model is there with all of this architecture: one that an older version made of a checkpoint lacks the CTC output.
bool isWhole(const fs::path& model, const Architecture& architecture) {
    try {
        std::error_code ignored;
        return fs::exists(model / "model.safetensors", ignored) && canonicalText(readArchitecture(model / "architecture.json")) == canonicalText(architecture);
    } catch (const Error&) {
        return false;
    }
}

} // namespace

TrainOptions withStartModel(TrainOptions options) {
    std::error_code ignored;
    if (options.startFrom.empty() || fs::exists(RunPaths{options.run}.run(), ignored))
        return options;
    const StartFrom start = StartFrom::parse(options.startFrom);
    const auto named = checkpointNamed(start.model);
    if (!named)
        return options;
    const fs::path file = named->file(), model = named->run / "branches" / file.stem();
    options.startFrom = StartFrom{model, start.encoderOnly}.text();
    fs::create_directories(model.parent_path(), ignored);
    const FileLock one = lockOf(model.string() + ".lock"); // several ranks or jobs may want it at once
    const RunPaths paths{named->run};
    const Recipe recipe = readRecipe(paths.recipe());
    // With the CTC output that training added: the branch is trained further with it.
    const Architecture architecture = trainedArchitecture(readArchitecture(paths.architecture()), recipe.loss.ctcWeight > 0);
    if (isWhole(model, architecture))
        return options;
    ExportedModel about{architecture, {}, "a checkpoint of the run " + named->run.filename().string(), {file}};
    if (const RunText origin = textOfRun(named->run); origin.result) {
        const models::ModelFolder result = models::describeModelFolder(*origin.result);
        about.tokenizer = result.tokenizer;
        about.sourceTokenizer = result.sourceTokenizer;
        about.maxSourceFrames = result.maxSourceFrames;
        about.tokens = result.tokens;
    } else { // as the run found it
        const auto& from = origin.startFrom;
        const fs::path& data = origin.data;
        const auto kept = keptText(named->run, architecture);
        const TextOfModel text = kept ? *kept
                                 : architecture.languageModel
                                     ? tokenizerFor(from, Sentences::open(data, recipe.task).tokenizer())
                                     : tokenizerFor(from, data / corpusTokenizerName(recipe.task), data / corpusSourceTokenizerName(recipe.task));
        about.tokenizer = text.tokenizer;
        about.sourceTokenizer = text.sourceTokenizer;
        about.tokens = text.rules;
    }
    exportModel(model, averageOf({file}, initialWeights(architecture, architecture.ctc.has_value(), 0)), about);
    return options;
}

} // namespace headroom::training
