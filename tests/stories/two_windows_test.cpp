// SPDX-License-Identifier: GPL-3.0-or-later
// One session in two windows: neither overwrites silently what the other saved.
#include "app/documents/files/session_file.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/window/session_actions.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::two_windows_test {

using namespace headroom::app;
using headroom::testing::Story;

class TwoWindowsStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void anotherWindowsSaveIsNotOverwrittenSilently() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.answers().file = story.path(QStringLiteral("shared"));
        story.window().actions().saveSessionAs->trigger();
        const auto folder = story.session().folder();
        QVERIFY(!folder.empty());
        Session other;
        other.openSession(folder);
        QVERIFY(QTest::qWaitFor([&] { return !other.isReading(); }, 60000));
        other.open({toPath(story.utterance("two"))});
        QVERIFY(QTest::qWaitFor([&] { return !other.isReading(); }, 60000));
        other.save();
        const int asked = story.answers().asked;
        story.answers().changed = FileDialogs::Changed::Cancel;
        story.window().actions().saveSession->trigger();
        QCOMPARE(story.answers().asked, asked + 1);
        QVERIFY(story.window().sessionActions()->changedOnDisk()); // nothing was written
        story.answers().changed = FileDialogs::Changed::Reload;
        story.window().actions().saveSession->trigger();
        QVERIFY(story.quiet());
        QCOMPARE(story.session().utterances()->count(), 2);
        story.window().actions().saveSession->trigger(); // of one mind again: nobody asks
        QCOMPARE(story.answers().asked, asked + 2);
    }

    void anotherWindowsSaveIsSaidWhenItHappens() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.answers().file = story.path(QStringLiteral("shared"));
        story.window().actions().saveSessionAs->trigger();
        const auto folder = story.session().folder();
        auto* said = story.window().findChild<QWidget*>(QStringLiteral("sessionWatch"));
        QVERIFY(said && said->isHidden());
        const auto saveElsewhere = [&](const QString& more) {
            Session other;
            other.openSession(folder);
            QVERIFY(QTest::qWaitFor([&] { return !other.isReading(); }, 60000));
            other.open({toPath(story.utterance(more))});
            QVERIFY(QTest::qWaitFor([&] { return !other.isReading(); }, 60000));
            other.save();
        };
        const auto press = [&](const QString& text) {
            for (QPushButton* button : said->findChildren<QPushButton*>())
                if (button->isVisible() && button->text() == text)
                    return button->click();
            QFAIL(qPrintable(QStringLiteral("no button ") + text));
        };
        const int asked = story.answers().asked;
        saveElsewhere(QStringLiteral("two"));
        QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), 60000);
        QVERIFY2(!story.messages().contains(QStringLiteral("Another window saved")), qPrintable(story.messages())); // not twice
        press(QStringLiteral("Reload"));
        QVERIFY(story.quiet());
        QCOMPARE(story.session().utterances()->count(), 2);
        QVERIFY(said->isHidden());
        QVERIFY2(!story.messages().contains(QStringLiteral("Another window saved")), qPrintable(story.messages()));
        saveElsewhere(QStringLiteral("three"));
        QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), 60000);
        QVERIFY(!story.session().isModified());
        press(QStringLiteral("Keep mine"));
        QVERIFY(said->isHidden());
        QVERIFY(story.session().isModified()); // "your next save replaces the other window's version": it is not saved yet
        QCOMPARE(readSession(folder).utterances.size(), std::size_t(3));
        QCOMPARE(story.session().utterances()->count(), 2);
        story.window().actions().saveSession->trigger();
        QCOMPARE(story.answers().asked, asked); // it was answered
        QCOMPARE(readSession(folder).utterances.size(), std::size_t(2));
        QVERIFY(!story.window().sessionActions()->changedOnDisk());
        saveElsewhere(QStringLiteral("four"));
        QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), 60000);
        for (auto* cross : said->findChildren<QToolButton*>())
            cross->click();
        const Message& message = story.session().messages()->at(0); // spoke of Keep mine, which is not offered there
        QCOMPARE(message.sentence, QStringLiteral("Another window saved the session “shared”. Headroom asks before your next save replaces that version."));
        QCOMPARE(message.actionText, QStringLiteral("Reload"));
        story.window().actions().saveSession->trigger();
        QCOMPARE(story.answers().asked, asked + 1);
    }
};

HEADROOM_TEST(TwoWindowsStory)

} // namespace headroom::testing::two_windows_test

#include "two_windows_test.moc"
