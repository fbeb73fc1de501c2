// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/global_cmvn.h"

#include "core/errors/count_text.h"
#include "models/checkpoints/model_folder.h"
#include "training/data/training_cmvn.h"

namespace headroom::training {

void setGlobalCmvn(TrainSetup& setup, const std::filesystem::path& data, Console& console, std::vector<std::string>& notes) {
    auto& cmvn = setup.architecture.frontEnd.cmvn;
    if (cmvn || setup.architecture.frontEnd.reads != InputKind::KaldiLogMel)
        return;
    if (setup.startFrom)
        cmvn = models::describeModelFolder(setup.startFrom->model).architecture.frontEnd.cmvn;
    if (cmvn) {
        notes.push_back("Global CMVN is that of the start model " + setup.startFrom->model.string() + ".");
    } else if (setup.recipe.data.cmvn == "global") {
        if (const auto stored = storedCmvn(data, setup.architecture.frontEnd.features)) {
            console.note("Global CMVN is that of " + cmvnFileOf(data).string() + ", over " +
                         counted(stored->frames, "frame") + ".");
            cmvn = stored->cmvn;
            return;
        }
        console.note("Global CMVN is computed from the training data.");
        cmvn = cmvnOf(setup.train.examples, setup.architecture.frontEnd.features,
                      setup.recipe.data.loaderThreads);
    }
}

} // namespace headroom::training
