// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stories/layout/layout_walk.h"

#include "app/parts/actions.h"
#include "app/workspaces/workspace.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include <cstdio>
#include <utility>

namespace headroom::testing {

namespace {

void lookAtDocks(Story& story, LayoutFindings& findings, app::Workspace* workspace, const QString& setting) {
    for (QDockWidget* dock : workspace->findChildren<QDockWidget*>()) {
        if (dock->isVisible())
            continue;
        dock->show();
        dock->raise();
        settle(story);
        findings.look(&story.window(), QStringLiteral("%1, %2").arg(dock->windowTitle(), setting));
        dock->hide();
    }
    workspace->resetLayout();
    settle(story);
}

} // namespace

bool nothingFound(LayoutFindings& findings) {
    const LayoutFindings found = std::exchange(findings, {});
    // Qt Test cuts long messages off.
    std::fprintf(stderr, "%s%d texts looked at in %d views.\n", qPrintable(found.report()), int(found.texts()), found.looks());
    return found.isEmpty();
}

void lookAtTabs(Story& story, LayoutFindings& findings, const QString& setting) {
    auto* tabs = story.part<QTabWidget>("analysisTabs");
    for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        settle(story);
        findings.look(&story.window(), QStringLiteral("%1, %2").arg(tabs->tabText(tab), setting));
    }
    tabs->setCurrentIndex(0);
}

void resizeTo(Story& story, QSize size) {
    story.window().setMinimumSize(size);
    story.window().resize(size);
    settle(story);
    story.window().setMinimumSize(0, 0);
}

void settle(Story& story) {
    for (int turn = 0; turn < 3; ++turn) {
        (void)QTest::qWaitFor([&] { return !story.window().isPending(); }, 60000);
        QCoreApplication::sendPostedEvents();
        QTest::qWait(1);
    }
}

void walk(Story& story, LayoutFindings& findings, const QString& state, const std::vector<Standing>& standings,
          Docks docks) {
    app::MainWindow& window = story.window();
    for (const Standing& standing : standings) {
        if (widgets::Theme::current().name != QLatin1String(standing.theme))
            widgets::Theme::apply(QString::fromLatin1(standing.theme));
        for (app::Workspace* workspace : window.workspaces()) {
            window.showWorkspace(workspace->objectName());
            resizeTo(story, standing.size);
            workspace->resetLayout();
            settle(story);
            const QString setting = QStringLiteral("%1, %2 × %3, %4")
                                        .arg(state)
                                        .arg(standing.size.width())
                                        .arg(standing.size.height())
                                        .arg(QLatin1String(standing.theme));
            findings.lookAtMinimum(&window, {1280, 720}, setting);
            if (workspace == window.workspaces().front())
                lookAtTabs(story, findings, setting);
            else
                findings.look(&window, QStringLiteral("%1, %2").arg(workspace->objectName(), setting));
            if (docks == Docks::All)
                lookAtDocks(story, findings, workspace, setting);
        }
        window.showWorkspace(window.workspaces().front()->objectName());
    }
}

} // namespace headroom::testing
