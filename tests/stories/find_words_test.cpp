// SPDX-License-Identifier: GPL-3.0-or-later
// Find action with the words that people type, in every workspace.
#include "app/window/find_action.h"
#include "app/window/tool_bar.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QComboBox>
#include <QListView>
#include <QTabWidget>
#include <QTest>

namespace headroom::testing::find_words_test {

using namespace headroom::app;

class FindWordsStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "latency" found nothing though there is a tab Latency, and "measure" only Study….
    void everyWordLeadsSomewhereInEveryWorkspace() {
        Story story;
        FindAction* find = story.window().toolBar()->findField();
        const std::pair<const char*, const char*> words[] = {
            {"cost", "Cost"}, {"window", "Windows"}, {"band", "Window"}, {"theme", "Theme: Dark"},
            {"phones", "PAR 37 × 37"}, {"phones", "Study: Phones…"}, {"probe", "Probe"}, {"export", "Export figure…"},
            {"figure", "Export figure…"}, {"corpus", "Data"}, {"place", "Places…"}, {"queue", "Queue"}, {"log", "Log"},
            {"compare", "Compare"}, {"diagonality", "Study: Diagonality…"}, {"diagonality", "CAD"}, {"CAD", "CAD"},
            {"relevance", "Heads"}, {"entropy", "Statistics"}, {"similarity", "Similarity"}, {"text size", "Text size: 125\u202f%"},
            {"shortcuts", "Keyboard shortcuts"}, {"latency", "Latency"}, {"latency", "Study: Latency…"}, {"latency", "Cost"},
            {"measure", "Measures"}, {"measure", "Cost"}, {"measure", "Study: Windows…"}, {"curves", "Curves"}};
        QStringList missing;
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            for (const auto& [typed, wanted] : words)
                if (!found(*find, QString::fromUtf8(typed)).contains(QString::fromUtf8(wanted)))
                    missing << QStringLiteral("%1: “%2” finds no %3").arg(workspace->objectName(), QString::fromUtf8(typed), QString::fromUtf8(wanted));
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    }

    /// They were only in the menus of their rows.
    void whatIsDoneToTheCurrentRowIsFound() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}));
        FindAction* find = story.window().toolBar()->findField();
        const auto run = [&](const QString& words) {
            find->setFocus(Qt::ShortcutFocusReason);
            QTest::keyClicks(find, words);
            QCOMPARE(find->matchCount(), 1);
            QTest::keyClick(find, Qt::Key_Return);
        };
        run(QStringLiteral("close this model"));
        QTRY_COMPARE(story.session().models()->count(), 0);
        run(QStringLiteral("utterances remove session"));
        QTRY_COMPARE(story.session().utterances()->count(), 0);
        run(QStringLiteral("close this model")); // of no row
        QCOMPARE(story.session().models()->count(), 0);
    }

    void aTabAndAStudyOfAKindAreShownFromEverywhere() {
        Story story;
        FindAction* find = story.window().toolBar()->findField();
        auto* tabs = story.part<QTabWidget>("analysisTabs");
        for (const Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            tabs->setCurrentIndex(0);
            find->setFocus(Qt::ShortcutFocusReason);
            QTest::keyClicks(find, QStringLiteral("tab latency"));
            QTest::keyClick(find, Qt::Key_Return);
            QTRY_COMPARE(tabs->currentWidget()->objectName(), QStringLiteral("latencyTab"));
            QVERIFY(tabs->isVisible());
        }
        story.window().showWorkspace(QStringLiteral("train"));
        find->setFocus(Qt::ShortcutFocusReason);
        QTest::keyClicks(find, QStringLiteral("study phones"));
        QTest::keyClick(find, Qt::Key_Return);
        auto* kind = story.part<QComboBox>("studyKind");
        QTRY_VERIFY(kind->isVisible());
        QCOMPARE(kind->currentText(), QStringLiteral("Phones"));
    }

private:
    static QStringList found(FindAction& find, const QString& words) {
        find.setText(words);
        find.openList();
        const auto* list = find.findChild<QListView*>();
        QStringList texts;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            texts << list->model()->index(row, 0).data().toString();
        return texts;
    }
};

HEADROOM_TEST(FindWordsStory)

} // namespace headroom::testing::find_words_test

#include "find_words_test.moc"
