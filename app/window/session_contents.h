// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session_file.h"

#include <QString>

namespace headroom::app {

/// "1 utterance, 2 models".
QString contentsText(const SessionDocument& document);

} // namespace headroom::app
