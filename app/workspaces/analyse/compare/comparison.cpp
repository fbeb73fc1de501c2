// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/comparison.h"

#include "app/parts/view_values.h"

#include <utility>

namespace headroom::app {

namespace {

constexpr std::pair<MapSource::Kind, const char*> kKinds[] = {
    {MapSource::Kind::Contributions, "contributions"},
    {MapSource::Kind::Head, "head"},
    {MapSource::Kind::HeadMean, "headMean"}}; // and "mixing", with a measure

/// An earlier version wrote an object.
std::optional<MapSource> sourceFrom(const nlohmann::json& saved) {
    if (saved.is_string())
        return mapSourceOf(saved.get<std::string>());
    if (!saved.is_object())
        return std::nullopt;
    const auto kind = saved.value("kind", nlohmann::json()), head = saved.value("head", nlohmann::json());
    if (kind == "mixing")
        try {
            return MapSource::of(mixingChoice(saved.value("measure", std::string())));
        } catch (const std::exception&) { // no text, or no measure of this version
            return std::nullopt;
        }
    for (const auto& [known, name] : kKinds)
        if (kind == name && head.is_number_integer() && head.get<std::int64_t>() >= 1 &&
            head.get<std::int64_t>() <= 1024)
            return MapSource{known, head.get<int>(), saved.value("raw", nlohmann::json()) == true};
    return std::nullopt;
}

} // namespace

Comparison::Comparison(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_heard(session->currentUtteranceId())
    , m_current(session->currentModelId()) {
    connect(session, &Session::currentUtteranceChanged, this, &Comparison::followUtterance);
    connect(session, &Session::utteranceRemoved, this, [this](UtteranceId id) {
        if (m_utterance == id)
            m_utterance = UtteranceId::None;
        Q_EMIT changed();
    });
    connect(session, &Session::utteranceAdded, this, &Comparison::changed);
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
    if (m_model == m_before && m_layer == 0 && isOtherMap()) // another head of the same layer: of whichever is current
        m_model = now;
    else if (m_model == now && m_before != ModelId::None) // they change places
        m_model = m_before;
    Q_EMIT changed();
}

void Comparison::followUtterance() {
    const UtteranceId now = m_session->currentUtteranceId();
    if (m_utterance == now) { // they change places, unless the other one has nothing to show
        const OpenUtterance* before = std::as_const(*m_session).utterances()->find(m_heard);
        m_utterance = before && before->state != OpenState::Failed ? m_heard : UtteranceId::None;
    }
    m_heard = now;
    Q_EMIT changed();
}

bool Comparison::isOtherMap() const {
    return m_source || m_utterance != UtteranceId::None;
}

ModelId Comparison::otherModel() const {
    const ModelList* models = std::as_const(*m_session).models();
    for (const ModelId id : {m_model, m_before})
        if (const OpenModel* model = models->find(id); model && id != m_current && (id == m_model || model->state != OpenState::Failed))
            return id;
    ModelId other = ModelId::None;
    for (int row = models->count() - 1; row >= 0; --row)
        if (const OpenModel& model = models->at(row); model.id != m_current && model.state != OpenState::Failed &&
                                                      (model.enabled || other == ModelId::None))
            other = model.id;
    return other;
}

std::optional<Comparison::Side> Comparison::side() const {
    const OpenModel* current = m_session->currentModel();
    if (!m_on || !current)
        return std::nullopt;
    const bool known = m_utterance != m_heard && std::as_const(*m_session).utterances()->find(m_utterance);
    Side side{m_current, m_session->currentLayer(), m_source, known ? m_utterance : UtteranceId::None};
    if (m_layer > 0) {
        side.layer = m_layer;
        side.model = m_session->models()->find(m_model) ? m_model : m_current;
    } else if (const ModelId other = m_model == m_current ? ModelId::None : otherModel(); other != ModelId::None) {
        side.model = other;
    } else if (!isOtherMap()) { // else the same layer: its other head, or the same map of another recording
        side.layer += side.layer > 1 ? -1 : 1;
    }
    return side;
}

std::vector<const OpenModel*> Comparison::offered() const {
    std::vector<const OpenModel*> models;
    const ModelList* all = std::as_const(*m_session).models();
    const auto beside = side();
    for (int row = 0; row < all->count(); ++row)
        if (const OpenModel& model = all->at(row); model.state != OpenState::Failed || (beside && beside->model == model.id))
            models.push_back(&model);
    return models;
}

void Comparison::setOn(bool on) {
    if (m_on == on)
        return;
    m_on = on;
    if (!on) { // the next time begins without a choice
        m_model = ModelId::None;
        m_layer = 0;
        m_source.reset();
        m_utterance = UtteranceId::None;
    } else if (const auto other = side(); other && other->model != m_current) {
        m_session->setModelEnabled(other->model, true);
    }
    Q_EMIT changed();
}

void Comparison::setAside(bool aside) {
    const bool again = std::exchange(m_aside, aside && (m_on || m_aside));
    const bool on = aside ? false : m_on || again;
    if (m_on == on)
        return;
    m_on = on;
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

void Comparison::compareMap(std::optional<MapSource> source) {
    if (!m_on) // the nearest that can be compared: the same layer
        m_model = m_current;
    m_on = true;
    m_source = source;
    Q_EMIT changed();
}

void Comparison::compareUtterance(UtteranceId utterance) {
    if (!m_on)
        m_model = m_current;
    m_on = true;
    m_utterance = utterance == m_heard ? UtteranceId::None : utterance;
    Q_EMIT changed();
}

nlohmann::json Comparison::state() const {
    return {{"on", m_on},
            {"aside", m_aside},
            {"model", m_session->models()->rowOf(m_model)},
            {"before", m_session->models()->rowOf(m_before)},
            {"layer", m_layer},
            {"map", m_source ? nlohmann::json(sourceText(*m_source)) : nlohmann::json()},
            {"utterance", m_session->utterances()->rowOf(m_utterance)}};
}

void Comparison::restore(const nlohmann::json& state) {
    const int row = wholeIn(state, "model", -1), layer = wholeIn(state, "layer", 0);
    const bool known = row >= 0 && row < m_session->models()->count();
    m_on = truthIn(state, "on", false);
    m_aside = !m_on && truthIn(state, "aside", false);
    m_model = known ? m_session->models()->at(row).id : ModelId::None;
    m_layer = known && layer > 0 ? layer : 0;
    const int before = wholeIn(state, "before", -1);
    m_before = before >= 0 && before < m_session->models()->count() ? m_session->models()->at(before).id : ModelId::None;
    const nlohmann::json* map = valueIn(state, "map");
    m_source = map ? sourceFrom(*map) : std::nullopt;
    const int heard = wholeIn(state, "utterance", -1);
    m_utterance = heard >= 0 && heard < m_session->utterances()->count()
                      ? m_session->utterances()->at(heard).id
                      : UtteranceId::None;
    Q_EMIT changed();
}

} // namespace headroom::app
