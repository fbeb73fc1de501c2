// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QWidget;

namespace headroom::app {

/// The action shows the window on the whole screen and back, and is checked while it is there, whoever brought it there. Window's thread.
void connectFullScreen(QAction* action, QWidget* window);

} // namespace headroom::app
