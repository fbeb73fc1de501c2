// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::app {

// How differences between two texts are marked, as rich text in the colours of the current theme. By form as
// well as by colour: struck out is missing, underlined was put in. `word`: already escaped.

QString missingWordMark(const QString& word);
QString addedWordMark(const QString& word);

} // namespace headroom::app
