// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/live_metrics.h"

#include "app/alignments/alignment_store.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {
constexpr std::size_t kMostKept = 1024; ///< layers; of 4 heads each 50 kB
}

LiveMetrics::LiveMetrics(Session* session, AnalysisService* analysis, const AlignmentStore* alignments,
                         QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_analysis(analysis)
    , m_alignments(alignments) {
    if (alignments)
        connect(alignments, &AlignmentStore::mapChanged, this, [this] {
            ++m_mapRound;
            follow();
            Q_EMIT changed();
        });
    connect(analysis, &AnalysisService::layerReady, this, &LiveMetrics::follow);
    connect(analysis, &AnalysisService::resultChanged, this, &LiveMetrics::follow);
    connect(session, &Session::currentUtteranceChanged, this, &LiveMetrics::follow);
    connect(session, &Session::currentModelChanged, this, &LiveMetrics::follow);
    connect(session, &Session::utteranceChanged, this, &LiveMetrics::follow);
    // A model that is opened again may be another one.
    for (auto signal : {&Session::modelRetried, &Session::modelRemoved})
        connect(session, signal, this, [this](ModelId id) {
            ++m_openings[id]; // what is being computed is of the old one
            std::erase_if(m_known, [id](const auto& entry) { return std::get<ModelId>(entry.first) == id; });
        });
    connect(session, &Session::modelRemoved, this, [this](ModelId id) {
        std::erase_if(m_all, [id](const Pair& pair) { return pair.second == id; });
    });
    connect(session, &Session::utteranceRemoved, this, [this](UtteranceId id) {
        std::erase_if(m_known, [id](const auto& entry) { return std::get<UtteranceId>(entry.first) == id; });
        std::erase_if(m_all, [id](const Pair& pair) { return pair.first == id; });
    });
}

int LiveMetrics::layerCount() const {
    const OpenModel* model = m_session->currentModel();
    return model ? model->layerCount() : 0;
}

int LiveMetrics::knownLayers() const {
    int known = 0;
    for (int number = 1; number <= layerCount(); ++number)
        known += layer(number) ? 1 : 0;
    return known;
}

LiveMetrics::Origin LiveMetrics::originOf(const OpenUtterance& utterance, ModelId model) const {
    const auto opening = m_openings.find(model);
    return {utterance.recording, utterance.alignment, utterance.part, m_mapRound,
            opening == m_openings.end() ? 0 : opening->second};
}

bool LiveMetrics::isSame(const Origin& one, const Origin& other) {
    return one.recording.lock() == other.recording.lock() && one.alignment == other.alignment &&
           one.part == other.part && one.mapRound == other.mapRound && one.opening == other.opening;
}

std::shared_ptr<const LayerMetrics> LiveMetrics::layer(int number) const {
    const OpenUtterance* utterance = m_session->currentUtterance();
    const auto found = m_known.find({m_session->currentUtteranceId(), m_session->currentModelId(), number});
    return utterance && found != m_known.end() &&
                   isSame(found->second.origin, originOf(*utterance, m_session->currentModelId()))
               ? found->second.metrics
               : nullptr;
}

bool LiveMetrics::isReadingAll() const {
    const AnalysisResult* result = m_analysis->current();
    if (!m_all.contains(here()) || !result)
        return false;
    // What the worker refused is not waited for.
    return !m_running.empty() ||
           std::any_of(result->layers.begin(), result->layers.end(), [](const LayerResult& found) {
               return !found.isReady() || (found.attentionAsked && !found.attention);
           });
}

void LiveMetrics::require(int number) {
    const UtteranceId utterance = m_session->currentUtteranceId();
    const ModelId model = m_session->currentModelId();
    const AnalysisResult* result = m_analysis->current();
    const LayerResult* found = result ? result->layer(number) : nullptr;
    if (found && found->isReady() && !layer(number))
        m_analysis->requireAttention(utterance, model, number);
}

void LiveMetrics::requireAll() {
    m_all.insert(here());
    for (int number = 1; number <= layerCount(); ++number)
        require(number);
    Q_EMIT changed();
}

std::set<LiveMetrics::Pair> LiveMetrics::complete() const {
    std::set<Pair> pairs = m_all;
    std::map<Pair, int> known;
    for (const auto& [key, one] : m_known)
        if (const OpenUtterance* utterance = m_session->utterances()->find(std::get<UtteranceId>(key));
            utterance && isSame(one.origin, originOf(*utterance, std::get<ModelId>(key))))
            ++known[{std::get<UtteranceId>(key), std::get<ModelId>(key)}];
    for (const auto& [pair, layers] : known)
        if (const OpenModel* model = m_session->models()->find(pair.second); model && layers == model->layerCount())
            pairs.insert(pair);
    return pairs;
}

void LiveMetrics::setComplete(std::set<Pair> pairs) {
    m_all = std::move(pairs);
    follow();
}

std::vector<int> LiveMetrics::phones() const {
    const OpenUtterance* utterance = m_session->currentUtterance();
    const AnalysisResult* result = m_analysis->current();
    if (!utterance || !utterance->alignment || utterance->alignment->phones.empty() || !result ||
        result->tokens.value() <= 0)
        return {};
    const auto& said = utterance->alignment->phones;
    return m_alignments ? tokenPhones(said, m_alignments->map(), result->clock, result->tokens.value())
                        : tokenPhones(said, result->clock, result->tokens.value());
}

bool LiveMetrics::isUpToDate(const Key& key, const std::shared_ptr<const AttentionMaps>& maps) const {
    const OpenUtterance* utterance = m_session->currentUtterance();
    const auto found = m_known.find(key);
    return found != m_known.end() &&
           isSame(found->second.origin, originOf(*utterance, std::get<ModelId>(key))) &&
           found->second.maps.lock() == maps;
}

/// Starts what can be computed of the current pair.
void LiveMetrics::follow() {
    const OpenUtterance* utterance = m_session->currentUtterance();
    const AnalysisResult* result = m_analysis->current();
    if (!utterance || !result)
        return;
    forget();
    std::vector<int> said;
    for (const LayerResult& found : result->layers) {
        const Key key{result->utterance, result->model, found.layer};
        if (!found.attention || found.stale || m_running.contains(key) || isUpToDate(key, found.attention))
            continue;
        if (said.empty())
            said = phones();
        m_running.insert(key);
        QPointer<LiveMetrics> guard(this);
        const Origin origin = originOf(*utterance, result->model);
        QThreadPool::globalInstance()->start([guard, key, origin, said, maps = found.attention] {
            auto metrics = std::make_shared<const LayerMetrics>(layerMetrics(*maps, said));
            // The application object outlives the pool's threads; this may not.
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [guard, key, origin, metrics, maps] {
                    if (!guard)
                        return;
                    guard->m_running.erase(key);
                    const auto opening = guard->m_openings.find(std::get<ModelId>(key));
                    if (opening == guard->m_openings.end() || opening->second == origin.opening)
                        guard->m_known[key] = {origin, maps, metrics};
                    guard->follow(); // it may be of yesterday's alignment
                    Q_EMIT guard->changed();
                },
                Qt::QueuedConnection);
        });
    }
    if (!m_all.contains(here()))
        return;
    std::vector<int> missing; // layers that were not read yet when all were asked for
    for (const LayerResult& found : result->layers)
        if (found.isReady() && !found.attention && !found.attentionAsked && !layer(found.layer))
            missing.push_back(found.layer);
    for (const int number : missing) // each of them is heard here again
        require(number);
}

/// Keeps the memory bounded: others than the current utterance go first.
void LiveMetrics::forget() {
    if (m_known.size() <= kMostKept)
        return;
    const UtteranceId here = m_session->currentUtteranceId();
    std::erase_if(m_known, [here](const auto& entry) { return std::get<UtteranceId>(entry.first) != here; });
}

} // namespace headroom::app
