// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/sound/sound_controller.h"

#include "app/parts/actions.h"
#include "app/parts/view_values.h"
#include "app/workspaces/analyse/common/model_frames.h"
#include "app/workspaces/analyse/sound/recording_bar.h"
#include "app/workspaces/analyse/sound/text_fields.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/sound/token_walk.h"
#include "widgets/look/icons.h"
#include "widgets/tiers/tier_lane.h"

#include <QAction>
#include <QLineEdit>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr double kZoomStep = 1.5;
constexpr int kToTheEnd = 1000000; ///< tokens: more than any recording has

} // namespace

SoundController::SoundController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_column(new TimeColumn(parts.axis, *parts.actions))
    , m_recordingBar(new RecordingBar(*parts.actions))
    , m_transport(&m_devices, parts.axis, this) {
    Session* session = parts.session;
    connect(session, &Session::currentUtteranceChanged, this, &SoundController::showUtterance);
    for (auto signal : {&Session::utteranceAdded, &Session::utteranceRemoved})
        connect(session, signal, this, &SoundController::showUtterance);
    connect(session, &Session::utteranceChanged, this, [this](UtteranceId id) {
        if (id == m_parts.session->currentUtteranceId())
            showUtterance();
    });
    connect(m_column, &TimeColumn::linearWanted, session, &Session::requireLinearSpectrogram);
    connect(m_column, &TimeColumn::alignRequested, this, &SoundController::alignRequested);
    connect(parts.actions->newText, &QAction::triggered, this, &SoundController::addText);
    connect(m_column, &TimeColumn::textEdited, session, &Session::setText);
    connect(parts.analysis, &AnalysisService::resultChanged, this, &SoundController::followAnalysis);
    connect(parts.analysis, &AnalysisService::layerReady, this, &SoundController::followAnalysis);
    connect(session, &Session::currentModelChanged, this, &SoundController::followAnalysis);
    connectAxis();
    connectTransport();
}

SoundController::~SoundController() = default;

void SoundController::connectAxis() {
    const Actions& a = *m_parts.actions;
    widgets::TimeAxis* axis = m_parts.axis;
    const auto at = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    const auto around = [axis] {
        const auto visible = axis->visible();
        const auto cursor = axis->cursor();
        const bool isVisible = cursor && *cursor >= visible.start && *cursor <= visible.end;
        return isVisible ? *cursor : visible.start + visible.length() / 2;
    };
    at(a.zoomIn, [axis, around] { axis->zoom(kZoomStep, around()); });
    at(a.zoomOut, [axis, around] { axis->zoom(1 / kZoomStep, around()); });
    at(a.fit, [axis] { axis->fit(); });
    at(a.fitSelection, [axis] {
        if (axis->selection())
            axis->setVisible(*axis->selection());
    });
    at(a.toStart, [this] { moveCursor(Seconds(0)); });
    at(a.previousToken, [this] { step(-1); });
    at(a.nextToken, [this] { step(1); });
    at(a.previousWord, [this] { stepWord(-1); });
    at(a.nextWord, [this] { stepWord(1); });
    at(a.firstToken, [this] { step(-kToTheEnd); });
    at(a.lastToken, [this] { step(kToTheEnd); });
    const auto extendBy = [this, axis](auto move) {
        return [this, axis, move] { extendSelection([&] { return move(), axis->cursor().value_or(Seconds(0)); }); };
    };
    at(a.selectPreviousToken, extendBy([this] { step(-1); }));
    at(a.selectNextToken, extendBy([this] { step(1); }));
    at(a.selectPreviousWord, extendBy([this] { stepWord(-1); }));
    at(a.selectNextWord, extendBy([this] { stepWord(1); }));
    at(a.selectToStart, [this] { extendSelection([this] { return step(-kToTheEnd), Seconds(0); }); });
    at(a.selectToEnd, [this, axis] { extendSelection([this, axis] { return step(kToTheEnd), axis->extent(); }); });
}

/// Selects from where the selection began, else from the cursor, to where `move` takes the cursor.
void SoundController::extendSelection(const std::function<Seconds()>& move) {
    widgets::TimeAxis* axis = m_parts.axis;
    if (axis->extent().value() <= 0)
        return;
    const Seconds cursor = axis->cursor().value_or(Seconds(0));
    const std::optional<widgets::TimeSpan> selection = axis->selection();
    if (!selection || selection != m_extended) // none, or the mouse made it
        m_anchor = !selection                   ? cursor
                   : cursor == selection->start ? selection->end
                   : cursor == selection->end   ? selection->start
                                                : cursor;
    const Seconds to = move();
    if (to == m_anchor)
        axis->setSelection(std::nullopt);
    else
        axis->setSelection(widgets::TimeSpan{std::min(m_anchor, to), std::max(m_anchor, to)});
    m_extended = axis->selection();
}

void SoundController::connectTransport() {
    const Actions& a = *m_parts.actions;
    connect(a.play, &QAction::triggered, this,
            [this] { m_transport.isPlaying() ? m_transport.stop() : m_transport.play(); });
    connect(a.loop, &QAction::toggled, &m_transport, &SoundTransport::setLooping);
    connect(a.record, &QAction::triggered, this, [this] {
        m_transport.isRecording() ? m_transport.stopRecording() : m_transport.startRecording();
    });
    connect(&m_transport, &SoundTransport::playingChanged, this, [this](bool playing) {
        QAction* play = m_parts.actions->play;
        play->setIcon(widgets::icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
        play->setText(playing ? tr("Stop playing") : tr("Play"));
        setToolTipWithKey(play, playing ? tr("Stop playback and keep the cursor position.")
                                        : tr("Play the selection, or play from the cursor."));
    });
    connect(&m_transport, &SoundTransport::recordingChanged, this, [this](bool recording) {
        m_parts.actions->record->setChecked(recording);
        m_recordingBar->setVisible(recording);
    });
    connect(&m_transport, &SoundTransport::recordingProgressed, m_recordingBar, &RecordingBar::setProgress);
    connect(&m_transport, &SoundTransport::recorded, this, [this](const Recording& recording) {
        m_parts.session->addRecording(recording);
        Q_EMIT recorded();
    });
    connect(&m_transport, &SoundTransport::failed, this, [this](const QString& sentence) {
        m_parts.session->messages()->post(Severity::Error, sentence);
        Q_EMIT messagesRequested();
    });
}

QWidget* SoundController::column() const {
    return m_column;
}

QWidget* SoundController::recordingBar() const {
    return m_recordingBar;
}

QList<widgets::TimeLane*> SoundController::lanes() const {
    return m_column->lanes();
}

QList<widgets::TimeLane*> SoundController::twinLanes() const {
    return m_column->twinLanes();
}

void SoundController::setTwinVisible(bool visible) {
    m_column->setTwinVisible(visible);
}

void SoundController::setTwinUtterance(const OpenUtterance* utterance, widgets::TimeAxis* axis, std::vector<Interval> tokens) {
    m_column->setTwinUtterance(utterance, axis, std::move(tokens));
}

void SoundController::showUtterance() {
    const Session* session = m_parts.session;
    const OpenUtterance* utterance = session->currentUtterance();
    const bool isText = utterance && utterance->isText;
    const AnalysisResult* result = m_parts.analysis->current();
    const Seconds extent = isText      ? Seconds(result ? static_cast<double>(result->tokens.value()) : 0)
                           : utterance ? utterance->duration()
                                       : Seconds(0);
    if (isText)
        m_column->setTokens(result ? result->sourceIntervals() : std::vector<Interval>());
    if (session->currentUtteranceId() != m_shownUtterance || extent != m_shownExtent) {
        if (session->currentUtteranceId() != m_shownUtterance && m_shownExtent > Seconds(0))
            m_cursors[m_shownUtterance] = m_parts.axis->cursor();
        m_shownUtterance = session->currentUtteranceId();
        m_shownExtent = extent;
        m_parts.axis->setExtent(extent, isText ? widgets::AxisUnit::Tokens : widgets::AxisUnit::Seconds);
        // Where this utterance was left.
        if (const auto left = m_cursors.find(m_shownUtterance); left != m_cursors.end() && extent > Seconds(0))
            m_parts.axis->setCursor(left->second);
    }
    m_transport.setRecording(utterance ? utterance->recording : nullptr);
    m_column->setUtterance(utterance);
    const OpenModel* model = session->currentModel();
    m_column->textFields()->setTranslates(!model || !model->readsText() || model->info->architecture.decoder);
    applyWantedView();
    showCounts();
    Q_EMIT shown();
}

/// One that is empty and shown is typed into, not joined by another.
void SoundController::addText() {
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    if (!utterance || !utterance->isText || utterance->hasSource())
        m_parts.session->addText();
    m_parts.actions->analyseWorkspace->trigger();
    m_column->textFields()->source()->setFocus();
}

/// The tokens of a text are known when it was analysed.
void SoundController::followAnalysis() {
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    if (utterance && utterance->isText)
        showUtterance();
    else
        showCounts();
}

void SoundController::showCounts() {
    const AnalysisResult* result = m_parts.analysis->current();
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    std::optional<std::int64_t> tokens, frames;
    if (result && result->tokens.value() > 0)
        tokens = result->tokens.value();
    if (const auto known = modelFrames(utterance, frontEndOf(m_parts.session->currentModel()), countedPart(utterance, result)))
        frames = known->count.value();
    m_column->setCounts(tokens, frames, tokens ? result->imported : std::nullopt);
}

void SoundController::showPlace(UtteranceId utterance, Seconds start, Seconds end) {
    widgets::TimeAxis* axis = m_parts.axis;
    m_parts.session->setCurrentUtterance(utterance);
    axis->setCursor(start);
    const Seconds margin = std::max(Seconds(0.4), end - start);
    if ((end - start) * 3 < axis->extent())
        axis->setVisible({start - margin, end + margin});
    else
        axis->reveal(start);
}

void SoundController::moveCursor(Seconds time) {
    m_parts.axis->setCursor(time);
    m_parts.axis->reveal(time);
}

void SoundController::step(int tokens) {
    const widgets::TimeAxis* axis = m_parts.axis;
    if (axis->extent().value() <= 0)
        return;
    const AnalysisResult* result = m_parts.analysis->current();
    moveCursor(steppedByToken(axis->cursor().value_or(Seconds(0)), tokens,
                              result ? result->clock : TokenClock(), result ? result->tokens : Tokens(0),
                              axis->extent()));
}

void SoundController::stepWord(int direction) {
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    if (!utterance || !utterance->hasSource())
        return;
    if (utterance->isText)
        return step(direction);
    const widgets::TimeAxis* axis = m_parts.axis;
    moveCursor(steppedByWord(axis->cursor().value_or(Seconds(0)), direction,
                             utterance->alignment ? utterance->alignment->words : std::vector<Interval>(),
                             axis->extent()));
}

void SoundController::saveView(nlohmann::json& view) const {
    const widgets::TimeAxis* axis = m_parts.axis;
    view["spectrogram"] =
        m_column->frequencyScale() == widgets::FrequencyScale::LogMel ? "logMel" : "linear";
    view["visible"] = {axis->visible().start.value(), axis->visible().end.value()};
    if (axis->cursor())
        view["cursor"] = axis->cursor()->value();
    if (m_wantedView.is_object() && m_parts.session->currentUtteranceId() == m_wantedOf) // it could not be read yet: what was kept stays
        for (const char* key : {"visible", "cursor"})
            if (m_wantedView.contains(key))
                view[key] = m_wantedView[key];
}

void SoundController::restoreView(const nlohmann::json& view) {
    m_column->setFrequencyScale(view.value("spectrogram", nlohmann::json()) == "linear"
                                    ? widgets::FrequencyScale::Linear
                                    : widgets::FrequencyScale::LogMel);
    m_wantedView = view;
    m_wantedOf = m_parts.session->currentUtteranceId();
    applyWantedView();
}

void SoundController::applyWantedView() {
    widgets::TimeAxis* axis = m_parts.axis;
    if (!m_wantedView.is_object() || axis->extent().value() <= 0 || m_parts.session->currentUtteranceId() != m_wantedOf)
        return;
    if (const auto visible = pairIn(m_wantedView, "visible"); visible && visible->second > visible->first)
        axis->setVisible({Seconds(visible->first), Seconds(visible->second)});
    if (const double cursor = numberIn(m_wantedView, "cursor", -1); cursor >= 0)
        axis->setCursor(Seconds(cursor));
    m_wantedView = nlohmann::json();
}

bool SoundController::isPending() const {
    return m_column->isPending();
}

} // namespace headroom::app
