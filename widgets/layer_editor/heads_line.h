// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_grid.h"

#include <QString>

#include <optional>

namespace headroom::widgets {

/// A line of the heads as text: "6  4 local 29", "6: full", "cross  4 full", or the heads alone, "4 local 29".
struct HeadsLine {
    std::optional<int> layer; ///< that the line names; there may be no such layer
    bool isCross = false;     ///< it names the cross-attention
    QString heads;            ///< simplified; may be empty behind “cross”
    bool operator==(const HeadsLine&) const = default;
};

/// The heads of a layer as they are written, mistakes included.
QString headsOf(const HeadGrid& grid, int layer);
/// The same behind the layer's number, or behind “cross”, as readHeadsLine() reads it.
QString headsLine(const HeadGrid& grid, int layer);
/// "2 4 full" and "2: full" name layer 2, "2 full" names two heads. Line `place`, from 1, of a whole text begins with its own number
/// where two blanks follow, as before its heads were typed anew, or where no other group does: "6 full".
HeadsLine readHeadsLine(const QString& line, int place = 0);

} // namespace headroom::widgets
