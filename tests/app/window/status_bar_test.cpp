// SPDX-License-Identifier: GPL-3.0-or-later
// What the status bar says of messages that offer something.
#include "app/documents/items/messages.h"
#include "app/parts/actions.h"
#include "app/window/status_bar.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QProgressBar>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

namespace headroom::testing::status_bar_test {

using namespace headroom::app;

class StatusBarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCanBeTakenBackIsOfferedWithoutOpeningMessages() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        Messages messages;
        StatusBar bar(actions, &messages, nullptr);
        bar.resize(900, bar.height());
        bar.show();
        bar.say(QStringLiteral("Layer 6"));
        auto* offer = bar.findChild<QToolButton*>(QStringLiteral("offer"));
        auto* text = bar.findChild<QLabel*>();
        QVERIFY(offer && text && offer->isHidden());

        int undone = 0;
        messages.post(Severity::Info, QStringLiteral("one was removed."), QStringLiteral("Undo"), [&] { ++undone; });
        QVERIFY(offer->isVisible());
        QCOMPARE(offer->text(), QStringLiteral("Undo"));
        bar.say(QStringLiteral("Layer 7")); // the cursor moves on meanwhile
        QCOMPARE(text->text(), QStringLiteral("one was removed."));
        offer->click();
        QCOMPARE(undone, 1);
        QVERIFY(offer->isHidden());
        QCOMPARE(text->text(), QStringLiteral("Layer 7"));

        // Nothing to offer, or what opens Messages anyway.
        messages.post(Severity::Info, QStringLiteral("The demo was opened."));
        messages.post(Severity::Error, QStringLiteral("The worker ended."), QStringLiteral("Start it again"), [] {});
        QVERIFY(offer->isHidden());
        QCOMPARE(text->text(), QStringLiteral("Layer 7"));

        // A cleared message offers nothing any more.
        messages.post(Severity::Good, QStringLiteral("Saved a.png."), QStringLiteral("Show in folder"), [&] { ++undone; });
        QVERIFY(offer->isVisible());
        messages.clear();
        QVERIFY(offer->isHidden());
        offer->click();
        QCOMPARE(undone, 1);

        // Nor does one whose cause is gone.
        messages.post(Severity::Info, QStringLiteral("a was stopped."), QStringLiteral("Resume"), [&] { ++undone; }, {QStringLiteral("a")});
        QVERIFY(offer->isVisible());
        messages.settle(QStringLiteral("b"));
        QVERIFY(offer->isVisible());
        messages.settle(QStringLiteral("a"));
        QVERIFY(offer->isHidden());
        QCOMPARE(text->text(), QStringLiteral("Layer 7"));
    }

    /// In Train, Ctrl+Z changed a draft that one did not see, without a word.
    void whatIsUndoneUnseenIsSaidWithTheWayBack() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        Messages messages;
        StatusBar bar(actions, &messages, nullptr);
        QString where;
        bar.followUndo(&undo, [&](const QUndoCommand&) { return where; });
        bar.show();
        bar.say(QStringLiteral("No runs yet"));
        auto* offer = bar.findChild<QToolButton*>(QStringLiteral("offer"));
        const auto* text = bar.findChild<QLabel*>();
        for (const char* edit : {"heads of layer 4", "heads of layer 5"})
            undo.push(new QUndoCommand(QString::fromLatin1(edit)));
        actions.undo->trigger(); // on the screen
        QVERIFY(offer->isHidden());
        where = QStringLiteral("the draft of demo");
        actions.undo->trigger();
        QCOMPARE(text->text(), QStringLiteral("Undone in the draft of demo: heads of layer 4."));
        QCOMPARE(offer->text(), QStringLiteral("Redo"));
        offer->click();
        QCOMPARE(undo.index(), 1);
        QCOMPARE(text->text(), QStringLiteral("Redone in the draft of demo: heads of layer 4."));
        QCOMPARE(offer->text(), QStringLiteral("Undo"));
        undo.push(new QUndoCommand(QStringLiteral("heads of layer 6"))); // what was offered is another step now
        QVERIFY(offer->isHidden());
        QCOMPARE(text->text(), QStringLiteral("No runs yet"));
        undo.undo(); // by somebody who says it themselves
        QVERIFY(offer->isHidden());

        // What was said of something else is over with the next step.
        messages.post(Severity::Info, QStringLiteral("one was removed."), QStringLiteral("Undo"), [] {});
        QVERIFY(offer->isVisible());
        where.clear();
        actions.undo->trigger();
        QVERIFY(offer->isHidden());
        QCOMPARE(text->text(), QStringLiteral("No runs yet"));
    }

    /// The pointer may rest on a button while the window is being shown.
    void aStatusTipIsNotDrawnOverTheText() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        Messages messages;
        StatusBar bar(actions, &messages, nullptr);
        bar.say(QStringLiteral("Layer 6"));
        const auto* text = bar.findChild<QLabel*>();
        bar.showMessage(QStringLiteral("Pause the run."));
        bar.show();
        QVERIFY(!text->isVisible());
        bar.clearMessage();
        QVERIFY(text->isVisible());
        // Beside the tip of something else, what a message offers would be read as belonging to that.
        const auto* offer = bar.findChild<QToolButton*>(QStringLiteral("offer"));
        const auto save = [&](const QString& sentence) {
            messages.post(Severity::Good, sentence, QStringLiteral("Show in folder"), [] {});
        };
        save(QStringLiteral("Saved a.png."));
        QVERIFY(offer->isVisible());
        bar.showMessage(QStringLiteral("Open recordings."));
        QVERIFY(!offer->isVisible());
        save(QStringLiteral("Saved b.png.")); // meanwhile
        QVERIFY(!offer->isVisible());
        bar.clearMessage();
        QVERIFY(offer->isVisible());
        QCOMPARE(text->text(), QStringLiteral("Saved b.png."));
        bar.showMessage(QStringLiteral("Open recordings."));
        messages.clear();
        bar.clearMessage();
        QVERIFY(!offer->isVisible());
        bar.showMessage(QStringLiteral("Pause the run."));
        QVERIFY(!text->isVisible());
        bar.clearMessage();
        QVERIFY(text->isVisible());
    }

    /// "Shift+click a small map to cc" stood beside "Analysing …": the sentence ended in the middle of a letter.
    void aLongStatusTipIsElidedBesideTheProgress() {
        widgets::Theme::apply(QStringLiteral("light"));
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        Messages messages;
        StatusBar bar(actions, &messages, nullptr);
        bar.resize(700, bar.height());
        bar.show();
        bar.showProgress({QStringLiteral("Analysing a recording"), 1, 10}, true);
        QTRY_VERIFY(bar.findChild<QProgressBar*>()->isVisible());
        const auto picture = [&](const QString& tip) {
            bar.showMessage(tip);
            QCoreApplication::processEvents();
            return bar.grab().toImage();
        };
        // However far they go beyond the room, both end in the same way; that of Qt ended where the room did.
        const QString words = QStringLiteral("Shift+click a small map to compare it with this one, layer by layer and head by head, ");
        const QImage one = picture(words + words + QStringLiteral("a")), clipped = picture(words + words + QStringLiteral("b"));
        QVERIFY(one == clipped);
        int room = bar.width();
        for (const QWidget* beside : bar.findChildren<QWidget*>())
            if (beside->isVisible() && beside->parentWidget() == &bar)
                room = std::min(room, beside->x());
        const QFontMetrics metrics(bar.font());
        const QString whole = words + words;
        qsizetype length = whole.size();
        while (metrics.horizontalAdvance(whole.left(length) + QChar(0x2026)) > room - 12)
            --length;
        QVERIFY(length < words.size());
        QVERIFY(picture(whole.left(length) + QChar(0x2026)) == one);
    }

    void theIconOfAnErrorFollowsTheTheme() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        Messages messages;
        widgets::Theme::apply(QStringLiteral("light"));
        StatusBar bar(actions, &messages, nullptr);
        bar.show();
        messages.post(Severity::Error, QStringLiteral("The worker ended."));
        const auto picture = [&bar] {
            for (const QToolButton* button : bar.findChildren<QToolButton*>())
                if (!button->icon().isNull() && button->objectName() != QStringLiteral("offer"))
                    return button->icon().pixmap(16).toImage();
            return QImage();
        };
        const QImage light = picture();
        QVERIFY(!light.isNull());
        widgets::Theme::apply(QStringLiteral("dark"));
        QVERIFY(picture() != light);
        widgets::Theme::apply(QStringLiteral("light"));
        QCOMPARE(picture(), light);
    }
};

HEADROOM_TEST(StatusBarTest)

} // namespace headroom::testing::status_bar_test

#include "status_bar_test.moc"
