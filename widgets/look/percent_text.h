// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/number_text.h"

namespace headroom::widgets {

/// A sentence that a file or the worker wrote, "dev is 33.3 % of it", with each % on the line of its number. Any thread.
inline QString withWholePercents(QString sentence) {
    return sentence.replace(QLatin1String(" %"), QString(kNarrowSpace) + QLatin1Char('%'));
}

} // namespace headroom::widgets
