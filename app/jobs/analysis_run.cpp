// SPDX-License-Identifier: GPL-3.0-or-later
// One request: begun, its layers landed, ended.
#include "app/documents/items/map_names.h"
#include "app/jobs/analysis_running.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/in_background.h"
#include "app/jobs/worker_answers.h"
#include "widgets/look/number_text.h"

#include <QPointer>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

/// Token t of a text has its centre at t; on the axis it lasts from t to t + 1.
constexpr Seconds kStartOfText{0.5};

/// The samples that are analysed, and where they begin.
std::pair<std::vector<float>, Seconds> samplesOf(const OpenUtterance& utterance) {
    const auto& samples = utterance.recording->samples;
    const auto [first, end] = partSamples(*utterance.recording, utterance.part);
    return {{samples.begin() + first, samples.begin() + end}, kModelSampleRate.duration(Samples(first))};
}

} // namespace

void AnalysisService::begin(const Request& asked) {
    const OpenUtterance& utterance = *m_session->utterances()->find(asked.key.utterance);
    const OpenModel& model = *m_session->models()->find(asked.key.model);
    if (model.maps)
        return beginMaps(asked);
    const auto [samples, start] = utterance.isText ? std::pair(std::vector<float>(), kStartOfText) : samplesOf(utterance);
    auto running = std::make_shared<Running>();
    running->asked = asked;
    running->part = utterance.part;
    protocol::Analyse analyse;
    analyse.model = m_handles.at(asked.key.model);
    analyse.tag = "current";
    analyse.states = false;
    analyse.source = utterance.text.toStdString();

    AnalysisResult& result = resultOf(asked.key);
    if (asked.kind == Request::Kind::Analyse) {
        const ModelInput input = model.info->architecture.frontEnd.input();
        if (!utterance.isText)
            result.frames =
                input.frameCount(Samples(static_cast<std::int64_t>(samples.size()))) - Frames(input.rowsBehind());
        result.clock = model.info->clock.startingAt(start);
        result.layers.resize(static_cast<std::size_t>(model.layerCount()));
        for (std::size_t i = 0; i < result.layers.size(); ++i) {
            result.layers[i].layer = static_cast<int>(i) + 1;
            if (!result.layers[i].isReady() || result.layers[i].stale)
                running->layers.push_back(static_cast<int>(i) + 1);
        }
        if (running->layers.empty()) // only the answer is missing, which comes with a layer
            running->layers = {model.layerCount()};
        result.state = AnalysisResult::State::Working;
        result.sentence.clear();
        result.code.clear();
        if (running->layers.size() < result.layers.size())
            analyse.layers = running->layers;
        if (!m_worker->place().isEmpty()) { // thumbnails first, but for the map that is looked at
            analyse.small = running->layers;
            if (asked.key == enabledKeys().front() && m_session->mapSource().isContributions())
                std::erase(analyse.small, m_session->currentLayer());
        }
    } else if (asked.kind == Request::Kind::Contributions || asked.kind == Request::Kind::Attention) {
        running->layers = {asked.layer};
        analyse.layers = running->layers;
        askLayer(asked, analyse);
    } else if (asked.kind == Request::Kind::Mixing) {
        running->layers = {asked.layer};
        analyse.layers = running->layers;
        analyse.explain = false;
        analyse.mixing = {nameOf(static_cast<const MixingMeasure&>(asked.measure))};
        running->alignment = asked.measure.units == MixingUnits::Tokens ? nullptr : utterance.alignment;
        if (running->alignment)
            analyse.units = unitsOf(*running->alignment, asked.measure.units, start);
    }
    running->start = start;
    running->wantedText = wantedText(asked.key, asked.text).value_or(QString());
    WorkerProcess::Request request =
        asked.kind == Request::Kind::Transcribe
            ? WorkerProcess::Request(protocol::Transcribe{analyse.model, analyse.source})
        : asked.kind == Request::Kind::Words
            ? WorkerProcess::Request(protocol::Words{analyse.model, running->wantedText.toStdString(),
                                                     asked.text == TextChoice::Best ? kBestTexts : 1, analyse.source})
        : asked.kind == Request::Kind::WordMixing
            ? WorkerProcess::Request(protocol::WordMixing{
                  analyse.model, asked.layer, asked.block == WordsBlock::Self, asked.checks,
                  result.wordsOf(asked.text).words->inputs, asked.measures, analyse.source})
            : WorkerProcess::Request(analyse);
    if (!utterance.isText)
        request.arrays.emplace_back("samples", Tensor::of<float>({static_cast<std::int64_t>(samples.size())},
                                                                 std::span<const float>(samples)));

    const QPointer<AnalysisService> self(this);
    request.notified = [self, running](const std::string& method, const nlohmann::json& values,
                                       NamedTensors arrays) {
        if (self && method == protocol::LayerReady::kMethod && !running->abandoned)
            self->layerArrived(running, values, std::move(arrays));
    };
    request.finished = [self, running](const WorkerReply& reply) {
        running->answered = true;
        running->reply = reply;
        if (!self || running->abandoned)
            return;
        if (running->asked.kind == Request::Kind::Words)
            return self->wordsArrived(running);
        if (running->asked.kind == Request::Kind::WordMixing)
            return self->wordMixingArrived(running);
        // A dead worker is dealt with at once: what is still being built is read again with the rest.
        if (running->building == 0 || reply.workerStopped()) {
            self->finish(running);
            running->abandoned = true;
        }
    };
    m_running = running;
    running->request = m_worker->request(std::move(request));
    tellProgress(*running);
    Q_EMIT resultChanged(asked.key.utterance, asked.key.model);
}

/// Tells the worker to give up, and stops listening. Layers that came stay.
void AnalysisService::abandon(AnalysisResult::State becomes) {
    const auto running = std::exchange(m_running, nullptr);
    running->abandoned = true;
    if (!running->answered)
        m_worker->cancel(running->request);
    AnalysisResult* result = m_cache.find(running->asked.key);
    if (result && running->asked.kind == Request::Kind::Analyse &&
        result->state == AnalysisResult::State::Working) {
        result->state = becomes;
        Q_EMIT resultChanged(result->utterance, result->model);
    }
}

/// The heads of a model's layer; nothing where there is no such layer.
std::optional<Architecture::Layer> AnalysisService::kindsOf(ModelId id, int layer) const {
    const OpenModel* model = m_session->models()->find(id);
    if (!model || !model->info || layer < 1 || layer > model->layerCount())
        return std::nullopt;
    return model->info->architecture.encoder.layers[static_cast<std::size_t>(layer - 1)];
}

void AnalysisService::layerArrived(const RunningPointer& running, const nlohmann::json& values,
                                   NamedTensors arrays) {
    ++running->arrived;
    ++running->building;
    tellProgress(*running);
    if (running->asked.kind == Request::Kind::Mixing)
        return mixingArrived(running, values, std::move(arrays));
    const auto shared = std::make_shared<NamedTensors>(std::move(arrays));
    const auto read = [values, shared, kinds = kindsOf(running->asked.key.model, layerNumber(values))] {
        return readLayer(values, std::move(*shared), kinds ? &*kinds : nullptr);
    };
    buildInBackground(this, read, [this, running](Built<LayerResult>& built) {
        --running->building;
        if (running->abandoned)
            return;
        layerBuilt(running, std::move(built.value), built.mistake);
        if (running->answered && running->building == 0)
            finish(running);
    });
}

void AnalysisService::layerBuilt(const RunningPointer& running, LayerResult layer, const QString& mistake) {
    AnalysisResult* result = m_cache.find(running->asked.key);
    if (!result || result->part != running->part)
        return;
    const auto index = static_cast<std::size_t>(layer.layer) - 1; // 0 wraps: outside too
    if (!mistake.isEmpty() || index >= result->layers.size()) {
        running->mistake =
            mistake.isEmpty() ? tr("The worker sent a layer that does not exist in the model.") : mistake;
        return;
    }
    LayerResult& place = result->layers[index];
    if (!layer.attention && place.attention && !place.stale)
        layer.attention = place.attention;
    layer.attentionAsked = place.attentionAsked && !layer.attention;
    if (layer.thumbnail && place.contributions && !place.stale) { // it is the same map
        layer.contributions = place.contributions;
        layer.thumbnail = nullptr;
    }
    layer.contributionsAsked = place.contributionsAsked && !layer.contributions;
    if (!place.stale)
        layer.mixing = std::move(place.mixing);
    layer.mixingAsked = std::move(place.mixingAsked);
    result->tokens = Tokens(layer.tokens);
    place = std::move(layer);
    result->stale = std::any_of(result->layers.begin(), result->layers.end(),
                                [](const LayerResult& one) { return one.stale; });
    Q_EMIT layerReady(result->utterance, result->model, place.layer);
}

void AnalysisService::finish(const RunningPointer& running) {
    const Request asked = running->asked;
    if (m_running == running)
        m_running = nullptr;
    if (running->reply.workerStopped())
        ++m_crashes[asked.key];
    AnalysisResult* result = m_cache.find(asked.key);
    if (result && asked.kind == Request::Kind::Analyse) {
        finishAnalysis(*running);
    } else if (result && (asked.kind == Request::Kind::Contributions || asked.kind == Request::Kind::Attention)) {
        finishLayer(*running, running->reply.workerStopped() && m_crashes[asked.key] < 2);
    } else if (result && asked.kind == Request::Kind::Mixing) {
        finishMixing(*running, running->reply.workerStopped() && m_crashes[asked.key] < 2);
    } else if (result && asked.kind == Request::Kind::Words) {
        finishWords(*running, running->reply.workerStopped() && m_crashes[asked.key] < 2);
    } else if (result && asked.kind == Request::Kind::WordMixing) {
        finishWordMixing(*running, running->reply.workerStopped() && m_crashes[asked.key] < 2);
    } else if (result) {
        // A model without a decoder, or without a tokenizer, has no text: that is no mistake of the
        // utterance.
        if (const auto text = running->reply.ok() ? transcriptOf(running->reply.result) : std::nullopt)
            result->text = *text;
        m_transcribed.insert(asked.key);
    }
    dropBackgroundMaps(asked.key);
    trim(asked.key);
    Q_EMIT resultChanged(asked.key.utterance, asked.key.model);
    schedule();
}

void AnalysisService::finishAnalysis(Running& running) {
    AnalysisResult& result = *m_cache.find(running.asked.key);
    const WorkerReply& reply = running.reply;
    if (reply.workerStopped()) {
        // What came stays to be looked at, marked as old; all of it is read again.
        for (LayerResult& layer : result.layers)
            layer.stale = layer.isReady();
        result.stale = std::any_of(result.layers.begin(), result.layers.end(),
                                   [](const LayerResult& layer) { return layer.stale; });
        result.state = AnalysisResult::State::Waiting;
        result.sentence = reply.sentence;
        result.code = reply.code;
        if (m_crashes[running.asked.key] >= 2)
            fail(result, reply.code,
                 tr("%1 The worker failed twice on this utterance and will not retry automatically.")
                     .arg(reply.sentence));
        return;
    }
    if (reply.wasCancelled()) {
        result.state = AnalysisResult::State::Cancelled;
        return;
    }
    if (!reply.ok()) {
        fail(result, reply.code, reply.sentence);
        return;
    }
    protocol::AnalyseResult answer;
    try {
        answer = readAnalyseResult(reply.result);
    } catch (const Error& mistake) {
        if (running.mistake.isEmpty())
            running.mistake = QString::fromUtf8(mistake.what());
    }
    if (running.mistake.isEmpty() && result.readyLayers() < static_cast<int>(result.layers.size()))
        running.mistake = tr("The worker finished but sent only %1 of %2.")
                              .arg(QString::number(result.readyLayers()), widgets::counted(std::ssize(result.layers), tr("1 layer"), tr("%1 layers")));
    const bool named = result.source.isEmpty() || static_cast<std::int64_t>(answer.sourcePieces.size()) == result.tokens.value();
    if (running.mistake.isEmpty() && !named)
        running.mistake = tr("The worker did not name the tokens of the text.");
    if (!running.mistake.isEmpty()) {
        fail(result, QStringLiteral("worker.badAnswer"), running.mistake);
        return;
    }
    QStringList pieces;
    for (const std::string& piece : answer.sourcePieces)
        pieces << QString::fromStdString(piece);
    result.sourcePieces = pieces;
    result.state = AnalysisResult::State::Ready;
    m_session->messages()->settle(causeOfAnalysis(running.asked.key));
    if (!answer.warning.empty())
        m_session->messages()->post(Severity::Warning,
                                    tr("%1 The map shows these characters as the unknown piece.").arg(QString::fromStdString(answer.warning)), {}, {},
                                    {causeOfAnalysis(running.asked.key), causeOf(result.utterance), causeOf(result.model)});
    keepProfiles(result);
    if (std::isfinite(answer.milliseconds))
        result.milliseconds = answer.milliseconds;
}

void AnalysisService::tellProgress(const Running& running) {
    Progress progress;
    progress.utterance = running.asked.key.utterance;
    progress.model = running.asked.key.model;
    if (running.asked.kind == Request::Kind::Transcribe) {
        progress.text = tr("Transcribing");
        m_worker->setActivity(tr("transcribing"));
    } else if (running.asked.kind == Request::Kind::WordMixing) {
        progress.text = tr("Measuring the mixing of decoder layer %1").arg(running.asked.layer);
        m_worker->setActivity(tr("measuring decoder layer %1").arg(running.asked.layer));
    } else if (running.asked.kind == Request::Kind::Words) {
        progress.text = tr("Finding the words");
        m_worker->setActivity(tr("finding the words"));
    } else {
        progress.total = static_cast<int>(running.layers.size());
        progress.done = std::min(running.arrived, progress.total);
        const int next =
            running.layers[static_cast<std::size_t>(std::min(progress.done, progress.total - 1))];
        const OpenModel* model = m_session->models()->find(running.asked.key.model);
        const OpenUtterance* utterance = m_session->utterances()->find(running.asked.key.utterance);
        if (utterance && utterance->id != m_session->currentUtteranceId() &&
            utterance->id != m_beside.utterance) {
            progress.text = tr("Analysing %1 for the suggested windows").arg(utterance->shownName());
            // The task is all of them: a bar of one would be full and empty again at every utterance.
            const auto all = utterancesForWindows(running.asked.key.model);
            const auto isDone = [&](UtteranceId id) {
                const AnalysisKey key{id, running.asked.key.model};
                return m_profiles.contains(key) || m_notInBackground.contains(key);
            };
            progress.total = static_cast<int>(all.size());
            progress.done = static_cast<int>(std::count_if(all.begin(), all.end(), isDone));
        } else if (running.asked.kind == Request::Kind::Analyse && model && model->id != m_session->currentModelId())
            progress.text = tr("Analysing %1, layer %2 of %3").arg(model->shownName()).arg(next).arg(model->layerCount());
        else
            progress.text = running.asked.kind == Request::Kind::Contributions
                            ? tr("Loading the contributions of layer %1").arg(next)
                        : running.asked.kind == Request::Kind::Attention
                            ? tr("Loading the attention of layer %1").arg(next)
                        : running.asked.kind == Request::Kind::Mixing
                            ? tr("Computing %1, layer %2").arg(mapNoun(MapSource::of(running.asked.measure))).arg(next)
                            : tr("Analysing layer %1 of "
                                 "%2")
                                  .arg(next)
                                  .arg(model ? model->layerCount() : next);
        m_worker->setActivity(tr("analysing layer %1").arg(next));
    }
    setProgress(std::move(progress));
}

void AnalysisService::setProgress(Progress progress) {
    m_progress = std::move(progress);
    Q_EMIT progressChanged();
}

} // namespace headroom::app
