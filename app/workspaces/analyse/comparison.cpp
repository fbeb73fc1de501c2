// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/comparison.h"

namespace headroom::app {

Comparison::Comparison(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_current(session->currentModelId()) {
    connect(session, &Session::currentModelChanged, this, &Comparison::follow);
    connect(session, &Session::modelRemoved, this, [this](ModelId id) {
        if (m_model == id)
            m_model = ModelId::None, m_layer = 0;
        if (m_before == id)
            m_before = ModelId::None;
        Q_EMIT changed();
    });
    connect(session, &Session::modelAdded, this, &Comparison::changed);
    connect(session, &Session::modelChanged, this, &Comparison::changed);
}

void Comparison::follow() {
    const ModelId now = m_session->currentModelId();
    if (now == m_current)
        return;
    m_before = m_current;
    m_current = now;
    if (m_model == now && m_before != ModelId::None) // they change places
        m_model = m_before;
    Q_EMIT changed();
}

ModelId Comparison::otherModel() const {
    const ModelList* models = std::as_const(*m_session).models();
    for (const ModelId id : {m_model, m_before})
        if (id != m_current && models->find(id))
            return id;
    ModelId other = ModelId::None;
    for (int row = models->count() - 1; row >= 0; --row)
        if (models->at(row).id != m_current && (models->at(row).enabled || other == ModelId::None))
            other = models->at(row).id;
    return other;
}

std::optional<Comparison::Side> Comparison::side() const {
    const OpenModel* current = m_session->currentModel();
    if (!m_on || !current)
        return std::nullopt;
    if (m_layer > 0)
        return Side{m_session->models()->find(m_model) ? m_model : m_current, m_layer};
    const int here = m_session->currentLayer();
    if (const ModelId other = otherModel(); other != ModelId::None)
        return Side{other, here};
    return Side{m_current, here > 1 ? here - 1 : here + 1};
}

void Comparison::setOn(bool on) {
    if (m_on == on)
        return;
    m_on = on;
    if (!on) { // the next time begins without a choice
        m_model = ModelId::None;
        m_layer = 0;
    } else if (const auto other = side(); other && other->model != m_current) {
        m_session->setModelEnabled(other->model, true);
    }
    Q_EMIT changed();
}

void Comparison::compareModel(ModelId model) {
    compareLayer(model, 0);
}

void Comparison::compareLayer(ModelId model, int layer) {
    m_on = true;
    m_model = model;
    m_layer = layer;
    m_session->setModelEnabled(model, true);
    Q_EMIT changed();
}

nlohmann::json Comparison::state() const {
    return {{"on", m_on}, {"model", m_session->models()->rowOf(m_model)}, {"layer", m_layer}};
}

void Comparison::restore(const nlohmann::json& state) {
    const auto whole = [&](const char* key, int otherwise) {
        const auto found = state.is_object() ? state.find(key) : state.end();
        return state.is_object() && found != state.end() && found->is_number_integer() ? found->get<int>()
                                                                                       : otherwise;
    };
    const int row = whole("model", -1), layer = whole("layer", 0);
    const bool known = row >= 0 && row < m_session->models()->count();
    m_on = state.is_object() && state.value("on", nlohmann::json()) == true;
    m_model = known ? m_session->models()->at(row).id : ModelId::None;
    m_layer = known && layer > 0 ? layer : 0;
    Q_EMIT changed();
}

} // namespace headroom::app
