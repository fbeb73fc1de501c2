// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs CAD, PAR, Heads and Statistics with a worker whose first head looks at itself and whose second
// looks everywhere.
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "app/workspaces/analyse/heads/statistics_panel.h"
#include "tests/app/workspaces/analyse/heads_desk.h"
#include "tests/support/runner.h"
#include "widgets/heads/cad_curve_plot.h"
#include "widgets/heads/relevance_map.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::head_tabs_test {

using namespace headroom::app;
using headroom::testing::Workshop;
using widgets::HeadId;
using widgets::PhonePair;

namespace {

struct Desk : HeadsDesk {
    void open(bool aligned) {
        if (aligned)
            workshop.text("one.TextGrid", grid());
        HeadsDesk::open();
    }
    /// Opens everything with this tab in front.
    template <typename Panel>
    bool shows(bool aligned) {
        open(aligned);
        front(part<Panel>());
        return settle();
    }
    /// AH, silence, S, AH.
    static std::string grid() {
        return "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n0.5\n<exists>\n1\n"
               "\"IntervalTier\"\n\"phones\"\n0\n0.5\n4\n0\n0.15\n\"AH\"\n0.15\n0.25\n\"\"\n"
               "0.25\n0.35\n\"S\"\n0.35\n0.5\n\"AH\"\n";
    }
};

} // namespace

class HeadTabsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void withoutAnythingEachTabSaysWhatItNeeds() {
        Desk desk;
        desk.front(desk.part<PhonesPanel>());
        QVERIFY(desk.settle());
        QCOMPARE(desk.part<PhonesPanel>()->map()->accessibleDescription(),
                 QStringLiteral("PAR: open a model and an utterance."));
        QVERIFY(!desk.part<PhonesPanel>()->layerField()->isEnabled());
    }

    /// "Lay…1–4" would not say which layers.
    void theListOfLayersIsAsWideAsItsEntries() {
        PhonesPanel panel(nullptr);
        panel.setExtent(8, 4);
        panel.resize(300, 300);
        panel.show();
        for (QComboBox* field : {panel.layerField(), panel.headField()}) {
            field->showPopup();
            QTRY_VERIFY(field->view()->isVisible());
            QVERIFY(field->view()->viewport()->width() >= field->view()->sizeHintForColumn(0));
            field->hidePopup();
        }
    }

    void cadIsReadFromTheProfilesWithoutAskingForMaps() {
        Desk desk;
        QVERIFY(desk.shows<CadPanel>(false));
        const auto* table = desk.part<CadPanel>()->table();
        QCOMPARE(table->study()->rowCount(), 24);
        const double tokens = double(desk.analysis.current()->tokens.value());
        const auto cad = [&](int row) {
            return std::get<double>(table->study()->table().rows[std::size_t(row)][3]);
        };
        QCOMPARE(cad(0), 1.0);
        QVERIFY(std::abs(cad(1) - (1 - (tokens + 1) / (3 * tokens))) < 1e-9); // uniform
        QCOMPARE(desk.part<CadPanel>()->plot()->phoneticCount(), 6);
        QVERIFY(!desk.analysis.current()->layer(1)->attention);
        QVERIFY(desk.part<CadPanel>()->note()->sentence().startsWith(QStringLiteral("Silence included")));
        QVERIFY(desk.part<CadPanel>()->note()->button()->isHidden()); // nothing would be won
    }

    /// The label stood at the end of one row, its field at the beginning of the next.
    void theSplitWrapsWithItsLabel() {
        Desk desk;
        desk.front(desk.part<CadPanel>());
        const auto labels = desk.part<CadPanel>()->findChildren<QLabel*>();
        const auto label = std::ranges::find(labels, QStringLiteral("Split"), &QLabel::text);
        QVERIFY(label != labels.end());
        auto* field = desk.part<CadPanel>()->splitField();
        for (int width = 240; width <= 600; width += 20) {
            desk.tabs.resize(width, 480);
            QCoreApplication::processEvents();
            const auto middle = [&](QWidget* one) { return one->mapTo(&desk.tabs, one->rect().center()); };
            QVERIFY2(std::abs(middle(*label).y() - middle(field).y()) <= 3 && middle(*label).x() < middle(field).x(), qPrintable(QString::number(width)));
        }
    }

    void theSplitOfFieldAndPlotIsOne() {
        Desk desk;
        QVERIFY(desk.shows<CadPanel>(false));
        CadPanel* panel = desk.part<CadPanel>();
        panel->splitField()->setValue(0.5);
        QCOMPARE(panel->plot()->split(), 0.5);
        QCOMPARE(panel->plot()->phoneticCount(), 0);
        QTest::keyClick(panel->plot(), Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(panel->splitField()->value(), 0.55);
        panel->splitField()->setValue(1);
        QCOMPARE(std::get<std::string>(panel->table()->study()->table().rows[1][4]), std::string("phonetic"));
    }

    void allLayersAreReadOnRequestAndSilenceIsLeftOut() {
        Desk desk;
        QVERIFY(desk.shows<CadPanel>(true));
        QVERIFY(!desk.heads.live()->phones().empty());
        MetricsNote* note = desk.part<CadPanel>()->note();
        QVERIFY(!note->button()->isHidden());
        note->button()->click();
        QVERIFY(desk.settle());
        QCOMPARE(desk.heads.live()->knownLayers(), 6);
        QVERIFY(note->sentence().startsWith(QStringLiteral("Silence removed")));
        QVERIFY(note->button()->isHidden());
        const auto said = desk.heads.live()->phones();
        const double spoken =
            double(std::count_if(said.begin(), said.end(), [](int phone) { return phone != kSilenceClass; }));
        QVERIFY(spoken < double(said.size()));
        const auto& rows = desk.part<CadPanel>()->table()->study()->table().rows;
        QVERIFY(std::abs(std::get<double>(rows[1][3]) - (1 - (spoken + 1) / (3 * spoken))) < 1e-6);
    }

    /// It was saved without silence and came back with it: another number of the same head.
    void aSessionThatIsOpenedAgainHasTheSameCad() {
        Desk desk;
        QVERIFY(desk.shows<CadPanel>(true));
        nlohmann::json view, untouched;
        desk.heads.saveView(untouched);
        desk.part<CadPanel>()->note()->button()->click();
        QVERIFY(desk.settle());
        desk.heads.saveView(view);
        desk.session.saveAs(desk.workshop.path() / "kept");
        Desk again;
        const auto noteAfter = [&](const nlohmann::json& state) {
            again.session.openSession(desk.workshop.path() / "kept.headroom");
            again.heads.restoreView(state);
            again.front(again.part<CadPanel>());
            return again.settle() ? again.part<CadPanel>()->note()->sentence() : QString();
        };
        QVERIFY(noteAfter(view).startsWith(QStringLiteral("Silence removed")));
        const auto rows = [](Desk& of) { return of.part<CadPanel>()->table()->study()->table().rows; };
        QVERIFY(rows(again) == rows(desk));
        QVERIFY(noteAfter(untouched).startsWith(QStringLiteral("Silence included")));
        nlohmann::json broken = view;
        broken["heads"]["complete"] = {{0, 7}, {-1, 0}, "all", {0}};
        QVERIFY(noteAfter(broken).startsWith(QStringLiteral("Silence included")));
    }

    /// A long note left the table its header alone.
    void aLowPanelShowsRowsOfTheTable() {
        Desk desk;
        desk.open(true);
        desk.tabs.resize(384, 326); // a window of 1280 × 720 leaves 346
        desk.front(desk.part<CadPanel>());
        QVERIFY(desk.settle());
        const auto* table = desk.part<CadPanel>()->table();
        QVERIFY(!desk.part<CadPanel>()->note()->button()->isHidden());
        QTRY_VERIFY(table->visualRect(table->model()->index(1, 0)).bottom() <= table->viewport()->visibleRegion().boundingRect().bottom());
    }

    void aHeadThatIsActivatedBecomesTheMapsSource() {
        Desk desk;
        QVERIFY(desk.shows<HeadsPanel>(false));
        HeadsPanel* panel = desk.part<HeadsPanel>();
        panel->map()->setSelected(HeadId{2, 1});
        QTest::keyClick(panel->map(), Qt::Key_Return);
        QCOMPARE(desk.session.currentLayer(), 3);
        QVERIFY(desk.session.mapSource() == (MapSource{MapSource::Kind::Head, 2, false}));
        QVERIFY(desk.settle());
        QVERIFY(panel->map()->selected() == (HeadId{2, 1}));
    }

    /// Head 3 of layer 4 stayed marked while every other view showed the contributions of layer 7.
    void noHeadIsMarkedOnceTheMapShowsNone() {
        Desk desk;
        QVERIFY(desk.shows<HeadsPanel>(true));
        auto* heads = desk.part<HeadsPanel>();
        auto* cad = desk.part<CadPanel>();
        heads->map()->setSelected(HeadId{3, 1});
        QTest::keyClick(heads->map(), Qt::Key_Return);
        QVERIFY(desk.settle());
        QVERIFY(heads->map()->selected() == (HeadId{3, 1}));
        desk.front(cad);
        QVERIFY(desk.settle());
        QVERIFY(cad->plot()->selected() == (HeadId{3, 1}) && !cad->curve()->curve().empty());
        desk.session.setMapSource({});
        desk.session.setCurrentLayer(6);
        QVERIFY(desk.settle());
        QVERIFY(!cad->plot()->selected() && cad->curve()->curve().empty());
        QVERIFY(!cad->table()->selectionModel()->hasSelection());
        desk.front(heads);
        QVERIFY(desk.settle());
        QVERIFY(!heads->map()->selected());
        QCOMPARE(heads->table()->currentRow(), 5); // whose rows are layers
        QVERIFY(heads->table()->selectionModel()->hasSelection());
        desk.front(desk.part<StatisticsPanel>());
        QVERIFY(desk.settle());
        QVERIFY(!desk.part<StatisticsPanel>()->table()->selectionModel()->hasSelection());
        QCOMPARE(desk.part<StatisticsPanel>()->table()->currentRow(), 20); // in sight
        desk.session.setMapSource({MapSource::Kind::Head, 2, false}); // again, and goes along with the layer
        desk.session.setCurrentLayer(2);
        desk.front(heads);
        QVERIFY(desk.settle());
        QVERIFY(heads->map()->selected() == (HeadId{1, 1}));
    }

    void statisticsAskForTheCurrentLayerOnly() {
        Desk desk;
        desk.open(true);
        desk.session.setCurrentLayer(2);
        desk.front(desk.part<StatisticsPanel>());
        QVERIFY(desk.settle());
        QCOMPARE(desk.heads.live()->knownLayers(), 1);
        const auto* table = desk.part<StatisticsPanel>()->table();
        const int row = (desk.session.currentLayer() - 1) * 4 + 1;
        const double tokens = double(desk.analysis.current()->tokens.value());
        const auto& cells = table->study()->table().rows[std::size_t(row)];
        QVERIFY(std::abs(std::get<double>(cells[3]) - std::log(tokens)) < 1e-4);
        QVERIFY(std::abs(std::get<double>(cells[5]) - 1 / tokens) < 1e-6);
        int known = 0;
        for (const auto& line : table->study()->table().rows)
            known += std::holds_alternative<double>(line[3]);
        QCOMPARE(known, 2);
        QCOMPARE(table->currentRow(), 4); // the layer with numbers is the one in sight
        QVERIFY2(desk.part<StatisticsPanel>()->note()->sentence().startsWith(
                     QStringLiteral("The attention maps of 1 of 6 layers are loaded; the other layers have no numbers yet.")),
                 qPrintable(desk.part<StatisticsPanel>()->note()->sentence()));
        QCOMPARE(desk.part<StatisticsPanel>()->note()->button()->text(), QStringLiteral("Load all layers"));
        desk.part<StatisticsPanel>()->note()->button()->click();
        QVERIFY(desk.settle());
        QCOMPARE(desk.heads.live()->knownLayers(), 6);
    }

    /// Only the first head was in sight, at the lower edge, below rows without numbers; less room hid it.
    void statisticsShowAllHeadsOfTheLayer() {
        StatisticsPanel panel(nullptr);
        panel.show();
        auto content = std::make_shared<HeadContent>();
        content->cad = content->entropy = content->meanDistance = content->maximum = content->onSilence = Matrix<double>(8, 4);
        panel.showContent(content);
        for (const auto& [height, layer] : QList<std::pair<int, int>>{{300, 5}, {220, 5}, {300, 1}, {220, 6}}) {
            panel.resize(400, height);
            panel.setSelected({}, layer);
            QCoreApplication::processEvents();
            for (int head = 0; head < 4; ++head)
                QVERIFY(panel.table()->viewport()->rect().contains(panel.table()->visualRect(panel.table()->model()->index(layer * 4 + head, 0))));
        }
    }

    void statisticsAreFilteredAndCopiedWithHeads() {
        Desk desk;
        QVERIFY(desk.shows<StatisticsPanel>(false));
        StatisticsPanel* panel = desk.part<StatisticsPanel>();
        panel->filterField()->setText(QStringLiteral("nowhere"));
        QCOMPARE(panel->table()->shownRows(), 0);
        panel->filterField()->clear();
        QCOMPARE(panel->table()->shownRows(), 24);
        panel->table()->clearSelection();
        QTest::keyClick(panel->table(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Layer\tHead\tKind\tEntropy")));
        QTest::keyClick(panel->table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("\\toprule")));
    }

    void parOfAUniformHeadIsOneAndOfAPhoneAloneUndefined() {
        Desk desk;
        QVERIFY(desk.shows<PhonesPanel>(true));
        PhonesPanel* panel = desk.part<PhonesPanel>();
        panel->headField()->setCurrentIndex(2);
        Q_EMIT panel->headField()->activated(2);
        const Matrix<double>& par = panel->map()->map().par;
        QVERIFY(!par.empty());
        const auto ah = std::size_t(phoneClass("AH").value()), s = std::size_t(phoneClass("S").value());
        QVERIFY(std::abs(par(ah, s) - 1) < 1e-5);
        QVERIFY(std::abs(par(ah, ah) - 1) < 1e-5); // two runs, silence and S between
        QVERIFY(std::isnan(par(s, s)));            // one run only
        QVERIFY(std::isnan(par(s, std::size_t(phoneClass("T").value()))));
    }

    void parWithoutPhonesSaysWhatIsNeeded() {
        Desk desk;
        QVERIFY(desk.shows<PhonesPanel>(false));
        QVERIFY(desk.part<PhonesPanel>()->map()->accessibleDescription().contains(
            QStringLiteral("one has none")));
        QVERIFY(
            !desk.analysis.current()->layer(desk.session.currentLayer())->attention); // nothing was fetched
    }

    void labelsAreWhatThePhoneMapSays() {
        Desk desk;
        QVERIFY(desk.shows<PhonesPanel>(true));
        const auto ah = std::size_t(phoneClass("AH").value()), t = std::size_t(phoneClass("T").value());
        QVERIFY(std::isnan(desk.part<PhonesPanel>()->map()->map().par(ah, t)));
        desk.alignments.setClass(QStringLiteral("S"), int(t));
        QVERIFY(desk.settle());
        QVERIFY(!std::isnan(desk.part<PhonesPanel>()->map()->map().par(ah, t)));
        desk.session.undoStack()->undo();
        QVERIFY(desk.settle());
        QVERIFY(std::isnan(desk.part<PhonesPanel>()->map()->map().par(ah, t)));
    }

    void aCellListsItsPairsAndAPairMovesCursorAndPointer() {
        Desk desk;
        QVERIFY(desk.shows<PhonesPanel>(true));
        PhonesPanel* panel = desk.part<PhonesPanel>();
        const PhonePair pair{phoneClass("AH").value(), phoneClass("S").value()};
        panel->map()->setSelected(pair);
        QTest::keyClick(panel->map(), Qt::Key_Return);
        QVERIFY(panel->places()->isVisible());
        QVERIFY(panel->places()->study()->rowCount() > 0);
        const std::string& title = panel->places()->study()->table().title;
        QVERIFY2(title.starts_with("AH → S: "), title.c_str()); // as in the tables of a study
        panel->places()->setFocus();
        QTest::keyClick(panel->places(), Qt::Key_Down);
        QVERIFY(desk.axis.cursor() && desk.axis.pointer());
        const auto said = desk.heads.live()->phones();
        const auto& clock = desk.analysis.current()->clock;
        const Tokens count = desk.analysis.current()->tokens;
        QCOMPARE(said[std::size_t(clock.tokenAt(*desk.axis.cursor(), count).value())], pair.attending);
        QCOMPARE(said[std::size_t(clock.tokenAt(*desk.axis.pointer(), count).value())], pair.attended);
    }

    void halvesAskForTheirLayers() {
        Desk desk;
        QVERIFY(desk.shows<PhonesPanel>(true));
        PhonesPanel* panel = desk.part<PhonesPanel>();
        panel->layerField()->setCurrentIndex(6); // behind six layers: the lower half
        Q_EMIT panel->layerField()->activated(6);
        QVERIFY(panel->map()->map().par.empty());
        QVERIFY(!panel->note()->button()->isHidden());
        panel->note()->button()->click();
        QVERIFY(desk.settle());
        QVERIFY(!panel->map()->map().par.empty());
        QCOMPARE(desk.session.currentLayer() >= 1, true);
    }

    void theLayerChooserFollowsTheWindowAndLeadsIt() {
        Desk desk;
        QVERIFY(desk.shows<PhonesPanel>(true));
        desk.session.setCurrentLayer(4);
        QCOMPARE(desk.part<PhonesPanel>()->layerField()->currentIndex(), 3);
        desk.part<PhonesPanel>()->layerField()->setCurrentIndex(1);
        Q_EMIT desk.part<PhonesPanel>()->layerField()->activated(1);
        QCOMPARE(desk.session.currentLayer(), 2);
    }
};

HEADROOM_TEST(HeadTabsTest)

} // namespace headroom::testing::head_tabs_test

#include "head_tabs_test.moc"
