// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "core/runs/recipe.h"
#include "core/statistics/undefined.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/queue_model.h"
#include "widgets/run_monitor/run_table_model.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/run_monitor/table_text.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace headroom::testing::run_models_test {

using namespace headroom::widgets;
using headroom::testing::sampleRun;

class RunModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsOfOneExperimentAreOneRow() {
        const auto groups =
            groupRuns({sampleRun("b", 2, RunState::Finished), sampleRun("a", 1, RunState::Finished),
                       sampleRun("b", 1, RunState::Running)});
        QCOMPARE(groups.size(), 2U);
        QCOMPARE(groups[0].name, QStringLiteral("b"));
        QCOMPARE(groups[0].runs[0].info.seed, 1U);
        QCOMPARE(groups[0].finished(), 1);
        QVERIFY(groups[0].isRunning());
    }

    void scoresAreMeanAndDeviationOfFinishedSeeds() {
        RunTableModel model;
        model.setGroups(
            groupRuns({sampleRun("a", 1, RunState::Finished, 1), sampleRun("a", 2, RunState::Finished, 3),
                       sampleRun("a", 3, RunState::Running, 50)}));
        QCOMPARE(model.index(0, RunTableModel::Loss).data().toString(), QStringLiteral("2.000 ± 1.414"));
        QCOMPARE(model.index(0, RunTableModel::Wer).data().toString(), QStringLiteral("20.00 ± 14.14"));
        QCOMPARE(model.index(0, RunTableModel::Seeds).data().toString(), QStringLiteral("2 of 3"));
        QCOMPARE(model.index(0, RunTableModel::Bleu).data().toString(), QStringLiteral("–"));
        QCOMPARE(model.index(0, RunTableModel::Parameters).data().toString(), QStringLiteral("2.00"));
        QCOMPARE(model.index(0, RunTableModel::Loss).data(kRawRole).toDouble(), 2.0);
    }

    /// A name that the user gave says neither updates nor start.
    void theTipSaysInWhatExperimentsDiffer() {
        const auto with = [](const char* name, std::int64_t updates, double rate) {
            auto recipe = std::make_shared<headroom::Recipe>();
            recipe->length.maxUpdates = updates;
            recipe->optimiser.learningRate = rate;
            RunItem run = sampleRun(QLatin1String(name), 1, RunState::Finished);
            run.values = recipe;
            run.start = updates == 60 ? QStringLiteral("from b, update 100 of seed 1") : QStringLiteral("random weights");
            return run;
        };
        RunTableModel model;
        model.setGroups(groupRuns({with("a", 60, 0.002), with("b", 150, 0.004)}));
        const QString tip = model.index(0, RunTableModel::Name).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("with this recipe: optimiser.learningRate 0.002, length.maxUpdates 60\nstart: from b, update 100 of seed 1\n")), qPrintable(tip));
    }

    /// "Dev" and "Evaluated" are scores of different weights.
    void scoresSayOfWhichWeightsTheyAre() {
        RunItem exported = sampleRun("a", 1, RunState::Finished), best = sampleRun("a", 2, RunState::Finished);
        exported.evaluated = {sampleScore("test", 12)};
        best.evaluated = {sampleScore("test", 14)};
        best.evaluated[0].checkpoint = QStringLiteral("best");
        best.evaluated[0].decoding = QStringLiteral("beam 3, CTC weight 0.3");
        RunTableModel model;
        model.setGroups(groupRuns({exported, best, sampleRun("a", 3, RunState::Finished)}));
        const QStringList lines =
            model.index(0, RunTableModel::Test).data(Qt::ToolTipRole).toString().split(QLatin1Char('\n'));
        QVERIFY2(lines.filter(QStringLiteral("seed 1")).value(0).endsWith(QStringLiteral("evaluated on test: the exported model")),
                 qPrintable(lines.join(u'\n')));
        QVERIFY(lines.filter(QStringLiteral("seed 2")).value(0).endsWith(QStringLiteral("evaluated on test: the best checkpoint, beam 3, CTC weight 0.3")));
        QVERIFY(!lines.filter(QStringLiteral("seed 3")).value(0).contains(QStringLiteral("evaluated")));
        // And of what they are: metric, unit and split.
        QCOMPARE(model.index(0, RunTableModel::Test).data().toString(), QStringLiteral("13.00 ± 1.41\u202f% WER, test, the exported model and the best checkpoint, 2 of 3 seeds"));
        model.setGroups(groupRuns({exported}));
        QCOMPARE(model.index(0, RunTableModel::Test).data().toString(), QStringLiteral("12.00\u202f% WER, test"));
        // One seed's score stood there as if it were the experiment's.
        model.setGroups(groupRuns({exported, sampleRun("a", 2, RunState::Finished)}));
        QCOMPARE(model.index(0, RunTableModel::Test).data().toString(), QStringLiteral("12.00\u202f% WER, test, 1 of 2 seeds"));
        best.evaluated[0].checkpoint = exported.evaluated[0].checkpoint;
        model.setGroups(groupRuns({exported, best}));
        QCOMPARE(model.index(0, RunTableModel::Test).data().toString(), QStringLiteral("13.00 ± 1.41\u202f% WER, test"));
        RunItem translation = sampleRun("b", 1, RunState::Finished);
        translation.task = QStringLiteral("translate");
        translation.evaluated = {sampleScore("dev", 80)};
        translation.evaluated[0].task = "translate";
        translation.evaluated[0].bleu = 24.3;
        model.setGroups(groupRuns({translation}));
        QCOMPARE(model.index(0, RunTableModel::Test).data().toString(), QStringLiteral("24.30 BLEU, dev"));
        RunItem language = sampleRun("c", 1, RunState::Finished);
        language.task = QStringLiteral("lm");
        language.evaluated = {sampleScore("test", kUndefined)};
        language.evaluated[0].task = "lm";
        language.evaluated[0].perplexity = 40.15;
        model.setGroups(groupRuns({language}));
        QCOMPARE(model.index(0, RunTableModel::Test).data().toString(), QStringLiteral("40.15 PPL, test"));
        QSignalSpy changed(&model, &RunTableModel::dataChanged);
        language.evaluated[0].perplexity = 41;
        model.setGroups(groupRuns({language}));
        QVERIFY(!changed.isEmpty());
        for (const int column : {RunTableModel::Loss, RunTableModel::Wer, RunTableModel::Bleu, RunTableModel::Test})
            QVERIFY(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("exported model")));
    }

    /// The WER of 40 utterances stood there as that of dev, of which it was half.
    void aRowSaysOfHowManyUtterancesItsScoresAre() {
        RunItem some = sampleRun("a", 1, RunState::Finished), all = sampleRun("b", 1, RunState::Finished), older = sampleRun("c", 1, RunState::Finished),
                few = sampleRun("d", 1, RunState::Finished);
        some.decoded = older.decoded = few.decoded = 40;
        some.info.best["decoded"] = older.info.best["decoded"] = 40;
        some.info.best["validated"] = all.info.best["decoded"] = all.info.best["validated"] = 63;
        few.info.best["decoded"] = 39; // of a smaller corpus: all of it
        RunTableModel model;
        model.setGroups(groupRuns({some, all, older, few}));
        const auto tip = [&](const char* name) { return model.index(model.rowOf(QLatin1String(name)), RunTableModel::Wer).data(Qt::ToolTipRole).toString(); };
        QVERIFY2(tip("a").contains(QStringLiteral("WER and BLEU on dev: the first 40 of 63 utterances\n")), qPrintable(tip("a")));
        QVERIFY2(tip("c").contains(QStringLiteral("WER and BLEU on dev: the first 40 utterances\n")), qPrintable(tip("c")));
        QVERIFY(!tip("b").contains(QStringLiteral("WER and BLEU on dev")) && !tip("d").contains(QStringLiteral("WER and BLEU on dev")));
        const auto note = [](std::vector<RunItem> runs) {
            const auto groups = groupRuns(runs);
            std::vector<const RunGroup*> those;
            for (const RunGroup& group : groups)
                those.push_back(&group);
            return decodedNote(decodedTexts(those));
        };
        RunItem begins = sampleRun("e", 1, RunState::Running);
        begins.info.best = nullptr; // has no score that could be misread
        QCOMPARE(note({some, begins}), QStringLiteral("WER and BLEU on dev are of the first 40 of 63 utterances."));
        QCOMPARE(note({all, few, begins}), QString());
        QCOMPARE(note({some, all}), QStringLiteral("WER and BLEU on dev are of the first 40 of 63 utterances (a), all utterances (b)."));
        QueueModel queue;
        queue.setItems({some, all}, {}, {});
        const auto scoreTip = [&](const RunItem& run) { return queue.index(queue.rowOf(run.folder), QueueModel::Score).data(Qt::ToolTipRole).toString(); };
        QCOMPARE(scoreTip(some), QStringLiteral("The best validation so far, at update 40; WER and BLEU on dev: the first 40 of 63 utterances"));
        QVERIFY(!scoreTip(all).contains(QStringLiteral("utterances")));
    }

    /// A second evaluation took the place of the first one.
    void everySplitThatWasEvaluatedIsKept() {
        RunItem first = sampleRun("a", 1, RunState::Finished), second = sampleRun("a", 2, RunState::Finished);
        first.evaluated = {sampleScore("test", 6, 0), sampleScore("dev", 5, 1)};
        second.evaluated = {sampleScore("dev", 9, 1)};
        RunTableModel model;
        model.setGroups(groupRuns({first, second}));
        const auto shown = [&](int role) { return model.index(0, RunTableModel::Test).data(role).toString(); };
        QCOMPARE(shown(Qt::DisplayRole), QStringLiteral("6.00\u202f% WER, test, 1 of 2 seeds; 1 more")); // though that of dev is of the newest run
        QVERIFY2(shown(Qt::ToolTipRole).contains(QStringLiteral("\nevaluated: 6.00\u202f% WER, test, 1 of 2 seeds\nevaluated: 7.00 ± 2.83\u202f% WER, dev\n")),
                 qPrintable(shown(Qt::ToolTipRole)));
        QVERIFY(shown(Qt::ToolTipRole).contains(QStringLiteral("; evaluated on test: the exported model; evaluated on dev: the exported model")));
        QCOMPARE(model.index(0, RunTableModel::Test).data(kRawRole).toDouble(), 6.0);
    }

    void ofSeveralRunsWithOneSeedTheNewestCounts() {
        auto old = sampleRun("a", 1, RunState::Finished, 9), again = sampleRun("a", 1, RunState::Finished, 1),
             failed = sampleRun("a", 1, RunState::Failed, 7);
        old.info.created = "2026-11-20T10:00:00Z";
        failed.info.created = "2026-11-22T10:00:00Z";
        RunTableModel model;
        model.setGroups(groupRuns({again, old, failed}));
        QCOMPARE(model.index(0, RunTableModel::Seeds).data().toString(), QStringLiteral("1"));
        QCOMPARE(model.index(0, RunTableModel::Loss).data().toString(), QStringLiteral("1.000"));
        model.setGroups(groupRuns({again, old, sampleRun("a", 2, RunState::Finished, 3)}));
        QCOMPARE(model.index(0, RunTableModel::Seeds).data().toString(), QStringLiteral("2"));
        QCOMPARE(model.index(0, RunTableModel::Loss).data().toString(), QStringLiteral("2.000 ± 1.414"));
    }

    /// A run that goes on is looked at every second, among a thousand others.
    void onlyWhatIsSeenIsChanged() {
        auto running = sampleRun("a", 1, RunState::Running), other = sampleRun("b", 1, RunState::Finished, 2);
        RunTableModel model;
        model.setGroups(groupRuns({running, other}));
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        running.update += 50;
        running.loss = 1.5;
        model.setGroups(groupRuns({running, other}));
        QCOMPARE(changes.count(), 0);
        QCOMPARE(model.groups()[0].runs[0].update, running.update);
        running.info.best = {{"update", 50}, {"loss", 1.0}};
        model.setGroups(groupRuns({running, other}));
        QCOMPARE(changes.count(), 1);
        QCOMPARE(model.index(model.rowOf(model.groups()[0].key), RunTableModel::Loss).data().toString(), QStringLiteral("1.000"));
        other.evaluated = {sampleScore("test", 12)};
        model.setGroups(groupRuns({running, other}));
        QCOMPARE(changes.count(), 2);
        model.setGroups(groupRuns({running}));
        QCOMPARE(changes.count(), 3);
    }

    void theTableObeysTheRulesWhileRunsComeAndGo() {
        RunTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<RunItem> runs;
        for (int i = 0; i < 5; ++i) {
            runs.push_back(sampleRun(QString::number(i), 1, RunState::Running));
            model.setGroups(groupRuns(runs));
            QCOMPARE(model.rowCount(), i + 1);
        }
        runs.erase(runs.begin() + 1, runs.begin() + 3);
        runs.front().info.best["loss"] = 0.5;
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved),
            changed(&model, &QAbstractItemModel::dataChanged);
        model.setGroups(groupRuns(runs));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(removed.size(), 2);
        QCOMPARE(changed.size(), 1);
        model.setGroups({});
        QCOMPARE(model.rowCount(), 0);
    }

    void tickedRowsKeepTheirStyleAndThereAreSix() {
        RunTableModel model;
        std::vector<RunItem> runs;
        for (int i = 0; i < 7; ++i)
            runs.push_back(sampleRun(QString::number(i), 1, RunState::Finished));
        model.setGroups(groupRuns(runs));
        QSignalSpy full(&model, &RunTableModel::comparisonFull);
        for (int i = 0; i < 7; ++i)
            model.setData(model.index(i, RunTableModel::Compared), Qt::Checked, Qt::CheckStateRole);
        QCOMPARE(full.size(), 1);
        QCOMPARE(model.compared().size(), 6U);
        model.setCompared(QStringLiteral("2"), false);
        QCOMPARE(model.styleOf(QStringLiteral("3")), 3);
        model.setCompared(QStringLiteral("6"), true);
        QCOMPARE(model.styleOf(QStringLiteral("6")), 2); // the one that was given back
        QSignalSpy changed(&model, &RunTableModel::comparedChanged);
        runs.erase(runs.begin());
        model.setGroups(groupRuns(runs));
        QCOMPARE(changed.size(), 1);
        QVERIFY(!model.isCompared(QStringLiteral("0")));
    }

    void aPausedRunIsNotCountedAsRunning() {
        QueueModel model;
        RunItem paused = sampleRun("a", 1, RunState::Running);
        paused.isPaused = true;
        model.setItems({paused, sampleRun("b", 1, RunState::Running)}, {}, {});
        QCOMPARE(model.running(), 1);
        QCOMPARE(model.paused(), 1);
        RunTableModel table;
        const auto state = [&] { return table.index(0, RunTableModel::State).data().toString(); };
        table.setGroups(groupRuns({paused}));
        QCOMPARE(state(), QStringLiteral("Paused"));
        QVERIFY(table.index(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Paused")));
        paused.isPaused = false;
        table.setGroups(groupRuns({paused}));
        QCOMPARE(state(), QStringLiteral("Running")); // the row was drawn anew
    }
};

HEADROOM_TEST(RunModelsTest)

} // namespace headroom::testing::run_models_test

#include "run_models_test.moc"
