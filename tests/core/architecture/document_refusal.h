// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "tests/support/refusals.h"

namespace headroom::testing {

/// Why an architecture's document is refused; empty: it is read.
inline std::string documentRefusal(const std::string& text) {
    return sentenceOf([&] { parseArchitecture(text, "a.json"); });
}

} // namespace headroom::testing
