// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "tests/support/runner.h"
#include "tests/widgets/curves/sample_windows.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/curves/ccd_plot.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/plot_style.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QDir>
#include <QHBoxLayout>
#include <QPainter>
#include <QPicture>
#include <QSignalSpy>
#include <QTest>

#include <tuple>

namespace headroom::testing::curves_test {

using namespace headroom::widgets;

namespace {

struct Bench {
    Bench() {
        plot.resize(420, 220);
        plot.setCurrent(10, profileOf(5));
        plot.setWindow(17);
        plot.show();
    }
    DiagonalityPlot plot;
    QSignalSpy dragged{&plot, &DiagonalityPlot::windowDragged};
    QSignalSpy edited{&plot, &DiagonalityPlot::windowEdited};
};

} // namespace

class CurvesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// A curve that is flat, or as high at the longest length, ran through the names at the top of the plot.
    void namesOfMarksStandAboveTheCurves() {
        CostPlot plot(QStringLiteral("MACs"), {});
        auto* inner = plot.findChild<QCustomPlot*>();
        const CostPlot::Curve flat{{0, 1500}, {0.5, 0.5}}, rising{{0, 750, 1500, 2000}, {0, 1, 4, 7}}, none;
        for (const QSize size : {QSize(200, 112), QSize(360, 110), QSize(700, 300)})
            for (const auto& [now, baseline, at, longest] :
                 {std::tuple(flat, none, 250.0, 1575.0), std::tuple(none, flat, 250.0, 1575.0), std::tuple(rising, none, 1500.0, 1575.0)}) {
                plot.resize(size);
                plot.setVisible(true);
                plot.show(now, baseline, {{at, QStringLiteral("utterance 246")}}, longest);
                bool named = false;
                for (int i = 0; i < inner->itemCount(); ++i)
                    if (const auto* text = qobject_cast<QCPItemText*>(inner->item(i)); text && text->text().startsWith(QLatin1String("utterance"))) {
                        named = true;
                        const QRectF box(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
                        QVERIFY2(box.top() >= inner->axisRect()->top(), qPrintable(QString::number(size.width())));
                        QVERIFY2(!isOnCurve(*inner, box.adjusted(0, 0, 0, 1)), qPrintable(QString::number(size.width())));
                    }
                QVERIFY(named);
            }
    }

    /// The line of the asked length runs through where "longest 1,500" stands.
    void namesOfMarksStandAboveTheLines() {
        CostPlot plot(QStringLiteral("MACs"), {});
        plot.resize(360, 180);
        plot.show({{0, 1000, 2000}, {0, 2, 6}}, {}, {{1000, {}}, {1500, QStringLiteral("longest 1,500")}}, 2000);
        const auto* inner = plot.findChild<QCustomPlot*>();
        bool named = false;
        for (int i = 0; i < inner->itemCount(); ++i) {
            if (const auto* text = qobject_cast<QCPItemText*>(inner->item(i)); text && text->text().startsWith(QLatin1String("longest"))) {
                named = true;
                QCOMPARE(text->brush().color(), Theme::current().panel);
                QCOMPARE(text->brush().style(), Qt::SolidPattern);
            } else if (qobject_cast<QCPItemStraightLine*>(inner->item(i))) {
                QVERIFY(!named); // later items are painted over earlier ones
            }
        }
        QVERIFY(named);
    }

    void aNoteGivesWayToTheTitle() {
        CostPlot plot(QStringLiteral("Latency of the encoder, ms"), QStringLiteral("measured here"));
        plot.show({{0, 1}, {0, 1}}, {}, {}, 1);
        auto* inner = plot.findChild<QCustomPlot*>();
        const auto notes = [&] {
            int found = 0;
            for (int i = 0; i < inner->itemCount(); ++i)
                if (const auto* item = qobject_cast<QCPItemText*>(inner->item(i)))
                    found += item->text() == QStringLiteral("measured here");
            return found;
        };
        plot.resize(500, 160);
        plot.show({{0, 1}, {0, 1}}, {}, {}, 1);
        QCOMPARE(notes(), 1);
        plot.resize(260, 160);
        plot.show({{0, 1}, {0, 1}}, {}, {}, 1);
        QCOMPARE(notes(), 0);
    }

    void measuredCostsAreMarkedWithTheirSpread() {
        CostPlot plot(QStringLiteral("Latency"), {});
        plot.setEmptyText(QStringLiteral("Not measured yet"));
        plot.resize(360, 180);
        auto* inner = plot.findChild<QCustomPlot*>();
        const auto says = [&](const QString& text) {
            for (int i = 0; i < inner->itemCount(); ++i)
                if (const auto* item = qobject_cast<QCPItemText*>(inner->item(i)); item && item->text() == text)
                    return true;
            return false;
        };
        plot.show({}, {{96, 1000}, {4, 60}, {3, 50}, {5, 90}}, {}, 2000);
        QVERIFY(says(QStringLiteral("Not measured yet"))); // the baseline alone
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("Not measured yet"));
        plot.setEmptyText({}); // nothing stands over the baseline then
        QVERIFY(!says(QStringLiteral("Not measured yet")));
        QVERIFY(plot.accessibleDescription().isEmpty());
        plot.setEmptyText(QStringLiteral("Not measured yet"));
        plot.show({{96, 1000}, {4, 60}, {3, 50}, {5, 90}}, {}, {}, 2000);
        QVERIFY(!says(QStringLiteral("Not measured yet")));
        QVERIFY(inner->yAxis->range().upper > 90); // the whole bar is seen
        int bars = 0;
        for (int i = 0; i < inner->plottableCount(); ++i)
            if (const auto* bar = qobject_cast<QCPErrorBars*>(inner->plottable(i))) {
                ++bars;
                QCOMPARE(bar->data()->at(1).errorMinus, 10.0);
                QCOMPARE(bar->data()->at(1).errorPlus, 30.0);
            }
        QCOMPARE(bars, 1);
        plot.show({{96, 1000}, {4, 60}}, {}, {}, 2000); // counted, not measured
        QCOMPARE(inner->plottableCount(), inner->graphCount());
    }

    void draggingTheMarkerSnapsToOddWindowsAndEditsOnce() {
        Bench bench;
        QTest::mousePress(&bench.plot, Qt::LeftButton, {}, bench.plot.positionOf(17));
        QTest::mouseMove(&bench.plot, bench.plot.positionOf(24) + QPoint(2, 0));
        QCOMPARE(bench.plot.shownWindow(), 25);
        QCOMPARE(bench.plot.window(), 17);
        QVERIFY(std::abs(bench.plot.diagonalityHere() - diagonality(profileOf(5), 25)) < 1e-12);
        QTest::mouseRelease(&bench.plot, Qt::LeftButton, {}, bench.plot.positionOf(25));
        QCOMPARE(bench.plot.window(), 25);
        QCOMPARE(bench.edited.size(), 1);
        QCOMPARE(bench.edited[0], (QVariantList{17, 25}));
        for (const auto& each : bench.dragged)
            QCOMPARE(each[0].toInt() % 2, 1);
    }

    void flagAndNumbersAreWholeAtEveryWidth_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("window");
        for (const int width : {200, 260, 420})
            for (const int window : {1, 17, 29, 61})
                QTest::addRow("%d, w %d", width, window) << width << window;
    }
    void flagAndNumbersAreWholeAtEveryWidth() {
        QFETCH(int, width);
        QFETCH(int, window);
        Bench bench;
        bench.plot.resize(width, 220);
        bench.plot.setWindow(window);
        bench.plot.setCompared({"new", 0, {}}, {{"old", 1, profileOf(9)}});
        const auto* inner = bench.plot.findChild<QCustomPlot*>();
        QRectF flag, numbers;
        bool saysLoss = false;
        for (int index = 0; index < inner->itemCount(); ++index)
            if (const auto* text = qobject_cast<QCPItemText*>(inner->item(index))) {
                const QRectF place(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
                if (text->text().startsWith(QStringLiteral("w = %1").arg(window))) {
                    flag = place;
                    saysLoss = text->text().contains(QLatin1String("CL 0."));
                } else if (text->visible() && text->text().startsWith(QLatin1String("D 0.")))
                    numbers = place;
            }
        const QRectF frame = inner->axisRect()->rect();
        // In a narrow plot the flag says CL, and the numbers have no place of their own.
        QVERIFY(!flag.isEmpty() && numbers.isEmpty() == saysLoss);
        for (const QRectF& place : {flag, numbers.isEmpty() ? flag : numbers}) {
            QVERIFY2(place.bottom() <= frame.top() + 1, "on the curves");
            QVERIFY2(place.left() >= frame.left() - 8 && place.right() <= frame.right() + 8,
                     qPrintable(QStringLiteral("%1 … %2 in %3 … %4")
                                    .arg(place.left())
                                    .arg(place.right())
                                    .arg(frame.left())
                                    .arg(frame.right())));
        }
        QVERIFY(!flag.intersects(numbers));
    }

    void otherModelsAreOnTheSameAxes() {
        Bench bench;
        const auto* inner = bench.plot.findChild<QCustomPlot*>();
        const int alone = inner->graphCount();
        bench.plot.setCompared({"new", 0, {}}, {{"old", 1, profileOf(9)}, {"unread", 2, {}}});
        QCOMPARE(inner->graphCount(), alone + 1); // nothing is known of the last one yet
        const auto here = bench.plot.comparedHere();
        QCOMPARE(here.size(), std::size_t(2));
        QVERIFY(std::abs(here[0] - diagonality(profileOf(9), 17)) < 1e-12);
        QVERIFY(std::isnan(here[1]));
        QVERIFY(bench.plot.accessibleDescription().contains(
            QStringLiteral("old: D %1.").arg(here[0], 0, 'f', 3)));
        QStringList names;
        for (const KeyEntry& entry : bench.plot.keyEntries())
            names << entry.name;
        QVERIFY2(names.contains("new") && names.contains("old") && !names.contains("unread"),
                 qPrintable(names.join(u',')));
        QVERIFY(inner->graph(0)->pen().color() != inner->graph(1)->pen().color());
        QVERIFY(inner->graph(0)->pen().style() != inner->graph(1)->pen().style()); // not by colour alone
        // While the marker is dragged the others are read at the same window.
        QTest::mousePress(&bench.plot, Qt::LeftButton, {}, bench.plot.positionOf(25));
        QVERIFY(std::abs(bench.plot.comparedHere()[0] - diagonality(profileOf(9), 25)) < 1e-12);
        QTest::mouseRelease(&bench.plot, Qt::LeftButton, {}, bench.plot.positionOf(25));
        bench.plot.setCompared({}, {});
        QCOMPARE(inner->graphCount(), alone);
    }

    /// Tokens of 20 ms beside the current curve's of 40 ms: 17 of these are as long as 34 of those.
    void aCurveOfShorterTokensStandsAtTheSameTime() {
        Bench bench;
        const auto* inner = bench.plot.findChild<QCustomPlot*>();
        const auto other = profileOf(9, 160);
        bench.plot.setCompared({"new", 0, {}}, {{"old", 1, other, 20}});
        const auto& points = *inner->graph(1)->data();
        QCOMPARE(points.at(14)->key, 14.5); // w = 29
        QVERIFY(std::abs(points.at(14)->value - diagonality(other, 29)) < 1e-12);
        QCOMPARE((points.constEnd() - 1)->key, 60.5); // to the end of the axis
        QVERIFY(std::abs(bench.plot.comparedHere()[0] - diagonality(other, 35)) < 1e-12);
        QVERIFY2(bench.plot.accessibleDescription().contains(QLatin1String("at window 35 of its own tokens")),
                 qPrintable(bench.plot.accessibleDescription()));
        QVERIFY(bench.plot.toolTip().contains(QStringLiteral("old: tokens of 20\u202fms")));
        bench.plot.setCompared({"new", 0, {}}, {{"old", 1, other, 40}});
        QCOMPARE(inner->graph(1)->data()->at(14)->key, 29.0);
        QVERIFY(!bench.plot.toolTip().contains(QStringLiteral("tokens of 40")));
    }

    void escapeTakesTheDragBack() {
        Bench bench;
        QTest::mousePress(&bench.plot, Qt::LeftButton, {}, bench.plot.positionOf(41));
        QCOMPARE(bench.plot.shownWindow(), 41);
        QTest::keyClick(&bench.plot, Qt::Key_Escape);
        QCOMPARE(bench.plot.shownWindow(), 17);
        QCOMPARE(bench.dragged.last()[0].toInt(), 17);
        QTest::mouseRelease(&bench.plot, Qt::LeftButton, {}, bench.plot.positionOf(41));
        QCOMPARE(bench.edited.size(), 0);
    }

    void keysStepTheWindow() {
        Bench bench;
        QTest::keyClick(&bench.plot, Qt::Key_Up);
        QCOMPARE(bench.plot.window(), 19);
        QTest::keyClick(&bench.plot, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(bench.plot.window(), 9);
        QTest::keyClick(&bench.plot, Qt::Key_Home);
        QCOMPARE(bench.plot.window(), 1);
        QTest::keyClick(&bench.plot, Qt::Key_End);
        QCOMPARE(bench.plot.window(), 0);
        QCOMPARE(bench.edited.last(), (QVariantList{1, 0}));
    }

    void titlesNeverOverlap_data() {
        QTest::addColumn<int>("width");
        for (const int width : {180, 240, 320, 400, 640})
            QTest::addRow("%d", width) << width;
    }
    void titlesNeverOverlap() {
        QFETCH(int, width);
        Bench bench;
        bench.plot.resize(width, 180);
        bench.plot.show();
        const auto* inner = bench.plot.findChild<QCustomPlot*>();
        const QCPItemText *title = nullptr, *axis = nullptr;
        for (int index = 0; index < inner->itemCount(); ++index)
            if (const auto* text = qobject_cast<QCPItemText*>(inner->item(index))) {
                if (text->text().startsWith(QLatin1String("D(w)")))
                    title = text;
                else if (text->text().startsWith(QLatin1String("w")) && !text->text().contains(u'='))
                    axis = text;
            }
        QVERIFY(title && axis);
        QVERIFY(title->right->pixelPosition().x() < axis->left->pixelPosition().x());
    }

    void withoutAProfileThePlotIsSilent() {
        DiagonalityPlot plot;
        plot.resize(300, 200);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(150, 100));
        QTest::keyClick(&plot, Qt::Key_Up);
        QCOMPARE(plot.window(), 0);
        QVERIFY(std::isnan(plot.diagonalityHere()));
        QVERIFY(!plot.accessibleDescription().isEmpty());
    }

    void theCcdPlotSelectsLayers() {
        CcdPlot plot;
        plot.resize(300, 200);
        plot.setModels({{QStringLiteral("a"), {0.8, 0.9, 0.95}}, {QStringLiteral("b"), {0.7, 0.8}}});
        plot.show();
        QSignalSpy selected(&plot, &CcdPlot::layerSelected);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(selected.last()[0].toInt(), 0);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(270, 80));
        QCOMPARE(selected.last()[0].toInt(), 2);
        QVERIFY(plot.accessibleDescription().contains(QStringLiteral("0.950")));
    }

    void theFlagNamesHeadsThatTakeNoWindow() {
        Bench bench;
        bench.plot.setWindow(0);
        QVERIFY(bench.plot.accessibleDescription().contains(QStringLiteral("full, CL 0")));
        bench.plot.setKinds(QStringLiteral("conv"));
        const auto flag = [&] {
            const auto* inner = bench.plot.findChild<QCustomPlot*>();
            QStringList texts;
            for (int index = 0; index < inner->itemCount(); ++index)
                if (const auto* text = qobject_cast<QCPItemText*>(inner->item(index)))
                    texts << text->text();
            return texts;
        };
        QVERIFY(flag().contains(QStringLiteral("conv")));
        QVERIFY(!flag().contains(QStringLiteral("full")));
        QVERIFY(!flag().join(QLatin1Char(' ')).contains(QStringLiteral("CL")));
        QVERIFY(!bench.plot.accessibleDescription().contains(QStringLiteral("full")));
        bench.plot.setKinds({});
        QVERIFY(flag().contains(QStringLiteral("full")));
    }

    void pictures_data() {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << "light";
        QTest::newRow("dark") << "dark";
    }

    /// Left under pictures/ in the build folder, to be looked at.
    void pictures() {
        QFETCH(QString, theme);
        Theme::apply(theme);
        const auto maps = testing::realMaps();
        std::vector<DiagonalProfile> profiles;
        std::vector<double> ccd, other;
        std::vector<WindowsRow> rows;
        for (const auto& map : maps) {
            profiles.emplace_back(map.view());
            ccd.push_back(cumulativeContributionDiagonality(profiles.back()));
            other.push_back(0.5 + 0.5 * ccd.back());
            rows.push_back(windowsRow(std::span(&profiles.back(), 1)));
            rows.back().profile = profiles.back();
            rows.back().inDesign = QStringLiteral("local %1").arg(rows.back().suggested);
        }
        QWidget panel;
        QVBoxLayout column(&panel);
        column.setContentsMargins(0, 0, 0, 0);
        QHBoxLayout plots;
        auto* curve = new DiagonalityPlot;
        auto* byLayer = new CcdPlot;
        auto* table = new WindowsTable;
        plots.addWidget(curve, 2);
        plots.addWidget(byLayer, 1);
        column.addLayout(&plots);
        column.addWidget(table, 1);
        curve->setOthers(profiles);
        curve->setCurrent(5, profiles[5]);
        curve->setWindow(17);
        byLayer->setModels({{QStringLiteral("st-small"), ccd}, {QStringLiteral("asr-small"), other}});
        byLayer->setCurrentLayer(5);
        table->setRows(std::move(rows), 1);
        table->setCurrentLayer(5);
        panel.resize(545, 440);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const QDir folder(QStringLiteral(HEADROOM_BINARY_DIR "/pictures"));
        folder.mkpath(QStringLiteral("."));
        QVERIFY(panel.grab().save(folder.filePath(QStringLiteral("curves-%1.png").arg(theme))));

        QImage exported(500, 260, QImage::Format_ARGB32_Premultiplied);
        exported.fill(Qt::transparent);
        QPainter painter(&exported);
        curve->renderTo(painter, QRect(0, 0, 500, 260));
        painter.end();
        QVERIFY(exported.pixelColor(250, 250).alpha() > 0);
        QVERIFY(exported.save(folder.filePath(QStringLiteral("curves-export-%1.png").arg(theme))));
    }
};

HEADROOM_TEST(CurvesTest)

} // namespace headroom::testing::curves_test

#include "curves_test.moc"
