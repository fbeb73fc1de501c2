// SPDX-License-Identifier: GPL-3.0-or-later
// Measures of mixing: asked for one of one layer at a time, when somebody first looks at it.
#include "app/jobs/analysis_running.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/in_background.h"
#include "app/jobs/worker_answers.h"

namespace headroom::app {

namespace {

const std::vector<Interval>& intervalsOf(const Alignment& alignment, MixingUnits units) {
    return units == MixingUnits::Words ? alignment.words : alignment.phones;
}

} // namespace

std::vector<std::pair<double, double>> unitsOf(const Alignment& alignment, MixingUnits units, Seconds start) {
    std::vector<std::pair<double, double>> parts;
    for (const Interval& interval : intervalsOf(alignment, units))
        parts.emplace_back((interval.start - start).value(), (interval.end - start).value());
    return parts;
}

/// Words and phones are those of the alignment that the utterance has now.
void AnalysisService::dropMixingOfOtherAlignments(const OpenUtterance& utterance) {
    const ModelList* models = m_session->models();
    for (int row = 0; row < models->count(); ++row) {
        const AnalysisKey key{utterance.id, models->at(row).id};
        AnalysisResult* known = m_cache.find(key);
        std::size_t dropped = 0;
        for (std::size_t layer = 0; known && layer < known->layers.size(); ++layer)
            dropped += std::erase_if(known->layers[layer].mixing, [&](const auto& entry) {
                return mixingChoice(entry.first).units != MixingUnits::Tokens && entry.second.alignment != utterance.alignment;
            });
        if (dropped > 0)
            Q_EMIT resultChanged(key.utterance, key.model);
    }
}

void AnalysisService::requireMap(UtteranceId utterance, ModelId model, int layer, const MapSource& source) {
    if (source.isMixing())
        requireMixing({utterance, model}, layer, source.mixing);
    else
        requireLayer({{utterance, model}, layer, source.needsAttention() ? Request::Kind::Attention : Request::Kind::Contributions});
}

void AnalysisService::requireMixing(AnalysisKey key, int layer, const MixingChoice& measure) {
    AnalysisResult* known = m_cache.find(key);
    const OpenModel* model = std::as_const(*m_session).models()->find(key.model);
    const std::string name = nameOf(measure);
    if (!known || !known->layer(layer) || !model || m_mixingRefused.contains({key, layer, name}))
        return;
    LayerResult& wanted = known->layers[static_cast<std::size_t>(layer) - 1];
    if (!wanted.isReady() || wanted.mixing.contains(name) || wanted.mixingAsked.contains(name))
        return;
    if (model->maps) {
        wanted.mixing[name] = {nullptr, {}, tr("Imported maps have no weights, so this measure cannot be computed.")};
        Q_EMIT layerReady(key.utterance, key.model, layer);
        return;
    }
    const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(key.utterance);
    if (measure.units != MixingUnits::Tokens && (!utterance || !utterance->alignment ||
                                                 intervalsOf(*utterance->alignment, measure.units).empty())) {
        wanted.mixing[name] = {nullptr, {},
                               measure.units == MixingUnits::Words
                                   ? tr("The utterance has no alignment with words. Add one, or choose Value zeroing.")
                                   : tr("The utterance has no alignment with phones. Add one, or choose Value zeroing."),
                               utterance ? utterance->alignment : nullptr};
        Q_EMIT layerReady(key.utterance, key.model, layer);
        return;
    }
    wanted.mixingAsked.insert(name);
    m_mixingWanted.insert({key, layer, name});
    Q_EMIT resultChanged(key.utterance, key.model);
    schedule();
}

void AnalysisService::mixingArrived(const RunningPointer& running, const nlohmann::json& values,
                                    NamedTensors arrays) {
    const auto shared = std::make_shared<NamedTensors>(std::move(arrays));
    const auto read = [values, shared, name = nameOf(static_cast<const MixingMeasure&>(running->asked.measure)),
                       alignment = running->alignment] {
        MixedMap mixed = readMixedMap(values, std::move(*shared), name);
        mixed.alignment = alignment;
        return mixed;
    };
    buildInBackground(this, read, [this, running](Built<MixedMap>& built) {
        --running->building;
        if (running->abandoned)
            return;
        const Request& asked = running->asked;
        AnalysisResult* result = m_cache.find(asked.key);
        if (!built.mistake.isEmpty()) {
            running->mistake = built.mistake;
        } else if (result && result->part == running->part && result->layer(asked.layer)) {
            LayerResult& layer = result->layers[static_cast<std::size_t>(asked.layer) - 1];
            layer.mixing[nameOf(asked.measure)] = std::move(built.value);
            Q_EMIT layerReady(asked.key.utterance, asked.key.model, asked.layer);
        }
        if (running->answered && running->building == 0)
            finish(running);
    });
}

void AnalysisService::finishMixing(const Running& running, bool again) {
    if (again)
        return;
    const Request& asked = running.asked;
    const std::string name = nameOf(asked.measure);
    AnalysisResult* result = m_cache.find(asked.key);
    if (!result || !result->layer(asked.layer))
        return;
    LayerResult& layer = result->layers[static_cast<std::size_t>(asked.layer) - 1];
    if (!layer.mixing.contains(name)) {
        m_mixingRefused.insert({asked.key, asked.layer, name});
        const QString why = running.mistake.isEmpty() ? running.reply.sentence : running.mistake;
        m_session->messages()->post(
            Severity::Error,
            why.isEmpty() ? tr("The worker sent no map for layer %1.").arg(asked.layer) : why);
    }
    layer.mixingAsked.erase(name);
    m_mixingWanted.erase({asked.key, asked.layer, name});
    if (const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(asked.key.utterance))
        dropMixingOfOtherAlignments(*utterance); // it may have changed meanwhile
}

void AnalysisService::dropMixing(const std::function<bool(AnalysisKey)>& of) {
    for (const MixingWish& wish : m_mixingWanted)
        if (AnalysisResult* known = of(wish.key) ? m_cache.find(wish.key) : nullptr; known && known->layer(wish.layer))
            known->layers[static_cast<std::size_t>(wish.layer) - 1].mixingAsked.erase(wish.name);
    std::erase_if(m_mixingWanted, [&](const MixingWish& wish) { return of(wish.key); });
}

} // namespace headroom::app
