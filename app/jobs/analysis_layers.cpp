// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of one layer that are fetched when somebody looks at them: its attention, and its contributions where a thumbnail came.
#include "app/jobs/analysis_running.h"
#include "app/jobs/analysis_service.h"

namespace headroom::app {

namespace {

bool hasMap(const LayerResult& layer, bool attention) {
    return attention ? layer.attention != nullptr : layer.thumbnail == nullptr;
}

bool& askedFlag(LayerResult& layer, bool attention) {
    return attention ? layer.attentionAsked : layer.contributionsAsked;
}

} // namespace

LayerResult* AnalysisService::layerOf(AnalysisKey key, int layer) {
    AnalysisResult* known = m_cache.find(key);
    return known && known->layer(layer) ? &known->layers[static_cast<std::size_t>(layer) - 1] : nullptr;
}

void AnalysisService::requireAttention(UtteranceId utterance, ModelId model, int layer) {
    requireLayer({{utterance, model}, layer, Request::Kind::Attention});
}

void AnalysisService::requireLayer(const LayerWish& wish) {
    LayerResult* layer = layerOf(wish.key, wish.layer);
    const bool attention = wish.kind == Request::Kind::Attention;
    if (!layer || m_layersRefused.contains(wish) || !layer->isReady() || hasMap(*layer, attention) || askedFlag(*layer, attention))
        return;
    askedFlag(*layer, attention) = true;
    m_layersWanted.insert(wish);
    Q_EMIT resultChanged(wish.key.utterance, wish.key.model);
    schedule();
}

/// The message for the worker.
void AnalysisService::askLayer(const Request& asked, protocol::Analyse& analyse) {
    analyse.attention = asked.kind == Request::Kind::Attention;
    const LayerResult* layer = layerOf(asked.key, asked.layer);
    if (analyse.attention && !m_worker->place().isEmpty() && layer && !layer->stale && layer->contributions)
        analyse.small = {asked.layer}; // they are here
}

void AnalysisService::finishLayer(const Running& running, bool again) {
    const Request& asked = running.asked;
    const bool attention = asked.kind == Request::Kind::Attention;
    LayerResult* layer = layerOf(asked.key, asked.layer);
    if (!layer || again)
        return;
    if (!hasMap(*layer, attention)) {
        m_layersRefused.insert({asked.key, asked.layer, asked.kind});
        const QString why = running.mistake.isEmpty() ? running.reply.sentence : running.mistake;
        m_session->messages()->post(Severity::Error,
                                    !why.isEmpty() ? why
                                    : attention    ? tr("The worker sent no attention for layer %1.").arg(asked.layer)
                                                   : tr("The worker sent no contributions for layer %1.").arg(asked.layer));
    }
    askedFlag(*layer, attention) = false;
    m_layersWanted.erase({asked.key, asked.layer, asked.kind});
}

void AnalysisService::cancelLayers() {
    for (const LayerWish& wish : m_layersWanted) {
        m_layersRefused.insert(wish);
        if (LayerResult* layer = layerOf(wish.key, wish.layer))
            askedFlag(*layer, wish.kind == Request::Kind::Attention) = false;
    }
    m_layersWanted.clear();
}

} // namespace headroom::app
