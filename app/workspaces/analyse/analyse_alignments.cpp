// SPDX-License-Identifier: GPL-3.0-or-later
// Alignments in the ANALYSE workspace: their dock, and the way from a finding to its place.
#include "app/alignments/alignment_store.h"
#include "app/alignments/alignments_panel.h"
#include "app/parts/actions.h"
#include "app/parts/checks_panel.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "widgets/look/icons.h"
#include "widgets/look/metrics.h"
#include "widgets/tiers/tier_lane.h"

#include <QAction>

#include <algorithm>

namespace headroom::app {

using widgets::Metrics;

namespace {

/// The spans of what was found in one tier; what concerns all of it is no mark.
std::vector<widgets::TierLane::Mark> marksOf(const AlignmentReport* report, AlignmentFinding::Tier tier) {
    std::vector<widgets::TierLane::Mark> marks;
    if (report)
        for (const AlignmentFinding& finding : report->findings)
            if (finding.tier == tier && finding.end > Seconds(0) &&
                (finding.start > Seconds(0) || !finding.label.empty()))
                marks.push_back({finding.start, finding.end,
                                 finding.severity == AlignmentFinding::Severity::Error,
                                 QString::fromStdString(finding.sentence)});
    return marks;
}

} // namespace

void AnalyseWorkspace::makeAlignments() {
    Session* session = m_parts.session;
    m_alignments = new AlignmentStore(session, this);
    m_alignmentsPanel = new AlignmentsPanel(session, m_alignments);
    m_alignmentsDock = addDock(QStringLiteral("alignments"), tr("Alignments"), m_alignmentsPanel);
    auto* hide = new QAction(widgets::icon(QStringLiteral("close")), tr("Hide the alignments"), this);
    connect(hide, &QAction::triggered, m_alignmentsDock, &QDockWidget::hide);
    m_alignmentsDock->header()->addButton(hide);
    connect(m_alignmentsPanel, &AlignmentsPanel::headlineChanged, this,
            [this] { m_alignmentsDock->header()->setDetail(m_alignmentsPanel->headline()); });
    connect(m_alignmentsPanel, &AlignmentsPanel::problem, this, [this](const QString& sentence) {
        m_parts.session->messages()->post(Severity::Error, sentence);
        showMessages();
    });

    connect(m_parts.actions->alignments, &QAction::triggered, this, &AnalyseWorkspace::showAlignments);
    connect(m_checks, &ChecksPanel::alignmentsRequested, this, [this] {
        showAlignments();
        m_alignmentsPanel->reveal(m_parts.session->currentUtteranceId());
    });
    connect(m_utterances, &UtterancePanel::alignmentRequested, this, [this](UtteranceId id) {
        showAlignments();
        m_alignmentsPanel->reveal(id);
        const Utterance* utterance = m_parts.session->utterances()->find(id);
        if (utterance && utterance->alignmentReport && !utterance->alignmentReport->findings.empty()) {
            const auto* worst = utterance->worstFinding();
            m_alignments->show(id, worst ? *worst : utterance->alignmentReport->findings.front());
        }
    });
    connect(m_alignments, &AlignmentStore::placeRequested, this,
            [this](UtteranceId id, Seconds start, Seconds end) {
                m_parts.session->setCurrentUtterance(id);
                m_axis.setCursor(start);
                const Seconds margin = std::max(Seconds(0.4), end - start);
                if ((end - start) * 3 < m_axis.extent())
                    m_axis.setVisible({start - margin, end + margin});
                else
                    m_axis.reveal(start);
            });
    const auto mark = [this] {
        const Utterance* utterance = m_parts.session->currentUtterance();
        const AlignmentReport* report = utterance ? utterance->alignmentReport.get() : nullptr;
        m_column->words()->setMarks(marksOf(report, AlignmentFinding::Tier::Words));
        m_column->phones()->setMarks(marksOf(report, AlignmentFinding::Tier::Phones));
    };
    connect(m_alignments, &AlignmentStore::reportsChanged, this, mark);
    connect(session, &Session::currentUtteranceChanged, this, mark);
}

void AnalyseWorkspace::placeAlignments() {
    m_alignmentsDock->setFloating(false);
    addDockWidget(Qt::BottomDockWidgetArea, m_alignmentsDock);
    tabifyDockWidget(messagesDock(), m_alignmentsDock);
    m_alignmentsDock->hide();
}

void AnalyseWorkspace::showAlignments() {
    m_parts.actions->analyseWorkspace->trigger();
    if (!m_alignmentsDock->isVisible()) {
        m_alignmentsDock->show();
        resizeDocks({m_alignmentsDock}, {qRound(Metrics::unit() * 26)}, Qt::Vertical);
    }
    m_alignmentsDock->raise();
}

} // namespace headroom::app
