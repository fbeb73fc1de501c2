// SPDX-License-Identifier: GPL-3.0-or-later
// A window that ends without a word: what was not saved of a session with a name.
#include "app/documents/autosave.h"
#include "app/documents/drafts.h"
#include "app/documents/paths.h"
#include "app/parts/actions.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "core/audio/audio_file.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/time_axis.h"

#include <QAction>
#include <QPushButton>
#include <QTest>

namespace headroom::testing::recovery_story {

using namespace headroom::app;
using headroom::testing::Story;

class RecoveryStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() {
        m_home = std::make_shared<QTemporaryDir>();
        Story first(m_home);
        QVERIFY(first.openAndWait({keptSound(QStringLiteral("one")), Story::model()}));
        first.answers().file = m_home->filePath(QStringLiteral("work"));
        first.window().actions().saveSessionAs->trigger();
        QVERIFY(first.window().close());
        m_folder = first.session().folder();
        QVERIFY(nothingIsLeft());
    }

    void restoreGivesDraftsUtterancesAndCursor() {
        endUnexpectedly();
        {
            Story next(m_home);
            start(next);
            QCOMPARE(next.session().utterances()->count(), 1); // what was saved
            QVERIFY(!next.session().isModified());
            const QString said = banner(next)->findChild<QWidget*>()->accessibleName();
            QVERIFY2(said.contains(QStringLiteral("Headroom ended unexpectedly, and “work” had unsaved changes.")), qPrintable(said));
            QVERIFY2(said.contains(QStringLiteral("2 utterances, 1 model, 1 edited draft. This window shows what was saved: 1 utterance, 1 model.")),
                     qPrintable(said));
            QVERIFY2(next.messages().contains(QStringLiteral("Headroom ended unexpectedly")), qPrintable(next.messages()));
            press(next, QStringLiteral("Restore"));
            QVERIFY(next.quiet());
            QVERIFY(banner(next)->isHidden());
            QVERIFY2(!next.messages().contains(QStringLiteral("Headroom ended unexpectedly")), qPrintable(next.messages()));
            QVERIFY(isAsItWas(next));
            QVERIFY(next.window().isWindowModified());
        } // and again, before anybody saved
        Story third(m_home);
        start(third);
        press(third, QStringLiteral("Restore"));
        QVERIFY(third.quiet());
        QVERIFY(isAsItWas(third));
        const int asked = third.answers().asked;
        third.window().actions().saveSession->trigger();
        QCOMPARE(third.answers().asked, asked);
        QVERIFY(!third.session().isModified());
        QVERIFY(nothingIsLeft());
    }

    void discardLeavesWhatWasSaved() {
        endUnexpectedly();
        {
            Story next(m_home);
            start(next);
            press(next, QStringLiteral("Discard"));
            QVERIFY(banner(next)->isHidden());
            QCOMPARE(next.session().utterances()->count(), 1);
            QVERIFY(!next.session().isModified());
            QVERIFY(nothingIsLeft());
            QVERIFY(next.window().close());
        }
        Story third(m_home);
        start(third);
        QVERIFY(banner(third)->isHidden());
    }

    void aCleanEndLeavesNothing() {
        for (const auto answer : {FileDialogs::Unsaved::Discard, FileDialogs::Unsaved::Save}) {
            Story story(m_home);
            start(story);
            change(story);
            story.answers().unsaved = answer;
            QVERIFY(story.window().close());
            QVERIFY(nothingIsLeft());
        }
        Story next(m_home);
        start(next);
        QVERIFY(banner(next)->isHidden());
        QCOMPARE(next.session().utterances()->count(), 2);
    }

    void anotherWindowThatRunsIsNoCrash() {
        Story mine(m_home);
        start(mine);
        change(mine);
        Story other(m_home);
        start(other);
        QVERIFY(banner(other)->isHidden());
        QVERIFY(!other.session().isModified());
    }

    void aVersionSavedSinceIsNotOverwrittenSilently() {
        endUnexpectedly();
        Story next(m_home);
        start(next);
        QVERIFY(next.openAndWait({keptSound(QStringLiteral("three"))}));
        next.window().actions().saveSession->trigger();
        QVERIFY(next.window().close());
        Story third(m_home);
        start(third);
        const QString said = banner(third)->findChild<QWidget*>()->accessibleName();
        QVERIFY2(said.endsWith(QStringLiteral("It was saved again after that.")), qPrintable(said));
        press(third, QStringLiteral("Restore"));
        QVERIFY(third.quiet());
        QVERIFY(isAsItWas(third));
        const int asked = third.answers().asked;
        third.answers().changed = FileDialogs::Changed::Cancel;
        third.window().actions().saveSession->trigger();
        QCOMPARE(third.answers().asked, asked + 1);
        QVERIFY(third.session().isModified());
    }

private:
    QString keptSound(const QString& name) const {
        const QString file = m_home->filePath(name + QStringLiteral(".wav"));
        saveWav(toPath(file), std::vector<float>(32000, 0.01F), kModelSampleRate);
        return file;
    }
    static void start(Story& story) {
        story.window().sessionActions()->start({});
        QVERIFY(story.quiet());
    }
    /// One more recording, an edited draft and the cursor elsewhere; kept two seconds later.
    void change(Story& story) {
        QVERIFY(story.openAndWait({keptSound(QStringLiteral("two"))}));
        story.session().setCurrentUtterance(story.session().utterances()->at(1).id);
        QVERIFY(story.quiet());
        story.window().analyse()->axis()->setCursor(Seconds(1.25));
        QVERIFY(story.session().drafts()->setWindow({story.session().currentModelId()}, {2, 9}));
        const auto keepsIt = [&] {
            try {
                const auto kept = readRecovery(m_folder / kRecoveryFileName).document;
                return kept.utterances.size() == 2 && kept.models[0].draft;
            } catch (const Error&) {
                return false;
            }
        };
        QTRY_VERIFY_WITH_TIMEOUT(keepsIt(), 60000);
    }
    void endUnexpectedly() {
        Story story(m_home);
        start(story);
        change(story);
    }
    static bool isAsItWas(Story& story) {
        const DraftKey draft{story.session().currentModelId()};
        return story.session().utterances()->count() == 2 && story.session().currentUtterance()->name == QStringLiteral("two") &&
               story.session().drafts()->window(draft, 2) == std::optional(9) &&
               story.window().analyse()->axis()->cursor() == std::optional(Seconds(1.25));
    }
    static QWidget* banner(Story& story) { return story.window().findChild<QWidget*>(QStringLiteral("recoveryOffer")); }
    static void press(Story& story, const QString& text) {
        QTRY_VERIFY_WITH_TIMEOUT(banner(story)->isVisible(), 60000);
        for (QPushButton* button : banner(story)->findChildren<QPushButton*>())
            if (button->text() == text)
                return button->click();
        QFAIL(qPrintable(QStringLiteral("no button ") + text));
    }
    bool nothingIsLeft() const { return !std::filesystem::exists(m_folder / kRecoveryFileName); }

    std::shared_ptr<QTemporaryDir> m_home;
    std::filesystem::path m_folder;
};

HEADROOM_TEST(RecoveryStory)

} // namespace headroom::testing::recovery_story

#include "recovery_test.moc"
