// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/design_workspace.h"

#include "app/documents/removals.h"
#include "app/parts/availability.h"
#include "app/parts/dock.h"
#include "app/parts/number_text.h"
#include "app/parts/shown_number.h"
#include "app/parts/view_values.h"
#include "app/studies/latency_measurements.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/design_texts.h"
#include "app/workspaces/design/difference_panel.h"
#include "app/workspaces/design/heads_text_field.h"
#include "app/workspaces/design/presets_panel.h"
#include "core/analysis/masked_loss.h"
#include "core/architecture/language_layers.h"
#include "core/architecture/other_positions.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>

#include <algorithm>

namespace headroom::app {

namespace {
const QString kMeasurementCause = QStringLiteral("a measurement of latency goes on");
const QString kHeadsTextCause = QStringLiteral("a line of the heads as text has a mistake");
} // namespace

DesignWorkspace::DesignWorkspace(const Parts& parts, QWidget* parent)
    : Workspace(QStringLiteral("design"), parts.actions->designWorkspace, parent)
    , m_parts(parts)
    , m_drafts(parts.drafts)
    , m_facts(parts.session, parts.analysis, parts.evidence)
    , m_actions(new DesignActions(this)) {
    askOpen = [this] { return chooseOpen(); };
    askSave = [this](const QString& suggested) { return chooseSave(suggested); };
    askChanged = [this](const QString& file) { return (*m_parts.dialogs)->askFileChanged(window(), file); };
    makeCentre();
    makeDocks();
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connectParts();
    refreshBaselines();
    refresh();
}

DesignWorkspace::~DesignWorkspace() = default;

/// A study needs no session and goes on without the one that it was started in, whose message is gone.
void DesignWorkspace::tellOfMeasurement() {
    m_parts.session->messages()->settle(kMeasurementCause);
    if (m_parts.latency->isMeasuring())
        m_parts.session->messages()->post(
            Severity::Info, tr("The latency of “%1” is still being measured. The result will be in Studies.").arg(m_parts.latency->currentName()),
            tr("Cancel"), [latency = m_parts.latency] { latency->stop(); }, {kMeasurementCause});
}

void DesignWorkspace::connectParts() {
    connect(&m_soon, &QTimer::timeout, this, &DesignWorkspace::refresh);
    const auto soon = [this] { refreshSoon(); };
    connect(m_drafts, &Drafts::listChanged, this, [this] {
        refreshBaselines();
        refreshSoon();
    });
    connect(m_drafts, &Drafts::currentChanged, this, [this] {
        refreshBaselines();
        refresh();
    });
    // An edit is seen in the same frame.
    connect(m_drafts, &Drafts::draftChanged, this, [this](DraftKey key) {
        if (key == m_drafts->current())
            refresh();
    });
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, soon); // a file may be gone
    connect(m_drafts, &Drafts::unreadRequested, this, &DesignWorkspace::saveUnread);
    connect(m_drafts, &Drafts::documentRequested, this, [this](DraftKey document) {
        m_drafts->setCurrent(document);
        if (switchAction())
            switchAction()->trigger();
    });
    connect(m_parts.analysis, &AnalysisService::resultChanged, this, soon);
    connect(m_parts.analysis, &AnalysisService::layerReady, this, soon);
    connect(m_parts.session, &Session::currentUtteranceChanged, this, soon);
    connect(m_parts.session, &Session::utteranceRemoved, this, soon);
    connect(m_parts.session, &Session::utteranceChanged, this, soon);
    connect(m_parts.evidence, &StudyEvidence::shownChanged, this, soon);
    connect(m_parts.session, &Session::currentModelChanged, this, soon);
    connect(m_parts.session, &Session::viewStateRestored, this, [this] { m_baseline->setCurrentIndex(0); }); // it was another session's
    if (m_parts.latency) {
        connect(m_parts.session, &Session::viewStateRestored, this, &DesignWorkspace::tellOfMeasurement);
        connect(m_parts.latency, &LatencyMeasurements::changed, this, [this] {
            if (!m_parts.latency->isMeasuring())
                m_parts.session->messages()->settle(kMeasurementCause);
        });
    }
    connect(m_editor, &widgets::LayerEditor::edited, this, &DesignWorkspace::write);
    connect(m_editor, &widgets::LayerEditor::headsSelected, this, [this] {
        m_difference->setCurrentLayer(currentLayer());
        updateActions();
        Q_EMIT shownChanged();
    });
    const auto showLayer = [this] { m_difference->setCurrentLayer(currentLayer()); };
    connect(m_actions->showText, &QAction::toggled, m_difference, showLayer);
    connect(m_text, &QPlainTextEdit::cursorPositionChanged, m_difference, showLayer);
    connect(m_actions->showText, &QAction::toggled, this, &DesignWorkspace::updateActions);
    connect(m_actions->showText, &QAction::toggled, this, &Workspace::shownChanged);
    connect(m_cost, &CostPanel::lengthChanged, this, soon);
    connect(m_cost, &CostPanel::nextMistakeRequested, this, &DesignWorkspace::goToNextMistake);
    connect(m_difference, &DifferencePanel::layerChosen, this, &DesignWorkspace::goToLayer);
    connect(m_baseline, &QComboBox::currentIndexChanged, this, soon);
    connect(m_fullAbove, &QDoubleSpinBox::valueChanged, m_parts.session, &Session::setFullAbove);
    connect(m_parts.session, &Session::fullAboveChanged, m_fullAbove, [this](double loss) { showNumber(m_fullAbove, loss); });
    connect(m_parts.session, &Session::fullAboveChanged, this, soon);
    connect(m_presets, &PresetsPanel::presetActivated, this, &DesignWorkspace::startFrom);
    connect(m_presets, &PresetsPanel::presetSelected, this, &DesignWorkspace::updateActions);
    connect(m_presets, &PresetsPanel::headsRequested, this, &DesignWorkspace::putHeads);
    connect(m_presets, &PresetsPanel::draftChosen, m_drafts, &Drafts::setCurrent);
    connect(m_presets, &PresetsPanel::closeRequested, this, [this](DraftKey key) { removeArchitecture(m_parts.session, key); });
    const auto at = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    at(m_actions->openArchitecture, [this] { open(); });
    at(m_actions->saveArchitecture, [this] { save(); });
    at(m_actions->saveArchitectureAs, [this] { saveAs(); });
    at(m_actions->copyAsText, [this] {
        if (m_drafts->has(m_drafts->current()))
            QApplication::clipboard()->setText(
                QString::fromStdString(canonicalText(m_drafts->architecture(m_drafts->current()))));
    });
    at(m_actions->startFromPreset, [this] {
        if (const Preset* preset = m_presets->selectedPreset())
            startFrom(int(preset - m_presets->presets().data()));
    });
    at(m_actions->closeDocument, [this] { removeArchitecture(m_parts.session, m_drafts->current()); });
    at(m_actions->useSuggested, [this] { useSuggestedWindows(); });
    for (const auto& [action, text] : {std::pair{m_actions->setFull, QStringLiteral("full")},
                                       {m_actions->setBlock, QStringLiteral("local %1 block").arg(kUsualBlock)},
                                       {m_actions->setConv, QStringLiteral("conv 5/2")},
                                       {m_actions->setMasked, QStringLiteral("masked")}})
        at(action, [this, text = text] { m_editor->writeSelected(text); });
    at(m_actions->setReuse, [this] { m_editor->reuseAbove(); });
    at(m_actions->setLocal, [this] {
        const QModelIndex index = m_editor->currentIndex();
        const int window =
            m_editor->gridModel()->isHead(index) ? m_editor->suggestionContext(index).lastWindow : kUsualWindow;
        m_editor->writeSelected((m_editor->gridModel()->grid().isMasked() ? QStringLiteral("masked %1")
                                                                          : QStringLiteral("local %1"))
                                    .arg(window));
    });
    at(m_actions->setRelaxed, [this] { relaxSelected(); });
    connect(m_gamma, &QDoubleSpinBox::valueChanged, this, &DesignWorkspace::changeGamma);
    connect(m_editor, &widgets::LayerEditor::crossRequested, this, [this] {
        m_actions->showText->setChecked(true);
        m_text->goToLayer(kCrossAttention);
    });
    connect(m_text, &HeadsTextField::edited, this, &DesignWorkspace::writeText);
    connect(m_text, &HeadsTextField::mistaken, this, [this](const QString& sentence) {
        m_parts.session->messages()->settle(kHeadsTextCause); // of the same text, as it was before
        m_parts.session->messages()->post(Severity::Warning, sentence, {}, {}, {kHeadsTextCause});
        showMessages();
    });
    connect(m_text, &QPlainTextEdit::modificationChanged, this, [this](bool isModified) { // applied, or another text
        if (!isModified)
            m_parts.session->messages()->settle(kHeadsTextCause);
    });
    at(m_actions->narrower, [this] { m_editor->stepWindows(-2); });
    at(m_actions->wider, [this] { m_editor->stepWindows(2); });
    at(m_actions->resetDraft, [this] { resetDraft(); });
    connect(m_actions->positions, &QActionGroup::triggered, this, [this](const QAction* action) {
        m_drafts->setPositions(m_drafts->current(), Positions(action->data().toInt()));
    });
    at(m_actions->nextMistake, [this] { goToNextMistake(); });
    for (QAction* action : m_actions->all()) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
}

/// The menu is there in every workspace, and selected heads are edited only where they are seen.
void DesignWorkspace::showEvent(QShowEvent* event) {
    Workspace::showEvent(event);
    updateActions();
}

void DesignWorkspace::hideEvent(QHideEvent* event) {
    Workspace::hideEvent(event);
    updateActions();
}

void DesignWorkspace::refreshSoon() {
    if (!m_soon.isActive())
        m_soon.start();
}

Architecture DesignWorkspace::baseline() const {
    const int chosen = m_baseline->currentData().toInt();
    return chosen < 0 ? m_drafts->original(m_drafts->current())
                      : withLanguageLayers(m_presets->presets()[std::size_t(chosen)].architecture);
}

/// What a measurement calls it: as its model or its file, never as what is measured beside it.
QString DesignWorkspace::baselineName() const {
    const DraftKey key = m_drafts->current();
    const int chosen = m_baseline->currentData().toInt();
    const QString name = chosen >= 0 ? m_baseline->currentText() : QString::fromStdString(m_drafts->original(key).name);
    if (chosen < 0 && key.document == 0)
        return m_drafts->designName(key); // which the session may have given it
    if (name.isEmpty() || name == m_drafts->nameWithChanges(key))
        return chosen < 0 ? tr("%1, original").arg(m_drafts->name(key)) : tr("%1, preset").arg(name);
    return name;
}

void DesignWorkspace::refreshBaselines() {
    const QVariant chosen = m_baseline->currentData();
    const QSignalBlocker quiet(m_baseline);
    m_baseline->clear();
    const DraftKey key = m_drafts->current();
    m_baseline->addItem(key.document > 0 ? tr("Original") : tr("Original model"), -1);
    for (std::size_t i = 0; i < m_presets->presets().size(); ++i)
        m_baseline->addItem(m_presets->presets()[i].name, int(i));
    const int found = m_baseline->findData(chosen);
    m_baseline->setCurrentIndex(std::max(found, 0));
}

void DesignWorkspace::updateActions() {
    showGamma();
    const DraftKey key = m_drafts->current();
    const bool any = m_drafts->has(key);
    const QString none = any ? QString() : tr("Open a model or start from a preset first.");
    const bool isCross = any && isVisible() && !m_actions->showText->isChecked() && m_editor->isCrossSelected();
    const QString unselected = !any                                 ? none
                               : !isVisible()                       ? tr("Select heads in the grid of Design first.")
                               : m_actions->showText->isChecked()   ? tr("Show the grid and select heads in it first.")
                               : isCross                           ? tr("The cross-attention of the decoder sees every token. It can be relaxed.")
                               : m_editor->selectedHeads().empty() ? tr("Select heads in the grid first.")
                                                                    : QString();
    for (QAction* action : {m_actions->setFull, m_actions->setLocal, m_actions->setBlock, m_actions->setConv,
                            m_actions->setMasked, m_actions->setReuse, m_actions->narrower, m_actions->wider})
        setAvailable(action, unselected);
    m_gamma->setEnabled(!m_actions->showText->isChecked()); // the heads that it would change are not in sight
    setAvailable(m_actions->setRelaxed, isCross ? QString() : unselected); // at once: a button that is disabled meanwhile loses the focus
    if (unselected.isEmpty()) {
        setAvailable(m_actions->setReuse, m_editor->whyNoReuse());
        for (QAction* action : {m_actions->narrower, m_actions->wider})
            setAvailable(action, m_editor->whyNoSteps());
        setAvailable(m_actions->setRelaxed, relaxable().empty() ? tr("Masked heads, and heads with a mistake, cannot be relaxed.") : QString());
        if (m_editor->gridModel()->grid().isMasked())
            for (QAction* action :
                 {m_actions->setFull, m_actions->setBlock, m_actions->setConv, m_actions->setRelaxed})
                setAvailable(action, widgets::maskedOnlySentence());
    }
    showPositions();
    setAvailable(m_actions->startFromPreset, m_presets->selectedPreset() ? QString() : tr("Select a preset in the list first."));
    setAvailable(m_actions->saveArchitecture,
                 any && m_drafts->isSaved(key) ? tr("Nothing has been changed since it was saved.") : none);
    setAvailable(m_actions->saveArchitectureAs, none);
    setAvailable(m_actions->copyAsText, none);
    setAvailable(m_actions->closeDocument,
                 any && key.document == 0 ? draftStaysSentence() : none);
    setAvailable(m_actions->resetDraft, any && !m_drafts->isEdited(key) ? tr("Nothing has been changed.") : none);
    setAvailable(m_actions->nextMistake,
                 any && m_drafts->grid(key).mistakes().empty() ? tr("There is no mistake.") : none);
    const WindowSuggestions suggested = any ? m_facts.suggestions(key) : WindowSuggestions();
    const bool suggests = suggested.why.isEmpty() && suggested.utterances > 0;
    const QString what = tr("Apply the windows that Algorithm 1 finds to all layers, as one undo step. "
                            "Layers whose CL would exceed %1 stay full. Alastruey et al. 2022.")
                             .arg(m_fullAbove->value());
    setAvailable(m_actions->useSuggested, {});
    m_actions->useSuggested->setToolTip(what + QLatin1Char(' ') + suggested.of);
    if (!suggests)
        setAvailable(m_actions->useSuggested,
                     !none.isEmpty()            ? none
                     : suggested.why.isEmpty() ? tr("Needs an analysed utterance of a model with the same number of layers.")
                                                : suggested.why);
}

/// Positions that only models made elsewhere have are offered to architectures that began with them.
void DesignWorkspace::showPositions() {
    const DraftKey key = m_drafts->current();
    const bool any = m_drafts->has(key);
    const Architecture architecture = any ? m_drafts->architecture(key) : Architecture();
    for (QAction* action : m_actions->positions->actions()) {
        const auto positions = Positions(action->data().toInt());
        action->setVisible(std::ranges::find(kOfferedPositions, positions) != kOfferedPositions.end() ||
                           (any && (m_drafts->base(key).encoder.positions == positions || architecture.encoder.positions == positions)));
        action->setChecked(any && architecture.encoder.positions == positions);
        setAvailable(action, any ? QString::fromStdString(whyNotPositions(architecture, positions)) : tr("Open a model or start from a preset first."));
    }
}

QString DesignWorkspace::statusText() const {
    const DraftKey key = m_drafts->current();
    if (!m_drafts->has(key))
        return tr("Open a model, or start from a preset: select it and press Enter.");
    if (m_actions->showText->isChecked()) // nothing is selected there
        return tr("%1, %2. A line is a layer: its number and its heads.").arg(m_drafts->shownName(key), m_drafts->origin(key));
    const QString selection = m_editor->selectionText();
    if (m_editor->isCrossSelected())
        return tr("%1 selected. Relax it with the button relaxed γ, or press Enter to edit its heads as text.").arg(selection);
    if (selection.isEmpty())
        return tr("%1, %2. Click a head, or drag over several.").arg(m_drafts->shownName(key), m_drafts->origin(key));
    return (m_editor->whyNoSteps().isEmpty() ? tr("%1 selected. Type a kind, for example local 17; [ and ] change the window.")
                                             : tr("%1 selected. Type a kind, for example local 17."))
        .arg(selection);
}

nlohmann::json DesignWorkspace::viewState() const {
    const auto lengths = m_cost->chosenLengths();
    return {{"drafts", m_drafts->viewState()}, {"length", lengths.speech}, {"textLength", lengths.text}, {"fullAbove", m_fullAbove->value()}};
}

void DesignWorkspace::restoreView(const nlohmann::json& view) {
    const CostPanel::Lengths usual;
    m_cost->setChosenLengths({int(numberIn(view, "length", usual.speech)), int(numberIn(view, "textLength", usual.text))});
    m_fullAbove->setValue(numberIn(view, "fullAbove", kFullAboveLoss));
    const nlohmann::json* drafts = valueIn(view, "drafts");
    m_drafts->restoreView(drafts ? *drafts : nlohmann::json::object());
}

} // namespace headroom::app
