// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headroom::widgets {

/// Returns "1, 3–5, 8" for rising numbers. A range has at least three numbers: "1, 2".
QString rangesText(const std::vector<int>& numbers);

} // namespace headroom::widgets
