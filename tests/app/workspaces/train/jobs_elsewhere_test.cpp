// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations and experiments that another place computes: asked for in their dialogues, followed in the queue.
#include "app/places/where_field.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QPushButton>

namespace headroom::testing::jobs_elsewhere_test {

using namespace headroom::app;
using widgets::QueueModel;
namespace fs = std::filesystem;

class JobsElsewhereTest : public QObject {
    Q_OBJECT

    std::optional<OnePlace> m_place;

    static fs::path finishedRun(Desk& desk) {
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        return QTest::qWaitFor([&] { return !desk.workspace->store()->runs().empty() && desk.workspace->store()->runs().front().hasModel; }, 60000)
                   ? RunPaths{run}.model()
                   : fs::path();
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() { m_place.emplace(); }
    void cleanup() {
        m_place.reset();
        qunsetenv("HEADROOM_FAKE_DEVICES");
    }

    void anEvaluationIsSentToThePlaceThatWasChosen() {
        Desk desk("good");
        const fs::path model = finishedRun(desk), corpus = desk.shop.corpus();
        QVERIFY(!model.empty());
        EvaluateDialog* dialog = desk.workspace->askEvaluation(model);
        dialog->show();
        dialog->chooseData(corpus);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending(), 60000);
        QVERIFY(dialog->whereField()->isVisible());
        QVERIFY(dialog->request()->place.empty());
        dialog->whereField()->choose(QStringLiteral("gpu-1"));
        QVERIFY2(dialog->sentence().contains(QStringLiteral("at gpu-1")), qPrintable(dialog->sentence()));
        QCOMPARE(dialog->request()->place, std::string("gpu-1"));
        QCOMPARE(dialog->request()->device, EvaluationRequest().device); // as the place says
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        dialog->startButton()->click();
        const Job job = readJob(waitingJobs(desk.shop.runs()).front());
        QVERIFY(job.place == "gpu-1" && job.evaluation->place == "gpu-1");
        const QueueModel* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowCount() > 0 && queue->kindAt(0) == QueueModel::Kind::Waiting, 60000);
        QCOMPARE(queue->index(0, QueueModel::Where).data().toString(), QStringLiteral("gpu-1"));
        // The next one offers the same.
        EvaluateDialog* next = desk.workspace->askEvaluation(model);
        QCOMPARE(next->whereField()->place(), QStringLiteral("gpu-1"));
        delete next;
    }

    void anEvaluationIsComputedOnTheDeviceThatWasChosen() {
        qputenv("HEADROOM_FAKE_DEVICES", R"({"format": "headroom/devices", "version": 1, "devices": [{"id": "cpu"}, {"id": "cuda:0", "name": "H200"}]})");
        Desk desk("good");
        const fs::path model = finishedRun(desk);
        EvaluateDialog* dialog = desk.workspace->askEvaluation(model);
        dialog->chooseData(desk.shop.corpus());
        QTRY_COMPARE_WITH_TIMEOUT(dialog->whereField()->count(), 3, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending(), 60000);
        dialog->whereField()->choose({}, QStringLiteral("cuda:0"));
        QCOMPARE(dialog->request()->device, std::string("cuda:0"));
        dialog->whereField()->choose({});
        QCOMPARE(dialog->request()->device, EvaluationRequest().device);
        delete dialog;
    }

    /// Copied, lost, tried again, stopped; and found again when nobody watches it.
    void anEvaluationThereIsFollowed() {
        Desk desk("good");
        const QueueModel* queue = desk.workspace->queueView()->queue();
        EvaluationInfo info;
        info.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        info.request = {desk.shop.path() / "model", "model", desk.shop.path() / "corpus", "all", "asr", 5, "auto"};
        fs::create_directories(info.folder);
        RunPlace place;
        place.place = OnePlace::place();
        place.folder = "~/headroom/work/x";
        place.since = "2026-11-23T10:00:00Z";
        place.copy = RunPlace::Copy{"corpus", 0.25, 1e6, 30};
        const auto becomes = [&](QueueModel::Kind kind) {
            return QTest::qWaitFor([&] { return queue->rowCount() > 0 && queue->kindAt(0) == kind; }, 60000);
        };
        {
            const auto lock = FileLock::tryTake(EvaluationPaths{info.folder}.lock(), "test");
            writeRunPlace(info.folder, place);
            writeProgress(info);
            QVERIFY(becomes(QueueModel::Kind::Copying));
            QCOMPARE(queue->index(0, QueueModel::Progress).data().toString(), QStringLiteral("25\u202f%"));
            place.copy.reset();
            place.begun = true;
            place.contact = RunPlace::Contact::Lost;
            writeRunPlace(info.folder, place);
            QVERIFY(becomes(QueueModel::Kind::NoContact));
            QVERIFY2(queue->index(1, QueueModel::Job).data().toString().contains(QStringLiteral("The evaluation continues there.")),
                     qPrintable(queue->index(1, QueueModel::Job).data().toString()));
            Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::TryNow, info.folder);
            QVERIFY(takeReconnect(info.folder));
            Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::Stop, info.folder);
            QVERIFY(requestOf(info.folder) == RunRequest::Stop);
            QTRY_VERIFY_WITH_TIMEOUT(queue->index(1, QueueModel::Job).data().toString().startsWith(QStringLiteral("Stops when contact returns.")), 60000);
            QCOMPARE(queue->kindAt(0), QueueModel::Kind::NoContact);
            place.contact = RunPlace::Contact::Connected;
            writeRunPlace(info.folder, place);
            QVERIFY(becomes(QueueModel::Kind::Stopping));
        }
        QVERIFY(becomes(QueueModel::Kind::Interrupted));
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::Resume, info.folder);
        QVERIFY(requestOf(info.folder) == RunRequest::None);
        const Job job = readJob(waitingJobs(desk.shop.runs()).front());
        QCOMPARE(job.run, info.folder);
        QVERIFY(job.place == "gpu-1" && job.evaluation->beam == 5);
    }

    /// Restarted, the program offered Stop once more; and the legend of the curves called the run running.
    void aLostRunThatWasToldToStopIsStillStoppingAfterARestart() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Running);
        const auto watcher = FileLock::tryTake(RunPaths{run}.lock(), "test");
        RunPlace place;
        place.place = OnePlace::place();
        place.folder = "~/headroom/runs/a";
        place.begun = true;
        place.contact = RunPlace::Contact::Lost;
        place.since = "2026-11-23T10:00:00Z";
        writeRunPlace(run, place);
        const auto isStoppable = [&] {
            desk.workspace->setCurrentRun(run);
            return desk.workspace->actions().stop->isEnabled();
        };
        const auto isLost = [&] { return desk.workspace->store()->find(run) && desk.workspace->store()->find(run)->lost; };
        QTRY_VERIFY_WITH_TIMEOUT(isLost(), 60000);
        QVERIFY(isStoppable());
        const auto legend = [&] {
            QStringList details;
            for (const widgets::CurveKey* key : desk.workspace->curves()->findChildren<widgets::CurveKey*>())
                for (const widgets::KeyEntry& entry : key->entries())
                    details << entry.detail;
            return details.join(u';');
        };
        QTRY_COMPARE_WITH_TIMEOUT(legend(), QStringLiteral("1 seed, no contact"), 60000);
        desk.workspace->actions().stop->trigger();
        QVERIFY(requestOf(run) == RunRequest::Stop);
        desk.open(); // the window is started again
        QTRY_VERIFY_WITH_TIMEOUT(isLost(), 60000);
        QVERIFY(!isStoppable());
        const QueueModel* queue = desk.workspace->queueView()->queue();
        const QString said = queue->index(queue->rowOf(run) + 1, QueueModel::Job).data().toString();
        QVERIFY2(said.startsWith(QStringLiteral("Stops when contact returns.")), qPrintable(said));
        clearRequest(run);
    }

    /// Of this machine. Resume stayed on and did nothing, and Runs went on to say Stopped.
    void aRunThatWaitsToGoOnSaysSo() {
        Desk desk("good");
        fs::create_directories(queueFolder(desk.shop.runs()));
        const auto works = FileLock::tryTake(queueLock(desk.shop.runs()), "test"); // nobody takes the job
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Stopped);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->find(run) != nullptr, 60000);
        desk.workspace->setCurrentRun(run);
        const TrainActions& a = desk.workspace->actions();
        const QueueModel* queue = desk.workspace->queueView()->queue();
        const auto* table = desk.workspace->runTable()->runs();
        const auto state = [&] { return table->index(0, widgets::RunTableModel::State).data().toString(); };
        QVERIFY(a.resume->isEnabled());
        QCOMPARE(state(), QStringLiteral("Stopped"));
        a.resume->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(queue->kindAt(0), QueueModel::Kind::Waiting, 60000);
        QCOMPARE(queue->rowCount(), 1);
        QVERIFY(!a.resume->isEnabled() && !a.remove->isEnabled());
        QVERIFY2(a.resume->toolTip().contains(QStringLiteral("waits in the queue")), qPrintable(a.resume->toolTip()));
        QCOMPARE(state(), QStringLiteral("Queued"));
        QCOMPARE(desk.workspace->currentRun(), run);
        QVERIFY2(desk.workspace->statusText().endsWith(QStringLiteral(": queued, continues after update 40.")), qPrintable(desk.workspace->statusText()));
        QVERIFY(!desk.workspace->queue()->moveToWastebasket(run).isEmpty());
        desk.workspace->queueView()->setCurrentPath(run);
        QCOMPARE(desk.workspace->queueView()->currentPath(), waitingJobs(desk.shop.runs()).front());
        Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::Remove, queue->pathAt(0));
        QTRY_COMPARE_WITH_TIMEOUT(queue->kindAt(0), QueueModel::Kind::Stopped, 60000);
        QCOMPARE(desk.workspace->queueView()->currentPath(), run);
        QVERIFY(a.resume->isEnabled() && a.remove->isEnabled());
        QCOMPARE(state(), QStringLiteral("Stopped"));
    }

    void anExperimentIsComputedAtThePlaceThatWasChosen() {
        Desk desk("good");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        makeCorpus(desk.shop.path() / "100h");
        dialog->choose(QStringLiteral("relaxed-7"));
        dialog->setFolders(desk.shop.path(), desk.shop.path() / "x");
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().contains(QStringLiteral("has finished here yet")), qPrintable(dialog->sentence()), 60000);
        dialog->whereField()->choose(QStringLiteral("gpu-1"));
        QCOMPARE(dialog->options().place, std::string("gpu-1"));
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().contains(QStringLiteral("has finished at gpu-1 yet")), qPrintable(dialog->sentence()), 60000);
        const auto words = arguments(dialog->options());
        QVERIFY(std::find(words.begin(), words.end(), "--place") != words.end());
        delete dialog;
        dialog = desk.workspace->showExperiments();
        QCOMPARE(dialog->options().place, std::string("gpu-1"));
        delete dialog;
    }
};

HEADROOM_TEST(JobsElsewhereTest)

} // namespace headroom::testing::jobs_elsewhere_test

#include "jobs_elsewhere_test.moc"
