// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: draw narrower windows, train that architecture, open the result beside the model it came from.
#include "app/documents/paths.h"
#include "app/settings/app_settings.h"
#include "app/window/actions.h"
#include "app/window/train_page.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "tests/stories/story.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QProcess>
#include <QPushButton>
#include <QTest>

using namespace headroom;
using namespace headroom::app;
using headroom::testing::Story;
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
        Story story;
        QVERIFY2(story.openAndWait({story.utterance("one"), Story::model()}), qPrintable(story.messages()));
        const ModelId origin = story.session().currentModelId();
        for (const int layer : {1, 2, 3})
            story.session().setWindow(origin, layer, 9);
        TrainWorkspace* train = story.window().train()->workspace();
        QAction* trainThis = story.window().train()->actions().trainThis;
        QVERIFY(trainThis->isEnabled());
        trainThis->trigger();
        QVERIFY(train->isVisible());

        LaunchForm* form = train->form();
        QVERIFY(form->chooseRecipe(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.json"));
        form->values()->write("length.maxUpdates", "4");
        form->values()->write("validation.everyUpdates", "2");
        form->values()->write("machine.logEvery", "1");
        form->values()->write("validation.maxUtterances", "2");
        form->setData(toPath(m_folder.filePath("corpus")));
        QVERIFY(form->chooseStart(StartChoice::Kind::Whole, toPath(Story::model())));
        QVERIFY2(QTest::qWaitFor([&] { return form->launch().has_value(); }, 30000),
                 qPrintable(mistakesOf(form)));
        const auto& layers = form->launch()->architecture.encoder.layers;
        QCOMPARE(layers.at(1).heads.front().window, 9);

        train->findChild<QPushButton*>(QStringLiteral("startRuns"))->click();
        QVERIFY(QTest::qWaitFor([&] { return !train->store()->runs().empty(); }, 60000));
        QVERIFY2(QTest::qWaitFor(
                     [&] { return train->store()->runs().front().info.state != RunState::Running; }, 240000),
                 qPrintable(train->statusText()));
        const auto run = train->store()->runs().front();
        QVERIFY2(run.info.state == RunState::Finished, run.info.error.c_str());
        QVERIFY(run.hasModel);
        QVERIFY(train->curves()->plots().front()->drawnPoints() > 0);
        QVERIFY2(story.messages().contains(QLatin1String("finished after 4 steps")),
                 qPrintable(story.messages()));

        story.window().train()->actions().openResult->trigger();
        QVERIFY(story.window().actions().analyseWorkspace->isChecked());
        QVERIFY2(story.quiet(120000), qPrintable(story.messages()));
        const OpenModel* opened = story.session().currentModel();
        QVERIFY(opened && opened->id != origin && opened->info);
        QCOMPARE(opened->folder, RunPaths{run.folder}.model());
        QCOMPARE(opened->ownWindow(2), std::optional<int>(9));
        QVERIFY(!opened->ownWindow(4));
        QVERIFY(story.result());
        QCOMPARE(story.result()->readyLayers(), 8);
        QVERIFY(story.session().models()->find(origin)->enabled);
    }

    void theRunIsThereAtTheNextStart() {
        Story story;
        TrainWorkspace* train = story.window().train()->workspace();
        story.window().actions().trainWorkspace->trigger();
        QVERIFY(QTest::qWaitFor([&] { return train->runTable()->runs()->rowCount() == 1; }, 30000));
        QVERIFY(QTest::qWaitFor([&] { return train->curves()->plots().front()->drawnPoints() > 0; }, 30000));
        QCOMPARE(train->queueView()->queue()->kindAt(0), widgets::QueueModel::Kind::Finished);
    }

private:
    static QString mistakesOf(const LaunchForm* form) {
        QStringList sentences;
        for (const auto& [field, sentence] : form->mistakes())
            sentences << field + QStringLiteral(": ") + sentence;
        return sentences.join(QLatin1Char('\n'));
    }
    QTemporaryDir m_folder;
};

QTEST_MAIN(TrainStory)
#include "train_story.moc"
