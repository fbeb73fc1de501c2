// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;
class QScrollArea;
class QWidget;

namespace headroom::app {

class Dock;

/// Brings a dock of `host` to the front. A dock that was hidden gets `units` of Sizes::unit() as its height;
/// 0 keeps the height it had. Window's thread.
void showDock(QMainWindow* host, Dock* dock, double units = 0);

/// `content`, scrolled vertically where its dock is too low for all of its lines. Takes it over.
QScrollArea* scrolled(QWidget* content);

} // namespace headroom::app
