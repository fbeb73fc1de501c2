// SPDX-License-Identifier: GPL-3.0-or-later
// Studies in the tabs CAD and PAR, in place of the current utterance.
#include "app/studies/study_layers.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/common/study_model_field.h"
#include "app/workspaces/analyse/export/tab_views.h"
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/heads/statistics_panel.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "tests/app/parts/choose_by_mouse.h"
#include "tests/app/studies/made_study.h"
#include "tests/app/workspaces/analyse/heads_desk.h"
#include "tests/support/runner.h"
#include "widgets/heads/cad_plot.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <nlohmann/json.hpp>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::head_studies_test {

using namespace headroom::app;
using widgets::PhonePair;

namespace {

/// Of the phones of a model of two layers and two heads: 1.5 everywhere, in all utterances.
std::shared_ptr<OpenStudy> phonesStudy(std::size_t utterances) {
    auto study = std::make_shared<OpenStudy>();
    study->folder = "/studies/phones-1";
    study->document.kind = StudyKind::Phones;
    study->document.models.push_back({"small", "", "", "", 2, 2, false, 0, 0});
    study->document.utterances.resize(utterances);
    const std::vector<float> par(2 * 2 * 36 * 36, 1.5F);
    study->arrays["1.par"] = Tensor::of<float>({2, 2, 36, 36}, std::span<const float>(par));
    const std::vector<std::int32_t> counts(36 * 36, static_cast<std::int32_t>(utterances));
    study->arrays["1.par_count"] = Tensor::of<std::int32_t>({36, 36}, std::span<const std::int32_t>(counts));
    return study;
}

/// 0.5 everywhere, of five utterances.
std::shared_ptr<OpenStudy> headsStudy(std::int64_t layers, std::int64_t heads) {
    auto study = std::make_shared<OpenStudy>();
    study->folder = "/studies/heads-1";
    study->document.kind = StudyKind::Heads;
    study->document.models.push_back({"small", "", "", "", static_cast<int>(layers), static_cast<int>(heads), false, 0, 0});
    study->document.models.back().weightsHash = "abc"; // as the worker says it
    study->document.utterances.resize(5);
    const std::vector<float> cad(static_cast<std::size_t>(layers * heads * 5), 0.5F);
    study->arrays["1.cad"] = Tensor::of<float>({layers, heads, 5}, std::span<const float>(cad));
    study->document.tables = {makeCadTable(static_cast<int>(layers), static_cast<int>(heads), 0.5, 5)};
    return study;
}

} // namespace

class HeadStudiesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aStudyTakesThePlaceOfTheUtteranceAndItsCellsAskForPlaces() {
        HeadsDesk desk;
        desk.front(desk.part<PhonesPanel>());
        QSignalSpy places(&desk.evidence, &StudyEvidence::placesRequested);
        desk.evidence.add(phonesStudy(5));
        QVERIFY(desk.settle());
        PhonesPanel* panel = desk.part<PhonesPanel>();
        QCOMPARE(panel->map()->map().par(3, 4), 1.5);
        QCOMPARE(panel->map()->map().counts(3, 4), 5);
        desk.session.closeModel(desk.session.currentModelId()); // the study stays open, and says whose numbers these are
        QVERIFY(desk.settle());
        QVERIFY2(panel->note()->sentence().startsWith(QStringLiteral("Study “phones-1”, model small. ")), qPrintable(panel->note()->sentence()));
        panel->map()->setSelected(PhonePair{3, 4});
        QTest::keyClick(panel->map(), Qt::Key_Return);
        QCOMPARE(places.count(), 1);
        const auto query = places.first().first().value<PlacesQuery>();
        QCOMPARE(query.set, std::string("cell"));
        QVERIFY((query.index == std::vector<std::int64_t>{0, 0, 3, 4}));
        desk.evidence.showLive(StudyKind::Phones);
        QVERIFY(desk.settle());
        QVERIFY(panel->map()->map().par.empty());
    }

    /// The list went on showing the places of the number that was clicked before.
    void aCellWithoutPlacesIsListedAsOne() {
        HeadsDesk desk;
        desk.front(desk.part<PhonesPanel>());
        auto study = phonesStudy(5);
        std::vector<float> par(2 * 2 * 36 * 36, 1.5F);
        for (std::size_t head = 0; head < 4; ++head)
            par[head * 36 * 36 + 3 * 36 + 4] = std::nanf("");
        study->arrays["1.par"] = Tensor::of<float>({2, 2, 36, 36}, std::span<const float>(par));
        QSignalSpy places(&desk.evidence, &StudyEvidence::placesRequested);
        desk.evidence.add(study);
        QVERIFY(desk.settle());
        Q_EMIT desk.part<PhonesPanel>()->map()->pairActivated(PhonePair{3, 4});
        QCOMPARE(places.count(), 1);
        const auto query = places.first().first().value<PlacesQuery>();
        QVERIFY2(query.whyNone.contains(QStringLiteral("no utterance has this pair")), qPrintable(query.whyNone));
        QCOMPARE(query.index, (std::vector<std::int64_t>{0, 0, 3, 4}));
        QCOMPARE(query.head, 0);
    }

    void coverageHasItsIntervalAndTheNameOfItsReference() {
        HeadsDesk desk;
        desk.front(desk.part<PhonesPanel>());
        auto study = phonesStudy(5);
        study->document.models.push_back({"large", "", "", "", 2, 2, false, 0, 0});
        study->document.settings["reference"] = "model 2";
        const auto numbers = [](std::vector<std::int64_t> shape, const std::vector<double>& values) {
            return Tensor::of<double>(std::move(shape), std::span<const double>(values));
        };
        study->arrays["1.coverage"] = numbers({2}, {0.5, 0.75});
        study->arrays["1.coverage_interval"] = numbers({2, 2}, {0.25, 0.625, 0.6875, 0.875});
        desk.evidence.add(study);
        QVERIFY(desk.settle());
        PhonesPanel* panel = desk.part<PhonesPanel>();
        const auto& shown = panel->map()->map();
        QVERIFY(shown.coverage == 0.5 && shown.coverageLow == 0.25 && shown.coverageHigh == 0.625);
        QCOMPARE(shown.reference, QStringLiteral("large"));
    }

    /// The interval, σ and n were in the study's folder alone.
    void numbersOfAStudyHaveTheirSpread() {
        HeadsDesk desk;
        desk.front(desk.part<StatisticsPanel>());
        auto study = headsStudy(1, 2);
        StudyTable statistics{"head-statistics", "Attention statistics", "", {{"layer", "Layer", "", 0, false}, {"head", "Head", "", 0, false}}, {}};
        for (const char* key : {"entropy_mean", "entropy_std", "entropy_low", "entropy_high", "entropy_n", "distance_mean", "distance_std"})
            statistics.columns.push_back({key, key, "", 2, false});
        statistics.rows = {{1.0, 2.0, 0.5, 0.25, 0.375, 0.625, 5.0, 7.0, 6.0}}; // of the first head nothing is known
        StudyTable heads{"heads", "Heads", "", {{"layer", "Layer", "", 0, false}, {"head", "Head", "", 0, false}, {"cad_mean", "CAD", "", 3, false}}, {}};
        for (const char* key : {"cad_std", "cad_n", "relevance", "relevance_mean", "relevance_std", "relevance_low", "relevance_high", "relevance_n"})
            heads.columns.push_back({key, key, "", key == std::string("relevance_n") ? 0 : 2, false});
        heads.rows = {{1.0, 1.0, 0.5, 0.125, 5.0, 0.75, 0.5, 0.25, 0.375, 0.625, 5.0},
                      {1.0, 2.0, 0.5, 0.125, 5.0, 0.25, 0.5, 0.25, 0.375, 0.625, 4.0}};
        study->document.tables = {statistics, heads};
        study->document.notes = {"CAD: of the whole maps.", "Share on silence: unknown.", "Alignment: by hand."};
        study->arrays["1.relevance"] = Tensor::of<double>({1, 2}, std::vector<double>{0.75, 0.25});
        desk.evidence.add(study);
        QVERIFY(desk.settle());
        const StudyTable& shown = desk.part<StatisticsPanel>()->table()->study()->table();
        QCOMPARE(shown.columns.size(), std::size_t(10)); // with the kind
        QVERIFY(std::holds_alternative<std::monostate>(shown.rows.at(0).at(3)));
        QVERIFY(shown.columns.at(4).key == "distance_mean" && shown.rows.at(1).at(4) == StudyCell(7.0)); // the means are in sight
        QVERIFY(shown.columns.at(9).title == "distance_mean: distance_std" && shown.rows.at(1).at(8) == StudyCell(5.0));
        const QString note = desk.part<StatisticsPanel>()->note()->sentence();
        QVERIFY2(note.contains(QStringLiteral("over utterances")), qPrintable(note));
        QVERIFY2(note.contains(QStringLiteral("silence: unknown. Alignment: by hand.")) && !note.contains(QStringLiteral("CAD")), qPrintable(note));
        desk.front(desk.part<HeadsPanel>());
        QVERIFY(desk.settle());
        QCOMPARE(csvOf(desk.part<HeadsPanel>()), std::string("layer,head,relevance,relevance_mean,relevance_std,relevance_low,relevance_high,relevance_n\n"
                                                             "1,1,0.75,0.5,0.25,0.375,0.625,5\n1,2,0.25,0.5,0.25,0.375,0.625,4\n"));
        const auto* model = desk.part<HeadsPanel>()->table()->study();
        QCOMPARE(model->data(model->index(0, 2), Qt::ToolTipRole).toString(),
                 QStringLiteral("0.25\nOf single utterances: mean 0.50, σ 0.25, 95\u202f% interval 0.38 to 0.62, n = 4"));
        desk.front(desk.part<CadPanel>());
        QVERIFY(desk.settle());
        const StudyTable& cad = desk.part<CadPanel>()->table()->study()->table();
        QCOMPARE(cad.rows.at(0).at(std::size_t(columnOf(cad, "std"))), StudyCell(0.125));
        QCOMPARE(cad.rows.at(0).at(std::size_t(columnOf(cad, "n"))), StudyCell(5.0));
    }

    void aStudyOfOneUtteranceIsNoMean() {
        HeadsDesk desk;
        desk.front(desk.part<PhonesPanel>());
        desk.evidence.add(phonesStudy(1));
        QVERIFY(desk.settle());
        const QString said = desk.part<PhonesPanel>()->note()->sentence();
        QVERIFY2(said.contains(QStringLiteral("model small. Of 1 utterance.")) && !said.contains(QStringLiteral("1 utterances")), qPrintable(said));
        QVERIFY(desk.part<PhonesPanel>()->findChild<StudyModelField*>()->isHidden()); // there is one model
    }

    /// Only the point in the plot did, while the empty list told the reader to click a number in a table.
    void aNumberInATableOfHeadsAsksForItsPlaces() {
        HeadsDesk desk;
        desk.front(desk.part<CadPanel>());
        desk.evidence.add(headsStudy(6, 4));
        QSignalSpy places(&desk.evidence, &StudyEvidence::placesRequested), followed(&desk.evidence, &StudyEvidence::placesFollowed);
        for (HeadTab* tab : {static_cast<HeadTab*>(desk.part<CadPanel>()), static_cast<HeadTab*>(desk.part<HeadsPanel>()),
                             static_cast<HeadTab*>(desk.part<StatisticsPanel>())}) {
            desk.front(tab);
            QVERIFY(desk.settle());
            QAbstractItemView* table = tab->table();
            const auto& columns = tab->table()->study()->table().columns;
            QCOMPARE_GT(columns.size(), std::size_t(3));
            const bool byLayer = tab == desk.part<HeadsPanel>(); // its columns are the heads
            const QModelIndex cell = table->model()->index(byLayer ? 1 : 5, byLayer ? 2 : 3);
            table->scrollTo(cell);
            places.clear();
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
            QVERIFY2(places.count() == 1, qPrintable(tab->objectName()));
            const auto query = places.first().first().value<PlacesQuery>();
            QCOMPARE(query.set, std::string("head"));
            QVERIFY((query.index == std::vector<std::int64_t>{1, 1}));
            QCOMPARE(query.title, QStringLiteral("Layer 2, head 2, by 1 − CAD")); // whichever number was clicked
            if (byLayer)
                continue;
            followed.clear();
            QTest::keyClick(table, Qt::Key_Down); // a list of these places goes along
            QCOMPARE(followed.count(), 1);
            QVERIFY((followed.first().first().value<PlacesQuery>().index == std::vector<std::int64_t>{1, 2}));
            QCOMPARE(places.count(), 1);
        }
    }

    /// With the last session, a study is read before its model is open.
    void aStudyNamesTheKindsOfHeadsOnceItsModelIsOpen() {
        HeadsDesk desk;
        desk.front(desk.part<CadPanel>());
        desk.evidence.add(headsStudy(6, 4));
        QVERIFY(desk.settle());
        QVERIFY(desk.part<CadPanel>()->findChild<StudyModelField*>()->isHidden());
        const StudyTable& table = desk.part<CadPanel>()->table()->study()->table();
        QCOMPARE(table.rows.size(), std::size_t(24));
        QCOMPARE(table.columns.at(2).key, std::string("cad"));
        QVERIFY(qobject_cast<widgets::CadPlot*>(chooseByMouse(desk.part<CadPanel>()->orderField(), 1))); // has the keyboard
        desk.part<CadPanel>()->orderField()->setCurrentIndex(0);
        desk.open();
        QVERIFY(desk.settle());
        QCOMPARE(table.rows.size(), std::size_t(24));
        QCOMPARE(table.columns.at(2).key, std::string("kind"));
        QVERIFY(!std::get<std::string>(table.rows.at(0).at(2)).empty());
    }

    /// The head of PAR, the split of CAD and what else is chosen there were those of a new window.
    void whatIsChosenIsFoundAgainOnceTheStudyIsRead() {
        const auto heads = headsStudy(8, 6);
        heads->document.settings = {{"split", 0.7}};
        auto phones = std::make_shared<OpenStudy>(*phonesStudy(5));
        phones->document.models.front().layers = 8;
        phones->document.models.front().heads = 6; // more than the open model has
        const std::vector<float> par(8 * 6 * 36 * 36, 1.5F);
        phones->arrays["1.par"] = Tensor::of<float>({8, 6, 36, 36}, std::span<const float>(par));
        const auto viewOf = [](const HeadsDesk& desk) {
            nlohmann::json view = nlohmann::json::object();
            desk.heads.saveView(view);
            desk.phones.saveView(view);
            return view;
        };
        nlohmann::json view, first;
        {
            HeadsDesk desk;
            first = viewOf(desk);
            desk.evidence.add(phones);
            desk.evidence.add(heads);
            desk.front(desk.part<PhonesPanel>());
            QVERIFY(desk.settle());
            PhonesPanel* panel = desk.part<PhonesPanel>();
            panel->layerField()->setCurrentIndex(6);
            Q_EMIT panel->layerField()->activated(6);
            panel->headField()->setCurrentIndex(6);
            Q_EMIT panel->headField()->activated(6);
            panel->tableButton()->setChecked(true);
            panel->findChildren<QComboBox*>().at(2)->setCurrentIndex(1);
            desk.front(desk.part<CadPanel>());
            QVERIFY(desk.settle());
            QCOMPARE(desk.part<CadPanel>()->splitField()->value(), 0.7);
            desk.part<CadPanel>()->splitField()->setValue(0.6);
            desk.part<CadPanel>()->showContent(nullptr); // as while another model is opened
            Q_EMIT desk.evidence.shownChanged();
            QVERIFY(desk.settle());
            QCOMPARE(desk.part<CadPanel>()->splitField()->value(), 0.6);
            desk.part<CadPanel>()->orderField()->setCurrentIndex(1);
            Q_EMIT desk.part<CadPanel>()->headSelected(widgets::HeadId{7, 5});
            desk.part<StatisticsPanel>()->filterField()->setText(QStringLiteral("layer 2"));
            view = viewOf(desk);
        }
        HeadsDesk desk;
        desk.heads.restoreView(view);
        desk.phones.restoreView(view);
        desk.open();
        for (QWidget* panel : {static_cast<QWidget*>(desk.part<PhonesPanel>()), static_cast<QWidget*>(desk.part<CadPanel>())}) {
            desk.front(panel); // the open utterance is seen before the studies are read
            QVERIFY(desk.settle());
        }
        QVERIFY(viewOf(desk) == view);
        desk.evidence.add(phones);
        desk.evidence.add(heads);
        desk.front(desk.part<PhonesPanel>());
        QVERIFY(desk.settle());
        QVERIFY((desk.part<PhonesPanel>()->choice() == PhoneChoice{{LayerRange::Kind::One, 7}, 6}));
        QCOMPARE(desk.part<PhonesPanel>()->headField()->currentText(), QStringLiteral("Head 6"));
        QVERIFY(desk.part<PhonesPanel>()->tableButton()->isChecked());
        desk.front(desk.part<CadPanel>());
        QVERIFY(desk.settle());
        QCOMPARE(desk.part<CadPanel>()->splitField()->value(), 0.6);
        QCOMPARE(desk.part<CadPanel>()->orderField()->currentIndex(), 1);
        QCOMPARE(desk.part<CadPanel>()->plot()->selected(), std::optional(widgets::HeadId{7, 5}));
        QCOMPARE(desk.part<StatisticsPanel>()->filterField()->text(), QStringLiteral("layer 2"));
        QVERIFY(viewOf(desk) == view);
        // A session without them begins as a new window.
        HeadsDesk other;
        other.heads.restoreView(view);
        other.phones.restoreView(view);
        other.heads.restoreView(nlohmann::json::object());
        other.phones.restoreView(nlohmann::json::object());
        QCOMPARE(QString::fromStdString(viewOf(other).dump()), QString::fromStdString(first.dump()));
    }
};

HEADROOM_TEST(HeadStudiesTest)

} // namespace headroom::testing::head_studies_test

#include "head_studies_test.moc"
