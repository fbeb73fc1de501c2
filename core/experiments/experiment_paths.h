// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/plan.h"

#include <filesystem>
#include <string>

namespace headroom {

/// The folder of an experiment; core/experiments/README.md.
struct ExperimentPaths {
    std::filesystem::path folder;

    std::filesystem::path experiment() const { return folder / "experiment.json"; }
    std::filesystem::path lock() const { return folder / "lock"; }
    std::filesystem::path table(const char* suffix) const { return folder / (std::string("table") + suffix); }
    std::filesystem::path corpus(const std::string& name) const { return folder / "corpora" / name; } ///< a scaled one
    std::filesystem::path input(const std::string& id, const char* kind) const {
        return folder / "inputs" / (id + "." + kind + ".json");
    }
    std::filesystem::path timed(const std::string& id, const std::string& name) const { ///< an architecture of a study
        return folder / "inputs" / id / (name + ".json");
    }
    std::filesystem::path log(const std::string& id) const { return folder / "logs" / (id + ".txt"); }
    /// What a step makes: a run, a model, a study, or decoded texts.
    std::filesystem::path result(const PlannedStep& planned) const {
        switch (planned.step.kind) {
        case ExperimentStep::Kind::Train:
            return folder / "runs" / planned.id;
        case ExperimentStep::Kind::Average:
            return folder / "models" / planned.id;
        case ExperimentStep::Kind::Study:
            return folder / "studies" / planned.id;
        case ExperimentStep::Kind::Decode:
            return folder / "decoded" / planned.id;
        }
        return {};
    }
    /// The model folder that a Train or Average step makes.
    std::filesystem::path model(const PlannedStep& planned) const {
        return planned.step.kind == ExperimentStep::Kind::Train ? result(planned) / "model" : result(planned);
    }
};

} // namespace headroom
