// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/theme.h"

#include "core/errors/error.h"
#include "widgets/look/eliding.h"
#include "widgets/look/field_wheel.h"
#include "widgets/look/resources.h"
#include "widgets/look/sizes.h"
#include "widgets/look/style_sheet.h"
#include "widgets/look/text_size.h"

#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPixmapCache>
#include <QToolTip>

#include <algorithm>

namespace headroom::widgets {

namespace {

const Theme* s_painted = nullptr;
int s_textSize = 100;

Theme& applied() {
    static Theme theme = [] {
        loadResources();
        return Theme::read(QStringLiteral(":/headroom/themes/light.json"));
    }();
    return theme;
}

QColor colour(const QJsonObject& colours, const char* role, const QString& file) {
    const QJsonValue value = colours.value(QLatin1String(role));
    if (!value.isString())
        throw Error("theme.missingRole",
                    "The theme " + file.toStdString() + " has no colour for the role " + role + ".",
                    {{"role", role}});
    const QString text = value.toString();
    if (!text.startsWith(QLatin1Char('#')) || !QColor::isValidColor(text))
        throw Error("theme.noColour",
                    "In the theme " + file.toStdString() + " the role " + role + " is “" +
                        text.toStdString() + "”, which is no colour of the form #RRGGBB.",
                    {{"role", role}});
    return QColor(text);
}

} // namespace

const Theme& Theme::current() {
    return s_painted ? *s_painted : applied();
}

Theme Theme::read(const QString& file) {
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        throw Error("theme.missing", "The theme " + file.toStdString() + " cannot be read.");
    QJsonParseError parse;
    const QJsonDocument document = QJsonDocument::fromJson(source.readAll(), &parse);
    if (parse.error != QJsonParseError::NoError)
        throw Error("theme.notJson", "The theme " + file.toStdString() +
                                         " is no JSON: " + parse.errorString().toStdString() + " at byte " +
                                         std::to_string(parse.offset) + ".");
    const QJsonObject root = document.object();
    const QJsonObject colours = root.value(QLatin1String("colours")).toObject();
    const auto at = [&](const char* role) { return colour(colours, role, file); };

    Theme theme;
    theme.name = root.value(QLatin1String("name")).toString();
    theme.isDark = root.value(QLatin1String("dark")).toBool();
    theme.window = at("window");
    theme.panel = at("panel");
    theme.alternate = at("alternate");
    theme.header = at("header");
    theme.hover = at("hover");
    theme.line = at("line");
    theme.grid = at("grid");
    theme.buttonBorder = at("buttonBorder");
    theme.fieldBorder = at("fieldBorder");
    theme.waveformPeak = at("waveformPeak");
    theme.waveformRms = at("waveformRms");
    theme.text = at("text");
    theme.text2 = at("text2");
    theme.text3 = at("text3");
    theme.accent = at("accent");
    theme.textOnAccent = at("textOnAccent");
    theme.tint = at("tint");
    theme.selectedRow = at("selectedRow");
    theme.good = at("good");
    theme.goodGround = at("goodGround");
    theme.warning = at("warning");
    theme.warningGround = at("warningGround");
    theme.error = at("error");
    theme.errorGround = at("errorGround");
    theme.headFull = at("headFull");
    theme.headLocal = at("headLocal");
    theme.headBlock = at("headBlock");
    theme.headConv = at("headConv");
    theme.headMasked = at("headMasked");
    theme.runs = {at("run1"), at("run2"), at("run3"), at("run4"), at("run5"), at("run6")};
    theme.band = at("band");
    theme.bandCasing = at("bandCasing");
    theme.crossHair = at("crossHair");
    theme.hiddenCell = at("hiddenCell");
    return theme;
}

QPalette Theme::palette() const {
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, panel);
    palette.setColor(QPalette::AlternateBase, alternate);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, panel);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, textOnAccent);
    palette.setColor(QPalette::PlaceholderText, text3);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, textOnAccent);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
    palette.setColor(QPalette::ToolTipBase, panel);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Light, panel);
    palette.setColor(QPalette::Midlight, hover);
    palette.setColor(QPalette::Mid, line);
    palette.setColor(QPalette::Dark, buttonBorder);
    palette.setColor(QPalette::Shadow, isDark ? window : buttonBorder);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, text3);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, text3);
    return palette;
}

void setTextSize(int percent) {
    s_textSize = std::clamp(percent, kSmallestText, kLargestText);
}

void Theme::apply(const QString& name) {
    loadResources();
    applied() = read(QStringLiteral(":/headroom/themes/%1.json").arg(name));
    const Theme& theme = applied();
    // Fusion is the one style that follows a palette completely, on every desktop.
    if (!qApp->findChild<ElidedTips*>()) {
        QApplication::setStyle(new ElidingStyle);
        qApp->installEventFilter(new ElidedTips(qApp));
        qApp->installEventFilter(new FieldWheel(qApp));
    }
    const double before = Sizes::unit();
    QFont font(QStringLiteral("Noto Sans"));
    font.setPointSizeF(9.75 * s_textSize / 100); // points: the desktop's font scale (its logical DPI) holds
    QApplication::setFont(font);
    QPixmapCache::clear();
    QApplication::setPalette(theme.palette());
    QToolTip::setPalette(theme.palette());
    // Qt does all of it again for the same sheet: 1.4 s for the 2,000 widgets of a window.
    const QString sheet = styleSheet(theme);
    const bool isAnother = sheet != qApp->styleSheet();
    if (isAnother)
        qApp->setStyleSheet(sheet);
    // With another sheet Qt gives widgets back the fonts that they had before the first one.
    if (isAnother || Sizes::unit() != before)
        renewTextSizes();
}

PaintedWith::PaintedWith(const Theme& theme) : m_before(s_painted) {
    s_painted = &theme;
}
PaintedWith::~PaintedWith() {
    s_painted = m_before;
}

} // namespace headroom::widgets
