// SPDX-License-Identifier: GPL-3.0-or-later
// The list of utterances: filtered, scrolled, and what failed in it.
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::utterance_panel_test {

using namespace headroom::app;

class UtterancePanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theListFiltersByNameAndByTranscript() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        QAbstractItemModelTester tester(panel.view()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        workshop.grid("first.TextGrid", "heather");
        session.open({workshop.wav("first.wav"), workshop.wav("second.wav")});
        QVERIFY(waitUntilRead(session));
        QCOMPARE(panel.view()->model()->rowCount(), 2);
        panel.filterField()->setText(QStringLiteral("seco"));
        QCOMPARE(panel.view()->model()->rowCount(), 1);
        panel.filterField()->setText(QStringLiteral("HEATH"));
        QCOMPARE(panel.view()->model()->rowCount(), 1);
        QCOMPARE(panel.view()->model()->index(0, 0).data().toString(), QStringLiteral("first"));
        panel.filterField()->setText(QStringLiteral("nowhere"));
        QCOMPARE(panel.view()->model()->rowCount(), 0);
        panel.filterField()->clear();
        QCOMPARE(panel.countText(), QStringLiteral("2"));
    }

    void filteringChoosesNobody() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        session.open({workshop.wav("first.wav"), workshop.wav("second.wav"), workshop.wav("third.wav")});
        QVERIFY(waitUntilRead(session));
        const UtteranceId second = session.utterances()->at(1).id;
        panel.setCurrent(second);
        QSignalSpy chosen(&panel, &UtterancePanel::chosen);
        panel.filterField()->setText(QStringLiteral("first")); // the current row goes
        QVERIFY(!panel.view()->selectionModel()->hasSelection());
        panel.filterField()->clear();
        QCOMPARE(chosen.size(), 0);
        QCOMPARE(panel.view()->currentIndex().row(), 1);
        QVERIFY(panel.view()->selectionModel()->isSelected(panel.view()->currentIndex()));
    }

    void theListScrollsToWhatBecameCurrent() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        std::vector<std::filesystem::path> files;
        for (int i = 0; i < 40; ++i)
            files.push_back(workshop.wav("u" + std::to_string(100 + i) + ".wav", 0.1));
        session.open(files);
        QVERIFY(waitUntilRead(session));
        panel.resize(240, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.setCurrent(session.utterances()->at(39).id);
        QVERIFY(panel.view()->viewport()->rect().intersects(panel.view()->visualRect(panel.view()->currentIndex())));
        panel.setCurrent(session.utterances()->at(0).id);
        QVERIFY(panel.view()->viewport()->rect().intersects(panel.view()->visualRect(panel.view()->currentIndex())));
    }

    /// As when a session is opened again: it is current before the others have sentences, which make their rows higher.
    void whatIsCurrentStaysInSightWhileRowsGrow() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        panel.resize(240, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto openNoSounds = [&](const std::string& name) {
            for (int i = 0; i < 5; ++i)
                session.openUtterance(workshop.text(name + std::to_string(i) + ".wav", "%PDF-1.7 not a sound"));
        };
        const auto inSight = [&] {
            return panel.view()->viewport()->rect().contains(panel.view()->visualRect(panel.view()->currentIndex()).center());
        };
        openNoSounds("a");
        for (int i = 0; i < 4; ++i)
            session.addText(QStringLiteral("sentence %1").arg(i));
        panel.setCurrent(session.utterances()->at(7).id);
        QVERIFY(inSight());
        QVERIFY(waitUntilRead(session)); // now each says why it failed
        QTRY_VERIFY(panel.view()->verticalScrollBar()->maximum() > 200);
        QTRY_VERIFY(inSight());
        // Somebody who scrolled away looks at something else.
        panel.view()->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
        QVERIFY(!inSight());
        openNoSounds("b");
        QVERIFY(waitUntilRead(session));
        QTest::qWait(50);
        QVERIFY(!inSight());
    }

    void aFailedRowSaysWhyAndCanBeRemoved() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        panel.resize(240, 400);
        panel.show();
        const UtteranceId id = session.openUtterance(workshop.text("notes.wav", "%PDF-1.7 not a sound"));
        QVERIFY(waitUntilRead(session));
        QCOMPARE(panel.countText(), QStringLiteral("1, 1 failed"));
        QSignalSpy removed(&panel, &UtterancePanel::removeRequested);
        panel.setCurrent(id);
        // The last button of the row is Remove; the row is taller than one line because the sentence stands
        // in it.
        const QRect row = panel.view()->visualRect(panel.view()->model()->index(0, 0));
        QVERIFY(row.height() > 50);
        panel.view()->setFocus();
        QTest::keyClick(panel.view(), Qt::Key_Delete);
        QCOMPARE(removed.count(), 1);
    }

    /// It filled the list of a small window, and its buttons were out of sight.
    void aLongSentenceHasTwoLinesAndTheRestInItsTip() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        panel.resize(200, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        session.openUtterance(workshop.text(std::string(60, 'n') + " and " + std::string(60, 'm') + ".wav", "%PDF-1.7 not a sound"));
        QVERIFY(waitUntilRead(session));
        const QModelIndex row = panel.view()->model()->index(0, 0);
        const QString sentence = row.data(UtteranceList::SentenceRole).toString();
        const QFontMetrics metrics(widgets::Sizes::small());
        QVERIFY2(metrics.horizontalAdvance(sentence) > 3 * panel.view()->viewport()->width(), qPrintable(sentence));
        const int most = widgets::Sizes::listRow() + 2 * metrics.lineSpacing() + 2 * (widgets::Sizes::smallControl() + 2 * qRound(widgets::Sizes::unit()));
        QVERIFY2(panel.view()->visualRect(row).height() <= most, qPrintable(QString::number(panel.view()->visualRect(row).height())));
        const QPoint at = panel.view()->visualRect(row).center();
        QHelpEvent help(QEvent::ToolTip, at, panel.view()->viewport()->mapToGlobal(at));
        QApplication::sendEvent(panel.view()->viewport(), &help);
        QVERIFY2(QToolTip::text().contains(sentence), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    /// Its file can be read, so its row looked like all others.
    void whatWasNotAnalysedIsMarkedAndCounted() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        panel.resize(240, 400);
        panel.show();
        session.open({workshop.wav("click.wav"), workshop.wav("a.wav")});
        QVERIFY(waitUntilRead(session));
        const UtteranceId click = session.utterances()->at(0).id;
        const auto height = [&](int row) { return panel.view()->visualRect(panel.view()->model()->index(row, 0)).height(); };
        QString failure = QStringLiteral("The recording has 100 samples.");
        panel.setFailureOf([&](UtteranceId id) { return id == click ? failure : QString(); });
        QCOMPARE(panel.countText(), QStringLiteral("2, 1 failed"));
        QVERIFY(height(0) > height(1));
        failure.clear(); // another model is current
        panel.showFailures();
        QCOMPARE(panel.countText(), QStringLiteral("2"));
        QCOMPARE(height(0), height(1));
    }

    void severalUtterancesAreRemovedTogether() {
        Workshop workshop;
        Session session;
        QAction open(QStringLiteral("Open audio…"));
        UtterancePanel panel(session.utterances(), &open);
        panel.show();
        for (const char* name : {"a.wav", "b.wav", "c.wav"})
            session.openUtterance(workshop.text(name, "%PDF-1.7 not a sound"));
        QVERIFY(waitUntilRead(session));
        QSignalSpy removed(&panel, &UtterancePanel::removeRequested);
        panel.setCurrent(session.utterances()->at(0).id);
        panel.view()->setFocus();
        QTest::keyClick(panel.view(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(panel.view(), Qt::Key_Delete);
        QCOMPARE(removed.count(), 1);
        const auto ids = removed.front().front().value<QList<UtteranceId>>();
        QCOMPARE(ids.size(), 2);
        QVERIFY(!ids.contains(session.utterances()->at(2).id));
    }
};

HEADROOM_TEST(UtterancePanelTest)

} // namespace headroom::testing::utterance_panel_test

#include "utterance_panel_test.moc"
