// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QWidget;

namespace headroom::app {

/// Makes the action switch the window to full screen and back. It is checked while the window is full screen, whoever switched it.
/// Window's thread.
void connectFullScreen(QAction* action, QWidget* window);

} // namespace headroom::app
