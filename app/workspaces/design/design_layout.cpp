// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the Design workspace and their first layout.
#include "app/parts/action_button.h"
#include "app/parts/availability.h"
#include "app/parts/dock.h"
#include "app/parts/flow_layout.h"
#include "app/parts/menu.h"
#include "app/parts/panel_header.h"
#include "app/settings/resource_folders.h"
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/design_texts.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/design/difference_panel.h"
#include "app/workspaces/design/gamma_field.h"
#include "app/workspaces/design/heads_text_field.h"
#include "app/workspaces/design/presets_panel.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

QWidget* DesignWorkspace::makePalette() {
    const int unit = int(Sizes::unit());
    auto* palette = new QWidget(this);
    palette->setProperty("panel", true);
    palette->setAttribute(Qt::WA_StyledBackground);
    auto* row = new FlowLayout(palette); // two rows in a narrow window
    row->setContentsMargins(unit * 3 / 2, unit * 3 / 4, unit, unit * 3 / 4);
    row->setSpacing(unit / 2);
    const auto add = [&](QAction* action, const QString& icon, const QString& text, const QString& key = {}) {
        auto* button = new ActionButton(action, icon, palette, ActionButton::Key::Hidden);
        button->setText(text);
        button->setKeyHint(key);
        button->setAccessibleName(action->text());
        row->addWidget(button);
        return button;
    };
    add(m_actions->setFull, QStringLiteral("head-full"), tr("full"));
    add(m_actions->setLocal, QStringLiteral("head-local"), tr("local"));
    add(m_actions->setBlock, QStringLiteral("head-block"), tr("block"));
    add(m_actions->setConv, QStringLiteral("head-conv"), tr("conv"));
    add(m_actions->setMasked, QStringLiteral("head-masked"), tr("masked"));
    add(m_actions->setReuse, QStringLiteral("reuse"), tr("reuse"));
    m_gamma = new GammaField;
    const auto divide = [&] {
        auto* line = new QFrame(palette);
        line->setFrameShape(QFrame::VLine);
        row->addWidget(line);
    };
    const auto addPair = [&](QWidget* first, QWidget* second) { // stays in one row
        auto* both = new QWidget(palette);
        auto* pair = new QHBoxLayout(both);
        pair->setContentsMargins(0, 0, 0, 0);
        pair->setSpacing(unit / 2);
        pair->addWidget(first);
        pair->addWidget(second);
        row->addWidget(both);
    };
    divide();
    addPair(add(m_actions->setRelaxed, QStringLiteral("wand"), tr("relaxed γ")), m_gamma);
    divide();
    auto* narrower = add(m_actions->narrower, QStringLiteral("minus"), {}, QStringLiteral("["));
    addPair(narrower, add(m_actions->wider, QStringLiteral("plus"), {}, QStringLiteral("]")));
    return palette;
}

QWidget* DesignWorkspace::makeViewSwitch() {
    auto* views = new QWidget(m_header);
    views->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred); // the least width of a button is that of "…"
    auto* row = new QHBoxLayout(views);
    row->setContentsMargins(0, 0, int(Sizes::unit()), 0);
    row->setSpacing(0);
    for (QAction* action : {m_actions->showGrid, m_actions->showText}) {
        auto* button = new QToolButton(views);
        button->setDefaultAction(action);
        button->setProperty("segment", action == m_actions->showGrid ? "first" : "last");
        button->setProperty("small", true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setFixedHeight(Sizes::smallControl());
        row->addWidget(button);
    }
    return views;
}

void DesignWorkspace::makeCentre() {
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_header = new PanelHeader({}, centre);
    QWidget* viewSwitch = makeViewSwitch(); // parts are made in the order in which they stand, which is that of Tab
    m_fullAbove = new QDoubleSpinBox(m_header);
    m_fullAbove->setRange(0, 1);
    m_fullAbove->setSingleStep(0.05);
    m_fullAbove->setDecimals(2);
    m_fullAbove->setValue(m_parts.session->fullAbove());
    m_fullAbove->setLocale(QLocale::c());
    m_fullAbove->setProperty("small", true);
    m_fullAbove->setAccessibleName(tr("Full above CL"));
    m_fullAbove->setToolTip(
        tr("Layers whose suggested window would cut off more than this share of their contributions stay "
           "full. 0.25 reproduces all 36 published rows. Alastruey et al. 2022."));
    m_fullAbove->setPrefix(tr("CL ")); // says what it is where the label has no room
    auto* label = new QLabel(tr("Full above"), m_header);
    label->setProperty("caption", true);
    label->setBuddy(m_fullAbove);
    auto* suggested = new ActionButton(m_actions->useSuggested, QStringLiteral("wand"), m_header,
                                       ActionButton::Key::Hidden);
    suggested->setProperty("small", true);
    suggested->setFixedHeight(Sizes::smallControl());
    m_header->addTrailing(viewSwitch);
    m_header->addTrailing(label);
    m_header->addTrailing(m_fullAbove);
    m_header->addTrailing(suggested);
    m_header->yield(suggested, m_actions->useSuggested); // the name of the architecture needs its room
    m_header->yield(label);                              // goes first: the field's tool tip has it too
    layout->addWidget(m_header);
    layout->addWidget(makePalette());
    auto* line = new QFrame(centre);
    line->setFrameShape(QFrame::HLine);
    layout->addWidget(line);
    m_editor = new widgets::LayerEditor(centre);
    m_editor->setEmptySentence(emptySentence());
    const DesignActions& a = *m_actions;
    auto* copyHeads = new QAction(widgets::icon(QStringLiteral("copy")), tr("Copy these heads\tCtrl+C"), m_editor);
    copyHeads->setObjectName(QStringLiteral("copyHeads"));
    connect(copyHeads, &QAction::triggered, m_editor, &widgets::LayerEditor::copy);
    auto* paste = new QAction(tr("Paste onto these heads\tCtrl+V"), m_editor);
    connect(paste, &QAction::triggered, m_editor, &widgets::LayerEditor::paste);
    const auto offer = [this, copyHeads, paste] {
        const QString why = m_editor->whyNoClipboard();
        setAvailable(copyHeads, why);
        setAvailable(paste, why);
    };
    connect(m_editor, &widgets::LayerEditor::pastedInPart, this, [this](const QString& sentence) {
        m_parts.session->messages()->post(Severity::Warning, sentence);
        showMessages();
    });
    connect(m_editor, &widgets::LayerEditor::headsSelected, copyHeads, offer);
    offer();
    widgets::setContextMenu(m_editor, {a.setFull, a.setLocal, a.setBlock, a.setConv, a.setMasked, a.setReuse, a.setRelaxed,
                                       nullptr, a.narrower, a.wider, nullptr, copyHeads, paste, nullptr,
                                       menuOf(tr("Positions"), a.positions->actions(), m_editor)->menuAction(), a.nextMistake,
                                       a.resetDraft});
    m_text = new HeadsTextField(centre);
    auto* views = new QStackedWidget(centre);
    views->addWidget(m_editor);
    views->addWidget(m_text);
    layout->addWidget(views, 1);
    connect(m_actions->showText, &QAction::toggled, views, [this, views](bool text) {
        views->setCurrentIndex(text ? 1 : 0);
        views->currentWidget()->setFocus(Qt::ShortcutFocusReason);
    });
    for (QAction* action : {m_actions->showGrid, m_actions->showText}) // also if it is shown already
        connect(action, &QAction::triggered, this, [this] { setFocus(Qt::ShortcutFocusReason); });
    setCentralWidget(centre);
}

/// Hands it on. A focus proxy would do that too, but Tab skips what lies between this and its proxy.
void DesignWorkspace::focusInEvent(QFocusEvent* event) {
    Workspace::focusInEvent(event);
    (m_actions->showText->isChecked() ? static_cast<QWidget*>(m_text) : m_editor)->setFocus(event->reason());
}

void DesignWorkspace::makeDocks() {
    QStringList mistakes;
    m_presets = new PresetsPanel(m_drafts, readPresets(resourceFolder() / "architectures", &mistakes));
    for (const QString& mistake : mistakes)
        m_parts.session->messages()->post(Severity::Warning, mistake);
    m_presetsDock = addDock(QStringLiteral("presets"), tr("Presets"), m_presets);
    m_presetsDock->header()->addButton(m_actions->startFromPreset);
    m_presets->addActions({m_parts.actions->trainThis, m_actions->copyAsText, m_actions->saveArchitectureAs,
                           m_actions->resetDraft});
    m_cost = new CostPanel(m_parts.latency);
    m_costDock = addDock(QStringLiteral("cost"), tr("Cost"), m_cost);
    m_difference = new DifferencePanel;
    m_differenceDock = addDock(QStringLiteral("difference"), tr("Difference from"), m_difference);
    m_baseline = new QComboBox;
    m_baseline->setProperty("small", true);
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    widgets::withTextSize(m_baseline, [box = m_baseline] { // what differs stands beside it
        box->setMinimumWidth(qRound(Sizes::unit() * 14));
        box->setMaximumWidth(qRound(Sizes::unit() * 30));
    });
    m_baseline->setAccessibleName(tr("Baseline"));
    m_baseline->setToolTip(tr("The architecture to compare with, here and in Cost."));
    m_differenceDock->header()->addLeading(m_baseline);
    auto* copy = new QAction(widgets::icon(QStringLiteral("copy")), tr("Copy the difference"), this);
    copy->setToolTip(tr("Copy the difference as text, one line per change."));
    connect(copy, &QAction::triggered, this, [this] {
        if (m_drafts->has(m_drafts->current()))
            QApplication::clipboard()->setText(
                differenceOf(baseline(), m_drafts->architecture(m_drafts->current())).asText());
    });
    m_differenceDock->header()->addButton(copy);
    widgets::setContextMenu(m_difference, {copy});
    addMessagesDock(m_parts.session->messages());
    placeDocks();
}

void DesignWorkspace::placeDocks() {
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    const std::pair<Qt::DockWidgetArea, Dock*> places[] = {{Qt::LeftDockWidgetArea, m_presetsDock},
                                                           {Qt::RightDockWidgetArea, m_costDock},
                                                           {Qt::BottomDockWidgetArea, m_differenceDock}};
    for (const auto& [area, dock] : places) {
        dock->setFloating(false);
        addDockWidget(area, dock);
        dock->show();
    }
    messagesDock()->setFloating(false);
    addDockWidget(Qt::BottomDockWidgetArea, messagesDock());
    tabifyDockWidget(m_differenceDock, messagesDock()); // a column of its own would be too narrow to read
    messagesDock()->hide();
    sizeDocks();
}

void DesignWorkspace::sizeDocks() {
    const int unit = int(Sizes::unit());
    resizeDocks({m_presetsDock, m_costDock},
                {std::min(unit * 32, width() * 18 / 100), std::min(unit * 53, width() * 28 / 100)},
                Qt::Horizontal);
    resizeDocks({m_differenceDock}, {unit * 19}, Qt::Vertical);
}

QList<QMenu*> DesignWorkspace::makeMenus(QWidget* parent) const {
    const DesignActions& a = *m_actions;
    QMenu* menu = menuOf(tr("Archi&tecture"),
                         {a.startFromPreset, a.openArchitecture, a.saveArchitecture, a.saveArchitectureAs, a.closeDocument, nullptr,
                          a.setFull, a.setLocal, a.setBlock, a.setConv, a.setMasked, a.setReuse, a.setRelaxed, a.narrower, a.wider,
                          a.useSuggested, a.resetDraft, nullptr, a.nextMistake, a.showGrid, a.showText, a.copyAsText, nullptr,
                          m_parts.actions->trainThis},
                         parent);
    menu->insertMenu(a.useSuggested, menuOf(tr("Positions"), a.positions->actions(), menu));
    return {menu};
}

QList<ToolBarItem> DesignWorkspace::toolBarItems() {
    const auto text = &ToolBarItem::text;
    const ToolBarItem gap = ToolBarItem::gap();
    const Actions& shared = *m_parts.actions;
    return {text(m_actions->openArchitecture, {}),
            text(m_actions->saveArchitecture, {}),
            gap,
            text(shared.undo, {}),
            text(shared.redo, {}),
            gap,
            text(m_actions->copyAsText, {}),
            gap,
            text(shared.trainThis, shared.trainThis->text())}; // “Train” alone is the workspace
}

QList<Actions::Listed> DesignWorkspace::listedActions() const {
    QList<Actions::Listed> listed;
    for (QAction* action : m_actions->all())
        listed.append({action, tr("Architecture")});
    return listed;
}

} // namespace headroom::app
