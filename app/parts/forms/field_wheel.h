// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace headroom::app {

/// The wheel scrolls the form, also where the pointer is over `field` or a control inside it: a drop-down, number or slider
/// neither changes by it nor takes the focus. Window's thread.
void leaveWheelToForm(QWidget* field);

} // namespace headroom::app
