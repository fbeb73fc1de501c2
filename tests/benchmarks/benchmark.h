// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace headroom::benchmarks {

/// One line of the table: our figure beside that of a named alternative, measured in the same run.
struct BenchmarkRow {
    std::string name;
    double ours = 0;
    double alternative = 0;
    std::string unit;
    std::string alternativeName;
    double ratio = 0; ///< greater than 1 where ours is better
    std::string note;
    double megabytes = 0, alternativeMegabytes = 0; ///< at the peak, where both were measured beside the time
    double wanted = 0; ///< the ratio that is wanted; 0: none
};

/// Takes rows as they come.
using RowSink = std::function<void(const BenchmarkRow&)>;
/// Whether a row of this name is to be measured.
using RowFilter = std::function<bool(const std::string& name)>;

} // namespace headroom::benchmarks
