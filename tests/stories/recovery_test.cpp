// SPDX-License-Identifier: GPL-3.0-or-later
// A window that ends without a word: what was not saved of a session with a name.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/documents/saving/autosave.h"
#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "core/audio/audio_file.h"
#include "tests/app/studies/made_study.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/time_axis.h"

#include <QAction>
#include <QActionGroup>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>

#include <functional>

namespace headroom::testing::recovery_story {

using namespace headroom::app;
using headroom::testing::Story;

class RecoveryStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() {
        m_home = std::make_shared<QTemporaryDir>();
        qputenv("HEADROOM_STUDIES", m_home->filePath(QStringLiteral("studies")).toLocal8Bit());
        makeWindowsStudy(m_study = toPath(m_home->filePath(QStringLiteral("studies"))) / "one");
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
            const QString said = RecoveryStory::said(next);
            QVERIFY2(said.contains(QStringLiteral("Headroom ended unexpectedly, and “work” had unsaved changes.")), qPrintable(said));
            QVERIFY2(said.endsWith(QStringLiteral("Compared with what is saved: heads of “demo” edited (layer 2: full → 9), 1 recording added, "
                                                  "1 architecture opened, 1 study opened.")),
                     qPrintable(said));
            QVERIFY2(!next.messages().contains(QStringLiteral("Headroom ended unexpectedly")), qPrintable(next.messages())); // not twice
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

    /// The second banner said that the window showed what was saved, and told nothing apart.
    void theVersionsOfTwoWindowsAreToldApart() {
        endTwoUnexpectedly([](Session& other) { QVERIFY(other.drafts()->setWindow({other.currentModelId()}, {2, 9})); });
        Story next(m_home);
        start(next);
        QVERIFY2(said(next).contains(QStringLiteral("ended unexpectedly")), qPrintable(said(next)));
        QVERIFY2(said(next).endsWith(QStringLiteral("Compared with what is saved: heads of “demo” edited (layer 2: full → 9).")), qPrintable(said(next)));
        press(next, QStringLiteral("Restore"));
        QVERIFY(next.quiet());
        QVERIFY2(said(next).startsWith(QStringLiteral("Another window also left unsaved changes to “work”. Restore replaces what this window shows ")),
                 qPrintable(said(next)));
        QVERIFY2(said(next).endsWith(QStringLiteral("Compared with what is saved: 1 text added.")), qPrintable(said(next)));
        press(next, QStringLiteral("Discard"));
        QVERIFY(banner(next)->isHidden());
        QVERIFY(next.session().isModified());
        QVERIFY(std::filesystem::exists(m_folder / "recovery 2.json")); // of this window, until it is saved
    }

    /// "Another window saved the session", which this one had done.
    void aRestoredVersionIsToldFromWhatThisWindowSaved() {
        endTwoUnexpectedly([](Session& other) { other.addText(QStringLiteral("later")); });
        Story next(m_home);
        start(next);
        press(next, QStringLiteral("Restore"));
        QVERIFY(next.quiet());
        next.window().actions().saveSession->trigger();
        QVERIFY(!next.session().isModified());
        press(next, QStringLiteral("Restore"));
        QVERIFY(next.quiet());
        QEvent comesBack(QEvent::WindowActivate);
        QCoreApplication::sendEvent(&next.window(), &comesBack);
        auto* watch = next.window().findChild<QWidget*>(QStringLiteral("sessionWatch"));
        QTRY_VERIFY_WITH_TIMEOUT(watch->isVisible(), 60000);
        QCOMPARE(watch->findChild<QWidget*>()->accessibleName(),
                 QStringLiteral("This window saved the session “work” after the restored changes were made. Reload discards them. After Keep mine, your "
                                "next save replaces what was saved."));
        next.answers().changed = FileDialogs::Changed::Cancel;
        next.window().actions().saveSession->trigger();
        QVERIFY(next.answers().savedHere);
    }

    /// Before it, Messages said the same beside the banner.
    void whoDismissesTheBannerFindsItInMessages() {
        endUnexpectedly();
        Story next(m_home);
        start(next);
        const QString what = said(next);
        for (auto* button : banner(next)->findChildren<QToolButton*>())
            button->click();
        QVERIFY(banner(next)->isHidden());
        const Messages& messages = *next.session().messages();
        QCOMPARE(messages.at(0).sentence, what);
        QCOMPARE(messages.at(0).actionText, QStringLiteral("Restore"));
        next.session().messages()->trigger(0);
        QVERIFY(next.quiet());
        QVERIFY(isAsItWas(next));
        QVERIFY2(!next.messages().contains(what), qPrintable(next.messages()));
    }

    /// The window was higher than its screen by the banners, and its status bar was out of sight. The tests' screen has 800 × 800 pixels.
    void bannersAndMessagesKeepTheWindowOnItsScreen() {
        endUnexpectedly();
        {
            Story next(m_home);
            next.window().resize(780, 700);
            settle(next);
            const QRect screen = next.window().screen()->availableGeometry();
            const auto isOn = [&](const char* when) {
                settle(next);
                const QRect frame = next.window().frameGeometry();
                if (frame.top() >= screen.top() && frame.bottom() <= screen.bottom() && next.window().rect().contains(next.window().statusBar()->geometry()))
                    return true;
                qWarning("%s: %d × %d", when, frame.width(), frame.height());
                return false;
            };
            for (QAction* size : next.window().actions().textSizes->actions())
                if (size->data().toInt() == 125)
                    size->trigger();
            start(next);
            QTRY_VERIFY_WITH_TIMEOUT(banner(next)->isVisible(), 60000);
            for (Workspace* workspace : next.window().workspaces()) {
                next.window().showWorkspace(workspace->objectName());
                QVERIFY(isOn("with the banner"));
                workspace->showMessages();
                QVERIFY(isOn("with Messages"));
            }
            QFile file(toQString(m_folder / kSessionFileName));
            QVERIFY(file.open(QIODevice::Append) && file.write(" ") == 1);
            file.close();
            next.window().showWorkspace(QStringLiteral("analyse"));
            QEvent comesBack(QEvent::WindowActivate);
            QCoreApplication::sendEvent(&next.window(), &comesBack);
            QTRY_VERIFY_WITH_TIMEOUT(next.window().findChild<QWidget*>(QStringLiteral("sessionWatch"))->isVisible(), 60000);
            QVERIFY(isOn("with two banners"));
            press(next, QStringLiteral("Restore"));
            QVERIFY(next.quiet());
            QVERIFY(isOn("restored"));
        }
        widgets::setTextSize(100);
        widgets::Theme::apply(QStringLiteral("light"));
    }

    /// They were given up for a session that could not be opened, and nothing kept them any more.
    void whatStaysOpenIsKeptOn() {
        m_workshop.text("bad.headroom/session.json", "rubbish");
        Story story(m_home);
        start(story);
        story.session().addText(QStringLiteral("new"));
        QTRY_VERIFY_WITH_TIMEOUT(!nothingIsLeft(), 60000);
        story.answers().unsaved = FileDialogs::Unsaved::Discard;
        story.window().sessionActions()->openSession(toQString(m_workshop.path() / "bad.headroom"));
        QVERIFY(story.session().folder() == m_folder && story.session().isModified());
        QVERIFY(!nothingIsLeft());
        qputenv("HEADROOM_RESOURCES", toQString(m_workshop.path()).toLocal8Bit()); // without a demo
        story.window().actions().openDemo->trigger();
        qunsetenv("HEADROOM_RESOURCES");
        QVERIFY(story.session().folder() == m_folder && story.session().isModified());
        QVERIFY(!nothingIsLeft());
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
        QVERIFY2(said(third).endsWith(QStringLiteral("It was saved again after that.")), qPrintable(said(third)));
        press(third, QStringLiteral("Restore"));
        QVERIFY(third.quiet());
        QVERIFY(isAsItWas(third));
        const int asked = third.answers().asked;
        third.answers().changed = FileDialogs::Changed::Cancel;
        third.window().actions().saveSession->trigger();
        QCOMPARE(third.answers().asked, asked + 1);
        QVERIFY(third.session().isModified());
    }

    void changesCanBeRestoredOnceTheSessionCanBeReadAgain() {
        endUnexpectedly();
        Story next(m_home);
        start(next);
        const auto file = m_folder / kSessionFileName;
        std::filesystem::copy_file(file, m_folder / "whole.json");
        std::filesystem::resize_file(file, 1);
        next.window().sessionActions()->keepMine();
        QVERIFY2(said(next).contains(QStringLiteral("They cannot be restored")), qPrintable(said(next)));
        std::filesystem::rename(m_folder / "whole.json", file);
        next.window().sessionActions()->keepMine();
        press(next, QStringLiteral("Restore"));
        QVERIFY(next.quiet());
        QVERIFY(isAsItWas(next));
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
    /// One more recording, an edited draft, an architecture, a study, and the cursor elsewhere; kept two seconds later.
    void change(Story& story) {
        QVERIFY(story.openAndWait({keptSound(QStringLiteral("two"))}));
        story.session().setCurrentUtterance(story.session().utterances()->at(1).id);
        QVERIFY(story.quiet());
        story.window().analyse()->axis()->setCursor(Seconds(1.25));
        QVERIFY(story.session().drafts()->setWindow({story.session().currentModelId()}, {2, 9}));
        story.session().drafts()->newDocument(story.session().currentModel()->info->architecture, QStringLiteral("Preset"));
        story.window().studies()->open(m_study);
        QTRY_VERIFY_WITH_TIMEOUT(story.window().evidence()->shown(StudyKind::Windows), 60000);
        const auto keepsIt = [&] {
            try {
                const auto kept = readRecovery(m_folder / kRecoveryFileName).document;
                return kept.utterances.size() == 2 && kept.models[0].draft && kept.view.contains("studies");
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
    /// The first adds a text, the other one makes its change later.
    void endTwoUnexpectedly(const std::function<void(Session&)>& changeOther) {
        Story one(m_home), other(m_home);
        start(one);
        start(other);
        one.session().addText(QStringLiteral("earlier"));
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(m_folder / kRecoveryFileName), 60000);
        changeOther(other.session());
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(m_folder / "recovery 2.json"), 60000);
    }
    static bool isAsItWas(Story& story) {
        const DraftKey draft{story.session().currentModelId()};
        return story.session().utterances()->count() == 2 && story.session().currentUtterance()->name == QStringLiteral("two") &&
               story.session().drafts()->window(draft, 2) == std::optional(9) &&
               story.window().analyse()->axis()->cursor() == std::optional(Seconds(1.25));
    }
    static QString said(Story& story) { return banner(story)->findChild<QWidget*>()->accessibleName(); }
    static QWidget* banner(Story& story) { return story.window().findChild<QWidget*>(QStringLiteral("recoveryOffer")); }
    static void press(Story& story, const QString& text) {
        QTRY_VERIFY_WITH_TIMEOUT(banner(story)->isVisible(), 60000);
        for (QPushButton* button : banner(story)->findChildren<QPushButton*>())
            if (button->text() == text)
                return button->click();
        QFAIL(qPrintable(QStringLiteral("no button ") + text));
    }
    bool nothingIsLeft() const { return !std::filesystem::exists(m_folder / kRecoveryFileName); }

    Workshop m_workshop;
    std::shared_ptr<QTemporaryDir> m_home;
    std::filesystem::path m_folder, m_study;
};

HEADROOM_TEST(RecoveryStory)

} // namespace headroom::testing::recovery_story

#include "recovery_test.moc"
