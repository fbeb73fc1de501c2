// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/map_banner.h"

#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/banner.h"
#include "app/parts/number_text.h"
#include "core/features/recording_length.h"
#include "widgets/look/sizes.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>

#include <utility>

namespace headroom::app {

namespace {

/// The longest recording that a model accepts; 0: of any length.
Seconds longest(const OpenModel& model) {
    return kModelSampleRate.duration(longestRecording(model.info->architecture.frontEnd.input(), model.info->maxSourceFrames));
}

} // namespace

MapBanner::MapBanner(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_outside(new QPushButton(parts.row)) {
    const Actions& a = *parts.actions;
    connect(a.analyseAgain, &QAction::triggered, parts.analysis, &AnalysisService::analyseAgain);
    connect(a.restartWorker, &QAction::triggered, parts.analysis, &AnalysisService::restartWorker);
    connect(a.analyseSelection, &QAction::triggered, this, [this] {
        if (m_parts.axis->selection())
            analysePart(*m_parts.axis->selection());
    });
    connect(a.analyseWhole, &QAction::triggered, this, [this] {
        m_parts.session->setPart(m_parts.session->currentUtteranceId(), std::nullopt);
        m_parts.axis->fit();
    });
    connect(parts.axis, &widgets::TimeAxis::selectionChanged, this, &MapBanner::refresh);
    m_outside->setObjectName(QStringLiteral("analyseAtCursor"));
    m_outside->setProperty("small", true);
    m_outside->setCursor(Qt::ArrowCursor);
    m_outside->hide();
    auto* lane = new QHBoxLayout(parts.row);
    lane->setContentsMargins(0, 0, widgets::Sizes::gutter() + qRound(widgets::Sizes::unit()), 0);
    lane->addStretch(1);
    lane->addWidget(m_outside);
    connect(m_outside, &QPushButton::clicked, this, &MapBanner::analyseAtCursor);
    connect(parts.axis, &widgets::TimeAxis::cursorChanged, this, &MapBanner::showOfferAtCursor);
    connect(parts.banner, &Banner::dismissed, this, [this] {
        if (std::exchange(m_isOfWorker, false))
            refresh(); // it stood where something may be said of the map
    });
    connectWorker();
}

void MapBanner::connectWorker() {
    WorkerProcess* worker = m_parts.worker;
    connect(worker, &WorkerProcess::stoppedUnexpectedly, this, [this](const QString& sentence) {
        m_isOfWorker = true;
        say(true, sentence, tr("Your session is safe. The worker is restarting."));
        offerDetails();
    });
    connect(worker, &WorkerProcess::failed, this, [this](const QString& sentence) {
        m_isOfWorker = true;
        say(true, sentence, tr("Your session is safe."));
        connect(m_parts.banner->addButton(tr("Restart"), QStringLiteral("refresh")),
                &QPushButton::clicked, m_parts.actions->restartWorker, &QAction::trigger);
        offerDetails();
    });
    connect(worker, &WorkerProcess::started, this, [this] {
        if (!m_isOfWorker)
            return;
        // Stays until it is dismissed: the user must be able to read why the picture was grey for a moment.
        const QString what = m_parts.banner->text().section(QLatin1Char('.'), 0, 0) + QLatin1Char('.');
        if (m_parts.banner->isVisible()) {
            say(false, what, tr("Your session is safe. The worker was restarted."));
            offerDetails();
        }
    });
}

void MapBanner::say(bool isError, const QString& what, const QString& more) {
    m_parts.banner->say(isError ? Banner::Kind::Error : Banner::Kind::Warning, what, more);
}

void MapBanner::offerDetails() {
    connect(m_parts.banner->addButton(tr("Details")), &QPushButton::clicked, this,
            &MapBanner::messagesRequested);
}

void MapBanner::offerAnalyseAgain() {
    connect(m_parts.banner->addButton(tr("Analyse again"), QStringLiteral("refresh")), &QPushButton::clicked,
            m_parts.actions->analyseAgain, &QAction::trigger);
}

void MapBanner::refresh() {
    const AnalysisResult* result = m_parts.analysis->current();
    const OpenModel* model = m_parts.session->currentModel();
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    setAvailable(m_parts.actions->analyseSelection,
                 utterance && utterance->isText ? tr("A text is always analysed as a whole.")
                 : !model                       ? tr("Open a model first.")
                 : !m_parts.axis->selection() ? tr("Select a part of the recording first: drag over the waveform, or press Shift+→ in it.")
                                                : QString());
    setAvailable(m_parts.actions->analyseWhole,
                 utterance && utterance->part ? QString()
                 : !utterance                  ? tr("Open or make a recording first.")
                 : utterance->isText           ? tr("A text is always analysed as a whole.")
                                               : tr("The whole recording is already analysed."));
    showOfferAtCursor();
    if (!m_isOfWorker && offerLocate())
        return;
    const bool failed = result && (result->state == AnalysisResult::State::Failed ||
                                   result->state == AnalysisResult::State::Cancelled);
    if (!failed || !model || !model->info) {
        if (!m_isOfWorker)
            m_parts.banner->hide();
        return;
    }
    m_isOfWorker = false;
    if (result->state == AnalysisResult::State::Cancelled) {
        const int layers = int(result->layers.size()); // none before the analysis began
        if (layers > 0 && result->readyLayers() == layers)
            return m_parts.banner->hide();
        say(false, tr("Cancelled."),
            layers > 1 ? (result->readyLayers() == 1 ? tr("%1 of %2 layers was analysed.") : tr("%1 of %2 layers were analysed."))
                             .arg(result->readyLayers())
                             .arg(layers)
                       : QString());
        return offerAnalyseAgain();
    }
    if (result->code == QLatin1String("maps.missing")) // analysing again would not find them either
        return offerMaps(*result);
    if (result->code != QLatin1String("model.tooLong")) {
        say(true, result->sentence);
        return offerAnalyseAgain();
    }
    if (utterance && utterance->isText) // has no parts; the sentence says what to do
        return say(true, result->sentence);
    offerPart(*result, *model);
}

/// What is shown is not there; the map's own place says where it was.
bool MapBanner::offerLocate() {
    Session* session = m_parts.session;
    const OpenModel* model = session->currentModel();
    const OpenUtterance* utterance = session->currentUtterance();
    const bool isRecording = utterance && utterance->isMissing;
    if (!isRecording && !(model && model->isMissing))
        return false;
    if (isRecording)
        say(true, tr("The recording %1 is missing.").arg(utterance->shownName()), tr("If it was moved, choose where it is now."));
    else
        say(true, tr("The model %1 is missing.").arg(model->shownName()), tr("If it was moved, choose where it is now."));
    connect(m_parts.banner->addButton(tr("Locate…"), QStringLiteral("folder")), &QPushButton::clicked, session, [session, isRecording] {
        if (isRecording)
            Q_EMIT session->locateRequested(session->currentUtteranceId());
        else
            Q_EMIT session->locateModelRequested(session->currentModelId());
    });
    return true;
}

/// Maps of another recording: they may be of this one all the same, under another name.
void MapBanner::offerMaps(const AnalysisResult& result) {
    say(true, result.sentence);
    if (!m_parts.analysis->areOfOneRecording(result.model))
        return;
    connect(m_parts.banner->addButton(tr("Use them for this recording")), &QPushButton::clicked, m_parts.session,
            [session = m_parts.session, maps = result.model, utterance = result.utterance] { session->assignMaps(maps, utterance); });
}

/// Too long for the model: nothing is cut silently. A part is offered, and the choice is the user's.
void MapBanner::offerPart(const AnalysisResult& result, const OpenModel& model) {
    const Seconds limit = longest(model);
    const auto selection = m_parts.axis->selection();
    if (selection && selection->length() <= limit) {
        say(false, result.sentence, tr("The selection is short enough."));
        connect(m_parts.banner->addButton(
                    tr("Analyse the selection (%1)").arg(secondsInList(selection->length()))),
                &QPushButton::clicked, m_parts.actions->analyseSelection, &QAction::trigger);
        return;
    }
    say(false, result.sentence,
        tr("Select at most %1 in the waveform, or use the part on the button.").arg(secondsInList(limit)));
    m_offer = m_parts.banner->addButton(offerAtCursor(model).text);
    connect(m_offer, &QPushButton::clicked, this, &MapBanner::analyseAtCursor);
}

/// As much as the model accepts from the cursor on; near the end, where less is left, the end of the recording.
MapBanner::Offer MapBanner::offerAtCursor(const OpenModel& model) const {
    const Seconds end = m_parts.axis->extent(), limit = longest(model);
    if (limit <= Seconds(0) || end <= limit)
        return {{Seconds(0), end}, tr("Analyse the whole recording")};
    const auto cursor = m_parts.axis->cursor();
    if (!cursor)
        return {{Seconds(0), limit}, tr("Analyse the first %1").arg(secondsInList(limit))};
    if (*cursor + limit > end)
        return {{end - limit, end}, tr("Analyse the last %1").arg(secondsInList(limit))};
    return {{*cursor, *cursor + limit}, tr("Analyse %1 from the cursor").arg(secondsInList(limit))};
}

/// On the button of a recording that is too long, and beside the sentence that the cursor is outside what is analysed.
void MapBanner::showOfferAtCursor() {
    const OpenModel* model = m_parts.session->currentModel();
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    const AnalysisResult* result = m_parts.analysis->current();
    const auto cursor = m_parts.axis->cursor();
    const bool isKnown = model && model->info && utterance && !utterance->isText;
    const bool isOutside = isKnown && cursor && utterance->part && result && result->readyLayers() > 0 && !model->maps &&
                           (*cursor < utterance->part->start || *cursor > utterance->part->end);
    if (isKnown && (m_offer || isOutside))
        for (QPushButton* button : {m_offer.data(), m_outside})
            if (button)
                button->setText(offerAtCursor(*model).text);
    m_outside->setVisible(isOutside);
}

void MapBanner::analyseAtCursor() {
    const OpenModel* model = m_parts.session->currentModel();
    if (!model || !model->info)
        return;
    const widgets::TimeSpan span = offerAtCursor(*model).span;
    if (span == widgets::TimeSpan{Seconds(0), m_parts.axis->extent()})
        return m_parts.actions->analyseWhole->trigger();
    analysePart(span);
}

void MapBanner::analysePart(widgets::TimeSpan span) {
    m_parts.session->setPart(m_parts.session->currentUtteranceId(), Part{span.start, span.end});
    m_parts.axis->setVisible(span); // of ten minutes, a part of one would be a tenth of the map
}

} // namespace headroom::app
