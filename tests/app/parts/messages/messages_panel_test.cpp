// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/beyond_session.h"
#include "app/documents/items/messages.h"
#include "app/parts/messages/messages_dock.h"
#include "app/parts/messages/messages_panel.h"
#include "app/parts/panel_header.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QPushButton>
#include <QTableView>
#include <QTest>

namespace headroom::testing::messages_panel_test {

using namespace headroom::app;

class MessagesPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "Use it for 1184-121052-0005" was cut at the left.
    void anOfferThatNamesARecordingIsWhole() {
        Messages messages;
        MessagesPanel panel(&messages);
        panel.resize(1400, 300);
        panel.show();
        const auto room = [&] { return panel.view()->columnWidth(Messages::Action); };
        messages.post(Severity::Warning, QStringLiteral("What happened."), QStringLiteral("Open"), [] {});
        const int least = room();
        const QString offer = QStringLiteral("Use it for 1184-121052-0005, a long name");
        messages.post(Severity::Warning, QStringLiteral("What happened."), offer, [] {});
        const int wanted = QFontMetrics(widgets::Sizes::caption()).horizontalAdvance(offer) + qRound(2 * widgets::Sizes::unit());
        QVERIFY2(wanted > least, "the offer must be one that did not fit");
        QVERIFY(room() >= wanted);
        panel.resize(700, 300); // the sentence keeps two thirds
        QVERIFY(room() <= std::max(least, 700 / 3));
        messages.clear();
        QCOMPARE(room(), least);
    }

    /// The second time, nothing on the screen changed.
    void whatIsSaidAgainCounts() {
        Messages messages;
        const auto shown = [&] { return messages.index(0, Messages::Sentence).data().toString(); };
        const QString sentence = QStringLiteral("This machine has no sound card.");
        messages.post(Severity::Error, sentence);
        QCOMPARE(shown(), sentence);
        messages.post(Severity::Error, sentence);
        QCOMPARE(messages.rowCount(), 1);
        QCOMPARE(shown(), sentence + QStringLiteral(" (2 times)"));
        for (int time = 0; time < 2; ++time)
            messages.post(Severity::Error, QStringLiteral("100%1.wav is missing."));
        QCOMPARE(shown(), QStringLiteral("100%1.wav is missing. (2 times)"));
        messages.clear();
        messages.post(Severity::Good, sentence);
        messages.post(Severity::Good, sentence); // nobody tries that again
        QCOMPARE(shown(), sentence);
        for (int reading = 0; reading < 2; ++reading) // the same state, not another event
            messages.post(Severity::Warning, sentence, {}, {}, {QStringLiteral("a file")});
        QCOMPARE(shown(), sentence);
    }

    /// It was wrapped before the column of the offers, which is as wide as the widest of them.
    void theSentenceUsesTheRoomBesideItsOffer() {
        Messages messages;
        MessagesPanel panel(&messages);
        panel.resize(1000, 300);
        panel.show();
        int undone = 0;
        messages.post(Severity::Warning, QStringLiteral("What happened."), QStringLiteral("Use it for 1184-121052-0005"), [] {});
        const QTableView& view = *panel.view();
        const QFontMetrics metrics(widgets::Sizes::caption());
        const int room = view.columnWidth(Messages::Sentence) + view.columnWidth(Messages::Action) -
                         metrics.horizontalAdvance(QStringLiteral("Undo")) - qRound(5 * widgets::Sizes::unit());
        QString sentence = QStringLiteral("Moved");
        while (metrics.horizontalAdvance(sentence + QStringLiteral(" it")) < room)
            sentence += QStringLiteral(" it");
        QVERIFY2(metrics.horizontalAdvance(sentence) > view.columnWidth(Messages::Sentence), "it must be one that did not fit");
        messages.post(Severity::Info, sentence, QStringLiteral("Undo"), [&undone] { ++undone; });
        QCOMPARE(view.rowHeight(0), view.rowHeight(1)); // one line, as the other
        const QRect cell(view.columnViewportPosition(Messages::Action), view.rowViewportPosition(0), view.columnWidth(Messages::Action), view.rowHeight(0));
        const auto ink = [&](const QRect& where) {
            const QImage picture = view.viewport()->grab(where).toImage();
            int dark = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    dark += picture.pixelColor(x, y).lightness() < 140;
            return dark;
        };
        const QRect besides(cell.left(), cell.top(), cell.width() / 3, cell.height());
        QVERIFY(ink(besides) > 20); // the end of the sentence
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, besides.center()); // on the sentence
        QCOMPARE(undone, 0);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {cell.right() - qRound(2 * widgets::Sizes::unit()), cell.center().y()});
        QCOMPARE(undone, 1);
    }

    /// A dash beside the cross cleared 23 errors, and nothing brought them back.
    void clearedMessagesCanBeBroughtBack() {
        Messages messages;
        MessagesPanel panel(&messages);
        panel.resize(700, 300);
        panel.show();
        QVERIFY(!panel.clearAction()->isEnabled() && !panel.bringBackAction()->isVisible());
        messages.post(Severity::Error, QStringLiteral("One."), {}, {}, {QStringLiteral("one")});
        messages.post(Severity::Error, QStringLiteral("Two."));
        messages.post(Severity::Error, QStringLiteral("Three."));
        panel.clearAction()->trigger();
        QCOMPARE(messages.rowCount(), 0);
        QCOMPARE(messages.summary(), QStringLiteral("No messages"));
        messages.settle(QStringLiteral("one")); // resolved meanwhile
        messages.post(Severity::Warning, QStringLiteral("Four."));
        messages.post(Severity::Error, QStringLiteral("Two.")); // said again
        panel.clearAction()->trigger();
        auto* back = panel.findChild<QPushButton*>();
        QVERIFY(back && back->isVisible() && back->text().contains(QLatin1Char('4')));
        back->click();
        QStringList shown;
        for (int row = 0; row < messages.rowCount(); ++row)
            shown << messages.at(row).sentence;
        QCOMPARE(shown, (QStringList{QStringLiteral("Two."), QStringLiteral("Four."), QStringLiteral("Three.")}));
        QVERIFY(!panel.bringBackAction()->isVisible());
        panel.clearAction()->trigger();
        messages.clear(); // a new session
        QVERIFY(!panel.bringBackAction()->isVisible());
    }

    /// It said "Use it for RD".
    void theMenuNamesARecordingWithItsAmpersand() {
        Messages messages;
        MessagesPanel panel(&messages);
        messages.post(Severity::Warning, QStringLiteral("What happened."), QStringLiteral("Use it for R&D"), [] {});
        panel.view()->setCurrentIndex(messages.index(0, 0));
        QStringList offered;
        for (const QAction* action : panel.view()->actions())
            offered << action->text();
        QVERIFY2(offered.contains(QStringLiteral("Use it for R&&D\tEnter")), qPrintable(offered.join(u'|')));
    }

    /// Another session took what was said of runs that go on, with the offer to resume them.
    void whatIsAboutNoSessionOutlivesIt() {
        Messages messages;
        messages.post(Severity::Error, QStringLiteral("Put aside."), {}, {}, {kBeyondSession});
        messages.post(Severity::Error, QStringLiteral("Put aside, of the session."));
        messages.putAside();
        for (int time = 0; time < 2; ++time)
            messages.post(Severity::Error, QStringLiteral("demo: CUDA out of memory."), {}, {}, {kBeyondSession});
        messages.post(Severity::Error, QStringLiteral("No sound."));
        messages.clear();
        QCOMPARE(messages.rowCount(), 1);
        QCOMPARE(messages.index(0, Messages::Sentence).data().toString(), QStringLiteral("demo: CUDA out of memory. (2 times)"));
        QCOMPARE(messages.aside(), 1);
    }

    /// "Stopped" went when its run was resumed, and the head said that messages stay until they are cleared.
    void theHeadSaysHowLongMessagesStay() {
        Messages messages;
        const MessagesDock dock(&messages, nullptr);
        messages.post(Severity::Info, QStringLiteral("A run was stopped."), QStringLiteral("Resume"), [] {}, {QStringLiteral("resume a")});
        messages.post(Severity::Info, QStringLiteral("Something else."));
        messages.settle(QStringLiteral("resume a"));
        QCOMPARE(messages.rowCount(), 1);
        messages.clear();
        QCOMPARE(messages.rowCount(), 0);
        messages.post(Severity::Info, QStringLiteral("A study failed."), {}, {}, {kBeyondSession});
        messages.clear();
        QCOMPARE(messages.rowCount(), 1);
        for (const char* how : {"resolved", "cleared", "those about a session, until another one begins"})
            QVERIFY2(dock.header()->detail().contains(QLatin1String(how)), how);
    }
};

HEADROOM_TEST(MessagesPanelTest)

} // namespace headroom::testing::messages_panel_test

#include "messages_panel_test.moc"
