// SPDX-License-Identifier: GPL-3.0-or-later
// The room that the docks at the right lend to two maps and to a form, over a restart.
#include "app/workspaces/analyse/analyse_layout.h"

#include "app/parts/dock.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"

#include <QMainWindow>
#include <QSplitter>
#include <QTest>

namespace headroom::testing::analyse_layout_test {

using namespace headroom::app;

namespace {

/// One start of the program.
struct Start {
    Start() {
        window.setDockNestingEnabled(true);
        window.setAnimated(false);
        middle->addWidget(new QWidget);
        middle->addWidget(new QWidget);
        window.setCentralWidget(middle);
        layout.place();
        window.resize(qRound(widgets::Sizes::unit() * 170), 1000); // two maps would like to have more
        window.show();
        layout.size();
        QCoreApplication::processEvents();
    }
    Dock* dock(const char* name) { return new Dock(QLatin1String(name), QLatin1String(name), new QWidget, &window); }
    void compare(bool shown) {
        layout.makeRoomBeside(shown);
        QCoreApplication::processEvents();
    }
    void form(bool shown) {
        layout.makeRoomForForm(shown);
        QCoreApplication::processEvents();
    }
    void showStudies() {
        docks.studies->show();
        docks.studies->raise();
    }
    void restore(const QByteArray& saved) {
        QVERIFY(window.restoreState(saved));
        layout.laidOut();
        QCoreApplication::processEvents();
    }
    QByteArray saved() {
        QByteArray state;
        layout.withGivenSizes([&] { state = window.saveState(); });
        QCoreApplication::processEvents();
        return state;
    }
    int right() const { return docks.layers->width(); }
    int studies() const { return docks.studies->height(); }

    QMainWindow window;
    QSplitter* middle = new QSplitter(Qt::Vertical, &window);
    AnalyseLayout::Docks docks{.utterances = dock("utterances"),
                               .models = dock("models"),
                               .readOut = dock("readOut"),
                               .checks = dock("checks"),
                               .layers = dock("layers"),
                               .analysis = dock("analysis"),
                               .heads = dock("heads"),
                               .studies = dock("studies"),
                               .places = dock("places"),
                               .messages = dock("messages"),
                               .alignments = dock("alignments")};
    AnalyseLayout layout{&window, middle, docks};
};

} // namespace

class AnalyseLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Whoever quit while two maps were compared found narrow docks at the next start, for good.
    void whatIsLentIsNotSaved() {
        Start first;
        const int whole = first.right();
        first.compare(true);
        const int lent = first.right();
        QVERIFY2(lent < whole, qPrintable(QStringLiteral("%1 of %2").arg(lent).arg(whole)));
        const QByteArray saved = first.saved();
        QCOMPARE(first.right(), lent); // who does not quit sees nothing of it
        Start second;
        second.restore(saved);
        QCOMPARE(second.right(), whole);
        second.compare(true);
        QCOMPARE(second.right(), lent);
        second.compare(false);
        QCOMPARE(second.right(), whole);
    }

    /// Behind a tab the layers keep the width that they had in front: after a restart the map beside got no room.
    void theLayersLendWhileTheStudiesHideThem() {
        Start first;
        const int whole = first.docks.analysis->width();
        first.compare(true);
        first.showStudies();
        QCoreApplication::processEvents();
        const int lent = first.docks.studies->width();
        QVERIFY2(lent < whole, qPrintable(QStringLiteral("%1 of %2").arg(lent).arg(whole)));
        const QByteArray saved = first.saved();
        QCOMPARE(first.docks.studies->width(), lent);
        Start second;
        second.compare(true);
        second.restore(saved);
        QCOMPARE(second.docks.studies->width(), lent);
        second.compare(false);
        QCOMPARE(second.docks.studies->width(), whole);
        second.compare(true);
        QCOMPARE(second.docks.studies->width(), lent);
    }

    void whoSavesInAnotherWorkspaceSavesTheWholeWidth() {
        Start first;
        const int whole = first.right();
        first.compare(true);
        first.window.hide();
        const QByteArray saved = first.saved();
        Start second;
        second.restore(saved);
        QCOMPARE(second.right(), whole);
    }

    /// Each form left the panels lower, because the tabs below them were not counted.
    void aFormGivesBackWhatItWasLent() {
        Start start;
        start.showStudies();
        QCoreApplication::processEvents();
        const int whole = start.studies(), below = start.docks.analysis->height();
        for (int time = 0; time < 3; ++time) {
            start.form(true);
            QVERIFY2(start.studies() > whole + 50, qPrintable(QStringLiteral("%1 of %2").arg(start.studies()).arg(whole)));
            QCOMPARE(start.studies() + start.docks.analysis->height(), whole + below);
            start.form(false);
            QCOMPARE(start.studies(), whole);
            QCOMPARE(start.docks.analysis->height(), below);
        }
    }

    /// The panel appears with its form, and is closed with it: the layers had its height from then on.
    void aFormThatIsClosedWithItsPanelLeavesTheLayersAsTheyWere() {
        Start start;
        const int layers = start.docks.layers->height();
        for (int time = 0; time < 2; ++time) {
            start.showStudies();
            start.form(true);
            QVERIFY(start.studies() > layers);
            start.docks.studies->hide();
            start.form(false);
            QCOMPARE(start.docks.layers->height(), layers);
        }
    }

    /// Whoever quit while a form was shown found the list, and the layers, in its height at the next start.
    void theHeightOfAFormIsNotSaved() {
        Start first;
        first.showStudies();
        QCoreApplication::processEvents();
        const int whole = first.studies();
        first.form(true);
        const int lent = first.studies();
        const QByteArray saved = first.saved();
        QCOMPARE(first.studies(), lent);
        Start second;
        second.restore(saved);
        QCOMPARE(second.studies(), whole);
        first.form(false);
        QCOMPARE(first.studies(), whole);
    }

    /// The form had lost its height afterwards, since a panel of a hidden workspace was taken for one that is closed.
    void theHeightOfAFormIsNotSavedInAnotherWorkspace() {
        Start first;
        first.showStudies();
        QCoreApplication::processEvents();
        const int whole = first.studies(), below = first.docks.analysis->height();
        first.form(true);
        first.window.hide();
        const QByteArray saved = first.saved();
        Start second;
        second.restore(saved);
        QCOMPARE(second.studies(), whole);
        first.window.show();
        QCoreApplication::processEvents();
        QVERIFY(first.studies() > whole + 50); // who does not quit sees nothing of it
        first.form(false);
        QCOMPARE(first.studies(), whole);
        QCOMPARE(first.docks.analysis->height(), below);
    }

    /// It was as low as the list until it was closed and opened again.
    void aFormThatIsShownInAnotherWorkspaceHasItsHeightLater() {
        Start start;
        start.showStudies();
        QCoreApplication::processEvents();
        start.form(true);
        const int lent = start.studies(), below = start.docks.analysis->height();
        start.form(false);
        const int whole = start.studies();
        for (const bool isInFront : {true, false}) {
            if (!isInFront)
                start.docks.layers->raise();
            QCoreApplication::processEvents();
            start.window.hide();
            start.showStudies();
            start.form(true);
            start.window.show();
            start.layout.windowShown();
            QCoreApplication::processEvents();
            QCOMPARE(start.studies(), lent);
            QCOMPARE(start.docks.analysis->height(), below);
            start.form(false);
            QCOMPARE(start.studies(), whole);
        }
    }

    /// "Reset layout" remembered the width that was lent at the time.
    void whoLooksMeanwhileSeesTheWholeWidth() {
        Start start;
        const int whole = start.right();
        start.compare(true);
        int seen = 0;
        start.layout.withGivenSizes([&] { seen = start.right(); });
        QCOMPARE(seen, whole);
    }

    /// The session may be open before the layout: what is compared then gets its room of the restored one.
    void aLayoutThatComesLaterLendsAnew() {
        Start first;
        first.window.resizeDocks({first.docks.layers}, {first.right() - 40}, Qt::Horizontal);
        QCoreApplication::processEvents();
        const int whole = first.right();
        first.compare(true);
        const int lent = first.right();
        const QByteArray saved = first.saved();
        Start second;
        second.compare(true);
        second.restore(saved);
        QCOMPARE(second.right(), lent);
        second.compare(false);
        QCOMPARE(second.right(), whole);
    }
};

HEADROOM_TEST(AnalyseLayoutTest)

} // namespace headroom::testing::analyse_layout_test

#include "analyse_layout_test.moc"
