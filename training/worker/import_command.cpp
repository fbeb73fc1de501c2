// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "models/checkpoints/import.h"
#include "training/worker/commands.h"

#include <algorithm>

namespace headroom::training {
namespace {

constexpr std::size_t kMostNames = 20; // of one kind on the console; a document has them all

nlohmann::json orNull(const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

void list(const nlohmann::json& names, const std::string& what, Console& console) {
    for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
        console.note(what + ": " + (names[i].is_string() ? names[i] : names[i]["name"]).get<std::string>());
    if (names.size() > kMostNames)
        console.note(what + ": " + std::to_string(names.size() - kMostNames) + " more");
}

/// What stands against an import whose tensors are not those of its architecture, name by name.
void tellReport(const ImportOptions& options, const Error& error, Console& console) {
    const auto& report = error.values()["report"];
    list(report["missing"], "missing", console);
    list(report["wrongShape"], "of another shape", console);
    list(report["unexpected"], "unexpected", console);
    console.document({{"format", "headroom/import"},
                      {"version", 1},
                      {"source", options.source.string()},
                      {"model", nullptr},
                      {"error", error.what()},
                      {"report", report}});
}

} // namespace

std::vector<std::string> importFormats() {
    return {"headroom", "hugging-face"};
}

void importModel(const ImportOptions& options, Console& console) {
    models::ImportOptions how;
    how.format =
        options.format == "hugging-face" ? models::ModelFormat::HuggingFace : models::ModelFormat::Headroom;
    how.tokenizer = options.tokenizer;
    models::ImportReport report;
    try {
        report = models::importModel(options.source, options.out, how);
    } catch (const Error& error) {
        if (error.values().contains("report"))
            tellReport(options, error, console);
        throw;
    }
    const auto& model = report.model;
    for (const auto& sentence : model.report.assumed)
        console.note(sentence);
    console.line(options.out.string() + ": " + counted(model.parameters, "parameter") + " in " +
                 counted(model.tensors, "tensor") + ", " + model.storedAs + ", computed in float32; from " +
                 report.sourceKind + ", " + report.sourceStoredAs);
    console.document({{"format", "headroom/import"},
                      {"version", 1},
                      {"source", options.source.string()},
                      {"sourceKind", report.sourceKind},
                      {"sourceStoredAs", report.sourceStoredAs},
                      {"model", options.out.string()},
                      {"files", report.files},
                      {"licence", orNull(report.licence)},
                      {"parameters", model.parameters},
                      {"tensors", model.tensors},
                      {"storedAs", model.storedAs},
                      {"computedAs", "float32"},
                      {"hash", model.weightsHash},
                      {"report",
                       {{"loaded", model.report.loaded.size()},
                        {"missing", model.report.missing},
                        {"unexpected", model.report.unexpected},
                        {"wrongShape", nlohmann::json::array()}}},
                      {"assumed", model.report.assumed}});
}

} // namespace headroom::training
