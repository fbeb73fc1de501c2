// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/design_page.h"

#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/window/find_action.h"
#include "app/window/main_window.h"
#include "app/window/session_actions.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/design_workspace.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace headroom::app {

DesignPage::DesignPage(MainWindow* window, Drafts* drafts, QAction* trainThis)
    : QObject(window)
    , m_window(window)
    , m_trainThis(trainThis)
    , m_workspace(new DesignWorkspace({window->session(), window->analysis(), drafts}, window)) {
    const DesignActions& own = m_workspace->actions();
    for (QAction* action : own.all())
        window->toolBar()->findField()->offer(action, tr("Architecture"));
    const Actions& actions = window->actions();
    window->toolBar()->addSection(actions.designWorkspace,
                                  {own.openArchitecture, own.saveArchitectureAs, nullptr, actions.undo,
                                   actions.redo, nullptr, own.copyAsText, nullptr, trainThis});
    trainThis->setIconText(QLatin1Char(' ') + trainThis->text()); // “Train” alone is the workspace
    m_workspace->askOpen = [this] { return askOpen(); };
    m_workspace->askSave = [this](const QString& suggested) { return askSave(suggested); };
}

QMenu* DesignPage::makeMenu(QWidget* parent) const {
    auto* menu = new QMenu(tr("A&rchitecture"), parent);
    menu->setToolTipsVisible(true);
    const DesignActions& a = m_workspace->actions();
    for (QAction* action : {a.startFromPreset,
                            a.openArchitecture,
                            a.saveArchitectureAs,
                            a.closeDocument,
                            static_cast<QAction*>(nullptr),
                            a.setFull,
                            a.setLocal,
                            a.setBlock,
                            a.setConv,
                            a.setMasked,
                            a.setReuse,
                            a.narrower,
                            a.wider,
                            a.useSuggested,
                            a.resetDraft,
                            static_cast<QAction*>(nullptr),
                            a.nextMistake,
                            a.copyAsText,
                            static_cast<QAction*>(nullptr),
                            m_trainThis})
        action ? menu->addAction(action) : static_cast<void>(menu->addSeparator());
    return menu;
}

QString DesignPage::askOpen() const {
    const QString file = m_window->sessionActions()->dialogs()->openFile(m_window, tr("Open an architecture"),
                                                                         m_window->settings()->lastFolder(),
                                                                         tr("Architectures (*.json)"));
    if (!file.isEmpty())
        m_window->settings()->setLastFolder(QFileInfo(file).absolutePath());
    return file;
}

QString DesignPage::askSave(const QString& suggested) const {
    const QString file = m_window->sessionActions()->dialogs()->save(
        m_window, tr("Save architecture"), QDir(m_window->settings()->lastFolder()).filePath(suggested),
        {tr("Architecture (*.json)")});
    if (!file.isEmpty())
        m_window->settings()->setLastFolder(QFileInfo(file).absolutePath());
    return file;
}

} // namespace headroom::app
