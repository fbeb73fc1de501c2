// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/metrics.h"

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

double Metrics::unit() {
    return 8.0 / 13.0 * fontHeight();
}
int Metrics::gutter() {
    return pixels(64);
}
int Metrics::toolBarHeight() {
    return pixels(40);
}
int Metrics::dockHeaderHeight() {
    return pixels(32);
}
int Metrics::tabHeight() {
    return pixels(32);
}
int Metrics::statusBarHeight() {
    return pixels(24);
}
int Metrics::control() {
    return pixels(28);
}
int Metrics::smallControl() {
    return pixels(24);
}
int Metrics::listRow() {
    return pixels(24);
}
int Metrics::twoLineRow() {
    return pixels(40);
}
int Metrics::tableRow() {
    return pixels(20);
}
int Metrics::tableHeader() {
    return pixels(24);
}
int Metrics::icon() {
    return pixels(16);
}
QFont Metrics::text() {
    return sized(13);
}
QFont Metrics::caption() {
    return sized(12);
}
QFont Metrics::small() {
    return sized(11);
}
QFont Metrics::heading() {
    return sized(13, QFont::DemiBold);
}
QFont Metrics::figure() {
    return sized(20);
}

QFont Metrics::mono() {
    QFont font = sized(12);
    font.setFamily(QStringLiteral("Noto Sans Mono"));
    font.setStyleHint(QFont::Monospace);
    return font;
}

} // namespace headroom::widgets
