// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/samples_view.h"

#include <qcustomplot.h>
#include <QApplication>
#include <QClipboard>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::run_views_test {

using namespace headroom::widgets;
using headroom::testing::sampleCurves;
using headroom::testing::sampleRun;

namespace {

const MetricPlot::Metric kLoss{QStringLiteral("loss"), QStringLiteral("Training loss"), 1, 3, true, true};

/// Two seeds with one validation each, 20 apart, as their mean.
struct SinglePoints {
    MetricPlot plot{{QStringLiteral("validation.wer"), QStringLiteral("WER on dev, %"), 1, 2}};
    QCustomPlot* inner = plot.findChild<QCustomPlot*>();

    SinglePoints() {
        plot.resize(500, 300);
        plot.setReading({CurveAxis::Updates, 0, true, false});
        plot.show();
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(10), sampleCurves(10, 20)}}});
        plot.grab();
    }
};

/// What is neither white nor grey.
int ink(const QImage& image, int fromX, int toX, int fromY, int toY) {
    int sum = 0;
    for (int y = fromY; y <= toY; ++y)
        for (int x = fromX; x <= toX; ++x) {
            const QColor colour = image.pixelColor(x, y);
            sum += std::max({colour.red(), colour.green(), colour.blue()}) - std::min({colour.red(), colour.green(), colour.blue()});
        }
    return sum;
}

int coloured(const QImage& image, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == colour;
    return count;
}

} // namespace

class RunViewsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void twoExperimentsAreDrawnInTheirColours() {
        MetricPlot plot(kLoss);
        plot.resize(500, 300);
        plot.show();
        QCOMPARE(coloured(plot.grab().toImage(), Theme::current().runs[0]), 0);
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(100)}},
                      {QStringLiteral("b"), 1, {sampleCurves(100, 0.5)}}});
        const QImage image = plot.grab().toImage();
        QVERIFY(coloured(image, Theme::current().runs[0]) > 50);
        QVERIFY(coloured(image, Theme::current().runs[1]) > 50);
        QCOMPARE(runPen(0, 1).style(), Qt::SolidLine);
        QVERIFY(runPen(1, 1).dashPattern() != runPen(2, 1).dashPattern());
        for (int a = 0; a < 36; ++a) // as many models can be told apart
            for (int b = 0; b < a; ++b)
                QVERIFY(runPen(a, 1) != runPen(b, 1));
    }

    void theCursorReadsEveryExperiment() {
        MetricPlot plot(kLoss);
        plot.resize(500, 300);
        plot.setReading({CurveAxis::Updates, 0, true, false});
        plot.setRuns(
            {{QStringLiteral("a"), 0, {sampleCurves(100)}}, {QStringLiteral("b"), 1, {sampleCurves(50, 1)}}});
        plot.setCursor(40);
        QCOMPARE(plot.valuesHere(), (std::vector<double>{1.0 / 40, 1 + 1.0 / 40}));
        plot.setCursor(80);
        QVERIFY(std::isnan(plot.valuesHere()[1]));
        plot.setCursor(std::nullopt); // the last value of each
        QCOMPARE(plot.valuesHere(), (std::vector<double>{1.0 / 100, 1 + 1.0 / 50}));
    }

    /// A value belongs to the step at which it was measured, not to the one under the pointer; and a smoothed one is no measured one.
    void theReadOutNamesTheStepOfItsValues() {
        MetricPlot plot(kLoss);
        plot.resize(500, 300);
        auto curves = std::make_shared<RunCurves>();
        for (const int update : {10, 20, 30})
            curves->add({{"event", "step"}, {"update", update}, {"time", 1000.0 + update}, {"loss", 7.75 - update / 40.0}});
        plot.setReading({CurveAxis::Updates, 0, true, false});
        plot.setRuns({{QStringLiteral("a"), 0, {curves}}});
        plot.setCursor(22);
        QVERIFY2(plot.accessibleDescription().startsWith(QStringLiteral("update 20: 7.250")), qPrintable(plot.accessibleDescription()));
        plot.setCursor(19.6); // nearer to 20 than to 10
        QVERIFY(plot.accessibleDescription().startsWith(QStringLiteral("update 20: 7.250")));
        plot.setCursor(30.4); // a pixel beyond the end
        QVERIFY(plot.accessibleDescription().startsWith(QStringLiteral("update 30: 7.000")));
        // Two runs that are not equally far have no common last step.
        plot.setRuns({{QStringLiteral("a"), 0, {curves}}, {QStringLiteral("b"), 1, {sampleCurves(100)}}});
        plot.setCursor(std::nullopt);
        QVERIFY2(plot.accessibleDescription().startsWith(QStringLiteral("last values: 7.000")), qPrintable(plot.accessibleDescription()));
        plot.setCursor(22); // measured by one of them: the other's value says of which update it is
        QVERIFY2(plot.accessibleDescription().startsWith(QStringLiteral("update 22: 7.250 at 20, 0.045")),
                 qPrintable(plot.accessibleDescription()));
        plot.setRuns({{QStringLiteral("a"), 0, {curves}}});
        plot.setReading({CurveAxis::Updates, 0.6, true, false});
        plot.setCursor(22);
        QVERIFY2(plot.accessibleDescription().startsWith(QStringLiteral("update 20, smoothed: ")), qPrintable(plot.accessibleDescription()));
        QVERIFY2(plot.toolTip().section(QLatin1Char('\n'), 0, 0).endsWith(QStringLiteral(", update 20, smoothed")), qPrintable(plot.toolTip()));
    }

    void theAxisHasTheMinusOfAllNumbers() {
        MetricPlot plot(kLoss);
        plot.resize(500, 300);
        auto curves = std::make_shared<RunCurves>();
        for (const int update : {10, 20, 30})
            curves->add({{"event", "step"}, {"update", update}, {"time", 1000.0 + update}, {"loss", update / 10.0 - 2}});
        plot.setReading({CurveAxis::Updates, 0, true, false});
        plot.setRuns({{QStringLiteral("a"), 0, {curves}}});
        plot.show();
        plot.grab();
        const QString labels = plot.findChild<QCustomPlot*>()->yAxis->tickVectorLabels().join(QLatin1Char(' '));
        QVERIFY2(labels.contains(QChar(0x2212)) && !labels.contains(QLatin1Char('-')), qPrintable(labels));
    }

    void hoursCountFromTheStartOfTheRun() {
        MetricPlot plot(kLoss);
        plot.setReading({CurveAxis::Hours, 0, true, false});
        const auto hours = [&](bool saysWhenItBegan) {
            auto curves = std::make_shared<RunCurves>();
            if (saysWhenItBegan)
                curves->add({{"event", "started"}, {"update", 0}, {"time", 1000.0}});
            for (const int update : {10, 20})
                curves->add({{"event", "step"}, {"update", update}, {"time", 1000.0 + 180 * update}, {"loss", 2.0}});
            plot.setRuns({{QStringLiteral("a"), 0, {curves}}});
            QStringList found;
            for (const QString& line : plot.tableText().split(QLatin1Char('\n'), Qt::SkipEmptyParts).mid(1))
                found << line.section(QLatin1Char('\t'), 1, 1);
            return found;
        };
        QCOMPARE(hours(true), (QStringList{"0.5", "1"}));
        QCOMPARE(hours(false), (QStringList{"0", "0.5"})); // an older run
    }

    void seedsBecomeOneLineOrMany() {
        MetricPlot plot(kLoss);
        plot.resize(500, 300);
        CurveReading reading{CurveAxis::Updates, 0, true, false};
        plot.setReading(reading);
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(10), sampleCurves(10, 1), nullptr}}});
        plot.setCursor(10);
        QCOMPARE(plot.valuesHere(), (std::vector<double>{0.6}));
        reading.mean = false;
        plot.setReading(reading);
        QCOMPARE(plot.valuesHere(), (std::vector<double>{0.1, 1.1}));
    }

    /// Each seed has one validation: the mean was a bare circle, and the table beside it said 23.70 ± 22.04.
    void aMeanOfSinglePointsHasItsSpread() {
        SinglePoints made;
        MetricPlot& plot = made.plot;
        auto* inner = made.inner;
        const auto bars = [&] {
            QList<QCPErrorBars*> found;
            for (int i = 0; i < inner->plottableCount(); ++i)
                if (auto* one = qobject_cast<QCPErrorBars*>(inner->plottable(i)))
                    found << one;
            return found;
        };
        QCOMPARE(bars().size(), qsizetype(1)); // 10 and 30
        const QCPErrorBarsData bar = bars().front()->data()->first();
        QVERIFY(std::abs(bar.errorPlus - std::sqrt(200.0)) < 1e-9);
        QVERIFY(std::abs(bar.errorMinus - std::sqrt(200.0)) < 1e-9);
        const QCPRange shown = inner->yAxis->range(); // all of it
        QVERIFY(shown.lower <= 20 - std::sqrt(200.0) && shown.upper >= 20 + std::sqrt(200.0));
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(30), sampleCurves(30, 20)}}});
        plot.grab();
        QCOMPARE(bars().size(), qsizetype(0)); // a band
    }

    /// The only validation was the last update: the frame cut its bar and half of the caps.
    void aBarAtTheEdgeIsWhole() {
        const SinglePoints made;
        auto* inner = made.inner;
        const QImage image = inner->toPixmap().toImage();
        const int x = qRound(inner->xAxis->coordToPixel(10));
        QVERIFY(x >= inner->axisRect()->right());
        for (const double side : {-1.0, 1.0}) {
            const int end = qRound(inner->yAxis->coordToPixel(20 + side * std::sqrt(200.0)));
            const int left = ink(image, x - 6, x - 2, end - 2, end + 2), right = ink(image, x + 2, x + 6, end - 2, end + 2);
            QVERIFY2(left > 0 && 2 * right > left, qPrintable(QStringLiteral("cap: %1, %2").arg(left).arg(right)));
            const int middle = qRound(inner->yAxis->coordToPixel(20 + side * std::sqrt(50.0)));
            const int bar = ink(image, x - 1, x + 1, middle - 2, middle + 2);
            QVERIFY2(bar > left, qPrintable(QStringLiteral("bar: %1, cap: %2").arg(bar).arg(left)));
        }
    }

    /// In an exported figure, which has no ring at the cursor, the frame cut the dots of the last update in half.
    void theLastDotIsWholeInAFigure() {
        MetricPlot plot(kLoss);
        plot.resize(500, 300);
        plot.show();
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(10)}}});
        QImage image(plot.size(), QImage::Format_RGB32);
        QPainter painter(&image);
        plot.renderTo(painter, image.rect());
        painter.end();
        auto* inner = plot.findChild<QCustomPlot*>();
        const QCPGraph* graph = inner->graph(0);
        const QCPGraphData last = *(graph->data()->constEnd() - 1);
        const QPoint dot = graph->coordsToPixels(last.key, last.value).toPoint();
        QVERIFY(dot.x() >= inner->axisRect()->right());
        const int left = ink(image, dot.x() - 4, dot.x() - 1, dot.y() + 1, dot.y() + 4); // below the line
        const int right = ink(image, dot.x() + 1, dot.x() + 4, dot.y() + 1, dot.y() + 4);
        QVERIFY2(left > 0 && 2 * right > left, qPrintable(QStringLiteral("%1, %2").arg(left).arg(right)));
    }

    void longCurvesAreThinnedBeforeTheyAreDrawn() {
        MetricPlot plot(kLoss);
        plot.resize(400, 300);
        plot.show();
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(200000)}}});
        QVERIFY2(plot.drawnPoints() > 100 && plot.drawnPoints() <= 4 * 400,
                 qPrintable(QString::number(plot.drawnPoints())));
    }

    void theWheelZoomsAndADoubleClickShowsAll() {
        MetricPlot plot(kLoss);
        plot.resize(500, 300);
        plot.show();
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(1000)}}});
        const auto all = plot.visibleSpan();
        QSignalSpy moved(&plot, &MetricPlot::spanChanged);
        QWheelEvent wheel(QPointF(250, 150), plot.mapToGlobal(QPointF(250, 150)), {}, {0, 240}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot, &wheel);
        QCOMPARE(moved.size(), 1);
        const auto part = plot.visibleSpan();
        QVERIFY(part.second - part.first < 0.7 * (all.second - all.first));
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, {250, 150});
        QCOMPARE(plot.visibleSpan(), all);
    }

    void pictureOnPaperIsDrawnAnew() {
        MetricPlot plot(kLoss);
        plot.resize(300, 200);
        plot.setRuns({{QStringLiteral("a"), 0, {sampleCurves(100)}}});
        QImage paper(600, 400, QImage::Format_ARGB32);
        paper.fill(Qt::white);
        QPainter painter(&paper);
        plot.renderTo(painter, paper.rect());
        painter.end();
        QVERIFY(coloured(paper, Theme::current().runs[0]) > 50);
    }

    void theTableSortsSearchesAndCopies() {
        RunTable table;
        table.resize(1200, 300);
        table.runs()->setGroups(groupRuns({sampleRun("beta", 1, RunState::Finished, 1.25),
                                           sampleRun("alpha", 1, RunState::Running, 3),
                                           sampleRun("gamma", 1, RunState::Finished, 2)}));
        table.sortByColumn(RunTableModel::Loss, Qt::DescendingOrder);
        table.selectAll();
        QStringList lines = table.asText().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith(QLatin1String("Run\tDev loss")));
        QVERIFY(lines[1].startsWith(QLatin1String("alpha")));
        QVERIFY(lines[3].contains(QLatin1String("\t1.25\t"))); // full precision, not "1.250"
        table.setSearch(QStringLiteral("smoke run"));
        QCOMPARE(table.shownRows(), 1);
        table.setSearch(QStringLiteral("no such"));
        QCOMPARE(table.shownRows(), 0);
        table.setSearch({});
        QCOMPARE(table.shownRows(), 3);
    }

    void spaceTicksAndEnterOpens() {
        RunTable table;
        table.show();
        table.runs()->setGroups(groupRuns({sampleRun("a", 1, RunState::Finished)}));
        table.setCurrentKey(QStringLiteral("a"));
        QTest::keyClick(&table, Qt::Key_Space);
        QVERIFY(table.runs()->isCompared(QStringLiteral("a")));
        QSignalSpy opened(&table, &RunTable::opened);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QString copied = QApplication::clipboard()->text(); // columns as shown: scores before the recipe
        QVERIFY2(copied.contains(QLatin1String("\na\t")) && copied.contains(QLatin1String("\tsmoke")),
                 qPrintable(copied));
    }

    /// Two rows read “demo, l…updates”.
    void namesThatDifferInAWordReadDifferently() {
        RunTable table;
        table.resize(800, 200);
        table.show();
        const QString one = QStringLiteral("demo, layers 4–8 changed, 150 updates"), other = QStringLiteral("demo, layers 4–8 changed, 60 updates");
        table.runs()->setGroups(groupRuns({sampleRun(one, 1, RunState::Finished), sampleRun(other, 1, RunState::Finished)}));
        const QFontMetrics metrics(table.font());
        const auto shown = [&](const QString& name) { return metrics.elidedText(name, table.textElideMode(), table.columnWidth(RunTableModel::Name) - 8); };
        QVERIFY2(shown(one) != shown(other), qPrintable(shown(one)));
    }

    void numbersOfSeveralSeedsAreWhole() {
        RunTable table;
        table.resize(500, 200);
        table.show();
        table.runs()->setGroups(
            groupRuns({sampleRun("a", 1, RunState::Finished, 8.864), sampleRun("a", 2, RunState::Finished, 25.42)}));
        for (const int column : {RunTableModel::Loss, RunTableModel::Wer}) {
            const QString text = table.model()->index(0, column).data().toString();
            QVERIFY2(text.contains(QStringLiteral("±")), qPrintable(text));
            QVERIFY2(table.columnWidth(column) > QFontMetrics(table.font()).horizontalAdvance(text), qPrintable(text));
        }
    }

    void scoresThatATaskHasNotAreHidden() {
        RunTable table;
        auto run = sampleRun("a", 1, RunState::Finished);
        table.runs()->setGroups(groupRuns({run}));
        QVERIFY(table.isColumnHidden(RunTableModel::Bleu));
        QVERIFY(!table.isColumnHidden(RunTableModel::Wer));
        run.task = QStringLiteral("st_de");
        table.runs()->setGroups(groupRuns({run}));
        QVERIFY(table.isColumnHidden(RunTableModel::Wer));
        QVERIFY(!table.isColumnHidden(RunTableModel::Bleu));
    }

    void wordsOfAnExampleAreAligned() {
        const auto words = [](const char* text) {
            return QString::fromLatin1(text).split(u' ', Qt::SkipEmptyParts);
        };
        QCOMPARE(wordsThatMatch(words("the cat sat"), words("the bat sat")),
                 (std::vector<bool>{true, false, true}));
        QCOMPARE(wordsThatMatch(words("a b c"), words("b c d")), (std::vector<bool>{true, true, false}));
        QCOMPARE(wordsThatMatch({}, words("x")), (std::vector<bool>{false}));
        QVERIFY(wordsThatMatch(words("x"), {}).empty());
    }

    void examplesAreTextNotMarkup() {
        SamplesView view;
        view.setSamples(QStringLiteral("After update 40"),
                        {{QStringLiteral("id"), QStringLiteral("a <b> c"), QStringLiteral("a <i>")}});
        QVERIFY(view.toPlainText().contains(QLatin1String("a <b> c")));
        QVERIFY(view.toPlainText().contains(QLatin1String("<i>")));
    }

    void examplesMarkWhatWordErrorRateCounts() {
        SamplesView view;
        const auto marks = [&](const QString& reference, const QString& hypothesis) {
            view.setSamples(QStringLiteral("After update 40"), {{QStringLiteral("id"), reference, hypothesis}});
            return view.toHtml().count(QLatin1String("underline"));
        };
        QCOMPARE(marks(QStringLiteral("These cats sell the hat."), QStringLiteral("these cats sell the hat")), 0);
        QCOMPARE(marks(QStringLiteral("These cats sell the hat."), QStringLiteral("these cats sell a hat")), 1);
    }
};

HEADROOM_TEST(RunViewsTest)

} // namespace headroom::testing::run_views_test

#include "run_views_test.moc"
