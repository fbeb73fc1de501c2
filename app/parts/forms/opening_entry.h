// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QComboBox;

namespace headroom::app {

/// Lets the last entry of a field open a file or a folder: `open` asks for it and chooses what was opened. What was chosen before
/// stands again while it asks, and stays if nothing is opened; the first choice, where that is gone. Every choice has data, by
/// which it is known when the field was filled anew; the last entry has none. To be called once.
void letLastEntryOpen(QComboBox* field, std::function<void()> open);

/// Remembers what is chosen now. Happens by itself with every change, except while the field's signals are blocked.
void rememberChoice(QComboBox* field);

} // namespace headroom::app
