// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::models {

/// The comparison of one kernel with its reference on seeded numbers.
struct CheckRow {
    std::string name;      ///< "contributions, 4 heads, N 257"
    std::string precision; ///< "float32"
    bool passed = false;
    std::string detail; ///< the largest difference, and the bound
};

/// Compares every kernel of the device with its double-precision reference (`headroom-worker check`). Takes a
/// few seconds. `device`: "cpu" or "cuda:K". Throws Error "models.noSuchDevice", which says what is missing.
std::vector<CheckRow> runChecks(const std::string& device);

} // namespace headroom::models
