// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/messages.h"

#include <QString>

#include <filesystem>
#include <set>
#include <utility>

namespace headroom::app {

/// Says in Messages which open files are gone: one message for all of them, since a drive that is removed takes hundreds along.
/// Borrows the messages; window's thread.
class GoneFiles {
public:
    /// `cause`: of the message.
    GoneFiles(Messages* messages, QString cause) : m_messages(messages), m_cause(std::move(cause)) {}

    bool empty() const { return m_gone.empty(); }
    /// All that are gone now. `one`: the sentence for a single file, which stands for its %1; `many`: for several, with their number.
    void set(const std::set<std::filesystem::path>& gone, const QString& one, const QString& many);

private:
    Messages* m_messages;
    QString m_cause;
    std::set<std::filesystem::path> m_gone; ///< said
};

} // namespace headroom::app
