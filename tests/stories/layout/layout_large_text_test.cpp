// SPDX-License-Identifier: GPL-3.0-or-later
// The net, fourth part: text of 125 % in a window of 1280 × 720, where every bar and panel is at its least.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/messages.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/messages/messages_panel.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/workspace.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QFile>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <utility>

namespace headroom::testing::layout_large_text_test {

using namespace headroom::app;

namespace {

constexpr QSize kScreen(1280, 720);

} // namespace

class LayoutLargeTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void largeText() {
        Story story;
        QVERIFY2(story.openAndWait({story.utterance(QStringLiteral("one")), story.utterance(QStringLiteral("two")), Story::model()}),
                 qPrintable(story.messages()));
        const Actions& a = story.window().actions();
        for (QAction* size : a.textSizes->actions())
            if (size->data().toInt() == 125)
                size->trigger();
        resizeTo(story, kScreen);
        a.words->trigger();
        QVERIFY(story.quiet());
        lookAtTabs(story, m_findings, QStringLiteral("words"));
        a.encoderView->trigger();
        story.session().drafts()->setWindow({story.session().currentModelId()}, {1, 17});
        lookAtTabs(story, m_findings, QStringLiteral("encoder"));
        a.compare->trigger();
        resizeTo(story, kScreen);
        m_findings.look(&story.window(), QStringLiteral("compared"));
        a.compare->trigger();
        a.designWorkspace->trigger();
        look(story, QStringLiteral("design"));
        a.analyseWorkspace->trigger();
        for (int i = 1; i <= 23; ++i)
            story.session().messages()->post(Severity::Error, QStringLiteral("The recording number %1 cannot be read: its header names 65,535 channels. Open another one.").arg(i));
        story.window().current()->showMessages();
        look(story, QStringLiteral("messages"));
        const auto* messages = story.part<MessagesPanel>()->view()->viewport();
        QVERIFY2(messages->visibleRegion().boundingRect().height() >= 4 * messages->fontMetrics().lineSpacing(), "Messages opened out of sight.");
        QVERIFY2(nothingFound(m_findings), "The findings are listed above.");
    }

    /// “Utterances faile…” stood over a list of which one could not be read.
    void oneUtteranceFailed() {
        Story story;
        QStringList files{story.path(QStringLiteral("notes.wav"))};
        QFile notes(files.first());
        QVERIFY(notes.open(QIODevice::WriteOnly));
        notes.write("%PDF-1.7 not a sound");
        notes.close();
        for (int i = 1; i <= 12; ++i)
            files << story.utterance(QStringLiteral("utterance%1").arg(i), 0.3);
        QVERIFY(story.openAndWait(files << Story::model()));
        const auto* header = qobject_cast<Dock*>(story.part<UtterancePanel>()->parentWidget())->header();
        QCOMPARE(header->detail(), QStringLiteral("13, 1 failed"));
        for (const auto& [percent, screen] : {std::pair(125, kScreen), std::pair(125, QSize(1600, 900)), std::pair(150, QSize(1600, 900))}) {
            for (QAction* size : story.window().actions().textSizes->actions())
                if (size->data().toInt() == percent)
                    size->trigger();
            resizeTo(story, screen);
            const auto labels = header->findChildren<QLabel*>();
            QVERIFY2(std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel* label) {
                return (label->text() == header->detail() || label->text() == QStringLiteral("1")) && label->isVisible() &&
                       label->contentsRect().width() >= label->fontMetrics().horizontalAdvance(label->text());
            }), qPrintable(QStringLiteral("The count has no room at %1 %.").arg(percent)));
            m_findings.look(&story.window(), QStringLiteral("one failed, %1 %").arg(percent));
        }
        QVERIFY2(nothingFound(m_findings), "The findings are listed above.");
    }

    void cleanupTestCase() {
        widgets::setTextSize(100);
        widgets::Theme::apply(QStringLiteral("light"));
    }

private:
    void look(Story& story, const QString& state) {
        settle(story);
        resizeTo(story, kScreen); // panels may have made it grow, and the tests' screen is smaller
        m_findings.look(&story.window(), state);
    }
    LayoutFindings m_findings;
};

HEADROOM_TEST(LayoutLargeTextTest)

} // namespace headroom::testing::layout_large_text_test

#include "layout_large_text_test.moc"
