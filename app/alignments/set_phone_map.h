// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"

#include <QPointer>
#include <QUndoCommand>

#include <optional>

namespace headroom::app {

class AlignmentStore;

/// Another phone map, or another class for a label: “Phone “PT”: T”. Nothing stands for the map that fits.
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
