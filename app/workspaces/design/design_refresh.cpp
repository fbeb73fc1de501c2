// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the workspace show of the current architecture, against its baseline.
#include "app/documents/drafts/drafts.h"
#include "app/parts/dock.h"
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/cost_report.h"
#include "app/workspaces/design/design_texts.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/design/difference_panel.h"
#include "app/workspaces/design/heads_text_field.h"
#include "core/analysis/masked_loss.h"
#include "widgets/layer_editor/layer_editor_delegate.h"

#include <QComboBox>

#include <cstdlib>

namespace headroom::app {

void DesignWorkspace::refresh() {
    m_soon.stop();
    const DraftKey key = m_drafts->current();
    if (key != m_textOf) { // what is typed belongs to the architecture that it was typed into
        m_text->apply();
        m_text->document()->setModified(false);
        m_textOf = key;
    }
    if (!m_drafts->has(key)) {
        m_header->setTitle(tr("No architecture"));
        m_header->setDetail({});
        m_editor->setEmptySentence(emptySentence());
        m_editor->setGrid(HeadGrid());
        m_text->setGrid(HeadGrid());
        m_cost->showNothing();
        m_difference->showContent({});
        m_differenceDock->header()->setDetail({});
        updateActions();
        Q_EMIT shownChanged();
        return;
    }
    const Architecture architecture = m_drafts->architecture(key), base = baseline();
    m_header->setTitle(QString(m_drafts->shownName(key)).replace(u' ', QChar::Nbsp)); // as one word it is cut in its middle
    const OpenModel* spoken = key.document > 0 ? m_parts.session->models()->find(m_facts.modelFor(*m_drafts, key)) : nullptr;
    const QString origin = m_drafts->origin(key);
    // Half the name of a file says nothing: that it is saved is the status.
    const QString brief = m_drafts->isEdited(key) ? (m_drafts->isSaved(key) ? tr("saved") : tr("edited"))
                          : key.document == 0     ? origin
                          : m_drafts->isSaved(key) ? tr("saved")
                                                   : QString();
    m_header->setDetail(spoken ? tr("%1; maps and CL of %2").arg(origin, spoken->shownName()) : origin, brief);
    const double milliseconds = readsText(architecture) ? 0 : architecture.frontEnd.clock().cellStep().value() * 1000;
    m_editor->setEmptySentence(architecture.languageModel ? languageModelText(architecture)
                                                          : emptySentence());
    m_editor->setGrid(m_drafts->grid(key));
    m_text->setGrid(m_drafts->grid(key));
    QString decoder = decoderText(architecture);
    for (const HeadMistake& mistake : m_drafts->grid(key).mistakes())
        if (mistake.layer == kCrossAttention)
            decoder = tr("Mistake in the cross-attention: %1").arg(QString::fromStdString(mistake.sentence));
    m_editor->gridModel()->setFrame(frontEndText(architecture), decoder, architecture.decoder.has_value());
    CostPanel::Content content;
    content.architecture = architecture;
    content.baseline = base;
    content.name = m_drafts->nameWithChanges(key);
    content.baselineName = baselineName();
    content.mistakes = m_drafts->grid(key).mistakes();
    content.millisecondsPerToken = milliseconds;
    const ModelId model = m_facts.modelFor(*m_drafts, key);
    content.utteranceTokens = m_facts.tokens(model);
    if (const OpenModel* open = m_parts.session->models()->find(model);
        open && open->info && open->info->maxSourceFrames > 0)
        content.longestTokens = architecture.frontEnd.clock().tokenCount(Frames(open->info->maxSourceFrames)).value();
    m_cost->showContent(content); // before what counts at its length
    m_editor->gridModel()->setClock(milliseconds, tr("MACs, %1").arg(thousands(m_cost->tokens())));
    showFacts(key, architecture, base);
    showDifference(key, architecture, base);
    updateActions();
    Q_EMIT shownChanged();
}

void DesignWorkspace::showFacts(DraftKey key, const Architecture& architecture, const Architecture& base) {
    const ModelId model = m_facts.modelFor(*m_drafts, key);
    const WindowSuggestions suggested = m_facts.suggestions(key), measured = m_facts.lossSource(key, suggested);
    const auto costs = layerShares(architecture, base, m_cost->tokens());
    const auto& layers = architecture.encoder.layers;
    const QSize pixels = widgets::LayerEditorDelegate::mapRect(QRect()).size() * devicePixelRatioF();
    std::vector<widgets::LayerFacts> facts(layers.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const int layer = int(i) + 1;
        facts[i].macs = costs[i].macs;
        facts[i].attention = costs[i].attention;
        if (model == ModelId::None) {
            facts[i].loss = DesignFacts::loss({}, layer, layers[i].heads); // of full heads, whatever their modifiers
            continue;
        }
        facts[i].map = m_facts.map(model, layer, pixels);
        facts[i].tokens = m_facts.tokens(model);
        facts[i].loss = DesignFacts::loss(measured, layer, layers[i].heads);
        facts[i].masked = seeNothingLater(layers[i].heads);
        for (const HeadGroup& group : layers[i].heads)
            if (group.kind == HeadKind::Local || group.kind == HeadKind::Masked)
                facts[i].window = std::max(facts[i].window, group.window);
        if (suggested.why.isEmpty() && i < suggested.rows.size())
            if (const auto window = suggested.rows[i].suggestion(m_parts.session->fullAbove()); window > 0)
                facts[i].suggestedWindow = window;
    }
    m_editor->gridModel()->setLossSource(model == ModelId::None ? QString() : measured.of);
    m_editor->setFacts(std::move(facts));
}

void DesignWorkspace::showDifference(DraftKey key, const Architecture& architecture,
                                     const Architecture& base) {
    DifferencePanel::Content content;
    content.difference = differenceOf(base, architecture);
    for (const LayerShare& cost : layerShares(architecture, base, m_cost->tokens()))
        content.macs.push_back(cost.macs);
    for (const HeadMistake& mistake : m_drafts->grid(key).mistakes())
        content.mistaken.insert(mistake.layer);
    content.currentLayer = currentLayer();
    const CostReport now = costReport(architecture, m_cost->tokens()),
                     before = costReport(base, m_cost->tokens());
    content.parameters = content.totalMacs = content.mapMemory = kUnknown;
    if (now.parameters && before.parameters) {
        const auto change = now.parameters->parameters - before.parameters->parameters;
        content.parameters = (change > 0 ? QStringLiteral("+") : QString()) +
                             (std::abs(change) < 1'000'000 ? thousands(change) : countText(change));
    }
    if (now.encoder && before.encoder) {
        content.totalMacs = percentChange(double(now.encoder->macs), double(before.encoder->macs));
        content.mapMemory =
            percentChange(double(now.encoder->attentionMapBytes), double(before.encoder->attentionMapBytes));
    }
    if (content.difference.layers.empty())
        content.whyNoLayers = architecture.encoder.layers.empty() ? tr("An LSTM has no heads to compare.")
                              : base.encoder.layers.empty()       ? tr("The baseline is an LSTM, which has no heads.")
                                                                  : tr("A language model and an encoder are not compared layer by layer.");
    m_differenceDock->header()->setDetail(content.difference.sentence(), content.difference.brief());
    m_difference->showContent(std::move(content));
}

} // namespace headroom::app
