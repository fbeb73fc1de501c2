// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train_page.h"

#include "app/documents/drafts.h"
#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/window/find_action.h"
#include "app/window/main_window.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"

#include <QAction>
#include <QMenu>

namespace headroom::app {

TrainPage::TrainPage(MainWindow* window, Drafts* drafts)
    : QObject(window)
    , m_window(window)
    , m_drafts(drafts)
    , m_actions(new TrainActions(this))
    , m_workspace(
          new TrainWorkspace({window->session(), drafts, window->settings(), m_actions, {}}, window)) {
    for (QAction* action : m_actions->all())
        window->toolBar()->findField()->offer(action, tr("Runs"));
    ToolBar* bar = window->toolBar();
    QAction* train = window->actions().trainWorkspace;
    bar->addSection(train, {m_actions->newRun, nullptr, m_actions->stop, m_actions->resume, nullptr,
                            m_actions->compare, m_actions->openResult, nullptr, m_actions->runFolder});
    bar->addSection(window->actions().analyseWorkspace, {nullptr, m_actions->trainThis});
    connect(m_actions->newRun, &QAction::triggered, train, &QAction::trigger);
    connect(m_actions->trainThis, &QAction::triggered, this, &TrainPage::trainCurrentDraft);
    connect(m_workspace, &TrainWorkspace::openResultRequested, this, &TrainPage::openResult);
    connect(drafts, &Drafts::listChanged, this, &TrainPage::updateTrainThis);
    connect(drafts, &Drafts::draftChanged, this, &TrainPage::updateTrainThis);
    connect(drafts, &Drafts::currentChanged, this, &TrainPage::updateTrainThis);
    updateTrainThis();
}

QMenu* TrainPage::makeMenu(QWidget* parent) const {
    auto* menu = new QMenu(tr("&Runs"), parent);
    menu->setToolTipsVisible(true);
    for (QAction* action : m_actions->menu())
        action ? menu->addAction(action) : static_cast<void>(menu->addSeparator());
    return menu;
}

void TrainPage::trainCurrentDraft() {
    m_window->actions().trainWorkspace->trigger();
    m_workspace->trainThis(m_drafts->current());
}

void TrainPage::updateTrainThis() {
    const DraftKey key = m_drafts->current();
    QString why;
    if (key.isNone() || !m_drafts->has(key))
        why = tr("Open a model or start from a preset first.");
    else if (const auto count = m_drafts->grid(key).mistakes().size(); count > 0)
        why = count == 1 ? tr("Mend 1 mistake first.") : tr("Mend %1 mistakes first.").arg(count);
    m_actions->trainThis->setEnabled(why.isEmpty());
    m_actions->trainThis->setToolTip(why.isEmpty() ? m_actions->trainThis->statusTip() : why);
}

/// Beside the model it came from: that one is opened too where it is not, and both are ticked and seen side
/// by side.
void TrainPage::openResult(const std::filesystem::path& model, const std::filesystem::path& origin) {
    Session* session = m_window->session();
    const ModelId before = origin.empty() ? session->currentModelId() : session->openModel(origin);
    const ModelId opened = session->openModel(model);
    session->setModelEnabled(opened, true);
    session->setCurrentModel(opened);
    if (before != ModelId::None && before != opened)
        m_window->analyse()->comparison()->compareModel(before);
    m_window->actions().analyseWorkspace->trigger();
}

} // namespace headroom::app
