// SPDX-License-Identifier: GPL-3.0-or-later
// What the ANALYSE workspace says when something is wrong, and what it keeps of the view.
#include "app/alignments/alignment_store.h"
#include "app/parts/actions.h"
#include "app/parts/banner.h"
#include "app/parts/number_text.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "widgets/matrix/matrix_view.h"

#include <QAction>
#include <QPushButton>

#include <algorithm>
#include <array>

namespace headroom::app {

using widgets::ColourMap;

namespace {

struct NamedMap {
    ColourMap::Name name;
    const char* text;
};
constexpr std::array<NamedMap, 4> kMapNames{{{ColourMap::Name::Magma, "magma"},
                                             {ColourMap::Name::Viridis, "viridis"},
                                             {ColourMap::Name::Cividis, "cividis"},
                                             {ColourMap::Name::Grey, "grey"}}};

/// The longest sound that gives so many frames.
Seconds secondsOfFrames(std::int64_t frames) {
    const FrameClock clock;
    return clock.step() * double(frames - 1) + clock.length();
}

double numberIn(const nlohmann::json& object, const char* key, double otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
}

bool truthIn(const nlohmann::json& object, const char* key, bool otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

} // namespace

void AnalyseWorkspace::connectWorker() {
    WorkerProcess* worker = m_parts.worker;
    Banner* banner = m_matrix->banner();
    connect(worker, &WorkerProcess::stoppedUnexpectedly, this, [this, banner](const QString& sentence) {
        m_workerBanner = true;
        banner->say(Banner::Kind::Error, sentence,
                    tr("Your session is whole. The worker is being started again."));
        connect(banner->addButton(tr("Details")), &QPushButton::clicked, this,
                &AnalyseWorkspace::showMessages);
    });
    connect(worker, &WorkerProcess::failed, this, [this, banner](const QString& sentence) {
        m_workerBanner = true;
        banner->say(Banner::Kind::Error, sentence, tr("Your session is whole."));
        connect(banner->addButton(tr("Start it again"), QStringLiteral("refresh")), &QPushButton::clicked,
                m_parts.actions->restartWorker, &QAction::trigger);
        connect(banner->addButton(tr("Details")), &QPushButton::clicked, this,
                &AnalyseWorkspace::showMessages);
    });
    connect(worker, &WorkerProcess::started, this, [this, banner] {
        if (!m_workerBanner)
            return;
        // Still said until somebody puts it away: the user shall know why the picture was grey for a moment.
        const QString what = banner->text().section(QLatin1Char('.'), 0, 0) + QLatin1Char('.');
        if (banner->isVisible()) {
            banner->say(Banner::Kind::Warning, what,
                        tr("Your session is whole; the worker was started again."));
            connect(banner->addButton(tr("Details")), &QPushButton::clicked, this,
                    &AnalyseWorkspace::showMessages);
        }
    });
}

void AnalyseWorkspace::showResultBanner() {
    Banner* banner = m_matrix->banner();
    const AnalysisResult* result = m_parts.analysis->current();
    const OpenModel* model = m_parts.session->currentModel();
    m_parts.actions->analyseSelection->setEnabled(m_axis.selection().has_value() && model);
    const Utterance* utterance = m_parts.session->currentUtterance();
    m_parts.actions->analyseWhole->setEnabled(utterance && utterance->part.has_value());
    const bool failed = result && (result->state == AnalysisResult::State::Failed ||
                                   result->state == AnalysisResult::State::Cancelled);
    if (!failed || !model || !model->info) {
        if (!m_workerBanner)
            banner->hide();
        return;
    }
    m_workerBanner = false;
    if (result->state == AnalysisResult::State::Cancelled) {
        if (result->readyLayers() == int(result->layers.size()))
            return banner->hide();
        banner->say(Banner::Kind::Warning, tr("Cancelled."),
                    tr("%1 of %2 layers were read.").arg(result->readyLayers()).arg(result->layers.size()));
        connect(banner->addButton(tr("Analyse again"), QStringLiteral("refresh")), &QPushButton::clicked,
                m_parts.actions->analyseAgain, &QAction::trigger);
        return;
    }
    if (result->code != QLatin1String("model.tooLong")) {
        banner->say(Banner::Kind::Error, result->sentence);
        connect(banner->addButton(tr("Analyse again"), QStringLiteral("refresh")), &QPushButton::clicked,
                m_parts.actions->analyseAgain, &QAction::trigger);
        return;
    }
    // Too long for the model: nothing is cut silently. A part is offered, and the choice is the user's.
    const Seconds limit = secondsOfFrames(model->info->maxSourceFrames);
    const auto selection = m_axis.selection();
    if (selection && selection->length() <= limit) {
        banner->say(Banner::Kind::Warning, result->sentence, tr("The selection is short enough."));
        connect(banner->addButton(tr("Analyse the selection (%1)").arg(secondsInList(selection->length()))),
                &QPushButton::clicked, m_parts.actions->analyseSelection, &QAction::trigger);
        return;
    }
    banner->say(Banner::Kind::Warning, result->sentence,
                tr("Select at most %1 in the waveform, or take the part below.").arg(secondsInList(limit)));
    const Seconds start = std::clamp(m_axis.cursor().value_or(Seconds(0)), Seconds(0),
                                     std::max(Seconds(0), m_axis.extent() - limit));
    connect(banner->addButton(tr("Analyse %1 from the cursor").arg(secondsInList(limit))),
            &QPushButton::clicked, this, [this, start, limit] {
                analysePart({start, std::min(m_axis.extent(), start + limit)});
            });
}

nlohmann::json AnalyseWorkspace::viewState() const {
    const Actions& actions = *m_parts.actions;
    nlohmann::json view{
        {"hideDiagonal", actions.hideDiagonal->isChecked()},
        {"showWindow", actions.showWindow->isChecked()},
        {"linkAxes", actions.linkAxes->isChecked()},
        {"equalAxes", actions.equalAxes->isChecked()},
        {"gamma", m_matrix->gamma()},
        {"compare", m_comparison->state()},
        {"difference", actions.difference->isChecked()},
        {"spectrogram", m_column->frequencyScale() == widgets::FrequencyScale::LogMel ? "logMel" : "linear"},
        {"visible", {m_axis.visible().start.value(), m_axis.visible().end.value()}}};
    for (const NamedMap& map : kMapNames)
        if (map.name == m_matrix->colourMap())
            view["colourMap"] = map.text;
    view["phoneMap"] = m_alignments->state();
    if (m_axis.cursor())
        view["cursor"] = m_axis.cursor()->value();
    return view;
}

void AnalyseWorkspace::restoreView(const nlohmann::json& view) {
    if (!view.is_object())
        return;
    const Actions& actions = *m_parts.actions;
    actions.hideDiagonal->setChecked(truthIn(view, "hideDiagonal", true));
    actions.showWindow->setChecked(truthIn(view, "showWindow", true));
    actions.linkAxes->setChecked(truthIn(view, "linkAxes", true));
    actions.equalAxes->setChecked(truthIn(view, "equalAxes", false));
    m_matrix->setGamma(std::clamp(numberIn(view, "gamma", 0.5), 0.2, 1.0));
    for (const NamedMap& map : kMapNames)
        if (view.value("colourMap", nlohmann::json()) == map.text)
            m_matrix->setColourMap(map.name);
    m_column->setFrequencyScale(view.value("spectrogram", nlohmann::json()) == "linear"
                                    ? widgets::FrequencyScale::Linear
                                    : widgets::FrequencyScale::LogMel);
    m_comparison->restore(view.value("compare", nlohmann::json()));
    m_alignments->restore(view.value("phoneMap", nlohmann::json()));
    actions.difference->setChecked(truthIn(view, "difference", false));
    // Span and cursor wait for the recording they belong to.
    m_wantedView = view;
    applyWantedView();
}

void AnalyseWorkspace::applyWantedView() {
    if (!m_wantedView.is_object() || m_axis.extent().value() <= 0)
        return;
    if (const auto span = m_wantedView.find("visible"); span != m_wantedView.end() && span->is_array() &&
                                                        span->size() == 2 && (*span)[0].is_number() &&
                                                        (*span)[1].is_number()) {
        const Seconds start((*span)[0].get<double>()), end((*span)[1].get<double>());
        if (end > start)
            m_axis.setVisible({start, end});
    }
    if (const double cursor = numberIn(m_wantedView, "cursor", -1); cursor >= 0)
        m_axis.setCursor(Seconds(cursor));
    m_wantedView = nlohmann::json();
}

} // namespace headroom::app
