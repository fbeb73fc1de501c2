// SPDX-License-Identifier: GPL-3.0-or-later
// The row of the cursor's token over the map, and the share of it outside the window.
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/matrix/row_profile.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPushButton>
#include <QTest>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::testing::row_profile_test {

using namespace headroom::widgets;

namespace {

constexpr std::int64_t kTokens = 120;

struct Bench {
    Bench() {
        axis.setExtent(clock.cellStart(Tokens(kTokens)));
        row.setAxis(&axis);
        row.resize(600, 60);
    }
    Seconds centre(std::int64_t token) const { return clock.centre(Tokens(token)); }
    /// Over the number on the right.
    QString tip() {
        const QPoint at(int(row.plotRect().right()) + 10, 10);
        QHelpEvent event(QEvent::ToolTip, at, row.mapToGlobal(at));
        QApplication::sendEvent(&row, &event);
        return QToolTip::text();
    }
    TokenClock clock = TokenClock::speechToText();
    TimeAxis axis;
    RowProfile row;
};

} // namespace

class RowProfileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// In a narrow window, beside a button, it was wrapped into more lines than there was room for: the last one was cut off.
    void aSentenceThatDoesNotFitIsElided() {
        Bench bench;
        RowProfile& row = bench.row;
        row.setMatrix(testing::pyramidOf(testing::ridge(kTokens, 5)), bench.clock);
        row.resize(330, 48);
        bench.axis.setExtent(Seconds(100));
        bench.axis.setCursor(Seconds(90));
        QVERIFY(!row.row());
        const QRect plot = row.plotRect().toRect();
        QPushButton button(QStringLiteral("Analyse the whole recording"), &row);
        button.setGeometry(plot.left() + 80, 10, plot.width() - 90, 24);
        row.show();
        QImage painted(row.size(), QImage::Format_RGB32);
        painted.fill(Qt::white);
        row.render(&painted, {}, {}, QWidget::DrawWindowBackground); // without the button
        int first = plot.bottom(), last = plot.top();
        for (int y = plot.top() + 1; y < plot.bottom() - 1; ++y)
            for (int x = plot.left() + 3; x < button.x() - 4; ++x)
                if (painted.pixel(x, y) != painted.pixel(plot.left() + 3, plot.top() + 1)) {
                    first = std::min(first, y);
                    last = std::max(last, y);
                }
        QVERIFY2(last > first && last - first < 20, qPrintable(QStringLiteral("%1 to %2").arg(first).arg(last)));
        QToolTip::hideText();
        bench.tip();
        QTRY_COMPARE(QToolTip::text(), QStringLiteral("The cursor is outside the analysed part."));
    }

    void whatLiesOutsideTheWindowIsSummed() {
        Bench bench;
        RowProfile& row = bench.row;
        const auto map = testing::pyramidOf(testing::ridge(kTokens, 5));
        row.setMatrix(map, bench.clock);
        row.setWindow({BandShape::Kind::Centred, 9});
        bench.axis.setCursor(bench.centre(50));
        QCOMPARE(row.row()->value(), 50);
        double outside = 0;
        for (std::size_t key = 0; key < kTokens; ++key)
            if (key < 46 || key > 54)
                outside += static_cast<double>(map->level(0)(50, key));
        QVERIFY(std::abs(row.outside() - outside) < 1e-6); // rows sum to 1
        QVERIFY(bench.tip().startsWith(QStringLiteral("Share of this row")));
        row.setWindow({});
        QCOMPARE(row.outside(), 0.0);
    }

    void headsOfSeveralWindowsHaveNoShareOutsideOne() {
        Bench bench;
        RowProfile& row = bench.row;
        row.setMatrix(testing::pyramidOf(testing::ridge(kTokens, 5)), bench.clock);
        bench.axis.setCursor(bench.centre(50));
        row.setWindow({BandShape::Kind::Centred, 9}, false);
        QVERIFY(std::isnan(row.outside()));
        QVERIFY2(row.accessibleDescription().endsWith(QStringLiteral("outside the window –.")), qPrintable(row.accessibleDescription()));
        QVERIFY2(bench.tip().contains(QStringLiteral("no single window")), qPrintable(bench.tip()));
    }

    void aDifferenceHasBarsUpAndDown() {
        Bench bench;
        Matrix<float> map(kTokens, kTokens, -0.1F);
        map(3, 7) = 0.25F;
        RowProfile& row = bench.row;
        row.setSigned(true);
        row.setMatrix(testing::pyramidOf(map), bench.clock);
        bench.axis.setCursor(bench.centre(3));
        QVERIFY(std::abs(row.scaleMaximum() - 0.3) < 1e-6);
        QVERIFY(row.accessibleDescription().contains(QStringLiteral("A − B")));
        const QImage picture = row.grab().toImage();
        // A bar down from the middle at some key, which an unsigned profile would not draw.
        const QRectF plot = row.plotRect();
        const auto colour = [&](int below) { return picture.pixelColor(int(plot.center().x()), int(plot.center().y() + below)); };
        QVERIFY(colour(6) != colour(-6));
    }
};

HEADROOM_TEST(RowProfileTest)

} // namespace headroom::testing::row_profile_test

#include "row_profile_test.moc"
