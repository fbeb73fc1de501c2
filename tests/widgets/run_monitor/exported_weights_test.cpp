// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights the model has that a run exported: after Stop those of the best validation, not those of the last update.
#include "core/runs/recipe.h"
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/queue_model.h"
#include "widgets/run_monitor/run_table_model.h"
#include "widgets/run_monitor/run_words.h"

#include <QTest>

#include <memory>

namespace headroom::testing::exported_weights_test {

using namespace headroom::widgets;

namespace {

RunItem stoppedRun() {
    RunItem run = sampleRun(QStringLiteral("demo"), 1, RunState::Stopped);
    run.info.update = run.update = 63;
    run.info.best["update"] = 50;
    return run;
}

} // namespace

class ExportedWeightsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStoppedRunSaysWhichModelItHas() {
        RunItem run = stoppedRun();
        QueueModel queue;
        queue.setItems({run}, {}, {});
        QCOMPARE(queue.rowCount(), 1); // unknown
        run.weights = {{"step-000050.safetensors", "a1"}};
        queue.setItems({run}, {}, {});
        QCOMPARE(queue.rowCount(), 2);
        QCOMPARE(queue.index(1, QueueModel::Job).data().toString(), QStringLiteral("The exported model is that of update 50, the best validation."));
        run.weights = {{"stop-000063.safetensors", "b2"}};
        queue.setItems({run}, {}, {});
        QCOMPARE(queue.rowCount(), 1); // as the row says
    }

    /// One that went on after a Stop opened the weights of the stop beside the scores of later updates, without a word.
    void soDoesARunThatGoesOn() {
        RunItem run = sampleRun(QStringLiteral("demo"), 1, RunState::Running);
        run.info.update = 14; // written when it was stopped
        run.update = 70;
        run.info.best["update"] = 50;
        run.weights = {{"stop-000014.safetensors", "a1"}};
        QueueModel queue;
        const auto sentence = [&] {
            queue.setItems({run}, {}, {});
            return queue.index(1, QueueModel::Job).data().toString();
        };
        QCOMPARE(sentence(), QStringLiteral("The exported model is that of update 14."));
        run.isPaused = true;
        QCOMPARE(sentence(), QStringLiteral("The exported model is that of update 14."));
        run.isPaused = false;
        run.weights.clear();
        QCOMPARE(sentence(), QString());
        run.weights = {{"step-000050.safetensors", "b2"}};
        run.info.state = RunState::Finished; // its best validation is said where it ends
        QCOMPARE(sentence(), QString());
    }

    void theTipOfARowSaysSoToo() {
        RunItem run = stoppedRun();
        run.weights = {{"step-000050.safetensors", "a1"}};
        RunTableModel table;
        table.setGroups(groupRuns({run}));
        const auto tip = [&] { return table.index(0, RunTableModel::Name).data(Qt::ToolTipRole).toString(); };
        QVERIFY2(tip().contains(QStringLiteral("update 63")) && tip().contains(QStringLiteral("exported model: update 50")), qPrintable(tip()));
        run.weights = {{"step-000200.safetensors", "a1"}, {"step-000250.safetensors", "b2"}, {"step-000300.safetensors", "c3"}};
        QCOMPARE(exportedText(run.weights), QStringLiteral("mean of 3 checkpoints, the last of update 300"));
    }

    /// With the same weights WER on dev was 122 in Runs and 245 in Evaluate…, whose texts may be longer; nothing said why.
    void theTipSaysHowLongTheTextsOnDevMayBe() {
        RunItem run = stoppedRun();
        Recipe recipe;
        recipe.validation.maxTokens = 80;
        run.values = std::make_shared<const Recipe>(recipe);
        RunTableModel table;
        table.setGroups(groupRuns({run}));
        const QString tip = table.index(0, RunTableModel::Name).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("decoded on dev: greedily; a decoder writes at most 80 pieces")), qPrintable(tip));
        QVERIFY(table.headerData(RunTableModel::Wer, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("validation.maxTokens")));
    }
};

HEADROOM_TEST(ExportedWeightsTest)

} // namespace headroom::testing::exported_weights_test

#include "exported_weights_test.moc"
