// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/resume.h"

#include "core/errors/count_text.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

/// The last update whose checkpoint was acknowledged, in events.jsonl or in run.json; 0: none was.
std::int64_t lastSaved(Journal& journal) {
    std::int64_t saved = journal.info().update;
    for (const auto& event : EventFollower(journal.paths().events()).poll())
        if (event.value("event", nlohmann::json()) == "checkpoint")
            if (const auto update = event.find("update");
                update != event.end() && update->is_number_integer())
                saved = std::max(saved, update->get<std::int64_t>());
    return saved;
}

} // namespace

std::optional<TrainState> newestState(Journal& journal, const models::Parameters& parameters, const Adam& optimiser) {
    const RunPaths& paths = journal.paths();
    std::error_code ignored;
    const fs::path last = fs::read_symlink(paths.checkpoints() / "last.safetensors", ignored);
    if (!last.empty() && !fs::exists(paths.checkpoints() / last, ignored))
        journal.log("checkpoints/" + last.string() + " no longer exists; the newest remaining one is used.");
    std::string problems;
    auto files = checkpointFiles(paths, true);
    for (; !files.empty(); files.pop_back()) {
        TrainState state;
        try {
            state = readCheckpointInto(files.back(), parameters, optimiser);
        } catch (const Error& error) {
            journal.log(error.what());
            problems += std::string(" ") + error.what();
            continue;
        }
        const std::string file = files.back().filename().string();
        journal.log("Resumed from " + file + ".");
        journal.event("resumed", state.update, {{"file", file}});
        return state;
    }
    if (const std::int64_t saved = lastSaved(journal); problems.empty() && saved > 0)
        throw Error("train.noCheckpoint",
                    "The run " + paths.folder.string() + " has no readable checkpoint: update " +
                        grouped(saved) + " was saved, but its file is no longer in " +
                        paths.checkpoints().string() + ".",
                    {{"run", paths.folder.string()}, {"update", saved}});
    if (!problems.empty() || !last.empty())
        throw Error("train.noCheckpoint",
                    "The run " + paths.folder.string() + " has no readable checkpoint." + problems,
                    {{"run", paths.folder.string()}});
    journal.log("There is no checkpoint yet, so the run starts again.");
    journal.event("resumed", 0);
    return std::nullopt;
}

void takeWeightsOfFirst(Ranks& ranks, const models::Parameters& parameters, const Adam& optimiser) {
    std::vector<at::Tensor> tensors;
    for (const models::Parameters* list : {&parameters, &optimiser.means(), &optimiser.variances()})
        list->forEach([&](const std::string&, const at::Tensor& tensor) {
            tensors.push_back(tensor.detach());
            if (ranks.rank() > 0)
                tensors.back().zero_();
        });
    ranks.sum(tensors); // of which all but one are 0
}

} // namespace headroom::training
