// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"

#include <QPointer>
#include <QUndoCommand>

#include <optional>

namespace headroom::app {

class AlignmentStore;

/// Undo command: another phone map, or another class for a label (“Phone “PT”: T”). No map means the one that
/// fits. Window's thread.
class SetPhoneMap : public QUndoCommand {
public:
    SetPhoneMap(AlignmentStore* store, const QString& text, std::optional<PhoneMap> before,
                std::optional<PhoneMap> after);
    void undo() override;
    void redo() override;

private:
    QPointer<AlignmentStore> m_store; ///< the stack may outlive it while the window is taken down
    std::optional<PhoneMap> m_before, m_after;
};

} // namespace headroom::app
