// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
};

} // namespace headroom::benchmarks
