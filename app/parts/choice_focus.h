// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;
class QWidget;

namespace headroom::app {

/// A chooser over a view passes the keyboard on to the view once an entry of its list was clicked. Kept in the chooser,
/// letters would search its entries, and "D" would not show the diagonal. Whoever chooses with the keys stays there.
void passFocusOn(QComboBox* chooser, QWidget* view);

} // namespace headroom::app
