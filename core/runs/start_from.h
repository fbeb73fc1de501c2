// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace headroom {

/// Where the weights of a run come from, as `--start-from` and RunInfo::startFrom name it: a model folder, with ":encoder" if only that
/// is taken.
struct StartFrom {
    std::filesystem::path model;
    bool encoderOnly = false;
    /// A folder whose own name ends in ":encoder" is a model.
    static StartFrom parse(const std::string& text);
    std::string text() const;
};

} // namespace headroom
