// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/import.h"

#include "training/worker/commands.h"

namespace headroom::training {

void importModel(const std::filesystem::path& source, const std::filesystem::path& out, Console& console) {
    const auto report = models::importModel(source, out);
    const auto& model = report.model;
    for (const auto& sentence : model.report.assumed)
        console.note(sentence);
    console.line(out.string() + ": " + std::to_string(model.parameters) + " parameters in " +
                 std::to_string(model.tensors) + " tensors, " + model.storedAs);
    console.document(
        {{"format", "headroom/import"},
         {"version", 1},
         {"source", source.string()},
         {"model", out.string()},
         {"files", report.files},
         {"licence", report.licence.empty() ? nlohmann::json(nullptr) : nlohmann::json(report.licence)},
         {"parameters", model.parameters},
         {"tensors", model.tensors},
         {"storedAs", model.storedAs},
         {"hash", model.weightsHash},
         {"assumed", model.report.assumed}});
}

} // namespace headroom::training
