// SPDX-License-Identifier: GPL-3.0-or-later
// A line stroked in pieces is the line.
#include "tests/support/runner.h"
#include "widgets/curves/plot_style.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/curve_graph.h"

#include <qcustomplot.h>
#include <QTest>

#include <cmath>

namespace headroom::testing::curve_graph_test {

using namespace headroom::widgets;

namespace {

QImage pictureOf(bool inPieces, int style, const QVector<double>& x, const QVector<double>& y) {
    QCustomPlot plot;
    plot.xAxis->setRange(0, x.last());
    plot.yAxis->setRange(-1.2, 1.2);
    auto* graph = inPieces ? addCurveGraph(plot) : plot.addGraph();
    graph->setData(x, y, true);
    graph->setPen(runPen(style, 1.75));
    return plot.toPixmap(400, 240).toImage();
}

/// Share of the inked pixels of either picture that differ by more than a shade.
double difference(const QImage& left, const QImage& right) {
    int inked = 0, different = 0;
    for (int row = 0; row < left.height(); ++row)
        for (int column = 0; column < left.width(); ++column) {
            const QColor a = left.pixelColor(column, row), b = right.pixelColor(column, row);
            inked += a != QColor(Qt::white) || b != QColor(Qt::white);
            different += std::abs(a.lightness() - b.lightness()) > 48;
        }
    return inked > 0 ? static_cast<double>(different) / inked : 1;
}

} // namespace

class CurveGraphTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void piecesAreTheWholeLine_data() {
        QTest::addColumn<int>("style");
        for (int style = 0; style < 6; ++style)
            QTest::addRow("style %d", style) << style;
    }
    void piecesAreTheWholeLine() {
        QFETCH(int, style);
        QVector<double> x, y;
        for (int i = 0; i < 400; ++i) {
            x << i;
            y << std::sin(i * 0.05) + 0.05 * std::sin(i * 1.7);
        }
        const QImage pieces = pictureOf(true, style, x, y), whole = pictureOf(false, style, x, y);
        const double share = difference(pieces, whole);
        QVERIFY2(share < 0.02, qPrintable(QString::number(share)));
        QVERIFY(difference(pieces, pictureOf(true, (style + 1) % 6, x, y)) > 0.02); // the test can see
    }

    void gapsStayGaps() {
        QVector<double> x, y;
        for (int i = 0; i < 100; ++i) {
            x << i;
            y << (i >= 40 && i < 60 ? std::nan("") : 0.5);
        }
        const QImage picture = pictureOf(true, 0, x, y);
        QVERIFY(difference(picture, pictureOf(false, 0, x, y)) < 0.02);
    }
};

HEADROOM_TEST(CurveGraphTest)

} // namespace headroom::testing::curve_graph_test

#include "curve_graph_test.moc"
