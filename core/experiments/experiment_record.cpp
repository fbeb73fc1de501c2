// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/experiment_record.h"

#include "core/experiments/experiment_paths.h"
#include "core/runs/strict_json.h"

namespace headroom {

std::optional<ExperimentRecord> readExperimentRecord(const std::filesystem::path& folder) {
    const auto file = ExperimentPaths{folder}.experiment();
    const std::string name = file.string();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return std::nullopt;
    ExperimentRecord record;
    record.document = readStrictObject(file, "experiment.badJson");
    const auto isNot = [&] {
        return Error("experiment.badJson", name + " is not the record of an experiment.", {{"file", name}});
    };
    if (record.document.value("format", nlohmann::json()) != kExperimentRunFormat)
        throw isNot();
    if (record.document.value("version", nlohmann::json()) != 1)
        throw Error("experiment.newer", name + " was written by a later version of Headroom.",
                    {{"file", name}});
    try {
        record.name = record.document.at("name").get<std::string>();
        record.data = record.document.at("folder").get<std::string>();
        record.seeds = record.document.at("seeds").get<int>();
        record.scale = record.document.at("scale").get<double>();
    } catch (const nlohmann::json::exception&) {
        throw isNot();
    }
    if (!record.document.contains("data"))
        throw isNot();
    return record;
}

} // namespace headroom
