// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <functional>
#include <string>

namespace headroom::testing {

/// The code of the Error that the action throws; empty if it throws none.
inline std::string codeOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.code();
    }
    return {};
}

/// Its sentence, likewise.
inline std::string sentenceOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace headroom::testing
