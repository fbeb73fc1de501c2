// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/style_sheet.h"

#include "widgets/look/resources.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QFile>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

QString mixed(const QColor& over, const QColor& ground, double share) {
    const auto part = [&](int a, int b) { return int(std::lround(a * share + b * (1 - share))); };
    return QColor(part(over.red(), ground.red()), part(over.green(), ground.green()),
                  part(over.blue(), ground.blue()))
        .name();
}

QHash<QString, QString> rolesOf(const Theme& theme) {
    return {
        {QStringLiteral("window"), theme.window.name()},
        {QStringLiteral("panel"), theme.panel.name()},
        {QStringLiteral("alternate"), theme.alternate.name()},
        {QStringLiteral("header"), theme.header.name()},
        {QStringLiteral("hover"), theme.hover.name()},
        {QStringLiteral("line"), theme.line.name()},
        {QStringLiteral("buttonBorder"), theme.buttonBorder.name()},
        {QStringLiteral("fieldBorder"), theme.fieldBorder.name()},
        {QStringLiteral("text"), theme.text.name()},
        {QStringLiteral("text2"), theme.text2.name()},
        {QStringLiteral("text3"), theme.text3.name()},
        {QStringLiteral("accent"), theme.accent.name()},
        {QStringLiteral("textOnAccent"), theme.textOnAccent.name()},
        {QStringLiteral("tint"), theme.tint.name()},
        {QStringLiteral("selectedRow"), theme.selectedRow.name()},
        {QStringLiteral("error"), theme.error.name()},
        {QStringLiteral("errorGround"), theme.errorGround.name()},
        {QStringLiteral("warningGround"), theme.warningGround.name()},
        {QStringLiteral("pressed"), theme.line.name()},
        {QStringLiteral("accentHover"), mixed(theme.accent, theme.text, 0.88)},
        {QStringLiteral("accentPressed"), mixed(theme.accent, theme.text, 0.76)},
        {QStringLiteral("dir"), QStringLiteral(":/headroom/themes/") + theme.name},
    };
}

} // namespace

QString styleSheet(const Theme& theme) {
    loadResources();
    QFile file(QStringLiteral(":/headroom/themes/window.qss"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("window.qss is not in the resources");
    const QString source = QString::fromUtf8(file.readAll());
    const auto roles = rolesOf(theme);
    const double scale = Sizes::unit() / 8.0;

    static const QRegularExpression name(QStringLiteral("@\\{([a-zA-Z0-9-]+)\\}"));
    QString result;
    result.reserve(source.size());
    qsizetype from = 0;
    auto matches = name.globalMatch(source);
    while (matches.hasNext()) {
        const auto match = matches.next();
        result += QStringView(source).mid(from, match.capturedStart() - from);
        from = match.capturedEnd();
        const QString key = match.captured(1);
        bool isNumber = false;
        const int pixels = key.toInt(&isNumber);
        if (isNumber) {
            result += QString::number(std::max(1, int(std::lround(pixels * scale)))) + QStringLiteral("px");
        } else {
            if (!roles.contains(key))
                qFatal("window.qss names the unknown role \"%s\"", qPrintable(key));
            result += roles.value(key);
        }
    }
    result += QStringView(source).mid(from);
    return result;
}

} // namespace headroom::widgets
