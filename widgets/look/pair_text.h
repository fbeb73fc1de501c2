// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_order.h"

#include <QString>

namespace headroom::widgets {

/// "AH → S": what attends, and what it attends to, as in the tables of a study of phones.
inline QString pairText(const QString& attending, const QString& attended) {
    return attending + QString::fromUtf8(kAttendsTo) + attended;
}

} // namespace headroom::widgets
