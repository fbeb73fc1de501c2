// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: draw narrower windows, train that architecture, open the result beside the model it came from.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/analysis/diagonality.h"
#include "core/runs/file_lock.h"
#include "tests/stories/guide_pictures.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QProcess>
#include <QPushButton>
#include <QTest>

#include <csignal>

namespace headroom::testing::train_test {

using namespace headroom::app;
using headroom::testing::Story;
using headroom::testing::writeGuidePicture;
using headroom::testing::writesGuide;
using headroom::widgets::RunItem;
namespace fs = std::filesystem;

class TrainStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_RUNS", m_folder.filePath(QStringLiteral("runs")).toLocal8Bit());
        QProcess worker;
        Story story; // names the worker
        worker.start(qEnvironmentVariable("HEADROOM_WORKER"),
                     {"corpus", "demo", "--out", m_folder.filePath("corpus"), "--minutes", "1"});
        if (!worker.waitForFinished(120000) || worker.exitCode() != 0)
            QSKIP(qPrintable("No demo corpus: " + QString::fromUtf8(worker.readAllStandardError())));
    }

    void whatWasDrawnIsTrainedAndOpensBesideItsOrigin() {
        // For the guide: two pictures of each step, and long enough for curves that are worth looking at.
        const QStringList themes = writesGuide() ? QStringList{"dark", "light"} : QStringList{"light"};
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        const ModelId origin = story.session().currentModelId();
        drawNarrower(story, origin, themes);
        if (QTest::currentTestFailed())
            return;
        TrainWorkspace* train = story.window().train();
        QAction* trainThis = story.window().actions().trainThis;
        QVERIFY(trainThis->isEnabled());
        trainThis->trigger();
        QVERIFY(train->isVisible());
        const int updates = writesGuide() ? 60 : 4;
        QVERIFY2(fillForm(train->form(), updates, story.session().currentModel()->folder),
                 qPrintable(mistakesOf(train->form())));
        const auto& layers = train->form()->launch()->architecture.encoder.layers;
        QCOMPARE(layers.at(4).heads.front().window, m_drawn);
        const RunItem run = trainAndWatch(story, updates, themes);
        if (QTest::currentTestFailed())
            return;

        story.window().train()->actions().openResult->trigger();
        QVERIFY(story.window().actions().analyseWorkspace->isChecked());
        QVERIFY2(story.quiet(120000), qPrintable(story.messages()));
        const OpenModel* opened = story.session().currentModel();
        QVERIFY(opened && opened->id != origin && opened->info);
        QCOMPARE(opened->folder, RunPaths{run.folder}.model());
        QCOMPARE(opened->ownWindow(5), std::optional<int>(m_drawn));
        QVERIFY(story.result());
        QCOMPARE(story.result()->readyLayers(), opened->layerCount());
        QVERIFY(story.session().models()->find(origin)->enabled);
        bothAreSeen(story, origin);
        story.window().analyse()->axis()->setPointer(std::nullopt);
        takePictures(story, "loop-compare", themes);
        // The old one becomes current: they change places, nothing is chosen again.
        const ModelId result = opened->id;
        story.session().setCurrentModel(origin);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        bothAreSeen(story, result);
        story.window().actions().compare->trigger();
        QVERIFY(story.quiet());
        QVERIFY(!story.part<ComparedMap>()->isVisible());
    }

    void theRunIsThereAtTheNextStart() {
        Story story;
        TrainWorkspace* train = story.window().train();
        story.window().actions().trainWorkspace->trigger();
        QVERIFY(QTest::qWaitFor([&] { return train->runTable()->runs()->rowCount() == 1; }, 60000));
        QVERIFY(QTest::qWaitFor([&] { return train->curves()->plots().front()->drawnPoints() > 0; }, 60000));
        QCOMPARE(train->queueView()->queue()->kindAt(0), widgets::QueueModel::Kind::Finished);
    }

    void aRunGoesOnWithoutTheWindowAndIsLiveInTheNext() {
        fs::path folder;
        std::int64_t before = 0;
        {
            Story story;
            story.window().actions().trainWorkspace->trigger();
            TrainWorkspace* train = story.window().train();
            QVERIFY(train->form()->chooseArchitecture(HEADROOM_SOURCE_DIR
                                                      "/resources/recipes/smoke.architecture.json"));
            QVERIFY2(fillForm(train->form(), 100000, {}), qPrintable(mistakesOf(train->form())));
            train->findChild<QPushButton*>(QStringLiteral("startRuns"))->click();
            const auto steps = [&] {
                const auto& runs = train->store()->runs();
                return !runs.empty() && runs.front().info.state == RunState::Running &&
                       runs.front().update > 0;
            };
            QVERIFY2(QTest::qWaitFor(steps, 120000), qPrintable(story.messages()));
            folder = train->store()->runs().front().folder;
            before = train->store()->runs().front().update;
            story.window().close();
        }
        QVERIFY(FileLock::isLocked(RunPaths{folder}.lock())); // nobody told it anything
        Story story;
        story.window().actions().trainWorkspace->trigger();
        TrainWorkspace* train = story.window().train();
        const auto current = [&] { return train->store()->find(folder); };
        QVERIFY(QTest::qWaitFor([&] { return current() != nullptr; }, 60000));
        QVERIFY(current()->info.state == RunState::Running);
        QCOMPARE(train->queueView()->queue()->kindAt(0), widgets::QueueModel::Kind::Running);
        QVERIFY(QTest::qWaitFor([&] { return current()->update > before + 2; }, 120000));
        const int drawn = train->curves()->plots().front()->drawnPoints();
        QVERIFY(
            QTest::qWaitFor([&] { return train->curves()->plots().front()->drawnPoints() > drawn; }, 120000));

        // Killed: what was saved is whole, and Resume goes on from there; Stop saves first.
        const auto process = static_cast<pid_t>(readRun(folder).process);
        QCOMPARE(::kill(process, SIGKILL), 0);
        QVERIFY(QTest::qWaitFor([&] { return current()->info.state == RunState::Interrupted; }, 60000));
        QVERIFY2(story.messages().contains(QLatin1String("stopped unexpectedly")),
                 qPrintable(story.messages()));
        train->setCurrentRun(folder);
        QVERIFY(story.window().train()->actions().resume->isEnabled());
        story.window().train()->actions().resume->trigger();
        QVERIFY(QTest::qWaitFor(
            [&] { return current()->info.state == RunState::Running && current()->info.resumed == 1; },
            60000));
        story.window().train()->actions().stop->trigger();
        QVERIFY(QTest::qWaitFor([&] { return current()->info.state == RunState::Stopped; }, 120000));
        QVERIFY(QTest::qWaitFor([&] { return !FileLock::isLocked(RunPaths{folder}.lock()); }, 60000)); // when its process has ended
    }

private:
    static QString mistakesOf(const LaunchForm* form) {
        QStringList sentences;
        for (const auto& [field, sentence] : form->mistakes())
            sentences << field + QStringLiteral(": ") + sentence;
        return sentences.join(QLatin1Char('\n'));
    }

    static void takePictures(Story& story, const char* name, const QStringList& themes) {
        if (!writesGuide())
            return;
        for (const QString& theme : themes) {
            widgets::Theme::apply(theme);
            QTest::qWait(400); // the tool bar fits its words anew in several rounds
            const QString problem =
                writeGuidePicture(story.window(), QStringLiteral("%1-%2").arg(QLatin1String(name), theme));
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
    }

    /// Layer 5's band is dragged to about half of its width; its neighbours get the same window.
    void drawNarrower(Story& story, ModelId model, const QStringList& themes) {
        story.session().setCurrentLayer(5);
        story.session().drafts()->setWindow({model}, {5, 17});
        story.window().analyse()->axis()->setCursor(Seconds(1.42));
        QVERIFY(story.quiet());
        const widgets::LayerMatrixView* matrix = story.part<MatrixPanel>()->matrix();
        widgets::WindowBand* band = matrix->band();
        const QPointF grip = band->grips().first;
        const QPointF by(-4 * matrix->mapping().tokenWidth(), 0);
        QTest::mouseMove(band, grip.toPoint());
        QTest::mousePress(band, Qt::LeftButton, Qt::NoModifier, grip.toPoint());
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(band, (grip + by * step / 4).toPoint());
        QVERIFY(band->isDragging());
        m_drawn = band->shownWindow();
        QVERIFY2(m_drawn < 17 && m_drawn % 2 == 1, qPrintable(QString::number(m_drawn)));
        takePictures(story, "loop-draw", themes);
        QTest::mouseRelease(band, Qt::LeftButton, Qt::NoModifier, (grip + by).toPoint());
        for (const int layer : {4, 6})
            story.session().drafts()->setWindow({model}, {layer, m_drawn});
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 5), std::optional<int>(m_drawn));
    }

    /// The smoke recipe, short, on the test's corpus; true when nothing is wrong any more.
    bool fillForm(LaunchForm* form, int updates, const fs::path& start) {
        if (!form->chooseRecipe(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.json"))
            return false;
        const auto set = [form](const char* key, int value) {
            form->values()->write(key, QString::number(value));
        };
        set("length.maxUpdates", updates);
        set("validation.everyUpdates", std::min(10, updates / 2));
        set("machine.logEvery", 1);
        set("validation.maxUtterances", 2);
        form->setData(toPath(m_folder.filePath("corpus")));
        if (!start.empty() && !form->chooseStart(StartChoice::Kind::Whole, start))
            return false;
        return QTest::qWaitFor([form] { return form->launch().has_value(); }, 60000);
    }

    RunItem trainAndWatch(Story& story, int updates, const QStringList& themes) {
        TrainWorkspace* train = story.window().train();
        train->findChild<QPushButton*>(QStringLiteral("startRuns"))->click();
        const auto runs = [train]() -> const std::vector<RunItem>& { return train->store()->runs(); };
        if (writesGuide() &&
            QTest::qWaitFor([&] { return !runs().empty() && runs().front().update > updates * 3 / 4; }, 900000))
            takePictures(story, "loop-train", themes);
        const auto ended = [&] { return !runs().empty() && runs().front().info.state != RunState::Running; };
        if (!QTest::qWaitFor(ended, 300000)) {
            QTest::qFail(qPrintable(train->statusText()), __FILE__, __LINE__);
            return {};
        }
        const RunItem run = runs().front();
        const auto check = [&] {
            QVERIFY2(run.info.state == RunState::Finished, run.info.error.c_str());
            QVERIFY(run.hasModel);
            QVERIFY(
                QTest::qWaitFor([&] { return train->curves()->plots().front()->drawnPoints() > 0; }, 60000));
            const QString said = QStringLiteral("finished after %1 updates").arg(updates);
            QVERIFY2(story.messages().contains(said), qPrintable(story.messages()));
        };
        check();
        return run;
    }

    /// The map of `other` beside the current one, on one colour scale; D(w) and CCD of both.
    static void bothAreSeen(Story& story, ModelId other) {
        const AnalyseWorkspace* analyse = story.window().analyse();
        const int layer = story.session().currentLayer();
        QVERIFY(analyse->comparison()->side() == (Comparison::Side{other, layer}));
        const widgets::LayerMatrixView *main = story.part<MatrixPanel>()->matrix(),
                                       *beside = story.part<ComparedMap>()->matrix();
        QVERIFY(beside->isVisible() && main->hasMatrix() && beside->hasMatrix());
        QVERIFY(main->range() == beside->range());
        QVERIFY(!(main->image(1) == beside->image(1)));
        // An odd width cannot be halved.
        QCOMPARE(main->mapRect().height(), beside->mapRect().height());
        QVERIFY(std::abs(main->mapRect().width() - beside->mapRect().width()) <= 1);
        QCOMPARE(main->mapTo(&story.window(), QPoint()).y(), beside->mapTo(&story.window(), QPoint()).y());
        // Each map stands under its own time column, on the same pixels.
        const auto lefts = [&](const QList<widgets::TimeLane*>& lanes, const widgets::TimeLane* map) {
            for (const widgets::TimeLane* lane : lanes) {
                QCOMPARE(lane->mapTo(&story.window(), QPoint()).x(),
                         map->mapTo(&story.window(), QPoint()).x());
                QCOMPARE(lane->width(), map->width());
            }
        };
        lefts(story.part<TimeColumn>()->lanes(), main);
        lefts(story.part<TimeColumn>()->twinLanes(), beside);
        const auto* plot = story.part<WindowsPanel>()->diagonality();
        QCOMPARE(plot->comparedHere().size(), std::size_t(1));
        const AnalysisResult* read =
            story.window().analysis()->result(story.session().currentUtteranceId(), other);
        QVERIFY(read && read->layer(layer));
        QCOMPARE(plot->comparedHere().front(), diagonality(read->layer(layer)->profile, plot->shownWindow()));
        const OpenModel* old = story.session().models()->find(other);
        for (const QString& said :
             {plot->accessibleDescription(), story.part<WindowsPanel>()->ccd()->accessibleDescription()})
            QVERIFY2(said.contains(old->name), qPrintable(said));
        QVERIFY(old->name != story.session().currentModel()->name);
    }

    QTemporaryDir m_folder;
    int m_drawn = 0; ///< the window that was dragged to
};

HEADROOM_TEST(TrainStory)

} // namespace headroom::testing::train_test

#include "train_test.moc"
