// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/golden_folders.h"

#include <cstdint>

namespace headroom::testing {

/// How many parameters parity/s2t-tiny has: the model of the repository is half as wide as the shared one.
inline std::int64_t smallModelParameters(const std::filesystem::path& goldens) {
    return goldens == repositoryGoldens() ? 29776 : 90784;
}

} // namespace headroom::testing
