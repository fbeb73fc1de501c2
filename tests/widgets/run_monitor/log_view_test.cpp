// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/log_view.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QDateTime>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

namespace headroom::testing::log_view_test {

using namespace headroom::widgets;

class LogViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLogFollowsUntilSomebodyScrollsBack() {
        LogView log;
        log.resize(300, 100);
        log.show();
        for (int i = 0; i < 100; ++i)
            log.append(QStringLiteral("line %1\n").arg(i));
        QCOMPARE(log.verticalScrollBar()->value(), log.verticalScrollBar()->maximum());
        log.verticalScrollBar()->setValue(3);
        QVERIFY(!log.isFollowing());
        log.append(QStringLiteral("one more\n"));
        QCOMPARE(log.verticalScrollBar()->value(), 3);
        log.setFollows(true);
        QCOMPARE(log.verticalScrollBar()->value(), log.verticalScrollBar()->maximum());
        QVERIFY(log.findNext(QStringLiteral("line 42")));
        QVERIFY(!log.findNext(QStringLiteral("line 142")));
    }

    /// In a panel that is opened when the run has long begun.
    void theLogOpensAtTheLeftAndAtItsEnd() {
        LogView log;
        log.resize(300, 100);
        for (int i = 0; i < 50; ++i)
            log.append(QStringLiteral("line %1 ").arg(i) + QString(400, u'x') + u'\n');
        log.show();
        QVERIFY(log.horizontalScrollBar()->maximum() > 0);
        QCOMPARE(log.horizontalScrollBar()->value(), 0);
        QCOMPARE(log.verticalScrollBar()->value(), log.verticalScrollBar()->maximum());
        log.resize(300, 60);
        QCOMPARE(log.horizontalScrollBar()->value(), 0);
        QCOMPARE(log.verticalScrollBar()->value(), log.verticalScrollBar()->maximum());
        QVERIFY(log.isFollowing());
    }

    void manyLinesComeInTurns() {
        LogView log;
        QString text;
        for (int i = 0; i < 1000; ++i)
            text += QStringLiteral("line %1\n").arg(i);
        log.append(text);
        QVERIFY(log.isAppending());
        QVERIFY(log.document()->blockCount() < 500);
        log.append(QStringLiteral("the last\n"));
        QTRY_VERIFY_WITH_TIMEOUT(!log.isAppending(), 60000);
        QCOMPARE(log.toPlainText(), text + QStringLiteral("the last"));
        QCOMPARE(log.verticalScrollBar()->value(), log.verticalScrollBar()->maximum());
        log.append(text);
        log.clearLog(); // of another run: nothing comes after it
        QVERIFY(!log.isAppending());
        log.append(QStringLiteral("new\n"));
        QTest::qWait(0);
        QCOMPARE(log.toPlainText(), QStringLiteral("new"));
    }

    /// Of these the harmless second one was alone in the colour of warnings.
    void whatSpoilsARunIsInTheColourOfWarnings() {
        LogView log;
        log.append(QStringLiteral("46 utterances of “train” hold characters unknown to the tokenizer; the first is a, “A”.\n"
                                  "1 utterance of “train” left out: longer than 1,500 frames (a).\n"
                                  "2 utterances of “train” left out: there is no text (the first is a)."));
        const auto colourOf = [&](int line) {
            return log.document()->findBlockByNumber(line).layout()->formats().value(0).format.foreground().color();
        };
        QTRY_COMPARE(colourOf(0), Theme::current().warning);
        QCOMPARE(colourOf(1), Theme::current().text);
        QCOMPARE(colourOf(2), Theme::current().warning);
    }

    void timesAreThoseOfTheWall() {
        LogView log;
        const QDateTime now = QDateTime::currentDateTimeUtc();
        log.append(now.toString(Qt::ISODate) + QStringLiteral("  Update 40\n"));
        QCOMPARE(log.toPlainText(),
                 now.toLocalTime().toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("  Update 40"));
    }
};

HEADROOM_TEST(LogViewTest)

} // namespace headroom::testing::log_view_test

#include "log_view_test.moc"
