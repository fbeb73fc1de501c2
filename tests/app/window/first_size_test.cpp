// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"

#include <QTest>

namespace headroom::testing::first_size_test {

using app::MainWindow;

class FirstSizeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLargeScreenShowsTheWholeWorkbench() {
        const double unit = widgets::Sizes::unit();
        QCOMPARE(MainWindow::firstSize({2560, 1440}, {2560, 1400}, 24), QSize(qRound(unit * 200), qRound(unit * 125)));
    }
    /// The status bar and its button Messages would be below the screen.
    void theFrameIsWithinTheAvailablePartOfASmallScreen_data() {
        QTest::addColumn<QSize>("screen");
        QTest::addColumn<QSize>("available");
        QTest::newRow("alone") << QSize(1280, 720) << QSize(1280, 720);
        QTest::newRow("task bar") << QSize(1280, 720) << QSize(1280, 680);
        QTest::newRow("laptop") << QSize(1366, 768) << QSize(1366, 728);
    }
    void theFrameIsWithinTheAvailablePartOfASmallScreen() {
        QFETCH(QSize, screen);
        QFETCH(QSize, available);
        const QSize size = MainWindow::firstSize(screen, available, 24);
        QVERIFY(size.width() < available.width());
        QVERIFY(size.height() + 24 < available.height());
    }
};

HEADROOM_TEST(FirstSizeTest)

} // namespace headroom::testing::first_size_test

#include "first_size_test.moc"
