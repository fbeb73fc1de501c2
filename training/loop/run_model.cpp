// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/run_model.h"

#include "training/loop/checkpoint.h"
#include "training/loop/export_model.h"

#include <algorithm>

namespace headroom::training {

namespace fs = std::filesystem;

fs::path bestCheckpoint(Journal& journal, const nlohmann::json& best) {
    const RunPaths& paths = journal.paths();
    if (!best.is_null()) {
        const fs::path file =
            checkpointFile(paths, best["update"].get<std::int64_t>(), SavedFor::Recipe);
        if (fs::exists(file))
            return file;
        journal.log(file.filename().string() +
                    ", the best, no longer exists; the newest is used instead.");
    }
    const auto files = checkpointFiles(paths, true);
    if (files.empty())
        throw Error("train.noCheckpoint", paths.checkpoints().string() + " is empty: its files were removed.",
                    {{"run", paths.folder.string()}});
    return files.back();
}

std::string writeRunModel(Journal& journal, const TrainSetup& setup, const std::vector<fs::path>& files,
                          const models::Parameters& like, const StatisticsSource& statistics) {
    const models::Parameters weights = averageOf(files, like);
    if (files.size() > 1)
        renewStatistics(weights, statistics);
    exportModel(journal.paths().model(), weights,
                {setup.architecture, setup.tokenizer, "the run " + journal.info().id, files,
                 setup.architecture.frontEnd.input().window().value_or(inputFrames(
                     setup.architecture.frontEnd, std::max<std::int64_t>(6000, setup.recipe.data.maxFrames))),
                 setup.tokens, setup.sourceTokenizer});
    const bool leftOut = setup.recipe.loss.ctcWeight > 0 && !setup.architecture.ctc;
    return (files.size() == 1 ? "model/ is " + files.front().filename().string()
                              : "model/ is the mean of the last " + std::to_string(files.size()) + " checkpoints") +
           (leftOut ? ", without the CTC output, which the architecture does not have" : "");
}

} // namespace headroom::training
