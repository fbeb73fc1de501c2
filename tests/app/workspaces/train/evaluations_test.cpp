// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations in Train: asked for, followed in the queue, their scores in Runs.
#include "app/workspaces/train/evaluate/error_browser.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/evaluation_result.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/log_view.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/samples_view.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <algorithm>

namespace headroom::testing::evaluations_test {

using namespace headroom::app;
using widgets::QueueModel;
using widgets::RunTableModel;
namespace fs = std::filesystem;

namespace {

QString cell(const QueueModel* queue, int row, QueueModel::Column column) {
    return queue->index(row, column).data().toString();
}

} // namespace

class TrainEvaluationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theDialogueWritesAJob() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), corpus = desk.shop.corpus();
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        desk.shop.text(RunPaths{run}.checkpoints() / "last.safetensors", "weights");
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->store()->runs().empty() && desk.workspace->store()->runs().front().hasModel, 60000);
        EvaluateDialog* dialog = desk.workspace->askEvaluation(RunPaths{run}.model());
        dialog->show();
        dialog->chooseData(corpus);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending(), 60000);
        QCOMPARE(dialog->splitField()->currentText(), QStringLiteral("all"));
        QCOMPARE(dialog->checkpointField()->count(), 3);
        dialog->checkpointField()->setCurrentIndex(1);
        dialog->beamField()->setValue(5);
        QVERIFY2(dialog->sentence().contains(QStringLiteral("3 utterances")), qPrintable(dialog->sentence()));
        const auto wanted = dialog->request();
        QVERIFY(wanted.has_value());
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        dialog->startButton()->click();
        const auto jobs = waitingJobs(desk.shop.runs());
        QCOMPARE(jobs.size(), std::size_t(1));
        const Job job = readJob(jobs.front());
        QVERIFY(job.evaluation == wanted);
        QCOMPARE(job.evaluation->checkpoint, std::string("best"));
        QCOMPARE(job.run.parent_path(), evaluationsFolder(desk.shop.runs()));
        const QueueModel* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowCount() > 0 && queue->kindAt(0) == QueueModel::Kind::Waiting, 60000);
        QCOMPARE(cell(queue, 0, QueueModel::Job), QStringLiteral("Evaluate smoke, seed 1, on all of corpus, asr, best checkpoint, beam 5"));
    }

    /// Progress in the queue, stopped by its button; then the scores in Runs.
    void anEvaluationIsFollowed() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        const QueueModel* queue = desk.workspace->queueView()->queue();
        EvaluationInfo info;
        info.folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        info.request = {RunPaths{run}.model(), "model", desk.shop.path() / "corpus", "all", "asr", 5, "auto"};
        info.done = 2;
        info.total = 8;
        info.seconds = 10;
        fs::create_directories(info.folder);
        auto lock = FileLock::tryTake(EvaluationPaths{info.folder}.lock(), "test");
        writeProgress(info);
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowCount() > 0 && queue->kindAt(0) == QueueModel::Kind::Running, 60000);
        QCOMPARE(cell(queue, 0, QueueModel::Step), QStringLiteral("2 of 8"));
        QVERIFY(cell(queue, 0, QueueModel::TimeLeft).contains(QStringLiteral("30")));
        QVERIFY(queue->buttonsAt(0) == QList{QueueModel::Button::Stop});
        Q_EMIT desk.workspace->queueView()->asked(QueueModel::Button::Stop, info.folder);
        QVERIFY(requestOf(info.folder) == RunRequest::Stop);
        QTRY_VERIFY_WITH_TIMEOUT(queue->kindAt(0) == QueueModel::Kind::Stopping, 60000);
        const auto* runs = desk.workspace->runTable()->runs();
        QCOMPARE(runs->index(0, RunTableModel::Test).data().toString(), QStringLiteral("–"));
        QVERIFY(desk.workspace->runTable()->isColumnHidden(RunTableModel::Test));
        // In the worker's order: whoever looks in between sees an evaluation that goes on.
        desk.shop.text(EvaluationPaths{info.folder}.result(), result(RunPaths{run}.model(), desk.shop.path()));
        fs::remove(EvaluationPaths{info.folder}.progress());
        lock.reset();
        const QString onAll = QStringLiteral("42.50\u202f% WER, all of ") + toQString(desk.shop.path().filename()); // not the run's corpus
        QTRY_COMPARE_WITH_TIMEOUT(runs->index(0, RunTableModel::Test).data().toString(), onAll, 60000);
        QVERIFY(!desk.workspace->runTable()->isColumnHidden(RunTableModel::Test));
        QTRY_VERIFY_WITH_TIMEOUT(queue->kindAt(0) == QueueModel::Kind::Finished, 60000);
        QVERIFY(cell(queue, 0, QueueModel::Score).startsWith(QStringLiteral("42.5")));
        QTRY_VERIFY_WITH_TIMEOUT(desk.said().contains(QStringLiteral("WER 42.50")), 60000);
    }

    /// A score in another task stood in its place, under the measure of the run's own task.
    void theScoreOfTheRunsOwnTaskStays() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), own = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a",
                       other = evaluationsFolder(desk.shop.runs()) / "2026-11-23_b";
        const auto* runs = desk.workspace->runTable()->runs();
        const auto shown = [&] { return runs->index(0, RunTableModel::Test).data().toString(); };
        const QString corpus = toQString(desk.shop.path().filename());
        auto document = nlohmann::json::parse(result(RunPaths{run}.model(), desk.shop.path()));
        document["task"] = "st_de";
        desk.shop.text(EvaluationPaths{other}.result(), document.dump());
        QTRY_COMPARE_WITH_TIMEOUT(shown(), QStringLiteral("7.00 BLEU, all of %1, st_de").arg(corpus), 60000); // there is no other
        const QueueModel* queue = desk.workspace->queueView()->queue();
        QTRY_COMPARE_WITH_TIMEOUT(cell(queue, queue->rowOf(other), QueueModel::Score), QStringLiteral("7.00\u202fBLEU"), 60000);
        desk.shop.text(EvaluationPaths{own}.result(), result(RunPaths{run}.model(), desk.shop.path())); // sorted before it
        QTRY_COMPARE_WITH_TIMEOUT(shown(), QStringLiteral("42.50\u202f% WER, all of %1; 1 more").arg(corpus), 60000);
    }

    /// Only evaluation.json had it: the number on the screen was taken for it.
    void theScoreAfterTheMappingRulesIsShownToo() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), folder = evaluationsFolder(desk.shop.runs()) / "a";
        auto document = nlohmann::json::parse(result(RunPaths{run}.model(), desk.shop.corpus()));
        document["glm"] = "/rules/map.glm";
        document["wer-sclite"] = {{"errors", 3}, {"percent", 40.75}};
        desk.shop.text(folder / "evaluation.json", document.dump());
        const QueueModel* queue = desk.workspace->queueView()->queue();
        QTRY_VERIFY_WITH_TIMEOUT(queue->rowOf(folder) >= 0, 60000);
        const int row = queue->rowOf(folder);
        QCOMPARE(cell(queue, row, QueueModel::Score), QStringLiteral("42.50\u202f% WER, 40.75\u202f% with rules"));
        const QString tip = queue->index(row, QueueModel::Score).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("42.50")) && tip.contains(QStringLiteral("WER after the rules (sclite): 40.75")), qPrintable(tip));
        const auto* runs = desk.workspace->runTable()->runs();
        QTRY_VERIFY_WITH_TIMEOUT(
            runs->index(0, RunTableModel::Test).data().toString().startsWith(QStringLiteral("42.50\u202f% WER, 40.75\u202f% with rules")), 60000);
        const ErrorBrowser* browser = desk.workspace->showErrors(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QVERIFY(std::ranges::any_of(browser->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("WER after the rules (sclite): 40.75"));
        }));
    }

    /// New rows at the top were out of sight: the queue stayed where the chosen run is.
    void theRowOfAJobThatIsAskedForIsChosen() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), other = desk.shop.run("2026-11-21T11-31_b_seed-1", RunState::Finished, 2);
        auto* view = desk.workspace->queueView();
        const auto isThere = [&](const fs::path& path) { return view->queue()->rowOf(path) >= 0; };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(run) && isThere(other), 60000);
        desk.workspace->setCurrentRun(other);
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        EvaluationRequest request{RunPaths{run}.model(), "model", "/corpora/demo", "all", "asr", 1, "auto"};
        const auto begins = [&](const fs::path& job) {
            EvaluationInfo info;
            info.folder = readJob(job).run;
            info.request = request;
            info.state = EvaluationInfo::State::Failed;
            fs::create_directories(info.folder);
            writeProgress(info);
            fs::remove(job);
            return info.folder;
        };
        (void)desk.workspace->queue()->evaluate(request);
        const fs::path job = waitingJobs(desk.shop.runs()).front();
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), job, 60000);
        QCOMPARE(desk.workspace->currentRun(), run);
        const fs::path evaluation = begins(job);
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), evaluation, 60000);
        QCOMPARE(desk.workspace->currentRun(), run);
        // Not against the user, who has chosen another row since.
        (void)desk.workspace->queue()->evaluate(request);
        const fs::path second = waitingJobs(desk.shop.runs()).front();
        QTRY_COMPARE_WITH_TIMEOUT(view->currentPath(), second, 60000);
        view->setCurrentPath(other);
        const fs::path later = begins(second);
        QTRY_VERIFY_WITH_TIMEOUT(isThere(later), 60000);
        QCOMPARE(view->currentPath(), other);
    }

    /// The queue highlighted an evaluation while log and status bar spoke of another run.
    void theRunOfAHighlightedEvaluationIsTheCurrentOne() {
        Desk desk("good");
        const fs::path evaluated = desk.shop.run("2026-11-21T10-31_a_seed-1"), other = desk.shop.run("2026-11-21T11-31_b_seed-1");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        desk.shop.text(EvaluationPaths{folder}.result(), result(RunPaths{evaluated}.model(), desk.shop.path()));
        auto* view = desk.workspace->queueView();
        const auto isThere = [&](const fs::path& path) { return view->queue()->rowOf(path) >= 0; };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(folder) && isThere(evaluated) && isThere(other), 60000);
        desk.workspace->setCurrentRun(other);
        QCOMPARE(view->currentPath(), other);
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(folder), 0));
        QCOMPARE(desk.workspace->currentRun(), evaluated);
        QCOMPARE(view->currentPath(), folder);
        const QString title = cell(view->queue(), view->queue()->rowOf(folder), QueueModel::Job);
        QCOMPARE(desk.workspace->showErrors(folder)->windowTitle(), QStringLiteral("Errors: ") + title);
        desk.workspace->setCurrentRun(other);
        QCOMPARE(view->currentPath(), other);
        // One of a model without a run: no other run is highlighted with it, and nothing is asked of one.
        const fs::path foreign = evaluationsFolder(desk.shop.runs()) / "2026-11-23_b";
        desk.shop.text(EvaluationPaths{foreign}.result(), result("/models/demo", desk.shop.path()));
        QTRY_VERIFY_WITH_TIMEOUT(isThere(foreign), 60000);
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(foreign), 0));
        QVERIFY(!desk.workspace->actions().branch->isEnabled());
        const auto examples = [&] { return desk.workspace->samples()->toPlainText(); };
        QVERIFY2(examples().contains(QStringLiteral("Show the errors")), qPrintable(examples())); // no validation is awaited
        const auto log = [&] { return desk.workspace->log()->placeholderText(); }; // “of the run that is chosen”, as if none were
        QVERIFY2(log().contains(QStringLiteral("evaluation")), qPrintable(log()));
        QVERIFY2(desk.workspace->statusText().startsWith(QStringLiteral("Evaluate ")), qPrintable(desk.workspace->statusText()));
        desk.shop.run("2026-11-21T12-31_c_seed-1"); // the next look changes nothing of that
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(3), 60000);
        QCOMPARE(view->currentPath(), foreign);
        QVERIFY(desk.workspace->runTable()->selectedKeys().isEmpty());
        desk.workspace->setCurrentRun(other);
        QVERIFY2(!log().contains(QStringLiteral("evaluation")), qPrintable(log()));
    }
};

HEADROOM_TEST(TrainEvaluationsTest)

} // namespace headroom::testing::evaluations_test

#include "evaluations_test.moc"
