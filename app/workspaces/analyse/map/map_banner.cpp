// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/map_banner.h"

#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/banner.h"
#include "app/parts/number_text.h"
#include "core/features/recording_length.h"

#include <QAction>
#include <QPushButton>

#include <algorithm>

namespace headroom::app {

MapBanner::MapBanner(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts) {
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
            layers > 0 ? tr("%1 of %2 layers were analysed.").arg(result->readyLayers()).arg(layers) : QString());
        return offerAnalyseAgain();
    }
    if (result->code == QLatin1String("maps.missing")) // analysing again would not find them either
        return say(true, result->sentence);
    if (result->code != QLatin1String("model.tooLong")) {
        say(true, result->sentence);
        return offerAnalyseAgain();
    }
    if (utterance && utterance->isText) // has no parts; the sentence says what to do
        return say(true, result->sentence);
    offerPart(*result, *model);
}

/// Too long for the model: nothing is cut silently. A part is offered, and the choice is the user's.
void MapBanner::offerPart(const AnalysisResult& result, const OpenModel& model) {
    const widgets::TimeAxis* axis = m_parts.axis;
    const Seconds limit = kModelSampleRate.duration(
        longestRecording(model.info->architecture.frontEnd.input(), model.info->maxSourceFrames));
    const auto selection = axis->selection();
    if (selection && selection->length() <= limit) {
        say(false, result.sentence, tr("The selection is short enough."));
        connect(m_parts.banner->addButton(
                    tr("Analyse the selection (%1)").arg(secondsInList(selection->length()))),
                &QPushButton::clicked, m_parts.actions->analyseSelection, &QAction::trigger);
        return;
    }
    say(false, result.sentence,
        tr("Select at most %1 in the waveform, or use the part on the button.").arg(secondsInList(limit)));
    const Seconds start = std::clamp(axis->cursor().value_or(Seconds(0)), Seconds(0),
                                     std::max(Seconds(0), axis->extent() - limit));
    connect(m_parts.banner->addButton(tr("Analyse %1 from the cursor").arg(secondsInList(limit))),
            &QPushButton::clicked, this, [this, start, limit] {
                analysePart({start, std::min(m_parts.axis->extent(), start + limit)});
            });
}

void MapBanner::analysePart(widgets::TimeSpan span) {
    m_parts.session->setPart(m_parts.session->currentUtteranceId(), Part{span.start, span.end});
    m_parts.axis->setVisible(span); // of ten minutes, a part of one would be a tenth of the map
}

} // namespace headroom::app
