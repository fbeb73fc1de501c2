// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/tab_views.h"
#include "app/workspaces/analyse/studies/latency_panel.h"
#include "app/workspaces/analyse/studies/probe_panel.h"
#include "core/analysis/diagonality.h"
#include "tests/support/runner.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/phone_matrix/phone_matrix_view.h"
#include "widgets/probe/confusion_map.h"
#include "widgets/study_plots/histogram_plot.h"
#include "widgets/study_plots/layer_map.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::testing::tab_views_test {

using namespace headroom::app;

class TabViewsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Its accuracy may be too high for new speakers: a study's remark on that was read nowhere.
    void aProbeSaysWhatItsReadersAreToKnow() {
        StudyEvidence evidence;
        ProbePanel panel(&evidence);
        QCOMPARE(panel.note()->text(), QString());
        auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/probe-1";
        study->document.kind = StudyKind::Probe;
        study->document.models.push_back({"small", "", "", "", 2, 2, false, 0, 0});
        study->document.models.push_back({"large", "", "", "", 2, 2, false, 0, 0});
        study->document.notes = {"Alignment: by hand.", "At most one speaker is known.", "large: 4 tokens were left out."};
        StudyTable table;
        table.name = "probe";
        table.caption = "Phone probe. Alignment: by hand.";
        study->document.tables.push_back(table);
        const std::vector<double> accuracy(3, 0.5);
        study->arrays["1.accuracy"] = Tensor::of<double>({3, 1}, accuracy);
        evidence.add(study);
        QCOMPARE(panel.note()->text(), QStringLiteral("Study “probe-1”, model small. Phone probe. Alignment: by hand. At most one speaker is known."));
        const auto boxes = panel.findChildren<QComboBox*>();
        const auto layers = std::ranges::find(boxes, QStringLiteral("Layer of the probe"), &QComboBox::accessibleName);
        QVERIFY(layers != boxes.end());
        QCOMPARE((*layers)->itemText(0), QStringLiteral("Layer 0")); // not "Front end": it is the input of layer 1
    }

    /// The tables of a study are read in the background after the view of the session.
    void whatAStudyShowsIsFoundAgainOnceItIsRead() {
        StudyEvidence evidence;
        LatencyPanel panel(&evidence);
        ProbePanel probe(&evidence);
        const auto study = [](StudyKind kind) {
            auto made = std::make_shared<OpenStudy>();
            made->folder = std::string("/studies/") + toText(kind);
            made->document.kind = kind;
            made->document.models.push_back({"small", "", "", "", 2, 2, false, 0, 0});
            for (const char* title : {"Table 3", "By length"}) {
                StudyTable table;
                table.name = kind == StudyKind::Probe ? "probe" : title;
                table.title = title;
                made->document.tables.push_back(table);
            }
            made->arrays["1.accuracy"] = Tensor::of<double>({3, 1}, std::vector<double>(3, 0.5));
            return made;
        };
        panel.keepChosen(QStringLiteral("By length"));
        probe.setShowsTable(true);
        QCOMPARE(panel.chosen(), QStringLiteral("By length")); // saved before it was read, it is not lost
        QVERIFY(!probe.table()->isVisibleTo(&probe));
        evidence.add(study(StudyKind::Latency));
        evidence.add(study(StudyKind::Probe));
        QCOMPARE(panel.findChildren<QComboBox*>().back()->currentText(), QStringLiteral("By length"));
        QCOMPARE(panel.table()->study()->table().title, std::string("By length"));
        QCOMPARE(panel.chosen(), QStringLiteral("By length"));
        QVERIFY(probe.table()->isVisibleTo(&probe));
        evidence.closeAll();
        QCOMPARE(panel.chosen(), QString());
        evidence.add(study(StudyKind::Latency)); // another one begins with its first
        QCOMPARE(panel.chosen(), QStringLiteral("Table 3"));
    }

    /// With nine models the key said "de…al", "wa…al", "wa…al", under a plot of a few lines.
    void latenciesOfManyModelsCanBeToldApart() {
        const std::vector<std::string> names{"demo", "whisper-80", "wav2vec2-base", "wavlm-base", "hubert-large", "parakeet-ctc",
                                             "espnet-e-branchformer", "wav2vec2-bert", "data2vec-audio"};
        auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/latency";
        study->document.kind = StudyKind::Latency;
        for (std::size_t model = 0; model < names.size(); ++model) {
            study->document.models.push_back({names[model], "", "", "", 2, 2, false, 0, 0});
            const std::string number = std::to_string(model + 1);
            study->arrays[number + ".lengths"] = Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{96, 192});
            study->arrays[number + ".milliseconds"] = Tensor::of<double>({2, 3, 1}, std::vector<double>{2, 4, 6, 5, 7, 12});
        }
        StudyEvidence evidence;
        LatencyPanel panel(&evidence);
        panel.resize(540, 560);
        panel.show();
        const int before = panel.times()->minimumSizeHint().height();
        evidence.add(study);
        QCoreApplication::processEvents();
        const auto& key = panel.times()->keyEntries();
        QCOMPARE(key.size(), 2 * names.size());
        const widgets::KeyRows rows = widgets::layKey(key, panel.times()->width() - 6 * widgets::Sizes::unit(), 3);
        QCOMPARE(rows.left, 0);
        for (std::size_t model = 0; model < names.size(); ++model)
            QCOMPARE(rows.entries[2 * model].text.toStdString(), names[model]);
        QVERIFY(panel.times()->height() >= before + 6 * widgets::Sizes::unit());
        QVERIFY(panel.times()->toolTip().contains(QStringLiteral("total above its attention")));
    }

    void aTabIsSavedAsItStands() {
        QWidget tab;
        auto* layout = new QVBoxLayout(&tab);
        auto* head = new QWidget;
        head->setFixedHeight(40);
        auto* plot = new widgets::DiagonalityPlot;
        auto* hidden = new widgets::DiagonalityPlot;
        auto* table = new widgets::StudyTableView;
        StudyTable numbers;
        numbers.columns = {{"layer", "Layer", "", 0, false}, {"d", "D", "", 3, false}};
        numbers.rows = {{1.0, 0.125}, {2.0, {}}};
        table->setTable(numbers);
        for (QWidget* widget : {head, static_cast<QWidget*>(plot), static_cast<QWidget*>(hidden),
                                static_cast<QWidget*>(table)})
            layout->addWidget(widget);
        hidden->hide();
        tab.resize(420, 500);
        tab.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tab));

        const auto parts = viewsOf(&tab);
        QCOMPARE(parts.size(), std::size_t(1));
        QCOMPARE(parts[0].place, QRect(QPoint(0, 0), plot->size()));
        QCOMPARE(csvOf(&tab), std::string("layer,d\n1,0.125\n2,\n"));
        Figure figure;
        figure.parts = parts;
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("tab.svg"));
        figure.write(file.toStdString());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().contains("<text"));
    }

    /// On the screen a tip has the whole names; on paper there is none.
    void aFigureHasAsManyRowsOfNamesAsItNeeds() {
        QWidget tab;
        auto* layout = new QVBoxLayout(&tab);
        auto* plot = new widgets::DiagonalityPlot;
        auto* map = new widgets::LayerMap;
        layout->addWidget(plot);
        layout->addWidget(map);
        map->setContent({Matrix<double>(3, 2, 0.5), QStringLiteral("CKA"), QStringLiteral("one"), QStringLiteral("other")});
        const DiagonalProfile profile(Matrix<double>(30, 30, 1.0 / 30).view());
        std::vector<widgets::DiagonalityPlot::Compared> others;
        for (int i = 1; i < 8; ++i)
            others.push_back({QStringLiteral("speech translation model with a long name, variant %1").arg(i), i, profile});
        plot->setCurrent(2, profile);
        plot->setCompared({QStringLiteral("this model"), 0, {}}, others);
        tab.resize(420, 600);
        tab.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tab));
        const int height = plot->height();
        Figure figure;
        figure.parts = viewsOf(&tab);
        QCOMPARE(figure.parts.size(), std::size_t(2));
        QVERIFY(figure.parts[0].place.height() > height);
        QVERIFY(figure.parts[1].place.top() > figure.parts[0].place.bottom());
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("tab.svg"));
        figure.write(file.toStdString());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(written.readAll());
        for (const auto& one : others)
            QVERIFY2(text.contains(one.name), qPrintable(one.name));
    }

    /// “Layer 3, 2 i per utte…” stood in the file, and “demo, laye…ed, seed 1”.
    void aFigureIsAsWideAsItsTitlesAndNames() {
        QWidget tab;
        auto* layout = new QHBoxLayout(&tab);
        auto* curves = new widgets::SpreadPlot(&tab);
        auto* histogram = new widgets::HistogramPlot;
        layout->addWidget(curves);
        layout->addWidget(histogram);
        const QString name = QStringLiteral("speech translation model with a long name, layers 4–8 changed, seed 1");
        curves->setSeries({QStringLiteral("D(w) ± std, layer 3"), QStringLiteral("w"), 0, 1, 3},
                          {{name, {1, 2}, {0.5, 0.75}, {}, 0, false}, {QStringLiteral("demo"), {1, 2}, {0.5, 0.75}, {}, 1, false}});
        histogram->setValues(QStringLiteral("Layer 3, 2 i per utterance"), QStringLiteral("2 i"), {2, 4, 4, 6}, 2);
        histogram->setMarks({{4, QStringLiteral("mean 4.00")}, {7, QStringLiteral("w 7")}});
        tab.resize(340, 240);
        tab.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tab));
        Figure figure;
        figure.parts = viewsOf(&tab);
        QCOMPARE(figure.parts.size(), std::size_t(2));
        const QRect one = figure.parts[0].place, other = figure.parts[1].place;
        QVERIFY2(!one.intersects(other), "the figures overlap");
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("tab.svg"));
        figure.write(file.toStdString());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(written.readAll());
        for (const QString& whole : {name, QStringLiteral("Layer 3, 2 i per utterance: mean 4.00, w 7"), QStringLiteral("D(w) ± std, layer 3 by w")})
            QVERIFY2(text.contains(whole), qPrintable(whole));
    }

    void theCurrentRowAloneIsNoSelection() {
        QWidget tab;
        auto* layout = new QVBoxLayout(&tab);
        auto* windows = new widgets::WindowsTable;
        windows->setRows(std::vector<widgets::WindowsRow>(8), 2);
        windows->setCurrentLayer(4);
        layout->addWidget(windows);
        tab.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tab));
        const std::string csv = csvOf(&tab);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t(9));
        QVERIFY2(windows->asText().contains(QStringLiteral("–")) && csv.find("–") == std::string::npos,
                 csv.c_str());
        // Of a study's table too: what it shows, or what is selected of it.
        windows->hide();
        auto* table = new widgets::StudyTableView;
        StudyTable numbers;
        numbers.columns = {{"layer", "Layer", "", 0, false}, {"kind", "Kind", "", 0, true}};
        numbers.rows = {{1.0, std::string("full")}, {2.0, std::string("local")}, {3.0, std::string("local")}};
        table->setTable(numbers);
        layout->addWidget(table);
        table->show();
        table->setCurrentRow(0);
        QCOMPARE(csvOf(&tab), std::string("layer,kind\n1,full\n2,local\n3,local\n"));
        table->setFilter(QStringLiteral("local"));
        QCOMPARE(csvOf(&tab), std::string("layer,kind\n2,local\n3,local\n"));
    }

    void aMapWithoutATableGivesItsNumbers() {
        QWidget tab;
        auto* layout = new QVBoxLayout(&tab);
        auto* map = new widgets::PhoneMatrixView;
        widgets::PhoneRelation relation;
        relation.par = Matrix<double>(std::size_t(kPhoneClassCount), std::size_t(kPhoneClassCount), 1.5);
        map->setMap(relation);
        layout->addWidget(map);
        tab.resize(500, 400);
        tab.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tab));
        const QString text = QString::fromStdString(csvOf(&tab));
        QCOMPARE(text.count(QLatin1Char('\n')), qsizetype(kPhoneClassCount + 1));
        QVERIFY(text.section(QLatin1Char('\n'), 1, 1).endsWith(QStringLiteral(",1.5,1.5")));
    }

    void aMapOfLayersIsAFigureToo() {
        QWidget tab;
        auto* layout = new QVBoxLayout(&tab);
        auto* map = new widgets::LayerMap;
        map->setContent({Matrix<double>(3, 2, 0.5), QStringLiteral("CKA"), QStringLiteral("one"), QStringLiteral("other")});
        layout->addWidget(map);
        tab.resize(500, 400);
        tab.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tab));
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(map->width() / 4, map->height() / 4)); // a figure has no choice
        Figure figure;
        figure.parts = viewsOf(&tab);
        QCOMPARE(figure.parts.size(), std::size_t(1));
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("tab.svg"));
        figure.write(file.toStdString());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray text = written.readAll();
        QVERIFY2(text.contains("Columns: layers of other"), text.left(3000).constData());
        QVERIFY(!text.contains("Layer 0 of one"));
    }

    void anEmptyTabHasNothing() {
        const QWidget tab;
        QVERIFY(viewsOf(&tab).empty() && csvOf(&tab).empty());
        QVERIFY(viewsOf(nullptr).empty() && csvOf(nullptr).empty());
        QVERIFY(isEmptyTab(&tab) && isEmptyTab(nullptr));
    }

    /// The tab Probe was saved as a line of heads without a number, and as a picture of the sentence in its middle.
    void aMapThatSaysWhyItIsEmptyIsNotSaved() {
        QWidget tab;
        auto* layout = new QVBoxLayout(&tab);
        auto* map = new widgets::PhoneMatrixView;
        auto* confusion = new widgets::ConfusionMap;
        layout->addWidget(map);
        layout->addWidget(confusion);
        tab.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tab));
        QVERIFY(viewsOf(&tab).empty() && csvOf(&tab).empty() && isEmptyTab(&tab));
        QVERIFY(map->asText().isEmpty() && confusion->asText().isEmpty());
        confusion->setCounts(Matrix<double>(widgets::ConfusionMap::kClasses, widgets::ConfusionMap::kClasses, 2.0));
        QCOMPARE(viewsOf(&tab).size(), std::size_t(1));
        QVERIFY(!csvOf(&tab).empty() && !isEmptyTab(&tab));
    }
};

HEADROOM_TEST(TabViewsTest)

} // namespace headroom::testing::tab_views_test

#include "tab_views_test.moc"
