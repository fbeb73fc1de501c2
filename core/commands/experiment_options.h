// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// `experiment`: a table of a paper, begun or gone on with.
struct ExperimentOptions {
    std::string name; ///< in resources/experiments, or a document's path that ends in .json
    bool list = false;
    bool hours = false;         ///< predict how long the trainings take, instead of doing them
    std::optional<double> rate; ///< frames per second of every training; unset: measured
    std::filesystem::path data, out;
    std::optional<int> seeds;   ///< unset: as the document says
    double scale = 1;           ///< (0, 1]
    std::vector<std::string> steps; ///< names or patterns with *: these and what they need; empty: all
    std::filesystem::path queue; ///< a folder of runs, with whose queue it takes turns on this machine; empty: none
    std::string place;          ///< of trainings, studies and decoding, by name; empty: this machine
    std::string device = "cpu"; ///< of what is computed here
    bool operator==(const ExperimentOptions&) const = default;
};
/// Only options that differ from their defaults are written. Pure.
std::vector<std::string> arguments(const ExperimentOptions& options);

} // namespace headroom
