// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "tests/support/runner.h"
#include "tests/widgets/matrix/band_bench.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/window_band.h"

#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::window_band_test {

using namespace headroom::widgets;
using namespace band_bench;

class WindowBandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void digitsAreTypedAndCtrlWithADigitIsTheWindows() {
        Bench bench;
        const auto takes = [&](Qt::KeyboardModifiers modifiers) {
            QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_3, modifiers);
            key.ignore();
            QCoreApplication::sendEvent(&bench.band, &key);
            return key.isAccepted();
        };
        QVERIFY(takes({}) && takes(Qt::KeypadModifier));
        QVERIFY(!takes(Qt::ControlModifier)); // another workspace
    }

    /// The tag of a full layer covered cells that nobody could look at.
    void theTagOfAFullLayerGivesWayToTheMouse() {
        Bench bench;
        bench.band.setWindow(0);
        bench.band.setSuggestedWindow(0);
        QVERIFY(QTest::qWaitForWindowActive(&bench.band));
        bench.band.clearFocus();
        const QRect corner(0, bench.band.height() - 60, 60, 60);
        const auto seen = [&] { return bench.band.grab(corner).toImage(); };
        const QImage tagged = seen();
        QTest::mouseMove(&bench.band, QPoint(30, bench.band.height() - 20));
        const QImage under = seen();
        QVERIFY(under != tagged);
        QTest::mouseMove(&bench.band, QPoint(bench.band.width() - 20, 20));
        QCOMPARE(seen(), tagged);
        QTest::mouseMove(&bench.band, QPoint(30, bench.band.height() - 20));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&bench.band, &leave);
        QCOMPARE(seen(), tagged);
    }

    void aDragFromMixedHeadsTellsNoLossOfThem() {
        Bench bench;
        bench.band.setKinds(QStringLiteral("local 9 + full"));
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        QTest::mouseMove(&bench.band, onLine(9) + QPoint(30, 0));
        bench.band.setKinds({});
        const auto lines = bench.band.tag().lines;
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(9));
        QCOMPARE(lines[0].text, QStringLiteral("w = 15, was local 9 + full"));
        QVERIFY2(lines[1].text.startsWith(QStringLiteral("CL ")) && !lines[1].text.contains(QStringLiteral("was")), qPrintable(lines[1].text));
    }

    void draggingSnapsToOddWindowsAndEditsOnce() {
        Bench bench;
        QTest::mouseMove(&bench.band, onLine(9));
        QVERIFY(bench.band.isHovered());
        QCOMPARE(bench.band.cursor().shape(), Qt::SizeFDiagCursor);
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        for (int step = 1; step <= 30; ++step)
            QTest::mouseMove(&bench.band, onLine(9) + QPoint(step, 0));
        QVERIFY(bench.band.isDragging());
        QCOMPARE(bench.band.shownWindow(), 15); // 30 pixels are 3 tokens on each side
        QCOMPARE(bench.band.window(), 9);
        QVERIFY(bench.band.tag().lines[0].text.contains(QStringLiteral("w = 15, was 9")));
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(9) + QPoint(30, 0));
        QCOMPARE(bench.band.window(), 15);
        QCOMPARE(bench.edited.size(), 1);
        QCOMPARE(bench.edited[0], (QVariantList{9, 15}));
        for (const auto& each : bench.dragged)
            QVERIFY(each[0].toInt() % 2 == 1);
        QCOMPARE(bench.dragged.size(), 3); // 11, 13, 15: said only when it changes
    }

    void theLowerLineMovesTheSameWindow() {
        Bench bench;
        const QPoint lower(onLine(9).y(), onLine(9).x());
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, lower);
        QTest::mouseMove(&bench.band, lower + QPoint(0, 20));
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, lower + QPoint(0, 20));
        QCOMPARE(bench.band.window(), 13);
    }

    void dragsStopAtOneAndAtTheWholeMap() {
        Bench bench;
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        QTest::mouseMove(&bench.band, QPoint(100, 100));
        QCOMPARE(bench.band.shownWindow(), 1);
        QTest::mouseMove(&bench.band, QPoint(3000, 0));
        QCOMPARE(bench.band.shownWindow(), 2 * kTokens - 1);
        QTest::keyClick(&bench.band, Qt::Key_Escape);
    }

    void escapeTakesADragBack() {
        Bench bench;
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        QTest::mouseMove(&bench.band, onLine(9) + QPoint(40, 0));
        QCOMPARE(bench.band.shownWindow(), 17);
        QTest::keyClick(&bench.band, Qt::Key_Escape);
        QCOMPARE(bench.band.shownWindow(), 9);
        QCOMPARE(bench.dragged.last()[0].toInt(), 9); // whoever followed goes back too
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(9) + QPoint(40, 0));
        QCOMPARE(bench.edited.size(), 0);
        QCOMPARE(bench.band.window(), 9);
    }

    /// Who followed the drag still waited for its end.
    void aLineThatIsPutBackEditsNothingAndSaysSo() {
        Bench bench;
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        QTest::mouseMove(&bench.band, onLine(9) + QPoint(40, 0));
        QTest::mouseMove(&bench.band, onLine(9));
        const auto said = bench.dragged.size();
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(9));
        QCOMPARE(bench.edited.size(), 0);
        QCOMPARE(bench.dragged.size(), said + 1);
        QCOMPARE(bench.dragged.last()[0].toInt(), 9);
    }

    void escapeTakesADragBackWhereverTheFocusIs() {
        Bench bench;
        QLineEdit elsewhere;
        elsewhere.show();
        elsewhere.activateWindow();
        elsewhere.setFocus();
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &elsewhere, 60000);
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        QTest::mouseMove(&bench.band, onLine(9) + QPoint(40, 0));
        QCOMPARE(bench.band.shownWindow(), 17);
        QTest::keyClick(elsewhere.windowHandle(), Qt::Key_Escape); // as the window system delivers it
        QCOMPARE(bench.band.shownWindow(), 9);
        QVERIFY(!QWidget::keyboardGrabber());
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(9) + QPoint(40, 0));
        QCOMPARE(bench.edited.size(), 0);
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        QVERIFY(QWidget::keyboardGrabber());
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(9));
        QVERIFY(!QWidget::keyboardGrabber());
        QTest::keyClick(elsewhere.windowHandle(), Qt::Key_A);
        QCOMPARE(elsewhere.text(), QStringLiteral("a"));
    }

    void releaseWhereItBeganEditsNothing() {
        Bench bench;
        QTest::mouseClick(&bench.band, Qt::LeftButton, {}, onLine(9));
        QCOMPARE(bench.edited.size(), 0);
    }

    void awayFromTheLinesTheMouseGoesThrough() {
        QWidget map;
        map.resize(kTokens * kCell, kTokens * kCell);
        WindowBand band(&map);
        band.resize(map.size());
        band.setMapping(mapping());
        band.setWindow(9);
        QSignalSpy dragged(&band, &WindowBand::windowDragged);
        map.show();
        QTest::mousePress(&band, Qt::LeftButton, {}, QPoint(350, 50));
        QTest::mouseMove(&band, QPoint(300, 50));
        QVERIFY(!band.isDragging());
        QVERIFY(!band.isHovered());
        QCOMPARE(dragged.size(), 0);
        QTest::mouseMove(&band, onLine(9) + QPoint(6, 0)); // 4.2 pixels from the line
        QVERIFY(!band.isDragging());
    }

    void keysStepTheWindow_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<int>("window");
        QTest::newRow("up") << int(Qt::Key_Up) << 0 << 11;
        QTest::newRow("down") << int(Qt::Key_Down) << 0 << 7;
        QTest::newRow("bracket") << int(Qt::Key_BracketRight) << 0 << 11;
        QTest::newRow("other bracket") << int(Qt::Key_BracketLeft) << 0 << 7;
        QTest::newRow("shift up") << int(Qt::Key_Up) << int(Qt::ShiftModifier) << 19;
        QTest::newRow("shift down stops at 1") << int(Qt::Key_Down) << int(Qt::ShiftModifier) << 1;
        QTest::newRow("home") << int(Qt::Key_Home) << 0 << 1;
        QTest::newRow("end sets full") << int(Qt::Key_End) << 0 << 0;
    }

    void keysStepTheWindow() {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        QFETCH(int, window);
        Bench bench;
        QTest::keyClick(&bench.band, Qt::Key(key), Qt::KeyboardModifiers(modifiers));
        QCOMPARE(bench.band.window(), window);
        QCOMPARE(bench.edited.size(), 1);
        QCOMPARE(bench.edited[0], (QVariantList{9, window}));
    }

    /// Up made a full layer local, with the widest window of the shown recording: a longer one lost something.
    void fullStandsAboveTheWidestWindow() {
        for (const auto& [kind, widest] : {std::pair(BandShape::Kind::Centred, 2 * kTokens - 1), std::pair(BandShape::Kind::Block, 3 * kTokens)}) {
            Bench bench;
            bench.band.setKind(kind);
            bench.band.setWindow(0);
            QTest::keyClick(&bench.band, Qt::Key_Up);
            QTest::keyClick(&bench.band, Qt::Key_Up, Qt::ShiftModifier);
            QCOMPARE(bench.band.window(), 0);
            QVERIFY(bench.edited.isEmpty());
            QTest::keyClick(&bench.band, Qt::Key_Down);
            QCOMPARE(bench.band.window(), widest);
            QTest::keyClick(&bench.band, Qt::Key_Up);
            QCOMPARE(bench.band.window(), 0);
            bench.band.setWindow(3 * kTokens + 9); // of a longer recording: down is no jump
            QTest::keyClick(&bench.band, Qt::Key_Down);
            QCOMPARE(bench.band.window(), 3 * kTokens + (kind == BandShape::Kind::Block ? 6 : 7));
        }
    }

    void typingANumberEditsTheWindowAndEvenOnesBecomeOdd() {
        Bench bench;
        QTest::keyClicks(&bench.band, QStringLiteral("22"));
        QVERIFY(bench.band.tag().lines[1].text.contains(QStringLiteral("23"))); // said before it happens
        QCOMPARE(bench.band.window(), 9);
        QTest::keyClick(&bench.band, Qt::Key_Return);
        QCOMPARE(bench.band.window(), 23);
        QTest::keyClicks(&bench.band, QStringLiteral("5"));
        QTest::keyClick(&bench.band, Qt::Key_Escape);
        QTest::keyClick(&bench.band, Qt::Key_Return);
        QCOMPARE(bench.band.window(), 23);
        QTest::keyClicks(&bench.band, QStringLiteral("99999"));
        QTest::keyClick(&bench.band, Qt::Key_Return);
        QCOMPARE(bench.band.window(), 2 * kTokens - 1);
    }

    void doubleClickTakesTheSuggestion() {
        Bench bench;
        QTest::mouseDClick(&bench.band, Qt::LeftButton, {}, onLine(9));
        QCOMPARE(bench.band.window(), 17);
        QCOMPARE(bench.edited.size(), 1);
    }

    void withoutAWindowTheSuggestionCanBeDragged() {
        Bench bench;
        bench.band.setWindow(0);
        QVERIFY(bench.band.tag().lines[0].text.contains(QStringLiteral("full, suggested 17")));
        QTest::mouseClick(&bench.band, Qt::LeftButton, {}, onLine(17));
        QCOMPARE(bench.band.window(), 0); // a click alone does not take it
        QCOMPARE(bench.dragged.last()[0].toInt(), 0);
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(17));
        QTest::mouseMove(&bench.band, onLine(17) + QPoint(10, 0));
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(17) + QPoint(10, 0));
        QCOMPARE(bench.band.window(), 19);
        QCOMPARE(bench.edited.last(), (QVariantList{0, 19}));
    }

    void aLayerThatStaysFullSaysWhatItsWindowWouldLose() {
        Bench bench;
        bench.band.setWindow(0);
        bench.band.setSuggestedWindow(17, true);
        QCOMPARE(bench.band.tag().lines[0].text, QStringLiteral("full, as suggested"));
        QVERIFY(bench.band.tag().lines[1].text.startsWith(QStringLiteral("CL 0; w = 17 loses ")));
        QTest::mouseDClick(&bench.band, Qt::LeftButton, {}, onLine(17));
        QCOMPARE(bench.band.window(), 0);
        bench.band.setWindow(9);
        QTest::mouseDClick(&bench.band, Qt::LeftButton, {}, onLine(9));
        QCOMPARE(bench.band.window(), 0);
        // Its line can be dragged all the same.
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(17));
        QTest::mouseMove(&bench.band, onLine(17) + QPoint(10, 0));
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, onLine(17) + QPoint(10, 0));
        QCOMPARE(bench.band.window(), 19);
    }

    void theMenuOffersFullAndSuggested() {
        Bench bench;
        QScopedPointer<QMenu> menu(bench.band.createMenu());
        menu->actions()[1]->trigger();
        QCOMPARE(bench.band.window(), 17);
        menu->actions()[0]->trigger();
        QCOMPARE(bench.band.window(), 0);
        QSignalSpy apply(&bench.band, &WindowBand::applyToLayersRequested);
        menu->actions()[3]->trigger();
        QCOMPARE(apply.size(), 1);
    }

    /// Only the lower line can be dragged: the upper one is the mask.
    void aMaskedBandSeesNothingLater() {
        Bench bench;
        bench.band.setKind(BandShape::Kind::Masked);
        const DiagonalProfile profile(bench.map.view());
        for (const int window : {0, 1, 9, 41})
            QCOMPARE(bench.band.lossOf(window), maskedContributionLoss(profile, window));
        QVERIFY(bench.band.lossOf(9) > contributionLoss(profile, 9) + 0.05);
        const auto tag = bench.band.tag();
        QVERIFY2(tag.lines[0].text.contains(QStringLiteral("−4 tokens")), qPrintable(tag.lines[0].text));
        QVERIFY(tag.lines[1].text.contains(QString::number(bench.band.lossOf(9), 'f', 3)));
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9)); // where the other line of a centred window is
        QVERIFY(!bench.band.isDragging());
        const QPoint below = QPoint(onLine(9).y(), onLine(9).x());
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, below);
        QTest::mouseMove(&bench.band, below + QPoint(0, 30));
        QCOMPARE(bench.band.shownWindow(), 15);
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, below + QPoint(0, 30));
        QCOMPARE(bench.edited[0], (QVariantList{9, 15}));
        bench.band.setSuggestedWindow(0);
        bench.band.setWindow(0);
        QCOMPARE(bench.band.tag().lines[0].text, QStringLiteral("masked"));
        QVERIFY(bench.band.tag().lines[1].text.endsWith(QString::number(bench.band.lossOf(0), 'f', 3)));
        QVERIFY(bench.band.accessibleDescription().contains(QStringLiteral("masked")));
        bench.band.setKinds(QStringLiteral("masked"));
        QVERIFY(bench.band.tag().lines.size() == 2);
    }

    void headsThatTakeNoWindowAreNamedWhileOneIsDragged() {
        Bench bench;
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        bench.band.setKinds(QStringLiteral("local 9 + conv"));
        QCOMPARE(bench.band.tag().lines[1].text, QStringLiteral("local 9 + conv"));
        QVERIFY(!bench.band.isOfAllHeads());
    }

    void blockWindowsSnapToWholeBlocks() {
        Bench bench;
        bench.band.setKind(BandShape::Kind::Block);
        bench.band.setWindow(12);
        const QPoint stair(8 * kCell, 2 * kCell); // block 0 sees keys up to 8
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, stair);
        QVERIFY(bench.band.isDragging());
        QTest::mouseMove(&bench.band, stair + QPoint(35, 0));
        QVERIFY(bench.band.shownWindow() > 12);
        QCOMPARE(bench.band.shownWindow() % 3, 0);
        QTest::mouseRelease(&bench.band, Qt::LeftButton, {}, stair + QPoint(35, 0));
        QCOMPARE(bench.edited.size(), 1);
    }

    void aHiddenBandTakesNoMouseAndNoKeys() {
        Bench bench;
        bench.band.setBandVisible(false);
        QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(9));
        QVERIFY(!bench.band.isDragging());
        QTest::keyClick(&bench.band, Qt::Key_Up);
        QCOMPARE(bench.band.window(), 9);
    }

    void theWindowOfAMapInPlaceIsShownAndNotEdited() {
        Bench bench;
        const auto picture = [&bench] { return bench.band.grab().toImage(); };
        const QImage own = picture();
        Bench other;
        other.band.setWindow(17);
        bench.band.setInPlace(&other.band);
        const QImage inPlace = picture();
        QVERIFY(inPlace.pixel(onLine(17)) != own.pixel(onLine(17)));
        QCOMPARE(inPlace.pixel(onLine(17)), own.pixel(onLine(9))); // the colour of a line
        for (const int window : {9, 17}) {
            QTest::mousePress(&bench.band, Qt::LeftButton, {}, onLine(window));
            QVERIFY(!bench.band.isDragging());
        }
        QTest::keyClick(&bench.band, Qt::Key_Up);
        QCOMPARE(bench.band.window(), 9);
        // A full layer has its suggestion and its tag there, too.
        other.band.setWindow(0);
        QCOMPARE(picture(), other.band.grab().toImage());
        bench.band.setInPlace(nullptr);
        QCOMPARE(picture(), own);
    }

    /// “full, CL 0” of B stood on A − B.
    void aDifferenceHasNeitherTagNorSuggestionOfB() {
        Bench bench;
        const auto picture = [&bench] { return bench.band.grab().toImage(); };
        bench.band.setSuggestedWindow(0);
        bench.band.setBandVisible(false);
        const QImage none = picture();
        bench.band.setBandVisible(true);
        bench.band.setWindow(0);
        bench.band.setSuggestedWindow(17);
        QVERIFY(picture() != none);
        bench.band.setOfDifference(true);
        QCOMPARE(picture(), none);
        bench.band.setWindow(9); // drawn: it can still be dragged, and the tag says whose it is
        QVERIFY(picture() != none);
        QVERIFY2(bench.band.tag().lines.front().text.startsWith(QStringLiteral("B: w = 9")), qPrintable(bench.band.tag().lines.front().text));
    }
};

HEADROOM_TEST(WindowBandTest)

} // namespace headroom::testing::window_band_test

#include "window_band_test.moc"
