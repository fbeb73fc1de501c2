// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/messages.h"
#include "core/alignment/validator.h"

namespace headroom::app {

/// The sign of an alignment that was read, wherever it is shown. No recording failed: one that phone studies leave out is a warning, too.
inline Severity severityOf(const AlignmentReport& report) {
    return report.findings.empty() ? Severity::Good : Severity::Warning;
}

} // namespace headroom::app
