// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a model, and of the one that takes its place: it may have fewer layers and other heads.
#include "app/documents/drafts/drafts.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/compare/compare_controller.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/export/tab_views.h"
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/heads/statistics_panel.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/map/map_field.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "app/workspaces/analyse/sound/sound_controller.h"
#include "app/workspaces/analyse/windows/study_windows.h"
#include "tests/app/workspaces/analyse/heads_desk.h"
#include "tests/support/runner.h"
#include "widgets/heads/relevance_map.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QMainWindow>
#include <QProgressBar>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

namespace headroom::testing::layers_panel_test {

using namespace headroom::app;
using headroom::testing::Workshop;
using widgets::HeadId;

namespace {

struct Desk : HeadsDesk {
    QObject owner;
    Actions actions{session.undoStack(), &owner};
    QMainWindow window;
    MapController map{MapController::Parts{&session, &analysis, &worker, &actions, &axis, &window}};

    Desk() {
        window.setCentralWidget(map.panel());
        workshop.grid("one.TextGrid", "one");
        open();
    }
    bool settle() {
        return QTest::qWaitFor([&] { return isIdle() && !map.isPending(); }, 60000);
    }
};

} // namespace

class LayersPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// In a low panel it hid the labels of the second row of maps.
    void theLineOfProgressHidesNoLabel() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        LayersPanel panel(actions);
        const auto* line = panel.findChild<QProgressBar*>()->parentWidget();
        const AnalysisService::Progress progress{QStringLiteral("Analysing layer 2 of 12"), 1, 12, UtteranceId{1}, ModelId{1}};
        const auto showAt = [&](int height) {
            panel.showProgress({}, {});
            panel.resize(420, height);
            panel.showProgress(progress, {progress.utterance, progress.model});
        };
        panel.resize(420, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        showAt(600);
        QTRY_VERIFY_WITH_TIMEOUT(line->isVisible(), 60000);
        const int maps = panel.thumbnails()->heightForWidth(panel.thumbnails()->width());
        panel.resize(420, maps + 4);
        QTRY_VERIFY(!line->isVisible());
        panel.resize(420, 600); // has room again
        QVERIFY(line->isVisible());
        panel.resize(420, maps + 4);
        QVERIFY(!line->isVisible());
        QTRY_VERIFY(panel.thumbnails()->visibleRegion().boundingRect().height() >= maps);
        showAt(maps - 20); // is scrolled all the same
        QTRY_VERIFY_WITH_TIMEOUT(line->isVisible(), 60000);
    }

    void theCurrentLayerIsAlwaysInView() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        LayersPanel panel(actions);
        panel.resize(420, 230);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        widgets::LayerThumbnails* layers = panel.thumbnails();
        layers->setLayers(std::vector<widgets::ThumbnailState>(24));
        const auto* area = panel.findChild<QScrollArea*>();
        const auto isInView = [&](int layer) {
            const QRect cell = layers->cellRect(layer).translated(layers->pos());
            return area->viewport()->rect().contains(cell);
        };
        layers->setCurrent(0);
        QTRY_VERIFY_WITH_TIMEOUT(layers->height() >= layers->heightForWidth(layers->width()), 60000); // laid out anew
        QVERIFY(isInView(0) && !isInView(23)); // else there is nothing to scroll
        for (int layer = 1; layer < 24; ++layer) {
            QTest::keyClick(layers, Qt::Key_PageDown);
            QCOMPARE(layers->current(), layer);
            QVERIFY2(isInView(layer), qPrintable(QString::number(layer)));
        }
        QTest::keyClick(layers, Qt::Key_Home);
        QVERIFY(isInView(0));
        layers->setCurrent(23); // by somebody else
        QVERIFY(isInView(23));
        panel.resize(300, 160); // and when the panel gets smaller
        QTRY_VERIFY_WITH_TIMEOUT(isInView(23), 60000);
    }

    void whoeverIsToldOfAModelFindsALayerThatItHas() {
        Workshop workshop;
        Session session;
        std::vector<ModelId> models;
        for (const int layers : {3, 1, 12, 2}) {
            models.push_back(session.openModel(workshop.model(std::to_string(layers))));
            session.setModelOpened(models.back(), Workshop::info(layers));
        }
        const auto layerExists = [&] {
            const OpenModel* model = session.currentModel();
            QVERIFY(!model || session.currentLayer() <= model->layerCount());
        };
        for (auto signal : {&Session::currentModelChanged, &Session::currentLayerChanged, &Session::changed})
            connect(&session, signal, this, layerExists);
        connect(&session, &Session::modelChanged, this, layerExists);
        connect(session.drafts(), &Drafts::currentChanged, this, layerExists);
        connect(session.drafts(), &Drafts::draftChanged, this, layerExists);
        for (const ModelId from : models)
            for (const ModelId to : models) {
                session.setCurrentModel(from);
                session.setCurrentLayer(session.currentModel()->layerCount());
                QSignalSpy told(&session, &Session::currentLayerChanged);
                const int before = session.currentLayer();
                session.setCurrentModel(to);
                QCOMPARE(told.count(), session.currentLayer() == before ? 0 : 1);
            }
        // Opened again, after its folder has changed.
        session.setCurrentModel(models[2]);
        session.setCurrentLayer(12);
        session.setModelOpened(models[2], Workshop::info(4));
        QCOMPARE(session.currentLayer(), 4);
        // Closed: its neighbour takes its place.
        session.closeModel(models[2]);
        QCOMPARE(session.currentLayer(), 2);
    }

    /// A head that was cancelled, or that a layer lacks, was “being loaded” for ever, under the name of the contributions.
    void aMapThatIsNotThereSaysWhy() {
        Desk desk;
        QVERIFY(desk.settle());
        auto* panel = desk.map.panel();
        const auto* view = panel->findChild<widgets::LayerMatrixView*>();
        const auto* field = panel->findChild<MapField*>();
        bool cancelled = false;
        QObject once;
        QObject::connect(&desk.analysis, &AnalysisService::resultChanged, &once, [&] {
            if (!cancelled && desk.analysis.current() && desk.analysis.current()->layer(1)->attentionAsked) {
                cancelled = true;
                desk.analysis.cancel();
            }
        });
        desk.session.setMapSource({MapSource::Kind::Head, 2});
        QVERIFY(desk.settle());
        QVERIFY(cancelled);
        QTRY_COMPARE(view->emptySentence(), QStringLiteral("The attention of this layer is missing. Analyse again to load it."));
        QCOMPARE(field->currentText(), QStringLiteral("Attention head 2"));
        desk.analysis.analyseAgain();
        QVERIFY(desk.settle());
        QTRY_VERIFY(view->hasMatrix());
        desk.session.setMapSource({MapSource::Kind::Head, 9});
        QVERIFY(desk.settle());
        QTRY_COMPARE(view->emptySentence(), QStringLiteral("This layer has no head 9."));
        QCOMPARE(field->currentIndex(), -1);
        QCOMPARE(field->placeholderText(), QStringLiteral("Head 9"));
        desk.session.setMapSource({});
        QVERIFY(desk.settle());
        QTRY_COMPARE(field->currentText(), QStringLiteral("Contributions"));
    }

    /// It was said not to be ticked while its map was computed.
    void theCurrentModelIsComputedThoughItIsNotTicked() {
        Desk desk;
        QVERIFY(desk.settle());
        const auto* view = desk.map.panel()->findChild<widgets::LayerMatrixView*>();
        desk.session.setModelEnabled(desk.session.currentModelId(), false);
        QStringList said;
        QObject once;
        QObject::connect(&desk.map, &MapController::refreshed, &once, [&] {
            if (!view->hasMatrix())
                said << view->emptySentence();
        });
        desk.session.setMapSource(MapSource::of({Mixing::Alti, false}));
        QVERIFY(desk.settle());
        QTRY_VERIFY(view->hasMatrix());
        QVERIFY2(said.contains(QStringLiteral("Computing ALTI…")), qPrintable(said.join(u'\n')));
        desk.session.setCurrentUtterance(desk.session.openUtterance(desk.workshop.wav("two.wav", 0.6)));
        QVERIFY(desk.settle());
        QTRY_VERIFY(view->hasMatrix());
        QVERIFY2(said.filter(QStringLiteral("ticked")).isEmpty(), qPrintable(said.join(u'\n')));
    }

    /// “other is not ticked in Models.” stood there while it was analysed, and in place of the reason.
    void whatIsBesideIsCalledNotTickedOnlyIfThatIsWhy() {
        Desk desk;
        const ModelId other = desk.session.openModel(desk.workshop.model("other"));
        SoundController sound{{&desk.session, &desk.analysis, &desk.actions, &desk.axis}};
        CompareController compare{{&desk.session, &desk.analysis, &desk.actions, &desk.axis, &desk.map, &sound}};
        QVERIFY(desk.settle());
        const UtteranceId one = desk.session.currentUtteranceId(), two = desk.session.openUtterance(desk.workshop.wav("two.wav", 0.6));
        compare.comparison()->compareModel(other);
        QVERIFY(desk.settle());
        const auto* view = desk.map.panel()->findChild<ComparedMap*>()->matrix();
        QTRY_VERIFY(view->hasMatrix());
        desk.session.setModelEnabled(other, false);
        desk.session.setMapSource({MapSource::Kind::Head, 9});
        QVERIFY(desk.settle());
        QTRY_COMPARE(view->emptySentence(), QStringLiteral("This layer has no head 9."));
        desk.session.setMapSource({});
        QStringList said;
        QObject once;
        QObject::connect(&desk.map, &MapController::refreshed, &once, [&] {
            if (!view->hasMatrix())
                said << view->emptySentence();
        });
        compare.comparison()->compareUtterance(two);
        QVERIFY(desk.settle());
        QTRY_VERIFY(view->hasMatrix());
        QVERIFY2(said.filter(QStringLiteral("is analysing…")).size() > 0, qPrintable(said.join(u'\n')));
        QVERIFY2(said.filter(QStringLiteral("ticked")).isEmpty(), qPrintable(said.join(u'\n')));
        compare.comparison()->compareUtterance(UtteranceId::None);
        desk.session.setCurrentUtterance(desk.session.openUtterance(desk.workshop.wav("three.wav", 0.7)));
        QVERIFY(one != desk.session.currentUtteranceId() && desk.settle());
        QTRY_VERIFY2(view->emptySentence().endsWith(QStringLiteral("is not ticked in Models.")), qPrintable(view->emptySentence()));
    }

    /// Layer 3 of a study of a model with 3 layers and one with 2: the plot was given points without heights. And the keys could
    /// not reach the rows of the second model.
    void aStudyOfModelsOfOtherDepthsShowsEachOfTheirLayers() {
        const auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/diagonality-1";
        study->document.kind = StudyKind::Diagonality;
        study->document.utterances.resize(2);
        StudyTable table{"diagonality", "Diagonality", "Made by a test.",
                         {{"model", "Model", "", 0, true}, {"layer", "Layer", "", 0, false}, {"ccd", "CCD", "", 3, false}}, {}};
        const std::vector<double> grid{1, 3, 5, 7};
        int number = 0;
        for (const int layers : {3, 2}) {
            const std::string name = "m" + std::to_string(layers), first = std::to_string(++number) + ".";
            study->document.models.push_back({name, "/models/" + name, "", "", layers, 4, false, 0, 0});
            const std::vector<double> curves(std::size_t(layers) * 4, 0.5), ccd(std::size_t(layers) * 2, 0.8);
            study->arrays[first + "window_grid"] = Tensor::of<double>({4}, grid);
            for (const char* array : {"diagonality", "diagonality_std"})
                study->arrays[first + array] = Tensor::of<double>({layers, 4}, curves);
            study->arrays[first + "ccd"] = Tensor::of<double>({layers, 2}, ccd);
            for (int layer = 1; layer <= layers; ++layer)
                table.rows.push_back({name, double(layer), 0.8});
        }
        study->document.tables = {table};
        static QStringList said;
        said.clear();
        const auto before = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) { said << text; });
        StudyEvidence evidence;
        StudyWindows panel(&evidence);
        evidence.add(study);
        for (const int model : {1, 2}) {
            panel.showStudy(study, model);
            for (const int layer : {1, 2, 3, 4})
                panel.setLayer(layer);
        }
        qInstallMessageHandler(before);
        QCOMPARE(said.join(u'\n'), QString());
        panel.showStudy(study, 1);
        panel.setLayer(3);
        QCOMPARE(panel.table()->currentRow(), 2);
        QSignalSpy chosen(&panel, &StudyWindows::layerChosen);
        for (const int row : {3, 4}) {
            QTest::keyClick(panel.table(), Qt::Key_Down);
            QCOMPARE(panel.table()->currentRow(), row);
            QCOMPARE(chosen.last().front().toInt(), row - 2);
        }
        panel.showStudy(study, 2); // the other model becomes current: its row
        panel.setLayer(1);
        QCOMPARE(panel.table()->currentRow(), 3);
    }

    /// A ring stood below the map of a model with fewer layers.
    void aHeadThatTheModelLacksIsNotSelected() {
        Desk desk;
        HeadsPanel* panel = desk.part<HeadsPanel>();
        desk.front(panel);
        QVERIFY(desk.settle());
        const auto chooseAndComeBack = [&](HeadId head) {
            Q_EMIT panel->headSelected(head);
            desk.front(desk.part<CadPanel>());
            QVERIFY(desk.settle());
            desk.front(panel);
            QVERIFY(desk.settle());
        };
        chooseAndComeBack({5, 3});
        QVERIFY(panel->map()->selected() == (HeadId{5, 3}));
        desk.session.setCurrentLayer(2); // the map goes on
        QVERIFY(desk.settle());
        QVERIFY(!panel->map()->selected());
        chooseAndComeBack({9, 3}); // of a model before
        QVERIFY(!panel->map()->selected());
        desk.session.setCurrentLayer(3);
        desk.front(desk.part<StatisticsPanel>());
        QVERIFY(desk.settle());
        QCOMPARE(desk.part<StatisticsPanel>()->table()->currentRow(), 2 * 4);
    }

    /// The places of a cell were written to a file of the tab in place of PAR.
    void placesBesideTheMapAreNotTheTabsNumbers() {
        PhonesPanel panel(nullptr);
        widgets::PhoneRelation relation;
        relation.par = Matrix<double>(std::size_t(kPhoneClassCount), std::size_t(kPhoneClassCount), 1.5);
        panel.setExtent(2, 2);
        panel.showMap(relation, QStringLiteral("PAR"), {});
        panel.showPlaces(QStringLiteral("AH → S"), {{Seconds(0.1), Seconds(0.2), 3.0}});
        panel.resize(540, 640);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY(panel.places()->isVisible());
        const QString text = QString::fromStdString(csvOf(&panel));
        QCOMPARE(text.count(QLatin1Char('\n')), qsizetype(kPhoneClassCount + 1));
        panel.tableButton()->setChecked(true);
        QVERIFY(QString::fromStdString(csvOf(&panel)).startsWith(QStringLiteral("attending,attended,par")));
    }

    void afterAStudyOfFewerLayersParIsThatOfTheCurrentLayer() {
        Desk desk;
        PhonesPanel* panel = desk.part<PhonesPanel>();
        desk.front(panel);
        desk.session.setCurrentLayer(5);
        QVERIFY(desk.settle());
        QCOMPARE(panel->layerField()->currentIndex(), 4);
        auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/phones-1";
        study->document.kind = StudyKind::Phones;
        study->document.models.push_back({"small", "", "", "", 2, 2, false, 0, 0});
        study->document.utterances.resize(5);
        const std::vector<float> par(2 * 2 * 36 * 36, 1.5F);
        study->arrays["1.par"] = Tensor::of<float>({2, 2, 36, 36}, std::span<const float>(par));
        desk.evidence.add(study);
        QVERIFY(desk.settle());
        QCOMPARE(panel->layerField()->currentText(), QStringLiteral("Layer 2"));
        desk.evidence.showLive(StudyKind::Phones);
        QVERIFY(desk.settle());
        QCOMPARE(desk.session.currentLayer(), 5);
        QCOMPARE(panel->layerField()->currentText(), QStringLiteral("Layer 5"));
    }
};

HEADROOM_TEST(LayersPanelTest)

} // namespace headroom::testing::layers_panel_test

#include "layers_panel_test.moc"
