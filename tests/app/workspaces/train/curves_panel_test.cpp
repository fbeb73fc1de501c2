// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/messages.h"
#include "app/parts/panel_header.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/curves_panel.h"
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::curves_panel_test {

using namespace headroom::app;

namespace {

/// Where a widget was when it was shown or painted.
class PaintedPlaces : public QObject {
public:
    QList<QRect> places;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const QRect place = qobject_cast<QWidget*>(watched)->geometry();
        if ((event->type() == QEvent::Show || event->type() == QEvent::Paint) && !place.isEmpty())
            places << place;
        return false;
    }
};

} // namespace

class CurvesPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// In little room the speed of runs of speech and of text was "frames or to…".
    void theSpeedOfBothKindsHasABriefTitle() {
        CurvesPanel panel;
        std::vector<CurvesPanel::Compared> runs(2);
        runs[0].task = QStringLiteral("asr");
        runs[1].task = QStringLiteral("translate");
        panel.setRuns(runs);
        const auto plots = panel.findChildren<widgets::MetricPlot*>();
        const auto speed = std::ranges::find_if(plots, [](const auto* one) { return one->metric().key == QStringLiteral("framesPerSecond"); });
        QVERIFY(speed != plots.end());
        QCOMPARE((*speed)->metric().title, QStringLiteral("Speed, frames or tokens/s"));
        QCOMPARE((*speed)->metric().brief, QStringLiteral("Speed"));
    }

    /// Five names shared what the header has left: "d…o".
    void theKeyHasARowForEveryNameThatNeedsOne() {
        CurvesPanel panel;
        std::vector<CurvesPanel::Compared> runs(5);
        for (int i = 0; i < 5; ++i) {
            runs[std::size_t(i)].curves.name = QStringLiteral("demo, layers 4-8 changed, variant %1").arg(i);
            runs[std::size_t(i)].curves.style = i;
            runs[std::size_t(i)].detail = QStringLiteral("3 seeds");
        }
        panel.setRuns(runs);
        panel.resize(900, 420);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto shown = [&] {
            QStringList names;
            for (const widgets::CurveKey* key : panel.findChildren<widgets::CurveKey*>())
                for (std::size_t i = 0; key->isVisible() && i < key->entries().size(); ++i) {
                    const auto rows = widgets::layKey(key->entries(), key->width(), key->mostRows());
                    if (rows.height > key->height() || i >= rows.entries.size())
                        return QStringList(QStringLiteral("cut"));
                    names << rows.entries[i].text;
                }
            return names;
        };
        for (const int width : {900, 560, 2600, 900}) {
            panel.resize(width, 420);
            QTRY_VERIFY_WITH_TIMEOUT(shown().size() == 5, 60000);
            for (int i = 0; i < 5; ++i)
                QCOMPARE(shown()[i], runs[std::size_t(i)].curves.name);
        }
        runs.resize(1); // room in the header
        panel.setRuns(runs);
        QTRY_COMPARE_WITH_TIMEOUT(shown(), QStringList(runs[0].curves.name), 60000);
    }

    /// A scrap of the key stayed in the header when it first got rows of its own.
    void theKeyBelowIsNeverPaintedOverTheHeader() {
        QSplitter window(Qt::Vertical);
        auto* panel = new CurvesPanel(&window);
        window.addWidget(panel);
        window.resize(1270, 420);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        widgets::CurveKey* below = nullptr;
        for (auto* key : panel->findChildren<widgets::CurveKey*>())
            below = key->mostRows() > 1 ? key : below;
        QVERIFY(below && below->isHidden());
        PaintedPlaces painted;
        below->installEventFilter(&painted);
        std::vector<CurvesPanel::Compared> runs;
        for (int i = 0; i < 5; ++i) {
            runs.push_back({{QStringLiteral("demo, layers 4-8 changed, variant %1").arg(i), i, {sampleCurves(40, 0.2)}, {}},
                            QStringLiteral("asr"), QStringLiteral("3 seeds"), {}});
            panel->setRuns(runs);
            QTest::qWait(20); // painted each time
        }
        QVERIFY(below->isVisible() && !painted.places.isEmpty());
        const auto* header = panel->findChild<PanelHeader*>();
        for (const QRect& place : painted.places)
            QVERIFY2(!place.intersects(header->geometry()), qPrintable(QStringLiteral("%1, %2").arg(place.x()).arg(place.y())));
    }

    /// A paper needs them, and only a screenshot had them.
    void theyAreExportedAsAFigureAndATable() {
        QTemporaryDir folder;
        CurvesPanel panel;
        QAction action(QStringLiteral("Export curves…"));
        panel.setExportAction(&action);
        QVERIFY(!action.isEnabled());
        QVERIFY(panel.exported().isEmpty());
        std::vector<CurvesPanel::Compared> runs(2);
        for (int i = 0; i < 2; ++i) {
            runs[std::size_t(i)].curves = {i == 0 ? QStringLiteral("demo, variant 1") : QStringLiteral("full"), i, {sampleCurves(40, i), sampleCurves(40, 0.2)}, {}};
            runs[std::size_t(i)].task = QStringLiteral("asr");
            runs[std::size_t(i)].detail = QStringLiteral("2 seeds");
        }
        panel.resize(1200, 260);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.setRuns(runs);
        QVERIFY(action.isEnabled());
        AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
        Messages messages;
        const ExportedView view = panel.exported();
        QVERIFY2(view.figure.caption.startsWith(QStringLiteral("Horizontal axes: updates. Mean over the seeds")), qPrintable(view.figure.caption));
        for (const QString& suffix : view.suffixes()) {
            const QString file = folder.filePath(QStringLiteral("curves.") + suffix);
            QCOMPARE(view.save(file, &settings, &messages), QString());
            QVERIFY(QFileInfo(file).size() > 1000);
        }
        QFile svg(folder.filePath(QStringLiteral("curves.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray drawn = svg.readAll();
        for (const char* text : {"demo, variant 1", "full", "Dev WER, %", "Mean over the seeds"})
            QVERIFY2(drawn.contains(text), text);
        const QStringList rows = QString::fromStdString(view.table).split(QLatin1Char('\n'));
        QCOMPARE(rows.front(), QStringLiteral("experiment,update,metric,value,deviation,seeds"));
        const QStringList wer = rows.filter(QStringLiteral("\"Dev WER, %\""));
        QCOMPARE(wer.size(), 8); // four validations of each experiment
        QCOMPARE(wer.front().section(QStringLiteral("\","), 0, 0), QStringLiteral("\"demo, variant 1"));
        QCOMPARE(view.save(folder.filePath(QStringLiteral("curves.txt")), &settings, &messages),
                 QStringLiteral("curves.txt was not written: choose a name that ends in .pdf, .svg, .png or .csv."));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_CURVES"); !picture.isEmpty())
            QVERIFY(QFile::copy(folder.filePath(QStringLiteral("curves.png")), picture));
    }

    /// The table had smoothed values under the plain name.
    void theTableHasTheLoggedValues() {
        CurvesPanel panel;
        std::vector<CurvesPanel::Compared> runs(1);
        runs[0].curves = {QStringLiteral("demo"), 0, {sampleCurves(40), sampleCurves(40, 0.5)}, {}};
        panel.resize(1200, 260);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.setRuns(runs);
        ExportedView view = panel.exported();
        // What is drawn is smoothed, and the figure says so.
        QVERIFY2(view.figure.caption.contains(QStringLiteral("Training loss and speed: moving average with the weight 0.60.")), qPrintable(view.figure.caption));
        const QStringList losses = QString::fromStdString(view.table).split(QLatin1Char('\n')).filter(QStringLiteral("Training loss"));
        QCOMPARE(losses.size(), 40);
        for (const int update : {1, 2, 40}) { // the mean of 1 / update and 0.5 + 1 / update
            const double value = losses[update - 1].section(u',', -3, -3).toDouble();
            QVERIFY2(std::abs(value - (0.25 + 1.0 / update)) < 1e-9, qPrintable(losses[update - 1]));
        }
    }

    /// The scores of two tasks stand on one axis.
    void theKeyNamesTheTaskWhereThereAreSeveral() {
        CurvesPanel panel;
        std::vector<CurvesPanel::Compared> runs(2);
        for (auto& run : runs) {
            run.task = QStringLiteral("asr");
            run.detail = QStringLiteral("1 seed");
        }
        panel.resize(1600, 420);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto details = [&] {
            QStringList all;
            for (const widgets::CurveKey* key : panel.findChildren<widgets::CurveKey*>())
                for (const widgets::KeyEntry& entry : key->entries())
                    all << entry.detail;
            return all;
        };
        panel.setRuns(runs);
        QCOMPARE(details(), (QStringList{QStringLiteral("1 seed"), QStringLiteral("1 seed")}));
        runs[1].task = QStringLiteral("st_de");
        panel.setRuns(runs);
        QCOMPARE(details(), (QStringList{QStringLiteral("asr, 1 seed"), QStringLiteral("st_de, 1 seed")}));
    }
};

HEADROOM_TEST(CurvesPanelTest)

} // namespace headroom::testing::curves_panel_test

#include "curves_panel_test.moc"
