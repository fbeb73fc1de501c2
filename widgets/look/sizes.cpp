// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/sizes.h"

#include <QGuiApplication>
#include <QScreen>

#include <cmath>

namespace headroom::widgets {

namespace {

/// Height of the application font (its em) in logical pixels; 13 at 9.75 pt and 96 dots per inch.
double fontHeight() {
    const QFont font = QGuiApplication::font();
    if (font.pixelSize() > 0)
        return font.pixelSize();
    const QScreen* screen = QGuiApplication::primaryScreen();
    return font.pointSizeF() * (screen ? screen->logicalDotsPerInchY() : 96.0) / 72.0;
}

int pixels(double atThirteen) {
    return int(std::lround(atThirteen / 13.0 * fontHeight()));
}

/// In pixels, as everything around it is: a picture exported to paper keeps letters and lines in proportion,
/// whatever the paper's dots per inch.
QFont sized(double atThirteen, QFont::Weight weight = QFont::Normal) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(pixels(atThirteen));
    font.setWeight(weight);
    return font;
}

} // namespace

double Sizes::unit() {
    return 8.0 / 13.0 * fontHeight();
}
int Sizes::gutter() {
    return pixels(64);
}
int Sizes::toolBarHeight() {
    return pixels(40);
}
int Sizes::dockHeaderHeight() {
    return pixels(32);
}
int Sizes::tabHeight() {
    return pixels(32);
}
int Sizes::statusBarHeight() {
    return pixels(24);
}
int Sizes::control() {
    return pixels(28);
}
int Sizes::smallControl() {
    return pixels(24);
}
int Sizes::listRow() {
    return pixels(24);
}
int Sizes::twoLineRow() {
    return pixels(40);
}
int Sizes::tableRow() {
    return pixels(20);
}
int Sizes::tableHeader() {
    return pixels(24);
}
int Sizes::icon() {
    return pixels(16);
}
QFont Sizes::text() {
    return sized(13);
}
QFont Sizes::caption() {
    return sized(12);
}
QFont Sizes::small() {
    return sized(11);
}
QFont Sizes::heading() {
    return sized(13, QFont::DemiBold);
}
QFont Sizes::large() {
    return sized(20);
}

QFont Sizes::mono() {
    QFont font = sized(12);
    font.setFamily(QStringLiteral("Noto Sans Mono"));
    font.setStyleHint(QFont::Monospace);
    return font;
}

} // namespace headroom::widgets
