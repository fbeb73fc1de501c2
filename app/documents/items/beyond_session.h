// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::app {

/// Among the causes of a message that is about no session: of runs, studies, places or the worker. Messages::clear() leaves it.
inline const QString kBeyondSession = QStringLiteral("beyond the session");

} // namespace headroom::app
