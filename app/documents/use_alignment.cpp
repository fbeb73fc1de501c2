// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/use_alignment.h"

#include "app/documents/files/alignment_again.h"

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {

constexpr int kUseAlignment = 2; ///< 1: SetHeads

} // namespace

UseAlignment::UseAlignment(Session* session, UtteranceId id, Session::KeptAlignment before, int step)
    : m_session(session), m_step(step) {
    const OpenUtterance& utterance = *session->utterances()->find(id);
    setText((utterance.alignment ? Session::tr("alignment of %1") : Session::tr("removal of the alignment of %1")).arg(utterance.shownName()));
    m_changes.push_back({id, std::move(before)});
}

void UseAlignment::exchange() {
    bool isOpen = false;
    for (Change& change : m_changes) {
        change.id = m_session->reopenedAs(change.id);
        const OpenUtterance* utterance = m_session->utterances()->find(change.id);
        if (!utterance)
            continue; // closed
        isOpen = true;
        if (auto written = writtenAgain(*utterance, change.other.alignment.get(), change.other.file)) {
            change.other.file = std::move(written->path);
            change.other.sha256 = std::move(written->sha256);
        }
        Session::KeptAlignment now = m_session->keptAlignment(change.id);
        m_session->putAlignment(change.id, std::exchange(change.other, std::move(now)));
    }
    setObsolete(!isOpen);
}

void UseAlignment::undo() {
    exchange();
}

void UseAlignment::redo() {
    if (!std::exchange(m_isNew, false))
        exchange();
}

int UseAlignment::id() const {
    return m_step == 0 ? -1 : kUseAlignment;
}

/// The recordings of a list are read one after the other.
bool UseAlignment::mergeWith(const QUndoCommand* next) {
    const auto* other = dynamic_cast<const UseAlignment*>(next);
    if (!other || other->m_step != m_step)
        return false;
    for (const Change& change : other->m_changes)
        if (std::ranges::find(m_changes, change.id, &Change::id) == m_changes.end())
            m_changes.push_back(change);
    setText(m_changes.size() == 1 ? text() : Session::tr("alignments of %1 recordings").arg(m_changes.size()));
    return true;
}

} // namespace headroom::app
