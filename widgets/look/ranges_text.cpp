// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/ranges_text.h"

#include <QStringList>

namespace headroom::widgets {

QString rangesText(const std::vector<int>& numbers) {
    QStringList parts;
    for (std::size_t from = 0, to = 0; from < numbers.size(); from = to) {
        for (to = from + 1; to < numbers.size() && numbers[to] == numbers[to - 1] + 1;)
            ++to;
        if (to - from > 2)
            parts << QStringLiteral("%1–%2").arg(numbers[from]).arg(numbers[to - 1]);
        else
            for (std::size_t i = from; i < to; ++i)
                parts << QString::number(numbers[i]);
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace headroom::widgets
