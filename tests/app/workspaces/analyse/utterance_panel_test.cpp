// SPDX-License-Identifier: GPL-3.0-or-later
// The list of utterances: scrolled, what failed in it, and what is missing.
#include "app/documents/recording_watch.h"
#include "app/parts/row_delegate.h"
#include "tests/app/documents/located.h"
#include "tests/app/documents/reading.h"
#include "tests/app/workspaces/analyse/utterances_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::utterance_panel_test {

using namespace headroom::app;
using Desk = UtterancesDesk;

class UtterancePanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The folder that it lay in may be gone, too, so there is nothing to show.
    void aMissingRecordingOffersToLocateIt() {
        Desk desk;
        desk.panel.resize(240, 400);
        desk.panel.show();
        const UtteranceId id = desk.session.openUtterance(desk.workshop.path() / "gone" / "a.wav");
        QVERIFY(waitUntilRead(desk.session));
        desk.panel.setCurrent(id);
        QSignalSpy located(&desk.panel, &UtterancePanel::locateRequested);
        for (QAction* action : desk.panel.view()->actions())
            if (action->text() == QStringLiteral("Locate…"))
                action->trigger();
        QCOMPARE(located.size(), 1);
        QVERIFY(desk.panel.view()->model()->index(0, 0).data(UtteranceList::MissingRole).toBool());
    }

    /// Its row had no button until the session was opened again.
    void soDoesOneThatWentAfterItWasRead() {
        Desk desk;
        RecordingWatch watch(&desk.session);
        desk.panel.resize(240, 400);
        desk.panel.show();
        const std::filesystem::path file = desk.workshop.wav("a.wav"), now = desk.workshop.path() / "now" / "a.wav";
        desk.session.open({file});
        QVERIFY(waitUntilRead(desk.session));
        const auto* utterance = desk.session.utterances();
        desk.panel.setCurrent(utterance->at(0).id);
        const auto isMissing = [&] { return utterance->index(0).data(UtteranceList::MissingRole).toBool(); };
        QVERIFY(!isMissing());
        std::filesystem::create_directory(now.parent_path());
        std::filesystem::rename(file, now);
        QTRY_VERIFY_WITH_TIMEOUT(isMissing(), 60000);
        QVERIFY(utterance->at(0).recording);
        QSignalSpy located(&desk.panel, &UtterancePanel::locateRequested);
        for (QAction* action : desk.panel.view()->actions())
            if (action->text() == QStringLiteral("Locate…"))
                action->trigger();
        Q_EMIT desk.panel.findChild<RowDelegate*>()->buttonClicked(desk.panel.view()->model()->index(0, 0), 0);
        QCOMPARE(located.size(), 2);
        locateMissing(&desk.session, utterance->at(0).id, now.parent_path());
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(utterance->at(0).file, now);
        QVERIFY(!isMissing());
        QTRY_COMPARE_WITH_TIMEOUT(utterance->index(0).data(UtteranceList::SentenceRole).toString(), QString(), 60000);
    }

    /// It had the sign of a failure, and the header did not count it.
    void anAlignmentThatIsLeftOutIsNoFailure() {
        Desk desk;
        desk.workshop.grid("a.TextGrid", "word");
        desk.session.open({desk.workshop.wav("a.wav")});
        QVERIFY(waitUntilRead(desk.session));
        const UtteranceId id = desk.session.utterances()->at(0).id;
        desk.panel.resize(400, 300);
        desk.panel.show();
        const auto isPainted = [&](const QColor& colour) {
            const QImage image = desk.panel.view()->grab().toImage();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y) == colour)
                        return true;
            return false;
        };
        const widgets::Theme& theme = widgets::Theme::current();
        QVERIFY(!isPainted(theme.warning) && !isPainted(theme.error));
        auto report = std::make_shared<AlignmentReport>();
        AlignmentFinding& finding = report->findings.emplace_back();
        finding.severity = AlignmentFinding::Severity::Error;
        finding.sentence = "It is longer than the recording.";
        desk.session.setAlignmentReport(id, report);
        QVERIFY(!report->usable());
        QVERIFY(isPainted(theme.warning) && !isPainted(theme.error));
        QCOMPARE(desk.panel.countText(), QStringLiteral("1"));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_LEFT_OUT"); !picture.isEmpty())
            QVERIFY(desk.panel.grab().save(picture));
        desk.panel.setFailureOf([](UtteranceId) { return QStringLiteral("It is too long."); });
        QVERIFY(isPainted(theme.error));
        QCOMPARE(desk.panel.countText(), QStringLiteral("1, 1 failed"));
    }

    void anAlignmentFromElsewhereCanBeTakenOff() {
        Desk desk;
        desk.workshop.grid("b.TextGrid", "beside");
        desk.session.open({desk.workshop.wav("a.wav"), desk.workshop.wav("b.wav")});
        QVERIFY(waitUntilRead(desk.session));
        const UtteranceId a = desk.session.utterances()->at(0).id;
        auto* remove = desk.panel.findChild<QAction*>(QStringLiteral("removeAlignment"));
        desk.panel.setCurrent(desk.session.utterances()->at(1).id);
        QVERIFY(!remove->isEnabled() && remove->toolTip().contains(QStringLiteral("beside the recording")));
        desk.panel.setCurrent(a);
        QVERIFY(!remove->isEnabled() && remove->toolTip() == QStringLiteral("The utterance has no alignment."));
        desk.session.openAlignment(desk.workshop.grid("other.TextGrid", "word"), a);
        QVERIFY(waitUntilRead(desk.session));
        QSignalSpy asked(&desk.panel, &UtterancePanel::alignmentRemovalRequested);
        remove->trigger();
        QCOMPARE(asked.size(), 1);
        // A list beside the recording is not what is found at opening: b.TextGrid is.
        desk.session.open({desk.workshop.text("lists.ctm", "b 1 0 0.2 listed\n")});
        QVERIFY(waitUntilRead(desk.session));
        desk.panel.setCurrent(desk.session.utterances()->at(1).id);
        QCOMPARE(desk.session.utterances()->at(1).transcript(), QStringLiteral("listed"));
        QVERIFY2(remove->isEnabled(), qPrintable(remove->toolTip()));
    }

    void theListScrollsToWhatBecameCurrent() {
        Desk desk;
        std::vector<std::filesystem::path> files;
        for (int i = 0; i < 40; ++i)
            files.push_back(desk.workshop.wav("u" + std::to_string(100 + i) + ".wav", 0.1));
        desk.session.open(files);
        QVERIFY(waitUntilRead(desk.session));
        desk.panel.resize(240, 300);
        desk.panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&desk.panel));
        desk.panel.setCurrent(desk.session.utterances()->at(39).id);
        QVERIFY(desk.panel.view()->viewport()->rect().intersects(desk.panel.view()->visualRect(desk.panel.view()->currentIndex())));
        desk.panel.setCurrent(desk.session.utterances()->at(0).id);
        QVERIFY(desk.panel.view()->viewport()->rect().intersects(desk.panel.view()->visualRect(desk.panel.view()->currentIndex())));
    }

    /// As when a session is opened again: it is current before the others have sentences, which make their rows higher.
    void whatIsCurrentStaysInSightWhileRowsGrow() {
        Desk desk;
        desk.panel.resize(240, 300);
        desk.panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&desk.panel));
        const auto openNoSounds = [&](const std::string& name) {
            for (int i = 0; i < 5; ++i)
                desk.session.openUtterance(desk.workshop.text(name + std::to_string(i) + ".wav", "%PDF-1.7 not a sound"));
        };
        const auto inSight = [&] {
            return desk.panel.view()->viewport()->rect().contains(desk.panel.view()->visualRect(desk.panel.view()->currentIndex()).center());
        };
        openNoSounds("a");
        for (int i = 0; i < 4; ++i)
            desk.session.addText(QStringLiteral("sentence %1").arg(i));
        desk.panel.setCurrent(desk.session.utterances()->at(7).id);
        QVERIFY(inSight());
        QVERIFY(waitUntilRead(desk.session)); // now each says why it failed
        QTRY_VERIFY(desk.panel.view()->verticalScrollBar()->maximum() > 200);
        QTRY_VERIFY(inSight());
        // Somebody who scrolled away looks at something else.
        desk.panel.view()->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
        QVERIFY(!inSight());
        openNoSounds("b");
        QVERIFY(waitUntilRead(desk.session));
        QTest::qWait(50);
        QVERIFY(!inSight());
    }

    /// The row was chosen and scrolled from under the button before the mouse was released.
    void aButtonOfARowThatIsPartlyInSightIsClicked() {
        Desk desk;
        desk.panel.resize(240, 300);
        desk.panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&desk.panel));
        for (int i = 0; i < 8; ++i)
            desk.session.openUtterance(desk.workshop.text("u" + std::to_string(i) + ".wav", "%PDF-1.7 not a sound"));
        QVERIFY(waitUntilRead(desk.session));
        QObject::connect(&desk.panel, &UtterancePanel::chosen, &desk.panel, &UtterancePanel::setCurrent);
        desk.panel.setCurrent(desk.session.utterances()->at(0).id);
        QListView* view = desk.panel.view();
        QTRY_VERIFY(view->verticalScrollBar()->maximum() > 200);
        QCoreApplication::processEvents();
        const QModelIndex row = view->model()->index(2, 0);
        view->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
        const QRect whole = view->visualRect(row);
        view->verticalScrollBar()->setValue(whole.top() + whole.height() / 2);
        const QRect partly = view->visualRect(row);
        QVERIFY(partly.top() < 0 && partly.bottom() > widgets::Sizes::smallControl());
        const int unit = qRound(widgets::Sizes::unit());
        // Beside the icon, the first button of the last line.
        const QPoint button(partly.left() + unit * 3 / 2 + widgets::Sizes::icon() + unit * 2, partly.bottom() - unit - widgets::Sizes::smallControl() / 2);
        QSignalSpy removed(&desk.panel, &UtterancePanel::removeRequested), shown(&desk.panel, &UtterancePanel::showInFolderRequested);
        QTest::mousePress(view->viewport(), Qt::LeftButton, {}, button);
        QCOMPARE(view->currentIndex(), row);
        QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, button);
        QCOMPARE(removed.count() + shown.count(), 1);
        QTRY_VERIFY(view->visualRect(row).top() >= 0); // scrolled after that
    }

    void aFailedRowSaysWhyAndCanBeRemoved() {
        Desk desk;
        desk.panel.resize(240, 400);
        desk.panel.show();
        const UtteranceId id = desk.session.openUtterance(desk.workshop.text("notes.wav", "%PDF-1.7 not a sound"));
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(desk.panel.countText(), QStringLiteral("1, 1 failed"));
        QSignalSpy removed(&desk.panel, &UtterancePanel::removeRequested);
        desk.panel.setCurrent(id);
        // The last button of the row is Remove; the row is taller than one line because the sentence stands
        // in it.
        const QRect row = desk.panel.view()->visualRect(desk.panel.view()->model()->index(0, 0));
        QVERIFY(row.height() > 50);
        desk.panel.view()->setFocus();
        QTest::keyClick(desk.panel.view(), Qt::Key_Delete);
        QCOMPARE(removed.count(), 1);
    }

    /// It filled the list of a small window, and its buttons were out of sight.
    void aLongSentenceHasTwoLinesAndTheRestInItsTip() {
        Desk desk;
        desk.panel.resize(200, 400);
        desk.panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&desk.panel));
        desk.session.openUtterance(desk.workshop.text(std::string(60, 'n') + " and " + std::string(60, 'm') + ".wav", "%PDF-1.7 not a sound"));
        QVERIFY(waitUntilRead(desk.session));
        const QModelIndex row = desk.panel.view()->model()->index(0, 0);
        const QString sentence = row.data(UtteranceList::SentenceRole).toString();
        const QFontMetrics metrics(widgets::Sizes::small());
        QVERIFY2(metrics.horizontalAdvance(sentence) > 3 * desk.panel.view()->viewport()->width(), qPrintable(sentence));
        const int most = widgets::Sizes::listRow() + 2 * metrics.lineSpacing() + 2 * (widgets::Sizes::smallControl() + 2 * qRound(widgets::Sizes::unit()));
        QVERIFY2(desk.panel.view()->visualRect(row).height() <= most, qPrintable(QString::number(desk.panel.view()->visualRect(row).height())));
        const QPoint at = desk.panel.view()->visualRect(row).center();
        QHelpEvent help(QEvent::ToolTip, at, desk.panel.view()->viewport()->mapToGlobal(at));
        QApplication::sendEvent(desk.panel.view()->viewport(), &help);
        QVERIFY2(QToolTip::text().contains(sentence), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    /// Its file can be read, so its row looked like all others.
    void whatWasNotAnalysedIsMarkedAndCounted() {
        Desk desk;
        desk.panel.resize(240, 400);
        desk.panel.show();
        desk.session.open({desk.workshop.wav("click.wav"), desk.workshop.wav("a.wav")});
        QVERIFY(waitUntilRead(desk.session));
        const UtteranceId click = desk.session.utterances()->at(0).id;
        const auto height = [&](int row) { return desk.panel.view()->visualRect(desk.panel.view()->model()->index(row, 0)).height(); };
        QString failure = QStringLiteral("The recording has 100 samples.");
        desk.panel.setFailureOf([&](UtteranceId id) { return id == click ? failure : QString(); });
        QCOMPARE(desk.panel.countText(), QStringLiteral("2, 1 failed"));
        QVERIFY(height(0) > height(1));
        QSignalSpy laidOut(&desk.panel, &UtterancePanel::countChanged);
        desk.panel.showFailures(); // as after each layer that is read
        QCOMPARE(laidOut.count(), 0);
        failure.clear(); // another model is current
        desk.panel.showFailures();
        QCOMPARE(laidOut.count(), 1);
        QCOMPARE(desk.panel.countText(), QStringLiteral("2"));
        QCOMPARE(height(0), height(1));
    }

    void severalUtterancesAreRemovedTogether() {
        Desk desk;
        desk.panel.show();
        for (const char* name : {"a.wav", "b.wav", "c.wav"})
            desk.session.openUtterance(desk.workshop.text(name, "%PDF-1.7 not a sound"));
        QVERIFY(waitUntilRead(desk.session));
        QSignalSpy removed(&desk.panel, &UtterancePanel::removeRequested);
        desk.panel.setCurrent(desk.session.utterances()->at(0).id);
        desk.panel.view()->setFocus();
        QTest::keyClick(desk.panel.view(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(desk.panel.view(), Qt::Key_Delete);
        QCOMPARE(removed.count(), 1);
        const auto ids = removed.front().front().value<QList<UtteranceId>>();
        QCOMPARE(ids.size(), 2);
        QVERIFY(!ids.contains(desk.session.utterances()->at(2).id));
    }
};

HEADROOM_TEST(UtterancePanelTest)

} // namespace headroom::testing::utterance_panel_test

#include "utterance_panel_test.moc"
