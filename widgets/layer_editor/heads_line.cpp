// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/heads_line.h"

#include <QRegularExpression>

namespace headroom::widgets {

QString headsOf(const HeadGrid& grid, int layer) {
    return QString::fromStdString(textOf(grid.layer(layer).cells));
}

QString headsLine(const HeadGrid& grid, int layer) {
    const QString heads = headsOf(grid, layer);
    if (layer == kCrossAttention)
        return QStringLiteral("cross  ") + heads;
    // A colon keeps the number from being the count of heads without one.
    const bool counted = !heads.isEmpty() && heads.front().isDigit();
    return QStringLiteral("%1%2 ").arg(layer, 2).arg(QLatin1Char(counted ? ' ' : ':')) + heads;
}

HeadsLine readHeadsLine(const QString& line, int place) {
    static const QRegularExpression cross(QStringLiteral("^\\s*cross(?:[- ]attention)?\\b\\s*[:.]?\\s*(.*\\S)?\\s*$"),
                                          QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression numbered(QStringLiteral("^\\s*([0-9]{1,5})(?:\\s*[:.]\\s*|\\s+(?=[0-9]))(.*\\S)\\s*$"));
    static const QRegularExpression inPlace(QStringLiteral("^\\s*([0-9]{1,5})(?|\\s{2,}(.*\\S)|\\s([^+]*[^+\\s]))\\s*$"));
    if (const auto match = cross.match(line); match.hasMatch())
        return {std::nullopt, true, match.captured(1).simplified()};
    auto match = numbered.match(line);
    if (const auto own = inPlace.match(line); place > 0 && !match.hasMatch() && own.hasMatch() && own.captured(1).toInt() == place)
        match = own;
    if (match.hasMatch())
        return {match.captured(1).toInt(), false, match.captured(2).simplified()};
    return {std::nullopt, false, line.simplified()};
}

} // namespace headroom::widgets
