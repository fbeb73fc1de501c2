// SPDX-License-Identifier: GPL-3.0-or-later
// Panels of Analyse on their own.
#include "app/documents/items/map_names.h"
#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/studies/windows_rows.h"
#include "app/workspaces/analyse/analyse_actions.h"
#include "app/workspaces/analyse/map/map_field.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "app/workspaces/analyse/opened/model_panel.h"
#include "app/workspaces/analyse/opened/opened_controller.h"
#include "app/workspaces/analyse/sound/recording_bar.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "tests/app/documents/reading.h"
#include "tests/app/jobs/fake_worker_options.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/icons.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/time_axis.h"

#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::analyse_panels_test {

using namespace headroom::app;
using headroom::testing::Workshop;

namespace {

/// The lists of what is open, with a fake worker.
struct Desk {
    Workshop workshop;
    Session session;
    QUndoStack undo;
    const Actions actions{&undo, nullptr};
    QMainWindow window;
    WorkerProcess worker{fakeWorker()};
    const AnalysisService analysis{&session, &worker};
    const OpenedController controller{{&session, &analysis, &actions, &window}};
};

} // namespace

class AnalysePanelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// In a narrow header the open list was as narrow as its field, and cut "Rollout: attention × norm".
    void theListOfMapsIsAsWideAsItsEntries() {
        MapField field;
        field.addItem(QStringLiteral("Rollout: attention × norm, and some more words"));
        field.setFixedWidth(60);
        field.show();
        field.showPopup();
        QVERIFY(field.view()->viewport()->width() >= field.view()->sizeHintForColumn(0));
        field.hidePopup();
    }

    /// A model of many languages that was opened itself had no tick, and its own language opened it again.
    void aModelOfManyLanguagesIsTickedInItsOwn() {
        Workshop workshop;
        const auto folder = workshop.model("mms");
        for (const char* name : {"mms/adapter.eng.safetensors", "mms/adapter.fra.safetensors"})
            workshop.text(name, "adapters");
        workshop.text("mms/tokenizer_config.json", R"({"target_lang": "eng"})");
        Session session;
        session.openModel(folder);
        QAction open(QStringLiteral("Open a model…")), demo(QStringLiteral("Demo"));
        ModelPanel panel(session.models(), &open, &demo);
        QSignalSpy chosen(&panel, &ModelPanel::languageChosen);
        const auto row = [&](int at) {
            panel.view()->setCurrentIndex(panel.view()->model()->index(at, 0));
            QHash<QString, QAction*> languages;
            for (QAction* action : panel.findChild<QAction*>(QStringLiteral("language"))->menu<QMenu*>()->actions())
                languages[action->text()] = action;
            return languages;
        };
        const auto opened = [&](QAction* action) {
            const auto before = chosen.count();
            action->trigger();
            return QTest::qWaitFor([&] { return chosen.count() > before; }, 60000)
                       ? chosen.last().at(0).value<std::filesystem::path>()
                       : std::filesystem::path();
        };
        QVERIFY(row(0)[QStringLiteral("eng")]->isChecked() && !row(0)[QStringLiteral("fra")]->isChecked());
        QCOMPARE(opened(row(0)[QStringLiteral("eng")]), folder);
        QCOMPARE(opened(row(0)[QStringLiteral("fra")]), folder / "adapter.fra.safetensors");
        session.openModel(folder / "adapter.fra.safetensors");
        QVERIFY(!row(1)[QStringLiteral("eng")]->isChecked() && row(1)[QStringLiteral("fra")]->isChecked());
        QCOMPARE(opened(row(1)[QStringLiteral("eng")]), folder);
    }

    /// Models above it that could not be opened grew and pushed the current one below the edge.
    void theCurrentModelStaysInSightWhenOthersGrow() {
        Session session;
        std::vector<ModelId> models;
        for (const char* name : {"a", "b", "c", "d"})
            models.push_back(session.openModel(std::filesystem::path("/models") / name));
        QAction open(QStringLiteral("Open a model…")), demo(QStringLiteral("Demo"));
        ModelPanel panel(session.models(), &open, &demo);
        panel.show();
        panel.resize(200, panel.view()->visualRect(session.models()->index(3)).bottom() + 8);
        QCoreApplication::processEvents();
        panel.setCurrent(models.back());
        const auto isInSight = [&] {
            return panel.view()->viewport()->rect().contains(panel.view()->visualRect(panel.view()->currentIndex()));
        };
        QVERIFY(isInSight());
        for (const ModelId id : {models[0], models[1]})
            session.setModelFailed(id, QStringLiteral("The folder has no weights that could be read."));
        QCoreApplication::processEvents();
        QVERIFY(isInSight());
        panel.view()->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum); // what one has scrolled away stays away
        QVERIFY(!isInSight());
        session.setModelFailed(models[2], QStringLiteral("The folder has no weights that could be read."));
        QCoreApplication::processEvents();
        QVERIFY(!isInSight());
    }

    /// What is shown in its folder was nothing: the folder is gone.
    void aMissingModelOffersToLocateIt() {
        Workshop workshop;
        Session session;
        const ModelId gone = session.openModel(workshop.path() / "gone"), broken = session.openModel(workshop.model("broken"));
        QAction open(QStringLiteral("Open a model…")), demo(QStringLiteral("Demo"));
        ModelPanel panel(session.models(), &open, &demo);
        for (const ModelId id : {gone, broken})
            session.setModelFailed(id, QStringLiteral("It could not be opened."));
        QAction* locate = nullptr;
        for (QAction* action : panel.view()->actions())
            if (action->text() == QStringLiteral("Locate…"))
                locate = action;
        QVERIFY(locate);
        QSignalSpy asked(&panel, &ModelPanel::locateRequested);
        panel.setCurrent(broken);
        QVERIFY(!locate->isEnabled());
        panel.setCurrent(gone);
        QVERIFY(locate->isEnabled());
        locate->trigger();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front().front().value<ModelId>(), gone);
    }

    /// "Attention hea…" would leave out what tells it from the others.
    void aMapThatDoesNotFitIsNamedShortly() {
        MapField field;
        field.addItem(QStringLiteral("Contributions"));
        field.addItem(widgets::icon(QStringLiteral("head-full")), QStringLiteral("Attention head 12"));
        field.setItemData(1, QStringLiteral("Head 12"), MapField::kShortNameRole);
        field.setCurrentIndex(1);
        field.resize(field.sizeHint());
        QCOMPARE(field.shownText(), QStringLiteral("Attention head 12"));
        field.resize(field.width() - 20, field.height());
        QCOMPARE(field.shownText(), QStringLiteral("Head 12"));
        QCOMPARE(field.currentText(), QStringLiteral("Attention head 12")); // for the tool tip
        field.setCurrentIndex(0);
        QCOMPARE(field.shownText(), QStringLiteral("Contributions"));
    }

    void theFieldOfTheMapsHasShortNamesOfHeads() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        widgets::TimeAxis axis;
        MatrixPanel panel(&axis, actions);
        panel.setHeads({HeadGroup{}, HeadGroup{}});
        QComboBox* field = panel.sourceField();
        int heads = 0;
        for (int row = 0; row < field->count(); ++row)
            if (const QString shorter = field->itemData(row, MapField::kShortNameRole).toString(); !shorter.isEmpty())
                heads += shorter == QStringLiteral("Head %1").arg(row);
        QCOMPARE(heads, 2);
    }

    void everyMeasureOfMixingHasItsFormulaAndItsPaper() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        widgets::TimeAxis axis;
        MatrixPanel panel(&axis, actions);
        panel.setHeads({HeadGroup{}}, true);
        QComboBox* field = panel.sourceField();
        QCOMPARE(mapFormula(MapSource{}), QString()); // contributions have their own page of the guide
        std::size_t measures = 0;
        for (const MixingChoice& choice : offeredMixing()) {
            const MapSource source = MapSource::of(choice);
            const int row = field->findText(mapTitle(source));
            QVERIFY2(row > 0, qPrintable(mapTitle(source)));
            const QString tip = field->itemData(row, Qt::ToolTipRole).toString();
            const MixingFacts& facts = factsOf(choice.kind);
            for (const std::string_view part : {facts.formula, facts.paper})
                QVERIFY2(tip.contains(QString::fromUtf8(part.data(), qsizetype(part.size()))),
                         qPrintable(tip));
            QCOMPARE(tip.contains("Abnar & Zuidema 2020"), choice.rollout);
            QCOMPARE(tip.contains("zeroed together"), choice.units != MixingUnits::Tokens);
            QVERIFY2(!tip.contains(QStringLiteral(") The")) && !tip.endsWith(u'.'), qPrintable(tip)); // others write the full stop
            panel.setSource(source);
            QVERIFY2(field->toolTip().startsWith(mapTitle(source)) && field->toolTip().endsWith(tip),
                     qPrintable(field->toolTip()));
            ++measures;
        }
        QVERIFY(measures >= 6);
        QVERIFY(field->itemData(field->findText(QStringLiteral("Value zeroing")), Qt::ToolTipRole)
                    .toString()
                    .contains("2023b"));
    }

    void aTextHasOneName() {
        OpenUtterance text;
        text.id = static_cast<UtteranceId>(1);
        text.name = QStringLiteral("text 1");
        text.isText = true;
        QCOMPARE(text.title(), QStringLiteral("text 1"));
        text.text = QStringLiteral("the big man");
        QCOMPARE(text.title(), QStringLiteral("the big man"));
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        widgets::TimeAxis axis;
        TimeColumn column(&axis, actions);
        column.setUtterance(&text);
        QCOMPARE(column.findChild<PanelHeader*>()->title(), QStringLiteral("the big man"));
    }

    /// It failed in Messages alone: the list of recordings said nothing of it.
    void anAnalysisThatFailsIsSeenInTheListOfUtterances() {
        Desk desk;
        const auto detail = [&] { return desk.controller.docks().utterances->header()->detail(); };
        desk.session.open({desk.workshop.wav("click.wav", 0.01), desk.workshop.model("m")});
        QTRY_COMPARE_WITH_TIMEOUT(detail(), QStringLiteral("1, 1 failed"), 60000);
        desk.session.closeModel(desk.session.currentModelId());
        QTRY_COMPARE(detail(), QStringLiteral("1"));
    }

    /// MMS: a language that has adapters in the folder opens as a model beside the others, and becomes current.
    void aModelOffersTheLanguagesOfItsFolder() {
        Desk desk;
        for (const char* file : {"mms/config.json", "mms/adapter.eng.safetensors", "mms/adapter.fra.safetensors", "plain/config.json"})
            desk.workshop.text(file, "{}");
        auto* view = desk.controller.docks().models->findChild<QListView*>();
        const auto languages = [&] {
            const auto* action = desk.controller.docks().models->findChild<QAction*>(QStringLiteral("language"));
            return action->isVisible() ? action->menu()->actions() : QList<QAction*>();
        };
        const ModelId plain = desk.session.openModel(desk.workshop.path() / "plain");
        QVERIFY(desk.session.currentModelId() == plain && languages().isEmpty());
        const ModelId mms = desk.session.openModel(desk.workshop.path() / "mms");
        desk.session.setCurrentModel(mms);
        QCOMPARE(languages().size(), 2);
        QCOMPARE(languages()[1]->text(), QStringLiteral("fra"));
        QVERIFY(!languages()[0]->isChecked() && !languages()[1]->isChecked()); // which one the folder itself is, only its worker knows
        languages()[1]->trigger();
        QVERIFY(QTest::qWaitFor([&] { return desk.session.currentModelId() != mms; }, 60000));
        QCOMPARE(desk.session.models()->count(), 3);
        QCOMPARE(desk.session.currentModel()->folder, desk.workshop.path() / "mms/adapter.fra.safetensors");
        QVERIFY(!languages()[0]->isChecked() && languages()[1]->isChecked());
        languages()[0]->trigger();
        QVERIFY(QTest::qWaitFor([&] { return desk.session.models()->count() == 4; }, 60000));
        // The row of a model that is open has a button for the same menu.
        for (const ModelId id : {plain, mms})
            desk.session.setModelOpened(id, Workshop::info(2));
        const auto heightOf = [&](int row) { return view->visualRect(view->model()->index(row, 0)).height(); };
        QVERIFY(heightOf(1) > heightOf(0));
    }

    /// In Train and Design they offered the map, which one does not see.
    void whatIsExportedIsOnTheScreen() {
        Workshop workshop;
        Session session;
        WorkerProcess worker;
        AnalysisService analysis(&session, &worker);
        widgets::TimeAxis axis;
        QObject owner;
        const Actions actions(session.undoStack(), &owner);
        AnalyseActions analyse({&session, &analysis, &actions, &axis}, &owner);
        axis.setExtent(Seconds(3));
        analyse.update();
        QVERIFY(actions.exportFigure->isEnabled() && actions.exportTab->isEnabled());
        const QString tip = actions.exportFigure->toolTip();
        for (QAction* other : {actions.designWorkspace, actions.trainWorkspace}) {
            other->trigger();
            for (const QAction* one : {actions.exportFigure, actions.exportData, actions.exportTab, actions.copyReadOut}) {
                QVERIFY(!one->isEnabled());
                QVERIFY2(one->toolTip().contains(QStringLiteral("Ctrl+1")), qPrintable(one->toolTip()));
            }
        }
        actions.analyseWorkspace->trigger();
        QVERIFY(actions.exportFigure->isEnabled() && actions.exportTab->isEnabled() && actions.copyReadOut->isEnabled());
        QCOMPARE(actions.exportFigure->toolTip(), tip);
        QVERIFY(!actions.exportData->isEnabled() && !actions.exportData->toolTip().contains(QStringLiteral("Ctrl+1"))); // no layer yet
    }

    /// "No open utterance lasts 1 s or longer", beside one of three seconds.
    void aSelectionThatIsTooShortForWindowsIsSaidToBe() {
        Workshop workshop;
        Session session;
        WorkerProcess worker;
        AnalysisService analysis(&session, &worker);
        session.open({workshop.wav("a.wav", 3)});
        QVERIFY(waitUntilRead(session));
        const ModelId model = session.openModel(workshop.model("m"));
        session.setModelOpened(model, Workshop::info(2));
        const auto why = [&] { return windowSuggestions(session, analysis, nullptr, model, {model, 0}).why; };
        QVERIFY2(why().isEmpty(), qPrintable(why()));
        const UtteranceId id = session.utterances()->at(0).id;
        session.setPart(id, Part{Seconds(0.5), Seconds(0.9)});
        QCOMPARE(why(), QStringLiteral("The analysed selection is shorter than 1 s, which is too short to suggest windows."));
        session.open({workshop.wav("b.wav", 0.5)});
        QVERIFY(waitUntilRead(session));
        QVERIFY2(why().endsWith(QStringLiteral("fits the model. Selections that are analysed and shorter than that: 1.")), qPrintable(why()));
        session.setPart(id, std::nullopt);
        QVERIFY2(why().isEmpty(), qPrintable(why()));
    }

    void theWindowFieldTakesOddNumbersAndFull() {
        WindowSpin field;
        field.setTokens(50);
        field.setWindow(17);
        QSignalSpy entered(&field, &WindowSpin::windowEntered);
        field.stepUp();
        QCOMPARE(field.window(), 19);
        QCOMPARE(entered.takeFirst().at(0).toInt(), 19);
        field.setWindow(99); // 2N − 1
        field.stepUp();
        QCOMPARE(field.window(), 0);
        QCOMPARE(field.text(), QStringLiteral("full"));
        field.stepDown();
        QCOMPARE(field.window(), 99);
        entered.clear();
        field.findChild<QLineEdit*>()->setText(QStringLiteral("20"));
        Q_EMIT field.editingFinished();
        QCOMPARE(field.mistake(), QStringLiteral("20 is even: use 19 or 21."));
        QCOMPARE(entered.count(), 0);
    }

    /// It said "full", down made the layer full, and so did leaving the field.
    void aWindowOfALongerRecordingIsSteppedFromWhereItIs() {
        WindowSpin field;
        field.setTokens(50);
        field.setWindow(155);
        QCOMPARE(field.text(), QStringLiteral("155"));
        QSignalSpy entered(&field, &WindowSpin::windowEntered);
        Q_EMIT field.editingFinished(); // the focus went through it
        QCOMPARE(entered.count(), 0);
        field.stepDown();
        QCOMPARE(field.window(), 153);
        QCOMPARE(field.text(), QStringLiteral("153"));
        field.stepUp(); // as on the map: wider means nothing here
        QCOMPARE(field.window(), 0);
        QCOMPARE(field.text(), QStringLiteral("full"));
        field.stepDown();
        QCOMPARE(field.window(), 99);
    }

    void theLevelMeterHoldsWhatItWasGiven() {
        LevelMeter meter;
        meter.setLevel(0.5F);
        QCOMPARE(meter.level(), 0.5F);
        QCOMPARE(meter.accessibleDescription(), QStringLiteral("\u22126 dB"));
    }
};

HEADROOM_TEST(AnalysePanelsTest)

} // namespace headroom::testing::analyse_panels_test

#include "analyse_panels_test.moc"
