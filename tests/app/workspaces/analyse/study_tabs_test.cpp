// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/tab_views.h"
#include "app/workspaces/analyse/studies/latency_panel.h"
#include "app/workspaces/analyse/studies/probe_panel.h"
#include "tests/app/parts/choose_by_mouse.h"
#include "tests/support/runner.h"
#include "widgets/curves/plot_frame.h"
#include "widgets/look/theme.h"
#include "widgets/phone_matrix/phone_groups.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QFontMetrics>
#include <QPen>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTest>

#include <algorithm>

namespace headroom::testing::study_tabs_test {

using namespace headroom::app;

namespace {

std::shared_ptr<OpenStudy> studyOf(StudyKind kind, const std::vector<std::string>& models) {
    auto study = std::make_shared<OpenStudy>();
    study->folder = std::string("/studies/my-") + toText(kind);
    study->document.kind = kind;
    for (const std::string& model : models)
        study->document.models.push_back({model, "", "", "", 12, 2, false, 0, 0});
    StudyTable table;
    table.name = toText(kind);
    table.caption = "How it was found, on which machine.";
    study->document.tables.push_back(table);
    return study;
}

std::shared_ptr<OpenStudy> latencyStudy() {
    auto study = studyOf(StudyKind::Latency, {"small"});
    study->arrays["1.lengths"] = Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{96});
    std::vector<double> times;
    for (int part = 0; part < 3; ++part)
        for (const double one : {10.0, 11.0, 12.0, 13.0, 90.0}) // one slow pass: the deviation is greater than the median
            times.push_back(one);
    study->arrays["1.milliseconds"] = Tensor::of<double>({1, 3, 5}, times);
    return study;
}

std::shared_ptr<OpenStudy> probeStudy() {
    auto study = studyOf(StudyKind::Probe, {"small", "large"});
    for (const char* name : {"1.accuracy", "2.accuracy"}) {
        std::vector<double> accuracy(26, 0.5);
        accuracy[20] = 0.75;
        study->arrays[name] = Tensor::of<double>({13, 2}, accuracy);
    }
    std::vector<double> confusion(13 * 37 * 37, 0.0);
    confusion[10 * 37 * 37] = 5; // summed over both seeds
    study->arrays["1.confusion"] = Tensor::of<double>({13, 37, 37}, confusion);
    return study;
}

} // namespace

class StudyTabsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The plot has ± σ of the seeds, and the matrix none; the caption explained 95 % intervals to both.
    void theProbeExplainsIntervalsWhereTheyAre() {
        StudyEvidence evidence;
        ProbePanel panel(&evidence);
        auto study = probeStudy();
        study->document.tables.front().caption = "Accuracy over all test tokens. small: tested on 900 of 3 speakers. 95 % intervals: bootstrap of the "
                                                 "accuracy, 2,000 draws of test speakers (v1.2).";
        evidence.add(study);
        QVERIFY2(panel.note()->text().endsWith(QStringLiteral("of 3 speakers.")), qPrintable(panel.note()->text()));
        QVERIFY(!panel.figureCaption().contains(QStringLiteral("95")));
        panel.setShowsTable(true); // which has them in two columns
        QVERIFY(panel.note()->text().endsWith(QStringLiteral("test speakers (v1.2).")));
        QVERIFY(panel.figureCaption().contains(QStringLiteral("95\u202f% intervals")));
        panel.setShowsTable(false);
        QVERIFY(!panel.note()->text().contains(QStringLiteral("95")));
    }

    /// The plot had shares, and the table below it per cent.
    void theProbeIsInPerCentEverywhere() {
        StudyEvidence evidence;
        ProbePanel panel(&evidence);
        evidence.add(probeStudy());
        auto* plot = panel.findChild<widgets::SpreadPlot*>();
        plot->setCurrent(10);
        QCOMPARE(plot->accessibleDescription(), QStringLiteral("layer 10: small 62.5 ± 12.5, large 62.5 ± 12.5."));
        QVERIFY2(plot->toolTip().contains(QStringLiteral("Accuracy in %")), qPrintable(plot->toolTip()));
    }

    /// It was opened at its best layer while the map, and every other tab, showed another one.
    void aProbeIsOpenedAtTheCurrentLayer() {
        StudyEvidence evidence;
        ProbePanel panel(&evidence);
        panel.setLayer(5);
        evidence.add(probeStudy());
        QCOMPARE(panel.layer(), 5);
        QCOMPARE(panel.accuracy()->current(), std::optional(5.0));
        evidence.showLive(StudyKind::Probe);
        panel.setLayer(3); // while no study is shown
        evidence.show(evidence.open().front());
        QCOMPARE(panel.layer(), 3);
        evidence.showLive(StudyKind::Probe);
        panel.setLayer(24); // of a model that is not in the study
        evidence.show(evidence.open().front());
        QCOMPARE(panel.layer(), 10);
        panel.setLayer(0); // of a session
        QCOMPARE(panel.layer(), 0);
    }

    /// "0 places, strongest first", and that the study has not saved them.
    void aConfusionWithoutPlacesSaysWhy() {
        StudyEvidence evidence;
        ProbePanel panel(&evidence);
        evidence.add(probeStudy());
        std::vector<QString> why;
        connect(&evidence, &StudyEvidence::placesRequested, &panel, [&](const PlacesQuery& query) { why.push_back(query.whyNone); });
        Q_EMIT panel.confusion()->cellActivated({0, 1});
        Q_EMIT panel.confusion()->cellActivated({1, 0});
        const QString first = widgets::phoneName(0), second = widgets::phoneName(1);
        QCOMPARE(why, (std::vector{QStringLiteral("No %1 was predicted as %2.").arg(first, second),
                                   QStringLiteral("%1 does not occur in the test data.").arg(second)}));
    }

    /// The band of median ± standard deviation began at −20 ms.
    void timesAreShownWithTheirQuartiles() {
        StudyEvidence evidence;
        LatencyPanel panel(&evidence);
        evidence.add(latencyStudy());
        panel.times()->setCurrent(96);
        QCOMPARE(panel.times()->accessibleDescription(),
                 QStringLiteral("96 tokens: total 12.00 (11.00 to 13.00), attention 12.00 (11.00 to 13.00)."));
        QVERIFY2(panel.times()->toolTip().contains(QStringLiteral("quartiles")), qPrintable(panel.times()->toolTip()));
    }

    /// With every model that was opened they had another colour, in the end that of a model that is not in the study.
    void theTimesOfAModelKeepTheirColour() {
        StudyEvidence evidence;
        evidence.setModelColours({{"/models/other", "", "other", 0}, {"/models/small", std::string(64, 'a'), "small", 1}});
        LatencyPanel panel(&evidence);
        auto study = latencyStudy();
        study->document.models.resize(2, study->document.models.front());
        study->document.models.back().name = "small, layer 1 changed";
        for (const char* array : {"lengths", "milliseconds"})
            study->arrays[std::string("2.") + array] = study->arrays[std::string("1.") + array];
        evidence.add(study);
        const auto pens = [&] {
            std::vector<QPen> all;
            for (const widgets::KeyEntry& entry : panel.times()->keyEntries())
                all.push_back(entry.pen);
            return all;
        };
        const std::vector<QPen> before = pens();
        QCOMPARE(before.size(), std::size_t(4));
        const auto& runs = widgets::Theme::current().runs;
        QVERIFY(before[0].color() == runs[1] && before[1].color() == runs[1] && before[0].dashPattern() != before[1].dashPattern());
        QVERIFY(before[2].color() == before[3].color() && before[2].color() != runs[0] && before[2].color() != runs[1]);
        std::vector<ModelColour> open{{"/models/other", "", "other", 0}, {"/models/small", std::string(64, 'a'), "small", 1}};
        for (int more = 2; more < 6; ++more) {
            open.push_back({"/models/" + std::to_string(more), "", std::to_string(more), more});
            evidence.setModelColours(open);
            QCOMPARE(pens(), before);
        }
        open[1].colour = 7; // of another session
        evidence.setModelColours(open);
        QVERIFY(pens()[0] != before[0] && pens()[2] == before[2]);
    }

    void theFigureOfAStudySaysWhichAndHow() {
        StudyEvidence evidence;
        LatencyPanel latency(&evidence);
        ProbePanel probe(&evidence);
        QVERIFY(captionOf(&latency).isEmpty() && captionOf(&probe).isEmpty());
        evidence.add(latencyStudy());
        evidence.add(probeStudy());
        QCOMPARE(captionOf(&latency), QStringLiteral("Study “my-latency”. How it was found, on which machine."));
        const QString ofProbe = QStringLiteral("Study “my-probe”, model small. How it was found, on which machine.");
        QCOMPARE(captionOf(&probe), QStringLiteral("Confusion matrix: layer 10 of small, share of the test tokens of each true phone, mean over 2 seeds. ") + ofProbe);
        const QString text = probe.confusion()->asText();
        QCOMPARE(text.section(u'\t', 0, 0), QStringLiteral("true \\ predicted (test tokens, mean over 2 seeds)"));
        QCOMPARE(text.section(u'\n', 1, 1).section(u'\t', 0, 1), QStringLiteral("AA\t2.5"));
        probe.setShowsTable(true); // no matrix in the figure
        QCOMPARE(captionOf(&probe), ofProbe);
    }

    /// Letters searched the list that was left, instead of being shortcuts.
    void aChooserPassesTheKeyboardOn() {
        StudyEvidence evidence;
        LatencyPanel latency(&evidence);
        ProbePanel probe(&evidence);
        evidence.add(latencyStudy());
        evidence.add(probeStudy());
        for (QWidget* panel : {static_cast<QWidget*>(&latency), static_cast<QWidget*>(&probe)}) {
            panel->resize(900, 600);
            panel->show();
            QVERIFY(QTest::qWaitForWindowActive(panel));
            int choosers = 0;
            for (QComboBox* chooser : panel->findChildren<QComboBox*>())
                if (chooser->isVisible()) {
                    ++choosers;
                    QWidget* focused = chooseByMouse(chooser, 0);
                    QVERIFY2(qobject_cast<widgets::PlotFrame*>(focused), qPrintable(chooser->accessibleName()));
                }
            QVERIFY2(choosers >= 2, qPrintable(panel->objectName()));
        }
    }

    /// In a low tab the table was a single row.
    void aLowTabScrollsBeforeItsTableHasOneRow() {
        StudyEvidence evidence;
        LatencyPanel panel(&evidence);
        panel.resize(460, 300); // below the form of a study
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto study = latencyStudy();
        study->document.tables.front().columns = {{"tokens", "tokens", "", 0, false}};
        study->document.tables.front().rows.assign(12, {96.0});
        evidence.add(study);
        const auto* table = panel.findChild<widgets::StudyTableView*>();
        const auto rows = [&] { return table->viewport()->height() / table->rowHeight(0); };
        QTRY_VERIFY2(rows() >= 5, qPrintable(QString::number(rows())));
    }

    /// “Layer …”, with room beside it: a session's tab is shown before its study is read.
    void theFieldOfTheLayerIsAsWideAsItsWords() {
        StudyEvidence evidence;
        ProbePanel panel(&evidence);
        panel.resize(900, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        evidence.add(probeStudy());
        QCoreApplication::processEvents();
        const auto boxes = panel.findChildren<QComboBox*>();
        const auto found = std::ranges::find(boxes, QStringLiteral("Layer of the probe"), &QComboBox::accessibleName);
        QVERIFY(found != boxes.end());
        const QComboBox* box = *found;
        QCOMPARE(box->currentText(), QStringLiteral("Layer 10"));
        QStyleOptionComboBox option;
        option.initFrom(box);
        option.subControls = QStyle::SC_All;
        const QRect words = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        QVERIFY2(words.width() >= box->fontMetrics().horizontalAdvance(box->currentText()), qPrintable(QString::number(words.width())));
    }
};

HEADROOM_TEST(StudyTabsTest)

} // namespace headroom::testing::study_tabs_test

#include "study_tabs_test.moc"
