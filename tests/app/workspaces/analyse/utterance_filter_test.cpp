// SPDX-License-Identifier: GPL-3.0-or-later
// The filter above the list of utterances, and the counts in its header.
#include "tests/app/documents/reading.h"
#include "tests/app/workspaces/analyse/utterances_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::utterance_filter_test {

using namespace headroom::app;
using Desk = UtterancesDesk;

class UtteranceFilterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theListFiltersByNameAndByTranscript() {
        Desk desk;
        QAbstractItemModelTester tester(desk.panel.view()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        desk.workshop.grid("first.TextGrid", "heather");
        desk.session.open({desk.workshop.wav("first.wav"), desk.workshop.wav("second.wav")});
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(desk.panel.view()->model()->rowCount(), 2);
        desk.panel.filterField()->setText(QStringLiteral("seco"));
        QCOMPARE(desk.panel.view()->model()->rowCount(), 1);
        desk.panel.filterField()->setText(QStringLiteral("HEATH"));
        QCOMPARE(desk.panel.view()->model()->rowCount(), 1);
        QCOMPARE(desk.panel.view()->model()->index(0, 0).data().toString(), QStringLiteral("first"));
        desk.panel.filterField()->setText(QStringLiteral("nowhere"));
        QCOMPARE(desk.panel.view()->model()->rowCount(), 0);
        desk.panel.filterField()->clear();
        QCOMPARE(desk.panel.countText(), QStringLiteral("2"));
    }

    void filteringChoosesNobody() {
        Desk desk;
        desk.session.open({desk.workshop.wav("first.wav"), desk.workshop.wav("second.wav"), desk.workshop.wav("third.wav")});
        QVERIFY(waitUntilRead(desk.session));
        const UtteranceId second = desk.session.utterances()->at(1).id;
        desk.panel.setCurrent(second);
        QSignalSpy chosen(&desk.panel, &UtterancePanel::chosen);
        desk.panel.filterField()->setText(QStringLiteral("first")); // the current row goes
        QVERIFY(!desk.panel.view()->selectionModel()->hasSelection());
        desk.panel.filterField()->clear();
        QCOMPARE(chosen.size(), 0);
        QCOMPARE(desk.panel.view()->currentIndex().row(), 1);
        QVERIFY(desk.panel.view()->selectionModel()->isSelected(desk.panel.view()->currentIndex()));
    }

    /// What was opened was analysed, but not listed; of what could not be read, only a number in the status bar said so.
    void theFilterEndsWhereItWouldHideWhatComes() {
        Desk desk;
        connect(&desk.session, &Session::currentUtteranceChanged, &desk.panel, [&] { desk.panel.setCurrent(desk.session.currentUtteranceId()); });
        const auto first = desk.workshop.wav("first.wav"), second = desk.workshop.wav("second.wav");
        desk.session.open({first, second});
        QVERIFY(waitUntilRead(desk.session));
        const auto rows = [&] { return desk.panel.view()->model()->rowCount(); };
        const auto filter = [&](const char* words) {
            desk.panel.filterField()->setText(QLatin1String(words));
            QCOMPARE(rows(), 1);
        };
        filter("first");
        desk.session.open({desk.workshop.wav("first again.wav")}); // is among what is sought
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(desk.panel.filterField()->text(), QStringLiteral("first"));
        QCOMPARE(rows(), 2);
        filter("second");
        desk.session.open({first}); // is open already
        QCOMPARE(desk.session.currentUtterance()->name, QStringLiteral("first"));
        QCOMPARE(rows(), 3);
        filter("second");
        desk.session.open({desk.workshop.text("refused.wav", "no audio")});
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(rows(), 4);
        // Again: it has its row, so none comes. The second time that row is the current one.
        for (int time = 0; time < 2; ++time) {
            filter("second");
            desk.session.open({desk.workshop.path() / "refused.wav"});
            QVERIFY(waitUntilRead(desk.session));
            QCOMPARE(rows(), 4);
            QCOMPARE(desk.panel.view()->currentIndex().data().toString(), QStringLiteral("refused"));
        }
        filter("second");
        desk.session.addRecording({}, QStringLiteral("recording"));
        QCOMPARE(rows(), 5);
        desk.panel.filterField()->setText(QStringLiteral("first"));
        desk.session.setCurrentUtterance(desk.session.utterances()->at(0).id);
        desk.session.closeUtterance(desk.session.utterances()->at(0).id); // another one takes its place by itself
        QCOMPARE(desk.panel.filterField()->text(), QStringLiteral("first"));
    }

    void theFilterEndsWithItsSession() {
        Desk desk;
        desk.session.open({desk.workshop.wav("first.wav"), desk.workshop.wav("second.wav")});
        QVERIFY(waitUntilRead(desk.session));
        desk.panel.filterField()->setText(QStringLiteral("first"));
        desk.session.clear();
        desk.session.open({desk.workshop.wav("third.wav"), desk.workshop.wav("fourth.wav")});
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(desk.panel.filterField()->text(), QString());
        QCOMPARE(desk.panel.view()->model()->rowCount(), 2);
        QCOMPARE(desk.panel.countText(), QStringLiteral("2"));
    }

    void theHeaderSaysWhatMattersWhereItIsNarrow() {
        Desk desk;
        desk.session.open({desk.workshop.wav("first.wav"), desk.workshop.wav("second.wav"),
                           desk.workshop.text("notes.wav", "%PDF-1.7 not a sound")});
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(desk.panel.briefCountText(), QStringLiteral("1"));
        QVERIFY(desk.panel.countsFailed()); // “Utterances 1” alone would be read as one utterance
        QSignalSpy changed(&desk.panel, &UtterancePanel::countChanged);
        desk.panel.filterField()->setText(QStringLiteral("s"));
        QVERIFY(!changed.isEmpty());
        QCOMPARE(desk.panel.countText(), QStringLiteral("3 of 3, 1 failed"));
        desk.panel.filterField()->setText(QStringLiteral("second"));
        QCOMPARE(desk.panel.countText(), QStringLiteral("1 of 3, 1 failed"));
        QCOMPARE(desk.panel.briefCountText(), QStringLiteral("1 of 3"));
        QVERIFY(!desk.panel.countsFailed());
        desk.panel.filterField()->clear();
        QCOMPARE(desk.panel.countText(), QStringLiteral("3, 1 failed"));
    }

    void theKeyboardGoesFromTheFilterToWhatWasFound() {
        Desk desk;
        desk.session.open({desk.workshop.wav("first.wav"), desk.workshop.wav("second.wav"), desk.workshop.wav("third.wav")});
        QVERIFY(waitUntilRead(desk.session));
        desk.panel.setCurrent(desk.session.utterances()->at(0).id);
        desk.panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&desk.panel));
        QSignalSpy chosen(&desk.panel, &UtterancePanel::chosen);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Down}) {
            desk.panel.filterField()->setFocus();
            desk.panel.filterField()->setText(key == Qt::Key_Down ? QStringLiteral("third") : QStringLiteral("second"));
            QTest::keyClick(desk.panel.filterField(), key);
            QVERIFY(desk.panel.view()->hasFocus());
            QCOMPARE(desk.panel.view()->currentIndex().data().toString(), desk.panel.filterField()->text());
        }
        QCOMPARE(chosen.size(), 2);
        desk.panel.filterField()->setText(QStringLiteral("nowhere"));
        desk.panel.filterField()->setFocus();
        QTest::keyClick(desk.panel.filterField(), Qt::Key_Down);
        QVERIFY(desk.panel.filterField()->hasFocus()); // there is nowhere to go
    }
};

HEADROOM_TEST(UtteranceFilterTest)

} // namespace headroom::testing::utterance_filter_test

#include "utterance_filter_test.moc"
