// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/average_checkpoints.h"

#include "core/runs/run_folder.h"
#include "models/checkpoints/model_folder.h"
#include "training/loop/checkpoint.h"
#include "training/loop/export_model.h"
#include "training/loop/initial_weights.h"

#include <algorithm>

namespace headroom::training {

namespace fs = std::filesystem;

void averageCheckpoints(const fs::path& run, int count, bool aroundBest, const fs::path& model) {
    const RunPaths paths{run};
    auto files = checkpointFiles(paths, false);
    if (files.empty())
        throw Error("experiment.checkpoints", "The run " + run.string() + " has kept no checkpoints.", {{"run", run.string()}});
    const auto size = static_cast<std::ptrdiff_t>(files.size()), wanted = std::min<std::ptrdiff_t>(count, size);
    std::ptrdiff_t first = size - wanted;
    if (aroundBest) {
        std::error_code missing;
        const fs::path best = fs::canonical(paths.checkpoints() / "best.safetensors", missing).filename();
        const auto found = std::find_if(files.begin(), files.end(), [&](const fs::path& one) { return one.filename() == best; });
        if (found == files.end())
            throw Error("experiment.checkpoints", "The run " + run.string() + " has no best checkpoint.", {{"run", run.string()}});
        first = std::clamp<std::ptrdiff_t>(found - files.begin() - wanted / 2, 0, size - wanted);
    }
    files = {files.begin() + first, files.begin() + first + wanted};
    const models::ModelFolder exported = models::describeModelFolder(paths.model());
    const Architecture architecture = readArchitecture(paths.architecture());
    const models::Parameters like = initialWeights(architecture, architecture.ctc.has_value(), 0);
    exportModel(model, averageOf(files, like),
                {architecture, exported.tokenizer, "the mean of " + std::to_string(wanted) + " checkpoints of the run " +
                                                       run.filename().string(),
                 files, exported.maxSourceFrames, exported.tokens, exported.sourceTokenizer});
}

fs::path runOfModel(const fs::path& model) {
    std::error_code ignored;
    const fs::path given = model.filename().empty() ? model.parent_path() : model,
                   run = fs::exists(RunPaths{given}.run(), ignored) ? given : given.parent_path();
    if (!fs::exists(RunPaths{run}.run(), ignored))
        throw Error("model.noRun", model.string() + " is not the model of a run, so it has no checkpoints. Leave out --checkpoint.",
                    {{"model", model.string()}});
    return run;
}

} // namespace headroom::training
