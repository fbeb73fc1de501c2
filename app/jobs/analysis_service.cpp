// SPDX-License-Identifier: GPL-3.0-or-later
// What to do next. How it is done: analysis_run.cpp. Models and the worker's life: analysis_models.cpp.
#include "app/jobs/analysis_service.h"

#include "app/documents/items/why_no_map.h"
#include "app/jobs/analysis_running.h"
#include "core/errors/count_text.h"
#include "core/features/recording_length.h"
#include "core/time/hundredths_text.h"
#include "widgets/look/number_text.h"

#include <algorithm>

namespace headroom::app {

AnalysisService::AnalysisService(Session* session, WorkerProcess* worker, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_worker(worker)
    , m_watch(session) {
    connect(session, &Session::utteranceChanged, this, &AnalysisService::utteranceEdited);
    connect(session, &Session::utteranceRemoved, this, [this](UtteranceId id) {
        m_cache.remove(id);
        forgetProfiles(id);
        schedule();
    });
    connect(session, &Session::modelRemoved, this, &AnalysisService::forgetModel);
    connect(session, &Session::modelMoved, this, &AnalysisService::forgetModel);
    connect(session, &Session::mapsAssigned, this, &AnalysisService::readMapsAgain);
    for (auto signal : {&Session::modelAdded, &Session::modelChanged, &Session::modelRetried})
        connect(session, signal, this, &AnalysisService::schedule);
    for (auto signal : {&Session::currentUtteranceChanged, &Session::currentModelChanged,
                        &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(session, signal, this, &AnalysisService::schedule);
    connectWorker();
    schedule();
}

AnalysisService::~AnalysisService() {
    if (m_running && !m_running->answered)
        m_worker->cancel(m_running->request);
}

const AnalysisResult* AnalysisService::result(UtteranceId utterance, ModelId model) const {
    return m_cache.find({utterance, model});
}

const AnalysisResult* AnalysisService::current() const {
    return result(m_session->currentUtteranceId(), m_session->currentModelId());
}

const MaxPyramid* AnalysisService::currentMap() const {
    const AnalysisResult* shown = current();
    const LayerResult* layer = shown ? shown->layer(m_session->currentLayer()) : nullptr;
    return layer ? layer->map(m_session->mapSource()) : nullptr;
}

void AnalysisService::setMemoryBound(std::size_t bytes) {
    m_cache.setBound(bytes);
    trim({});
}

/// What is shown or ticked stays: dropped, it would be read again at once and take the room of the next one, for ever.
void AnalysisService::trim(AnalysisKey landed) {
    std::vector<AnalysisKey> kept = enabledKeys();
    kept.push_back(landed);
    for (const AnalysisKey& dropped : m_cache.trim(kept)) {
        m_transcribed.erase(dropped);
        Q_EMIT resultChanged(dropped.utterance, dropped.model);
    }
}

/// Whatever changes within one turn of the event loop leads to one decision.
void AnalysisService::schedule() {
    if (m_scheduled)
        return;
    m_scheduled = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_scheduled = false;
            startNext();
            tellBusy();
        },
        Qt::QueuedConnection);
    tellBusy();
}

void AnalysisService::startNext() {
    openModels();
    if (const AnalysisResult* shown = current())
        m_cache.touch({shown->utterance, shown->model}); // looking at it keeps it
    wantCurrentMap();
    auto asked = mostUrgent();
    while (asked && asked->kind == Request::Kind::Analyse && refuseTooLong(asked->key))
        asked = mostUrgent();
    if (m_running && asked == m_running->asked)
        return;
    if (m_running)
        abandon(AnalysisResult::State::Waiting); // the newest wish wins
    if (asked)
        begin(*asked);
    else
        setProgress({});
}

std::vector<AnalysisKey> AnalysisService::enabledKeys() const {
    std::vector<AnalysisKey> keys;
    const UtteranceId utterance = m_session->currentUtteranceId();
    if (utterance == UtteranceId::None)
        return keys;
    const ModelId current = m_session->currentModelId();
    if (current != ModelId::None)
        keys.push_back({utterance, current});
    if (m_beside.utterance != UtteranceId::None && m_beside.utterance != utterance)
        keys.push_back(m_beside);
    const ModelList* models = m_session->models();
    for (int row = 0; row < models->count(); ++row)
        if (models->at(row).enabled && models->at(row).id != current)
            keys.push_back({utterance, models->at(row).id});
    return keys;
}

bool AnalysisService::canAnalyse(AnalysisKey key) const {
    const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(key.utterance);
    const OpenModel* model = std::as_const(*m_session).models()->find(key.model);
    return utterance && utterance->hasSource() && model && model->state == OpenState::Ready &&
           whyNotSource(*model, *utterance).isEmpty() &&
           (model->maps ? m_maps.contains(key.model) : m_handles.contains(key.model));
}

std::optional<AnalysisService::Request> AnalysisService::mostUrgent() const {
    const auto wants = [&](AnalysisKey key) {
        const AnalysisResult* known = m_cache.find(key);
        return canAnalyse(key) && (!known || known->state == AnalysisResult::State::Waiting ||
                                   known->state == AnalysisResult::State::Working);
    };
    const auto keys = enabledKeys();
    if (keys.empty())
        return std::nullopt;
    const AnalysisKey current = keys.front();
    if (wants(current))
        return Request{Request::Kind::Analyse, current, 0};
    const auto isKnown = [&](AnalysisKey key, int layer) { // a pair may have been dropped from memory since
        const AnalysisResult* known = m_cache.find(key);
        return known && known->layer(layer) && canAnalyse(key);
    };
    std::optional<Request> ofLayer; // contributions before attention, the layer on screen before others
    for (const auto& [key, layer, kind] : m_layersWanted)
        if (isKnown(key, layer) && (!ofLayer || (ofLayer->kind == kind && key == current && layer == m_session->currentLayer())))
            ofLayer = Request{kind, key, layer};
    if (ofLayer)
        return ofLayer;
    std::optional<Request> mixing;
    for (const MixingWish& wish : m_mixingWanted)
        if (isKnown(wish.key, wish.layer) && (!mixing || (wish.key == current && wish.layer == m_session->currentLayer() &&
                                                            MapSource::of(mixingChoice(wish.name)) == m_session->mapSource())))
            mixing = Request{Request::Kind::Mixing, wish.key, wish.layer, mixingChoice(wish.name)};
    if (mixing)
        return mixing;
    for (const auto& [key, choice] : m_wordsWanted)
        if (canAnalyse(key) && m_cache.find(key))
            return Request{Request::Kind::Words, key, 0, {}, choice};
    std::optional<Request> measures; // the newest wish of what is shown: a layer that was passed over waits
    for (const Request& asked : m_wordMixingWanted)
        if (const AnalysisResult* known = m_cache.find(asked.key); canAnalyse(asked.key) && known && known->wordsOf(asked.text).words)
            if (!measures || (asked.key == current && (measures->key != current || measures->layer != asked.layer)))
                measures = asked;
    if (measures)
        return measures;
    for (const AnalysisKey& key : keys)
        if (wants(key))
            return Request{Request::Kind::Analyse, key, 0};
    const AnalysisResult* shown = m_cache.find(current);
    if (shown && shown->state == AnalysisResult::State::Ready && canAnalyse(current) &&
        !m_transcribed.contains(current))
        return Request{Request::Kind::Transcribe, current, 0};
    if (const auto next = nextForWindows())
        return Request{Request::Kind::Analyse, *next, 0};
    return std::nullopt;
}

void AnalysisService::alsoAnalyse(AnalysisKey beside) {
    if (beside == m_beside)
        return;
    m_beside = beside;
    schedule();
}

void AnalysisService::wantCurrentMap() {
    if (const AnalysisResult* shown = current())
        requireMap(shown->utterance, shown->model, m_session->currentLayer(), m_session->mapSource());
}

/// Longer than the model's limit: said here, before the samples travel. Choosing a part is the way out.
bool AnalysisService::refuseTooLong(AnalysisKey key) {
    const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(key.utterance);
    const OpenModel* model = std::as_const(*m_session).models()->find(key.model);
    if (utterance->isText)
        return false; // only the worker knows how many tokens a text has
    const std::int64_t limit = model->info->maxSourceFrames;
    const Seconds length =
        utterance->part ? utterance->part->end - utterance->part->start : utterance->duration();
    const ModelInput input = model->info->architecture.frontEnd.input();
    const Samples whole = kModelSampleRate.nearest(length);
    const Frames rows(ownRows(input, whole));
    if (limit <= 0 || rows.value() <= limit)
        return false;
    AnalysisResult& result = resultOf(key);
    result.frames = rows;
    const bool samples = input.kind == InputKind::Waveform;
    const auto seconds = [](Seconds time) {
        return QString::fromStdString(hundredthsText(time)) + widgets::kNarrowSpace + QLatin1Char('s');
    };
    fail(result, QStringLiteral("model.tooLong"),
         (utterance->part
              ? (samples ? tr("The selected part of %1 is %2 long (%3 samples). %4 accepts at most %5 samples (%6). Select a "
                              "shorter part and analyse that.")
                         : tr("The selected part of %1 is %2 long (%3 frames). %4 accepts at most %5 frames (%6). Select a "
                              "shorter part and analyse that."))
              : (samples ? tr("%1 is %2 long (%3 samples). %4 accepts at most %5 samples (%6). Select a part of the "
                              "recording and analyse that.")
                         : tr("%1 is %2 long (%3 frames). %4 accepts at most %5 frames (%6). Select a part of the "
                              "recording and analyse that.")))
             .arg(utterance->shownName(), seconds(length),
                  QString::fromStdString(grouped(recordingFrames(input, whole).count.value())), model->shownName(),
                  QString::fromStdString(grouped(limit * framesInRow(input))),
                  seconds(kModelSampleRate.duration(longestRecording(input, limit)))),
         true);
    return true;
}

namespace {

/// Whether a result, or the profiles kept of it, are of the samples or the text that the utterance has now.
bool isOf(const auto& made, const OpenUtterance& utterance) {
    return made.part == utterance.part && made.source == utterance.text && made.recording == utterance.recording;
}

} // namespace

/// What is kept of a pair, or the beginning of it. What is kept of another source was dropped when it changed.
AnalysisResult& AnalysisService::resultOf(AnalysisKey key) {
    AnalysisResult& result = m_cache.touch(key);
    if (const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(key.utterance)) {
        result.part = utterance->part;
        result.source = utterance->text;
        result.recording = utterance->recording;
    }
    return result;
}

void AnalysisService::utteranceEdited(UtteranceId id) {
    const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(id);
    const ModelList* models = m_session->models();
    if (utterance)
        dropMixingOfOtherAlignments(*utterance);
    std::erase_if(m_mixingRefused, [&](const MixingWish& wish) { // another alignment may do
        return wish.key.utterance == id && mixingChoice(wish.name).units != MixingUnits::Tokens;
    });
    for (int row = 0; utterance && row < models->count(); ++row) {
        const AnalysisKey key{id, models->at(row).id};
        if (const auto kept = m_profiles.find(key); kept != m_profiles.end() && !isOf(kept->second, *utterance))
            m_profiles.erase(kept);
        AnalysisResult* known = m_cache.find(key);
        if (known && known->state == AnalysisResult::State::Cancelled && !known->recording)
            known->recording = utterance->recording; // cancelled before the recording was read
        if (!known || isOf(*known, *utterance))
            continue;
        if (m_running && m_running->asked.key == key)
            abandon(AnalysisResult::State::Waiting);
        m_cache.remove(key); // another part, text or content of the file: other tokens
        m_transcribed.erase(key);
        for (auto* wishes : {&m_layersWanted, &m_layersRefused})
            std::erase_if(*wishes, [&](const LayerWish& wish) { return wish.key == key; });
        std::erase_if(m_mixingRefused, [&](const MixingWish& wish) { return wish.key == key; });
        dropMixing([&](AnalysisKey one) { return one == key; });
        dropWords([&](AnalysisKey one) { return one == key; });
        dropWordMixing([&](AnalysisKey one) { return one == key; }, false);
        Q_EMIT resultChanged(key.utterance, key.model);
    }
    schedule();
}

void AnalysisService::analyseAgain() {
    m_watch.look();
    m_notInBackground.clear();
    std::vector<AnalysisKey> keys = enabledKeys();
    for (const AnalysisKey& key : keysForWindows())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(key);
    for (const AnalysisKey& key : keys) {
        AnalysisResult* known = m_cache.find(key);
        const bool isCurrent = key == keys.front();
        if (!known || (known->state == AnalysisResult::State::Ready && !isCurrent))
            continue;
        if (known->state == AnalysisResult::State::Ready)
            for (LayerResult& layer : known->layers)
                layer.stale = layer.isReady();
        known->stale = known->readyLayers() < static_cast<int>(known->layers.size());
        known->state = AnalysisResult::State::Waiting;
        known->sentence.clear();
        known->code.clear();
        known->heard = known->given = known->best = {};
        dropWordMixing([&](AnalysisKey one) { return one == key; }, false);
        m_crashes.erase(key);
        std::erase_if(m_layersRefused, [&](const LayerWish& wish) { return wish.key == key; });
        std::erase_if(m_mixingRefused, [&](const MixingWish& refused) { return refused.key == key; });
        Q_EMIT resultChanged(key.utterance, key.model);
    }
    schedule();
}

void AnalysisService::cancel() {
    // What was read for the suggested windows only is read when somebody looks at it.
    for (const AnalysisKey& key : keysForWindows())
        if (key.utterance != m_session->currentUtteranceId())
            m_notInBackground.insert(key);
    if (m_running)
        abandon(m_notInBackground.contains(m_running->asked.key) ? AnalysisResult::State::Waiting
                                                               : AnalysisResult::State::Cancelled);
    cancelLayers();
    m_mixingRefused.insert(m_mixingWanted.begin(), m_mixingWanted.end());
    dropMixing([](AnalysisKey) { return true; });
    for (const auto& [key, choice] : m_wordsWanted)
        if (AnalysisResult* known = m_cache.find(key))
            known->wordsOf(choice).sentence = tr("Cancelled. Choose Analyse again to find the words.");
    dropWords([](AnalysisKey) { return true; });
    dropWordMixing([](AnalysisKey) { return true; }, true);
    for (const AnalysisKey& key : enabledKeys()) {
        m_transcribed.insert(key);
        AnalysisResult& known = resultOf(key);
        if (known.state == AnalysisResult::State::Waiting)
            known.state = AnalysisResult::State::Cancelled;
        Q_EMIT resultChanged(key.utterance, key.model);
    }
    setProgress({});
    schedule();
}

bool AnalysisService::isBusy() const {
    return m_scheduled || m_running != nullptr || !m_opening.empty() || mostUrgent().has_value();
}

void AnalysisService::tellBusy() {
    if (isBusy() == m_wasBusy)
        return;
    m_wasBusy = !m_wasBusy;
    Q_EMIT busyChanged();
}

} // namespace headroom::app
