// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::app {

/// File names are long words: here they may break behind their joints, by a zero-width space, else a wrapped line
/// would be cut.
inline QString breakable(QString text) {
    for (const QChar joint : {QLatin1Char('_'), QLatin1Char('-'), QLatin1Char('/')})
        text.replace(joint, QString(joint) + QChar(0x200B));
    return text;
}

} // namespace headroom::app
