// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::models {

/// One kernel held against its reference on seeded numbers.
struct CheckRow {
    std::string name;      ///< "contributions, 4 heads, N 257"
    std::string precision; ///< "float32"
    bool passed = false;
    std::string detail; ///< the largest difference, and the bound
};

/// Holds every kernel of the device against its double-precision reference (`headroom-worker check`). A few
/// seconds. Throws Error "models.noSuchDevice" for a device that is not here; the sentence says which are.
std::vector<CheckRow> runChecks(const std::string& device);

} // namespace headroom::models
