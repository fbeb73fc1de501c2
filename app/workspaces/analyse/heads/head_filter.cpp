// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/head_filter.h"

#include "widgets/look/translate.h"

#include <QRegularExpression>
#include <QStringList>

#include <array>

namespace headroom::app {

bool isHeadNamed(const QString& words, widgets::HeadId head, const QString& kind) {
    static const QRegularExpression kBetween(QStringLiteral("[\\s,;:./]+")); // "Layer 6, head 4"; "6/4"
    const QStringList parts = words.split(kBetween, Qt::SkipEmptyParts);
    const std::array titles{tr("Layer"), tr("Head")};
    const std::array numbers{head.layer + 1, head.head + 1};
    std::array asked{false, false};
    bool fits = true;
    const auto ask = [&](std::size_t column, int number) {
        asked[column] = true;
        fits = fits && number == numbers[column];
    };
    QList<int> bare; // which follow no "layer" or "head"
    for (qsizetype i = 0; i < parts.size(); ++i) {
        bool isNumber = false;
        if (const int number = parts[i].toInt(&isNumber); isNumber) {
            bare << number;
            continue;
        }
        const auto isTitle = [&](const QString& title) { return title.startsWith(parts[i], Qt::CaseInsensitive); };
        const int next = i + 1 < parts.size() ? parts[i + 1].toInt(&isNumber) : 0;
        if (!isTitle(titles[0]) && !isTitle(titles[1]))
            fits = fits && kind.contains(parts[i], Qt::CaseInsensitive);
        else if (isNumber) {
            ask(isTitle(titles[0]) ? 0 : 1, next);
            ++i;
        } // else the number is still to be typed
    }
    for (const int number : bare) {
        fits = fits && !(asked[0] && asked[1]);
        ask(asked[0] ? 1 : 0, number);
    }
    return fits;
}

} // namespace headroom::app
