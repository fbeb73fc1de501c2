// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on after it was evaluated exports another model: the score stays one of the earlier weights.
#include "app/runs/evaluation_names.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/evaluations.h"
#include "tests/app/workspaces/train/evaluation_result.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/queue_view.h"

#include <QAction>
#include <QPushButton>
#include <QTest>

namespace headroom::testing::earlier_weights_test {

namespace fs = std::filesystem;

namespace {

nlohmann::json weightsOf(const char* checkpoint) {
    return {{std::string(checkpoint) + ".safetensors", std::string("hash of ") + checkpoint}};
}

/// As `train` exports it, and writes the run afterwards.
void exported(const Desk& desk, const fs::path& run, const char* checkpoint, std::int64_t update) {
    desk.shop.text(RunPaths{run}.model() / "provenance.json",
                   nlohmann::json{{"sourceKind", "headroom-worker train"}, {"sha256", weightsOf(checkpoint)}}.dump());
    RunInfo info = readRun(run);
    info.update = update;
    writeRun(run, info);
}

fs::path evaluated(const Desk& desk, const fs::path& run, const char* when, const char* checkpoint, double wer, const char* option = "model") {
    auto document = nlohmann::json::parse(result(RunPaths{run}.model(), "/corpora/demo"));
    document["split"] = "test";
    document["task"] = readRecipe(RunPaths{run}.recipe()).task;
    document["wer"] = wer;
    document["checkpoint"] = option;
    if (checkpoint)
        document["checkpoints"] = weightsOf(checkpoint);
    return desk.shop.text(evaluationsFolder(desk.shop.runs()) / when / "evaluation.json", document.dump()).parent_path();
}

} // namespace

class EarlierWeightsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The WER of update 100 stood beside "Finished" at update 300.
    void theScoreOfEarlierWeightsLeavesTheRow() {
        Desk desk("train");
        const auto run = desk.shop.run("a");
        const auto* store = desk.workspace->store();
        const auto scores = [&] { return store->runs().empty() ? std::vector<widgets::EvaluatedScore>() : store->runs().front().evaluated; };
        exported(desk, run, "stop-000100", 100);
        const fs::path first = evaluated(desk, run, "2026-11-30T03-40_1", "stop-000100", 4.25);
        QTRY_VERIFY_WITH_TIMEOUT(scores().size() == 1 && scores().front().wer == 4.25, 60000);
        exported(desk, run, "step-000300", 300);
        QTRY_VERIFY_WITH_TIMEOUT(scores().empty(), 60000);
        const fs::path second = evaluated(desk, run, "2026-11-30T03-41_2", "step-000300", 4.5);
        QTRY_VERIFY_WITH_TIMEOUT(scores().size() == 1 && scores().front().wer == 4.5, 60000);
        // Queue had one name for both.
        QVERIFY(store->findEvaluation(first) && store->findEvaluation(second));
        QVERIFY(app::evaluationTitle(*store->findEvaluation(first), store->runs()).contains(QStringLiteral(", at update 100, on test of ")));
        QVERIFY(app::evaluationTitle(*store->findEvaluation(second), store->runs()).contains(QStringLiteral(", at update 300, on test of ")));
    }

    /// The mean of updates 50 and 60 was called "at update 60", as the last checkpoint is.
    void theMeanOfCheckpointsIsNotCalledByOneUpdate() {
        EvaluationInfo one;
        one.request.model = "/runs/2026-11-21T10-31_demo_seed-1/model";
        one.request.split = "test";
        one.weights = {{"step-000050.safetensors", "a"}, {"step-000060.safetensors", "b"}};
        QCOMPARE(app::evaluationTitle(one), QStringLiteral("Evaluate demo, seed 1, mean of 2 checkpoints, the last of update 60, on test"));
        one.weights = {{"step-000060.safetensors", "b"}};
        one.request.checkpoint = "last";
        QCOMPARE(app::evaluationTitle(one), QStringLiteral("Evaluate demo, seed 1, at update 60, on test, last checkpoint"));
    }

    void theBestCheckpointMayBeTheSameLater() {
        Desk desk("train");
        const auto run = desk.shop.run("a"); // its best update is 40
        const auto* store = desk.workspace->store();
        const auto scores = [&] { return store->runs().empty() ? std::vector<widgets::EvaluatedScore>() : store->runs().front().evaluated; };
        exported(desk, run, "step-000060", 60);
        evaluated(desk, run, "2026-11-30T03-40_1", "step-000040", 4.25, "best");
        QTRY_VERIFY_WITH_TIMEOUT(scores().size() == 1 && scores().front().wer == 4.25, 60000);
        evaluated(desk, run, "2026-11-30T03-41_2", "step-000030", 5, "best"); // newer, and of another one
        evaluated(desk, run, "2026-11-30T03-42_3", "step-000050", 6, "last");
        QTRY_COMPARE_WITH_TIMEOUT(store->evaluations().size(), std::size_t(3), 60000);
        QCOMPARE(scores().size(), std::size_t(1));
        QCOMPARE(scores().front().wer, 4.25);
    }

    /// The button opened the weights of the Stop beside the scores of a later update, and nothing said so.
    void whatOpensIsNamedByItsUpdate() {
        Desk desk("train");
        const auto run = desk.shop.run("a", RunState::Running); // its best update is 40
        const FileLock works = takeRun(run);
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        exported(desk, run, "stop-000014", 14);
        QVERIFY(desk.becomes(RunState::Running));
        desk.workspace->setCurrentRun(run);
        const QAction* action = desk.workspace->actions().openResult;
        const auto* button = desk.workspace->findChild<QPushButton*>(QStringLiteral("openResultOfRow"));
        const QString tip = QStringLiteral("seed 1 (update 14) beside the open ones");
        QTRY_VERIFY2_WITH_TIMEOUT(action->isEnabled() && action->toolTip().contains(tip) && button->toolTip().contains(tip),
                                  qPrintable(action->toolTip() + button->toolTip()), 60000);
        desk.workspace->actions().openResult->trigger();
        QVERIFY2(desk.said().contains(QStringLiteral("seed 1” is at update 40. The exported model is that of update 14.")), qPrintable(desk.said()));
        QCOMPARE(desk.session.messages()->count(app::Severity::Warning), 0);
    }

    /// Evaluations of earlier versions stay as they are.
    void oneThatDidNotRecordItsWeightsCounts() {
        Desk desk("train");
        const auto run = desk.shop.run("a");
        exported(desk, run, "step-000300", 300);
        const fs::path folder = evaluated(desk, run, "2026-11-30T03-40_1", nullptr, 4.25);
        const auto* store = desk.workspace->store();
        QTRY_VERIFY_WITH_TIMEOUT(!store->runs().empty() && store->runs().front().evaluated.size() == 1, 60000);
        QVERIFY(!app::evaluationTitle(*store->findEvaluation(folder), store->runs()).contains(QStringLiteral("update")));
    }

    /// Queue told them apart, the status line and the title of their errors did not.
    void twoOfOneTitleAreCalledAlikeEverywhere() {
        Desk desk("train");
        std::vector<fs::path> folders;
        for (const char* when : {"2026-11-30T03-40_1", "2026-11-30T03-41_2"}) { // of a model that no run here made: they can be chosen
            const auto file = desk.shop.text(evaluationsFolder(desk.shop.runs()) / when / "evaluation.json", result("/models/smoke", "/corpora/demo"));
            fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(folders.size()));
            folders.push_back(file.parent_path());
        }
        const auto* store = desk.workspace->store();
        QTRY_COMPARE_WITH_TIMEOUT(store->evaluations().size(), std::size_t(2), 60000);
        QSet<QString> titles;
        const auto* queue = desk.workspace->queueView()->queue();
        for (const fs::path& folder : folders) {
            desk.workspace->setCurrentRun(folder);
            const QString title = queue->index(queue->rowOf(folder), widgets::QueueModel::Job).data().toString();
            QCOMPARE(store->titleOf(*store->findEvaluation(folder)), title);
            QCOMPARE(desk.workspace->statusText(), title + u'.');
            titles << title;
        }
        QCOMPARE(titles.size(), 2);
    }
};

HEADROOM_TEST(EarlierWeightsTest)

} // namespace headroom::testing::earlier_weights_test

#include "earlier_weights_test.moc"
