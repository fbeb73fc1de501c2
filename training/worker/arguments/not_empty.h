// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace headroom::training {

/// For an option that cannot be told from one that was left out if it is empty, as an unset variable of a script makes it.
inline CLI::Validator notEmpty() {
    return {[](const std::string& value) { return value.empty() ? std::string("it is empty; leave it out for the default") : std::string(); },
            ""};
}

} // namespace headroom::training
