// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace headroom::widgets {

/// Sizes and fonts as multiples of the application font's height, so that the desktop's font scale applies everywhere.
/// The comments give the values for Noto Sans 13 px at 100 %. No other code contains pixel sizes.
struct Sizes {
    static double unit();          ///< 8: the grid
    static int gutter();           ///< 64: left and right of every lane of the time column
    static int toolBarHeight();    ///< 40
    static int dockHeaderHeight(); ///< 32
    static int tabHeight();        ///< 32
    static int statusBarHeight();  ///< 24
    static int control();          ///< 28: button and field
    static int smallControl();     ///< 24: the same in headers
    static int listRow();          ///< 24; two-line rows are 40
    static int twoLineRow();       ///< 40
    static int tableRow();         ///< 20
    static int tableHeader();      ///< 24
    static int icon();             ///< 16
    static QFont text();           ///< 13 px
    static QFont caption();        ///< 12 px: tables, captions
    static QFont small();          ///< 11 px: ticks, second lines
    static QFont heading();        ///< 13 px semi-bold
    static QFont large();          ///< 20 px: key numbers
    static QFont mono();           ///< Noto Sans Mono 12 px
};

} // namespace headroom::widgets
