// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::app {

/// A paragraph of rich text: a text before and after a change, a line each. What goes is struck out in the first line, what comes is
/// underlined in the second; blanks at an end, and more than one between two words, are shown as “␣”.
QString changedText(const QString& before, const QString& after);

} // namespace headroom::app
