// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/dock.h"

namespace headroom::app {

class Messages;

/// The Messages panel in a dock, with copy, clear and hide in its header. Every workspace has one; all show
/// the same messages. Window's thread.
class MessagesDock : public Dock {
    Q_OBJECT

public:
    MessagesDock(Messages* messages, QWidget* parent); ///< `messages`: borrowed
};

} // namespace headroom::app
