// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
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
/// few seconds. `device`: "cpu", "cuda:K", or the one that usedDevice() is; of the last, which has none of our kernels, only
/// what is computed out of ATen's operations. `done` gets each row as soon as it is there. A case that throws is a row that
/// has not passed. Throws Error "models.noSuchDevice", which says what is missing.
std::vector<CheckRow> runChecks(const std::string& device, const std::function<void(const CheckRow&)>& done = {});

/// The one check of kernels in a GPU's own instructions: local attention in bfloat16, forward and backward. Takes milliseconds, so
/// that a process can make it before it trusts a GPU. `device`: as for runChecks(), and usable.
CheckRow checkTensorCores(const std::string& device);

} // namespace headroom::models
