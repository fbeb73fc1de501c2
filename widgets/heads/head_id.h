// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::widgets {

/// A head of a model; both numbers from 0 (on screen from 1).
struct HeadId {
    int layer = 0, head = 0;
    auto operator<=>(const HeadId&) const = default;
};

QString headName(HeadId id);      ///< "layer 2, head 3"
QString shortHeadName(HeadId id); ///< "L2 H3"

} // namespace headroom::widgets
