// SPDX-License-Identifier: GPL-3.0-or-later
// Another machine, from Add place to Open in Analyse: an ssh server of this machine on a loopback port plays
// it.
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/places/places_dialog.h"
#include "app/places/where_field.h"
#include "app/studies/study_store.h"
#include "app/window/session_actions.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/place_card.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/places/run_place.h"
#include "core/runs/run_control.h"
#include "tests/stories/place_story.h"
#include "tests/support/runner.h"
#include "tests/training/places/loopback_ssh.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>

namespace headroom::testing::machines_test {

using namespace headroom::app;
using headroom::widgets::RunItem;
namespace fs = std::filesystem;

class MachinesStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_ssh = std::make_unique<LoopbackSsh>();
        if (const QString reason = m_ssh->skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_ssh->writeClientConfig("");
        qputenv("HEADROOM_RUNS", m_ssh->file("runs").toLocal8Bit());
        qputenv("HEADROOM_STUDIES", m_ssh->file("studies").toLocal8Bit());
        qputenv("XDG_CACHE_HOME", m_ssh->file("cache").toLocal8Bit());
        // What packaging/bundle-worker writes, with a launcher that starts the worker of this build.
        const QString version =
            QString::fromStdString(runWorkerProgram({"--version"}).out).trimmed().section(u' ', -1);
        QCoreApplication::setApplicationVersion(version); // as main() does
        const QString bundle = m_ssh->file("cache/headroom/worker-" + version);
        for (const char* folder : {"/bin", "/lib", "/libexec"})
            QDir().mkpath(bundle + folder);
        writeScript(bundle + "/bin/headroom-worker", "exec '" + kWorker.toUtf8() + "' \"$@\"");
        writeFile(bundle + "/libexec/headroom-worker", "stands for the program");
        m_corpus = std::make_unique<ToneCorpus>(m_ssh->folder() / "corpus", 10, 2);
    }

    void fromAddPlaceToOpenInAnalyse() {
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        story.window().actions().trainWorkspace->trigger();
        addPlaceAndInstall(story);
        if (QTest::currentTestFailed())
            return;
        const RunItem run = trainThere(story);
        if (QTest::currentTestFailed())
            return;
        evaluateThere(story, run);
        if (QTest::currentTestFailed())
            return;
        const ModelId before = story.session().currentModelId();
        TrainWorkspace* train = story.window().train();
        train->setCurrentRun(run.folder);
        QVERIFY(train->actions().openResult->isEnabled());
        train->actions().openResult->trigger();
        QVERIFY(story.window().actions().analyseWorkspace->isChecked());
        QVERIFY2(story.quiet(120000), qPrintable(story.messages()));
        const OpenModel* opened = story.session().currentModel();
        QVERIFY(opened && opened->id != before);
        QCOMPARE(opened->folder, RunPaths{run.folder}.model());
        QVERIFY(story.result());
        studyThere(story);
        if (QTest::currentTestFailed())
            return;
        analyseThere(story);
        if (!QTest::currentTestFailed())
            removeTheWorker(story);
    }

private:
    void addPlaceAndInstall(Story& story) {
        TrainWorkspace* train = story.window().train();
        train->actions().places->trigger();
        auto* dialog = train->findChild<PlacesDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        const auto write = [&](const char* field, const QString& text) { typeInto(dialog, field, text); };
        write("name", "gpu-1");
        write("host", "no-such-host.invalid");
        write("folder", m_ssh->file("over there"));
        buttonOf(dialog, "Test")->click();
        QVERIFY(QTest::qWaitFor([&] { return !dialog->checks().isEmpty(); }, 120000));
        QVERIFY2(dialog->sentence().contains("is unknown here"), qPrintable(dialog->sentence()));
        write("host", "loop");
        buttonOf(dialog, "Test")->click();
        QVERIFY(QTest::qWaitFor([&] { return dialog->checks().size() > 4; }, 120000));
        QVERIFY2(dialog->sentence().contains("Install… copies the worker there and saves the place."),
                 qPrintable(dialog->sentence()));
        takeGuidePictures(story, "machines-places");
        if (QTest::currentTestFailed())
            return;
        buttonOf(dialog, QStringLiteral("Install…"))->click();
        auto* box = dialog->findChild<QMessageBox*>();
        QVERIFY(box && box->isVisible());
        buttonOf(box, "Install")->click();
        const auto worker = [&] {
            for (const Check& check : dialog->checks())
                if (check.name == QLatin1String("Worker"))
                    return check.state == Check::State::Passed;
            return false;
        };
        QVERIFY2(QTest::qWaitFor(worker, 120000), qPrintable(dialog->sentence()));
        buttonOf(dialog, "Test")->click();
        QVERIFY2(QTest::qWaitFor([&] { return dialog->sentence().contains("Everything that a run needs"); },
                                 120000),
                 qPrintable(dialog->sentence()));
        buttonOf(dialog, "Close")->click();
    }

    /// What was installed goes; what was computed with it stays.
    void removeTheWorker(Story& story) {
        const fs::path there = m_ssh->folder() / "over there";
        QVERIFY(fs::exists(there / "worker"));
        TrainWorkspace* train = story.window().train();
        train->actions().places->trigger();
        auto* dialog = train->findChild<PlacesDialog*>();
        QVERIFY(dialog && dialog->place().name == "gpu-1");
        buttonOf(dialog, QStringLiteral("Remove worker…"))->click();
        auto* box = dialog->findChild<QMessageBox*>();
        QVERIFY(box && box->isVisible());
        buttonOf(box, "Remove")->click();
        QVERIFY2(QTest::qWaitFor([&] { return dialog->sentence().contains("The worker was removed"); }, 120000),
                 qPrintable(dialog->sentence()));
        QVERIFY(!fs::exists(there / "worker") && fs::exists(there / "runs"));
        buttonOf(dialog, "Close")->click();
    }

    /// The trained model by the dialogue, computed over there; its scores stand in Runs.
    void evaluateThere(Story& story, const RunItem& run) {
        TrainWorkspace* train = story.window().train();
        train->setCurrentRun(run.folder);
        EvaluateDialog* dialog = train->askEvaluation(RunPaths{run.folder}.model());
        dialog->show();
        QVERIFY(QTest::qWaitFor([&] { return !dialog->isPending(); }, 60000));
        QVERIFY(dialog->whereField()->isVisible());
        dialog->whereField()->choose("gpu-1");
        QVERIFY2(dialog->request() && dialog->request()->place == "gpu-1", qPrintable(dialog->sentence()));
        dialog->startButton()->click();
        const auto* store = train->store();
        const auto ended = [&] { return !store->evaluations().empty() && store->evaluations().front().state == EvaluationInfo::State::Finished; };
        QVERIFY2(QTest::qWaitFor(ended, 120000), qPrintable(story.messages()));
        const auto* queue = train->queueView()->queue();
        const int row = queue->rowOf(store->evaluations().front().folder);
        QVERIFY(row >= 0 && queue->kindAt(row) == widgets::QueueModel::Kind::Finished);
        QCOMPARE(queue->index(row, widgets::QueueModel::Where).data().toString(), QString("gpu-1"));
        QVERIFY(QTest::qWaitFor([&] { return !store->find(run.folder)->evaluated.empty(); }, 60000));
        QVERIFY(QTest::qWaitFor([&] { return fs::is_empty(m_ssh->folder() / "over there/work"); }, 60000)); // it goes last
    }

    /// A study of the open utterance by the form, computed over there.
    void studyThere(Story& story) {
        story.window().actions().newStudy->trigger();
        StudyPanel* panel = story.part<StudyPanel>();
        StudyForm* form = panel->form();
        form->setKind(StudyKind::Diagonality);
        form->setName("study there");
        form->choosePlace("gpu-1");
        auto* where = form->findChild<QComboBox*>("studyPlace");
        QVERIFY(where->isVisible() && where->currentText() == "gpu-1");
        QVERIFY2(form->request(), qPrintable(form->reason()));
        QVERIFY2(form->command().contains("--place gpu-1"), qPrintable(form->command()));
        form->findChild<QPushButton*>("runStudy")->click();
        StudyStore* store = story.window().studies();
        const fs::path folder = store->folder() / "study there";
        const auto state = [&] {
            const StudyItem* item = store->find(folder);
            return item ? item->state : StudyItem::State::Unreadable;
        };
        QVERIFY2(QTest::qWaitFor([&] { return state() == StudyItem::State::Finished || state() == StudyItem::State::Failed; }, 90000),
                 qPrintable(story.messages()));
        QVERIFY2(state() == StudyItem::State::Finished, qPrintable(store->find(folder)->sentence));
        QVERIFY(fs::exists(runPlaceFile(folder)));
    }

    /// The menu of the worker: what is opened next is computed over there.
    void analyseThere(Story& story) {
        auto* bar = story.window().findChild<ToolBar*>();
        QAction* there = nullptr;
        for (QAction* action : bar->workerMenu()->actions())
            if (action->text() == QLatin1String("gpu-1"))
                there = action;
        QVERIFY(there);
        there->trigger();
        const WorkerProcess* worker = story.window().worker();
        QVERIFY2(QTest::qWaitFor([&] { return worker->state() == WorkerProcess::State::Ready; }, 120000),
                 qPrintable(worker->sentence()));
        QCOMPARE(bar->workerText(), QString("gpu-1"));
        QVERIFY2(story.openAndWait({story.utterance("said there")}), qPrintable(story.messages()));
        QVERIFY(story.result() &&
                story.result()->readyLayers() == story.session().currentModel()->layerCount());
    }

    RunItem trainThere(Story& story) {
        RunItem finished;
        const auto work = [&] {
            TrainWorkspace* train = story.window().train();
            LaunchForm* form = train->form();
            TinyTraining tiny(m_ssh->folder() / "documents", m_corpus->folder());
            tiny.recipe.length.maxUpdates = 600; // far from done when the user pauses it
            tiny.recipe.validation.everyUpdates = tiny.recipe.checkpoints.everyUpdates = 200;
            chooseTraining(form, tiny, m_ssh->folder() / "documents", m_corpus->folder(), "gpu-1");
            if (QTest::currentTestFailed())
                return;
            QElapsedTimer clock;
            clock.start();
            train->findChild<QPushButton*>(QStringLiteral("startRuns"))->click();
            const auto runs = [train]() -> const std::vector<RunItem>& { return train->store()->runs(); };
            QVERIFY2(QTest::qWaitFor([&] { return !runs().empty() && runs().front().update > 3; }, 120000),
                     qPrintable(story.messages()));
            qInfo("From Start to the first steps in the table: %lld ms", clock.elapsed());
            const fs::path folder = runs().front().folder;
            const auto run = [&] { return train->store()->find(folder); };
            QVERIFY(run()->info.state == RunState::Running);
            QCOMPARE(run()->place, QString("gpu-1"));
            const auto cardState = [form] {
                for (const auto* card : form->findChildren<PlaceCard*>())
                    if (card->name() == QLatin1String("gpu-1"))
                        return card->state();
                return QString();
            };
            QCOMPARE(cardState(), QString("1 run running"));
            QVERIFY(
                QTest::qWaitFor([&] { return train->curves()->plots().front()->drawnPoints() > 0; }, 120000));
            train->setCurrentRun(folder);
            QVERIFY(train->actions().pause->isEnabled());
            train->actions().pause->trigger();
            const fs::path there = m_ssh->folder() / "over there/runs" / folder.filename();
            QVERIFY(QTest::qWaitFor([&] { return controlOf(there) == RunControl::Pause; }, 120000));
            QVERIFY(QTest::qWaitFor([&] { return run()->isPaused && train->actions().resume->isEnabled(); },
                                    120000));
            m_ssh->stop();
            QVERIFY(QTest::qWaitFor([&] { return run()->lost; }, 120000));
            QVERIFY2(run()->contact.startsWith("No contact with gpu-1"), qPrintable(run()->contact));
            QVERIFY2(cardState().startsWith("No contact with gpu-1"), qPrintable(cardState()));
            takeGuidePictures(story, "machines-train");
            QVERIFY(m_ssh->start());
            QVERIFY(QTest::qWaitFor([&] { return !run()->lost; }, 120000));
            train->actions().resume->trigger();
            QVERIFY2(QTest::qWaitFor(
                         [&] { return run()->info.state == RunState::Finished && run()->hasModel; }, 600000),
                     qPrintable(train->statusText()));
            finished = *run();
        };
        work();
        return finished;
    }

    std::unique_ptr<LoopbackSsh> m_ssh;
    std::unique_ptr<ToneCorpus> m_corpus;
};

HEADROOM_TEST(MachinesStory)

} // namespace headroom::testing::machines_test

#include "machines_test.moc"
