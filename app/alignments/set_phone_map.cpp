// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/set_phone_map.h"

#include "app/alignments/alignment_store.h"

namespace headroom::app {

SetPhoneMap::SetPhoneMap(AlignmentStore* store, const QString& text, std::optional<PhoneMap> before,
                         std::optional<PhoneMap> after)
    : QUndoCommand(text)
    , m_store(store)
    , m_before(std::move(before))
    , m_after(std::move(after)) {}

void SetPhoneMap::undo() {
    if (m_store)
        m_store->setChosen(m_before);
}

void SetPhoneMap::redo() {
    if (m_store)
        m_store->setChosen(m_after);
}

} // namespace headroom::app
