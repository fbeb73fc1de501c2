// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace headroom {

/// Text of the window in free functions; in classes of Qt, QObject::tr is nearer. `n` chooses the plural form.
inline QString tr(const char* text, int n = -1) {
    return QCoreApplication::translate("headroom", text, nullptr, n);
}

} // namespace headroom
