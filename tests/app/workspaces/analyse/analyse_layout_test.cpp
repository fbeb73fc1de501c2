// SPDX-License-Identifier: GPL-3.0-or-later
// The width that the docks at the right lend to two maps, over a restart.
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
    void restore(const QByteArray& saved) {
        QVERIFY(window.restoreState(saved));
        layout.laidOut();
        QCoreApplication::processEvents();
    }
    QByteArray saved() {
        QByteArray state;
        layout.withoutBeside([&] { state = window.saveState(); });
        QCoreApplication::processEvents();
        return state;
    }
    int right() const { return docks.layers->width(); }

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

    /// "Reset layout" remembered the width that was lent at the time.
    void whoLooksMeanwhileSeesTheWholeWidth() {
        Start start;
        const int whole = start.right();
        start.compare(true);
        int seen = 0;
        start.layout.withoutBeside([&] { seen = start.right(); });
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
