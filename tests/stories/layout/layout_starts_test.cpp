// SPDX-License-Identifier: GPL-3.0-or-later
// The net at a start: the first visit, before anybody has reset a layout.
#include "app/workspaces/workspace.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QTest>

#include <utility>

namespace headroom::testing::layout_starts_test {

using namespace headroom::app;

namespace {

constexpr QSize kSmall(1280, 720), kUsual(1600, 1000);

} // namespace

class LayoutStartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_RUNS", m_folder.filePath(QStringLiteral("no-runs")).toLocal8Bit());
        qputenv("HEADROOM_STUDIES", m_folder.filePath(QStringLiteral("no-studies")).toLocal8Bit());
    }
    void cleanup() { QVERIFY2(nothingFound(m_findings), "The findings are listed above."); }

    /// Every workspace is visited before and after something is opened; nothing is reset and nothing resized in between.
    void theFirstVisit() {
        for (const auto& [size, theme] : kStandings) {
            Story story;
            widgets::Theme::apply(QString::fromLatin1(theme)); // a story begins with the light one
            resizeTo(story, size);
            visit(story, QStringLiteral("first visit"), size, theme);
            QVERIFY2(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}), qPrintable(story.messages()));
            visit(story, QStringLiteral("first recording"), size, theme);
        }
    }

private:
    static constexpr std::pair<QSize, const char*> kStandings[] = {
        {kSmall, "light"}, {kUsual, "dark"}, {kSmall, "dark"}, {kUsual, "light"}};

    void visit(Story& story, const QString& state, QSize size, const char* theme) {
        const QString setting = QStringLiteral("%1, %2 × %3, %4").arg(state).arg(size.width()).arg(size.height()).arg(QLatin1String(theme));
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            settle(story);
            m_findings.lookAtMinimum(&story.window(), kSmall, setting);
            if (workspace == story.window().workspaces().front())
                lookAtTabs(story, m_findings, setting);
            else
                m_findings.look(&story.window(), QStringLiteral("%1, %2").arg(workspace->objectName(), setting));
        }
        story.window().showWorkspace(story.window().workspaces().front()->objectName());
    }

    QTemporaryDir m_folder;
    LayoutFindings m_findings;
};

HEADROOM_TEST(LayoutStartsTest)

} // namespace headroom::testing::layout_starts_test

#include "layout_starts_test.moc"
