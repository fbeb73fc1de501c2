// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;

namespace headroom::app {

class Dock;

/// Brings a dock of `host` to the front. A dock that was hidden gets `units` of Sizes::unit() as its height;
/// 0 keeps the height it had. Window's thread.
void showDock(QMainWindow* host, Dock* dock, double units = 0);

} // namespace headroom::app
