// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::training {

struct BenchOptions {
    std::vector<std::string> names; ///< of benchmarkNames(); empty: all, including training if there is data
    bool quick = false;             ///< fewer and smaller measurements, of those that take long
    std::string only;               ///< attention, studies: measure the rows whose name contains this; empty: all
    std::int64_t pairs = 3;         ///< attention: at least so many of each row
    std::filesystem::path data;     ///< a corpus to train on
    std::filesystem::path architecture;
    std::filesystem::path python = "python3"; ///< of the peer of families
    std::filesystem::path batches; ///< where the batches are written to; empty: nowhere
    std::string precision = "fp32";
    double ctcWeight = 0;
    std::int64_t threads = 2, batchFrames = 20000, warmUp = 1, updates = 7;
};

/// Returns the names that `bench` takes besides "train".
std::vector<std::string> benchmarkNames();
/// Declares `bench` with its arguments, which must outlive the parser. Returns the command; the caller sets its
/// callback, which calls checkBenchArguments() first.
CLI::App* declareBenchArguments(CLI::App& app, BenchOptions& options);
/// Throws CLI::ParseError if `train` is named without a corpus and an architecture.
void checkBenchArguments(const BenchOptions& options);

} // namespace headroom::training
