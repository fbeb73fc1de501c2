// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody meets in the first hour: lists, keys, messages and sessions.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/documents/saving/autosave.h"
#include "app/parts/actions.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/start/start_page_parts.h"
#include "core/architecture/architecture.h"
#include "core/audio/audio_file.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/waveform/waveform_lane.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <algorithm>

namespace headroom::testing::everyday_test {

using namespace headroom::app;
using headroom::testing::Story;

class EverydayStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void keysInAnOpenListStayInTheList() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        axis->setCursor(Seconds(1.2));
        QComboBox* field = nullptr; // one over the map, where Home and End are keys of the sound
        for (QComboBox* one : story.part<MatrixPanel>()->findChildren<QComboBox*>())
            if (one->isVisible() && one->count() > 2)
                field = one;
        QVERIFY(field);
        field->showPopup();
        QTRY_VERIFY_WITH_TIMEOUT(field->view()->isVisible(), 60000);
        QTest::keyClick(field->view(), Qt::Key_End);
        QTest::keyClick(field->view(), Qt::Key_Home);
        QCOMPARE(axis->cursor()->value(), 1.2);
        field->hidePopup();
    }

    /// Words over the map and back: the panel that was in front beside it is there again.
    void thePanelInFrontComesBackAfterTheWords() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.window().actions().showStudies->trigger();
        auto* layers = story.part<QDockWidget>("layers");
        const auto isInFront = [layers] { return !layers->visibleRegion().isEmpty(); };
        layers->raise();
        QTRY_VERIFY_WITH_TIMEOUT(isInFront(), 60000);
        story.window().actions().words->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!isInFront(), 60000);
        story.window().actions().words->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(isInFront(), 60000);
    }

    /// The layout of the last time is of the words, and this time the view is the encoder's.
    void aLayoutOfTheWordsLeavesNoEmptyPanelInFront() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        auto *layers = story.part<QDockWidget>("layers"), *heads = story.part<QDockWidget>("crossAttention");
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        QTRY_VERIFY_WITH_TIMEOUT(!heads->visibleRegion().isEmpty(), 60000);
        const QByteArray layout = story.window().analyse()->savedLayout();
        story.window().analyse()->restoreLayout(layout); // the words are shown: it stays
        QVERIFY(!heads->isHidden());
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        QVERIFY(heads->isHidden());
        story.window().analyse()->restoreLayout(layout);
        QVERIFY(heads->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(!layers->visibleRegion().isEmpty(), 60000);
    }

    /// Only the layers came back, over words that had their heads beside them.
    void resetLayoutBringsBackTheHeadsOfTheWords() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        auto *layers = story.part<QDockWidget>("layers"), *heads = story.part<QDockWidget>("crossAttention");
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        heads->close();
        QVERIFY(heads->isHidden());
        story.window().actions().resetLayout->trigger();
        QVERIFY(!heads->isHidden() && !layers->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(!heads->visibleRegion().isEmpty(), 60000);
        story.window().actions().words->trigger(); // the encoder again
        story.window().actions().resetLayout->trigger();
        QVERIFY(heads->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(!layers->visibleRegion().isEmpty(), 60000);
    }

    void aFileThatIsGoneSaysSo() {
        Story story;
        const QString file = story.utterance("gone");
        QVERIFY(story.openAndWait({file}));
        story.answers().file = story.path(QStringLiteral("kept"));
        story.window().actions().saveSessionAs->trigger();
        QVERIFY(QFile::remove(file));
        story.window().sessionActions()->openSession(toQString(story.session().folder()));
        QVERIFY(story.quiet());
        const app::OpenUtterance* utterance = story.session().currentUtterance();
        QVERIFY(utterance && utterance->state == OpenState::Failed && !utterance->sentence.isEmpty());
        QCOMPARE(story.part<TimeColumn>()->waveform()->accessibleDescription(), utterance->sentence);
    }

    void theCursorStaysWhereItWasInEachUtterance() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), story.utterance("two")}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        const UtteranceId one = story.session().utterances()->at(0).id, two = story.session().utterances()->at(1).id;
        story.session().setCurrentUtterance(one);
        QVERIFY(story.quiet());
        axis->setCursor(Seconds(1.2));
        story.session().setCurrentUtterance(two);
        QVERIFY(story.quiet());
        QCOMPARE(axis->cursor()->value(), 0.0);
        axis->setCursor(Seconds(0.4));
        story.session().setCurrentUtterance(one);
        QVERIFY(story.quiet());
        QCOMPARE(axis->cursor()->value(), 1.2);
        story.session().setCurrentUtterance(two);
        QVERIFY(story.quiet());
        QCOMPARE(axis->cursor()->value(), 0.4);
    }

    void anAlignmentCanBeMadeWhereItIsMissing() {
        Story story;
        const QString file = story.utterance("bare");
        QVERIFY(QFile::remove(QString(file).replace(QStringLiteral(".wav"), QStringLiteral(".TextGrid"))));
        QVERIFY(story.openAndWait({file}));
        auto* align = story.part<QPushButton>("alignHere");
        QVERIFY(align && align->isVisible());
        disconnect(story.window().analyse(), &AnalyseWorkspace::alignRequested, nullptr, nullptr);
        QSignalSpy heard(story.window().analyse(), &AnalyseWorkspace::alignRequested);
        align->click();
        QCOMPARE(heard.size(), 1);
        QVERIFY(story.openAndWait({story.utterance("aligned")}));
        QVERIFY(!align->isVisible());
    }

    /// In Design it was behind "Difference from", and the second time nothing at all changed on the screen.
    void theErrorOfAnActionIsSeenEachTime() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        QFile file(story.path(QStringLiteral("wrong.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
        file.close();
        story.answers().file = file.fileName();
        story.window().actions().designWorkspace->trigger();
        QVERIFY(story.quiet());
        const auto* design = story.window().current();
        const auto* messages = design->findChild<QDockWidget*>(QStringLiteral("messages"));
        auto* difference = design->findChild<QDockWidget*>(QStringLiteral("difference"));
        const auto actions = story.window().findChildren<QAction*>();
        const auto open = std::ranges::find_if(actions, [](const QAction* one) { return one->text() == QStringLiteral("Open an architecture…"); });
        QVERIFY(messages && difference && open != actions.end());
        for (int time = 0; time < 2; ++time) {
            difference->raise();
            QTRY_VERIFY_WITH_TIMEOUT(messages->visibleRegion().isEmpty(), 60000);
            (*open)->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(!messages->visibleRegion().isEmpty(), 60000);
        }
    }

    void messagesCanBeReadBesidePlaces() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.window().resize(1280, 720);
        auto* places = story.part<QDockWidget>("places");
        places->show();
        story.session().messages()->post(
            Severity::Warning, QStringLiteral("A sentence of ordinary length, which says what happened and what to do."));
        story.window().analyse()->showMessages();
        QVERIFY(story.quiet());
        const auto* messages = story.part<QDockWidget>("messages");
        const auto* view = messages->findChild<QTableView*>();
        QTRY_VERIFY_WITH_TIMEOUT(view->isVisible() && !view->visibleRegion().isEmpty(), 60000);
        QVERIFY2(view->columnWidth(Messages::Sentence) >= 160,
                 qPrintable(QString::number(view->columnWidth(Messages::Sentence))));
        QVERIFY(view->rowHeight(0) <= 4 * view->fontMetrics().lineSpacing() + 8);
    }

    /// An architecture that was edited was discarded without a question, because no sound and no model was open.
    void aSessionOfAnArchitectureAloneAsksToo() {
        Story story;
        Drafts* drafts = story.session().drafts();
        const DraftKey key = drafts->newDocument(readArchitecture(toPath(Story::model()) / "architecture.json"), QStringLiteral("demo"));
        QVERIFY(drafts->setWindow(key, {1, 7}));
        story.answers().asked = 0;
        story.answers().unsaved = FileDialogs::Unsaved::Cancel;
        story.window().actions().newSession->trigger();
        QCOMPARE(story.answers().asked, 1);
        QCOMPARE(drafts->window(key, 1), std::optional(7));
        story.answers().unsaved = FileDialogs::Unsaved::Discard;
        story.window().actions().newSession->trigger();
        QVERIFY(!drafts->has(key));
    }

    /// The changes "would be lost", and then there was no session to open.
    void nothingIsAskedForAFolderThatIsNoSession() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.answers().asked = 0;
        story.window().sessionActions()->openSession(story.path(QStringLiteral("nothing.headroom")));
        QCOMPARE(story.answers().asked, 0);
        QCOMPARE(story.session().utterances()->count(), 1);
        QVERIFY(story.session().messages()->count(Severity::Error) > 0);
    }

    /// Files named at the start make a session without a name. Quitting asks nothing, so the next start opens
    /// it.
    void aSessionWithoutANameIsFoundAgain() {
        const auto home = std::make_shared<QTemporaryDir>();
        const QString two = keptSound(*home, QStringLiteral("two")),
                      three = keptSound(*home, QStringLiteral("three"));
        {
            Story first(home);
            QVERIFY(first.openAndWait({two, Story::model()}));
            first.answers().file = home->filePath(QStringLiteral("named"));
            first.window().actions().saveSessionAs->trigger();
            first.window().close();
        }
        {
            Story second(home);
            second.window().sessionActions()->start({two, three, Story::model()});
            QVERIFY(second.quiet());
            QVERIFY(second.window().close());
            QCOMPARE(second.answers().asked, 0);
        }
        {
            Story third(home);
            third.window().sessionActions()->start({});
            QVERIFY(third.quiet());
            QCOMPARE(third.session().name(), QStringLiteral("Untitled"));
            QCOMPARE(third.session().utterances()->count(), 2);
            third.answers().unsaved = FileDialogs::Unsaved::Cancel;
            third.window().actions().newSession->trigger();
            QCOMPARE(third.answers().asked, 1);
            QCOMPARE(third.session().utterances()->count(), 2);
            QVERIFY(third.window().close());
        }
        Story fourth(home); // something else is opened: the work becomes a recent session
        fourth.window().sessionActions()->start({three, Story::model()});
        QVERIFY(fourth.quiet());
        QCOMPARE(fourth.session().utterances()->count(), 1);
        QVERIFY2(fourth.settings().recentSessions().value(0).contains(QStringLiteral("/Untitled 2")),
                 qPrintable(fourth.settings().recentSessions().join(QLatin1Char(' '))));
        Messages* messages = fourth.session().messages();
        QVERIFY2(fourth.messages().contains(QStringLiteral("The unsaved session is now")),
                 qPrintable(fourth.messages()));
        for (int row = messages->rowCount() - 1; row >= 0; --row)
            if (messages->at(row).sentence.contains(QStringLiteral("The unsaved session is now")))
                messages->trigger(row);
        QVERIFY(fourth.quiet());
        QCOMPARE(fourth.session().utterances()->count(), 2);
        QVERIFY(fourth.session().name().startsWith(QStringLiteral("Untitled 2")));
        QVERIFY2(!fourth.messages().contains(QStringLiteral("The unsaved session is now")), qPrintable(fourth.messages()));
    }

    /// By a signal, as a logout does: neither the window nor the session was closed.
    void whatWasOpenIsFoundAgainAfterASignal() {
        const auto home = std::make_shared<QTemporaryDir>();
        const QString sound = keptSound(*home, QStringLiteral("one"));
        {
            Story first(home);
            QVERIFY(first.openAndWait({sound, Story::model()}));
            first.answers().file = home->filePath(QStringLiteral("named"));
            first.window().actions().saveSessionAs->trigger();
        }
        {
            Story second(home);
            second.window().sessionActions()->start({});
            QVERIFY(second.quiet());
            QCOMPARE(second.session().name(), QStringLiteral("named"));
            second.window().actions().newSession->trigger();
            Drafts* drafts = second.session().drafts();
            const DraftKey key = drafts->newDocument(
                readArchitecture(toPath(Story::model()) / "architecture.json"), QStringLiteral("demo"));
            QVERIFY(drafts->setWindow(key, {1, 7}));
            QTRY_VERIFY_WITH_TIMEOUT(second.window().autosave()->exists(), 60000);
        }
        Story third(home);
        third.window().sessionActions()->start({});
        QVERIFY(third.quiet());
        QVERIFY(third.window().isWindowModified()); // as New session says, which asks
        const auto keys = third.session().drafts()->keys();
        QCOMPARE(keys.size(), std::size_t(1));
        QCOMPARE(third.session().drafts()->window(keys[0], 1), std::optional(7));
    }

    void closingAsksForTheChangesOfANamedSession() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.answers().file = story.path(QStringLiteral("named"));
        story.window().actions().saveSessionAs->trigger();
        const int asked = story.answers().asked;
        story.session().drafts()->setWindow({story.session().currentModelId()}, {1, 21});
        story.answers().unsaved = FileDialogs::Unsaved::Cancel;
        QVERIFY(!story.window().close());
        QCOMPARE(story.answers().asked, asked + 1);
        story.answers().unsaved = FileDialogs::Unsaved::Save;
        QVERIFY(story.window().close());
        QCOMPARE(story.answers().asked, asked + 2);
        QVERIFY(!story.session().isModified());
    }

    void theStartPageCountsWhatWasJustSaved() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.answers().file = story.path(QStringLiteral("kept"));
        story.window().actions().saveSessionAs->trigger();
        QVERIFY(story.openAndWait({story.utterance("two")}));
        story.window().actions().saveSession->trigger();
        story.window().actions().newSession->trigger();
        QVERIFY(story.quiet());
        const auto* recent = story.window().analyse()->findChild<RecentRow*>();
        QVERIFY(recent);
        QVERIFY2(recent->accessibleDescription().contains(QStringLiteral("2 utterances")), qPrintable(recent->accessibleDescription()));
    }

    /// Alt and a letter opens one menu.
    void noTwoMenusHaveOneLetter() {
        Story story;
        QStringList letters;
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            letters.clear();
            for (const QAction* menu : story.window().menuBar()->actions())
                if (const qsizetype at = menu->text().indexOf(QLatin1Char('&')); menu->isVisible() && at >= 0)
                    letters << menu->text().mid(at + 1, 1).toLower();
            QVERIFY(letters.size() > 6);
            QVERIFY2(letters.removeDuplicates() == 0, qPrintable(letters.join(QLatin1Char(' '))));
        }
    }

    /// "over 1 keys": as short as a recording can be.
    void theStatusCountsOneKey() {
        Story story;
        const QString file = story.path(QStringLiteral("short.wav"));
        saveWav(toPath(file), std::vector<float>(400, 0.01F), kModelSampleRate);
        QVERIFY(story.openAndWait({file, Story::model()}));
        QCOMPARE(story.result()->tokens.value(), 1);
        QVERIFY2(story.window().analyse()->statusText().contains(QStringLiteral("over 1 key. ")), qPrintable(story.window().analyse()->statusText()));
    }

    void messagesGoWithTheSession() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.session().messages()->post(Severity::Warning, QStringLiteral("About one."));
        story.window().actions().newSession->trigger();
        QVERIFY(!story.messages().contains(QStringLiteral("About one.")));
    }

private:
    /// A recording that stays from one start to the next.
    static QString keptSound(const QTemporaryDir& home, const QString& name) {
        const QString file = home.filePath(name + QStringLiteral(".wav"));
        saveWav(toPath(file), std::vector<float>(16000, 0.01F), kModelSampleRate);
        return file;
    }
};

HEADROOM_TEST(EverydayStory)

} // namespace headroom::testing::everyday_test

#include "everyday_test.moc"
