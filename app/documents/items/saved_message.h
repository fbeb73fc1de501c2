// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::app {

class Messages;

/// Says in Messages that a file was saved, with "Show in folder", which opens the file manager. `remark`: a sentence more.
/// Window's thread.
void announceSaved(Messages* messages, const QString& file, const QString& remark = {});

} // namespace headroom::app
