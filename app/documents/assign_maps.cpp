// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/assign_maps.h"

#include <utility>

namespace headroom::app {

AssignMaps::AssignMaps(Session* session, ModelId maps, UtteranceId utterance)
    : m_session(session)
    , m_maps(maps)
    , m_other(utterance) {
    setText(Session::tr("use of “%1” for “%2”").arg(session->models()->find(maps)->shownName(), session->utterances()->find(utterance)->shownName()));
}

void AssignMaps::exchange() {
    const OpenModel* maps = m_session->models()->find(m_maps);
    m_other = m_session->reopenedAs(m_other);
    if (!maps || (m_other != UtteranceId::None && !m_session->utterances()->find(m_other)))
        return setObsolete(true); // closed
    const UtteranceId now = maps->mapsOf;
    m_session->putMaps(m_maps, std::exchange(m_other, now));
}

bool AssignMaps::isOf(UtteranceId utterance) const {
    const OpenModel* maps = m_session->models()->find(m_maps);
    return utterance != UtteranceId::None && (utterance == m_other || (maps && utterance == maps->mapsOf));
}

void AssignMaps::undo() {
    exchange();
}

void AssignMaps::redo() {
    exchange();
}

} // namespace headroom::app
