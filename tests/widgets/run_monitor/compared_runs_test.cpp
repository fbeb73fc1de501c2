// SPDX-License-Identifier: GPL-3.0-or-later
// What Runs compares: which scores are measured alike, which of them is the best, and which experiment is the reference.
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/run_table_model.h"

#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::compared_runs_test {

using namespace headroom::widgets;
using headroom::testing::sampleRun;

class ComparedRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstTickedExperimentIsTheReference() {
        RunTableModel model;
        model.setGroups(groupRuns({sampleRun("a", 1, RunState::Finished, 1), sampleRun("a", 2, RunState::Finished, 3),
                                   sampleRun("b", 1, RunState::Finished, 2), sampleRun("b", 2, RunState::Finished, 5),
                                   sampleRun("b", 3, RunState::Finished, 50)}));
        const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
        const int a = model.rowOf(model.groups()[0].key), b = 1 - a;
        QCOMPARE(shown(b, RunTableModel::Delta), QStringLiteral("–")); // nothing is ticked
        model.setCompared(model.groups()[std::size_t(a)].key, true);
        QCOMPARE(shown(a, RunTableModel::Delta), QStringLiteral("reference"));
        QCOMPARE(shown(a, RunTableModel::PValue), QStringLiteral("–"));
        // WER: 20 − 10 and 50 − 30 over the seeds that both have; two signs can be flipped in four ways.
        QCOMPARE(shown(b, RunTableModel::Delta), QStringLiteral("+15.00"));
        QCOMPARE(shown(b, RunTableModel::PValue), QStringLiteral("0.500"));
        // Not of the scores under "Evaluated", which stand beside it.
        QCOMPARE(model.headerData(RunTableModel::Delta, Qt::Horizontal).toString(), QStringLiteral("Δ dev"));
    }

    /// The WER of a translation that wrote only commas was bold, as if it were better than that of a recogniser.
    void theBestIsThatOfATaskAndADevSet() {
        RunItem worse = sampleRun("a", 1, RunState::Finished, 3), better = sampleRun("b", 1, RunState::Finished, 2);
        RunItem translation = sampleRun("c", 1, RunState::Finished, 1), elsewhere = sampleRun("d", 1, RunState::Finished, 0.5);
        translation.task = QStringLiteral("st_de");
        elsewhere.devSplit = QStringLiteral("other");
        RunTableModel model;
        model.setGroups(groupRuns({worse, better, translation, elsewhere}));
        const auto bold = [&](const QString& name, int column) {
            return model.index(model.rowOf(name), column).data(Qt::FontRole).isValid();
        };
        for (const int column : {RunTableModel::Loss, RunTableModel::Wer})
            for (const auto& [name, is] : {std::pair("a", false), std::pair("b", true), std::pair("c", false), std::pair("d", false)})
                QVERIFY2(bold(QLatin1String(name), column) == is, name);
        QVERIFY(bold(QStringLiteral("c"), RunTableModel::Name));
        // Nor are they compared by a difference.
        model.setReference(QStringLiteral("b"));
        QCOMPARE(model.index(model.rowOf(QStringLiteral("a")), RunTableModel::Delta).data().toString(), QStringLiteral("+10.00"));
        for (const QString& other : {QStringLiteral("c"), QStringLiteral("d")})
            QCOMPARE(model.index(model.rowOf(other), RunTableModel::Delta).data().toString(), QStringLiteral("–"));
        worse.info.data = "/corpora/two"; // alike in task and split
        model.setGroups(groupRuns({worse, better}));
        QVERIFY(!bold(QStringLiteral("b"), RunTableModel::Wer));
    }

    /// The best score of a stopped run was bold, but had no Δ, and nothing said why.
    void onlyFinishedRunsAreCompared() {
        const QString a = QStringLiteral("a"), b = QStringLiteral("b"), c = QStringLiteral("c");
        std::vector<RunItem> runs{sampleRun(a, 1, RunState::Finished, 3), sampleRun(b, 1, RunState::Finished, 2), sampleRun(c, 1, RunState::Stopped, 1)};
        RunTableModel model;
        const auto at = [&](const QString& name, int column) { return model.index(model.rowOf(name), column); };
        const auto bold = [&](const QString& name, int column) { return at(name, column).data(Qt::FontRole).isValid(); };
        const auto why = [&](const QString& name, int column) { return at(name, column).data(Qt::ToolTipRole).toString().section(u'\n', 0, 0); };
        for (const RunState state : {RunState::Stopped, RunState::Running, RunState::Failed}) {
            runs[2].info.state = state;
            model.setGroups(groupRuns(runs));
            model.setReference(a);
            for (const int column : {RunTableModel::Loss, RunTableModel::Wer})
                QVERIFY(bold(b, column) && !bold(c, column) && !bold(a, column));
            QCOMPARE(at(c, RunTableModel::Delta).data().toString(), QStringLiteral("–"));
            for (const int column : {RunTableModel::Delta, RunTableModel::PValue}) {
                QVERIFY2(why(c, column).startsWith(QStringLiteral("No Δ: only finished runs are compared")), qPrintable(why(c, column)));
                QVERIFY2(why(a, column).startsWith(QStringLiteral("No Δ: this is the reference")), qPrintable(why(a, column)));
                QCOMPARE(why(b, column), b); // it has both
            }
            QCOMPARE(why(c, RunTableModel::Wer), c);
        }
        runs[2].info.state = RunState::Finished;
        model.setGroups(groupRuns(runs));
        QVERIFY(bold(c, RunTableModel::Wer) && !bold(b, RunTableModel::Wer));
        QCOMPARE(at(c, RunTableModel::Delta).data().toString(), QStringLiteral("−20.00"));
        // The other reasons.
        runs[2].info.seed = 7;
        runs[1].decoded = 50;
        model.setGroups(groupRuns(runs));
        QVERIFY2(why(c, RunTableModel::Delta).contains(QStringLiteral("no seed with which both have finished")), qPrintable(why(c, RunTableModel::Delta)));
        QVERIFY2(why(b, RunTableModel::Delta).contains(QStringLiteral("another number of decoded utterances")), qPrintable(why(b, RunTableModel::Delta)));
        RunTableModel none;
        none.setGroups(groupRuns(runs));
        QVERIFY(none.index(0, RunTableModel::Delta).data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("No Δ: there is no reference yet.")));
    }

    /// Beside an experiment that had finished without a score the only score was bold, as the best of two.
    void whatFinishedWithoutAScoreIsNotCompared() {
        std::vector<RunItem> runs{sampleRun("a", 1, RunState::Finished, 3), sampleRun("b", 1, RunState::Finished, 2)};
        RunTableModel model;
        const auto bold = [&](const char* name, int column) {
            return model.index(model.rowOf(QLatin1String(name)), column).data(Qt::FontRole).isValid();
        };
        const auto without = [&](std::initializer_list<const char*> keys) {
            for (const char* key : keys)
                runs[0].info.best.erase(key);
            model.setGroups(groupRuns(runs));
            model.setReference(QStringLiteral("b"));
        };
        without({});
        QVERIFY(bold("b", RunTableModel::Loss) && bold("b", RunTableModel::Wer));
        QVERIFY(model.index(model.rowOf("a"), RunTableModel::Delta).data().toString() != QStringLiteral("–"));
        without({"wer", "bleu"}); // its losses are compared
        QVERIFY(bold("b", RunTableModel::Loss) && !bold("b", RunTableModel::Wer));
        without({"loss"});
        QVERIFY(!bold("b", RunTableModel::Loss) && !bold("b", RunTableModel::Wer));
        QCOMPARE(model.index(model.rowOf("a"), RunTableModel::Delta).data().toString(), QStringLiteral("–"));
    }

    /// Of two rows that both read 1.392 ± 0.001, one was bold.
    void whatReadsTheSameIsBoldTogether() {
        RunTableModel model;
        model.setGroups(groupRuns({sampleRun("a", 1, RunState::Finished, 1.39173), sampleRun("b", 1, RunState::Finished, 1.39176),
                                   sampleRun("c", 1, RunState::Finished, 1.3926)}));
        const auto bold = [&](const char* name, int column) {
            return model.index(model.rowOf(QLatin1String(name)), column).data(Qt::FontRole).isValid();
        };
        for (const int column : {RunTableModel::Loss, RunTableModel::Wer}) // 13.92, 13.92 and 13.93 %
            QVERIFY(bold("a", column) && bold("b", column) && !bold("c", column));
    }

    /// Bits per piece of a vocabulary of 100 pieces were lower than of one of 5,000, and bold.
    void lossesAreComparedOnlyWithTheSamePieces() {
        RunItem few = sampleRun("a", 1, RunState::Finished, 1), many = sampleRun("b", 1, RunState::Finished, 2),
                more = sampleRun("c", 1, RunState::Finished, 3);
        few.lossMeasure = QStringLiteral("100 pieces");
        many.lossMeasure = more.lossMeasure = QStringLiteral("5,000 pieces");
        RunTableModel model;
        const auto bold = [&](const QString& name, int column) {
            return model.index(model.rowOf(name), column).data(Qt::FontRole).isValid();
        };
        const auto delta = [&](const QString& name) { return model.index(model.rowOf(name), RunTableModel::Delta).data().toString(); };
        model.setGroups(groupRuns({few, many, more}));
        QVERIFY(!bold(QStringLiteral("a"), RunTableModel::Loss) && bold(QStringLiteral("b"), RunTableModel::Loss));
        QVERIFY(bold(QStringLiteral("a"), RunTableModel::Wer)); // words are words
        model.setReference(QStringLiteral("b"));
        QCOMPARE(delta(QStringLiteral("a")), QStringLiteral("−10.00"));
        for (RunItem* run : {&few, &many, &more})
            run->info.best.erase("wer"); // the loss is the score
        model.setGroups(groupRuns({few, many, more}));
        QCOMPARE(delta(QStringLiteral("a")), QStringLiteral("–"));
        QCOMPARE(delta(QStringLiteral("c")), QStringLiteral("+1.000"));
    }

    /// The WER of the first 50 utterances was bold beside that of all of them.
    void scoresAreComparedOnlyOfAsManyUtterances() {
        RunItem few = sampleRun("a", 1, RunState::Finished, 1), all = sampleRun("b", 1, RunState::Finished, 2),
                too = sampleRun("c", 1, RunState::Finished, 3);
        few.decoded = 50;
        RunTableModel model;
        model.setGroups(groupRuns({few, all, too}));
        const auto bold = [&](const QString& name, int column) {
            return model.index(model.rowOf(name), column).data(Qt::FontRole).isValid();
        };
        const auto delta = [&](const QString& name) { return model.index(model.rowOf(name), RunTableModel::Delta).data().toString(); };
        QVERIFY(!bold(QStringLiteral("a"), RunTableModel::Wer) && bold(QStringLiteral("b"), RunTableModel::Wer));
        QVERIFY(bold(QStringLiteral("a"), RunTableModel::Loss)); // it is of all
        model.setReference(QStringLiteral("b"));
        QCOMPARE(delta(QStringLiteral("a")), QStringLiteral("–"));
        QVERIFY(delta(QStringLiteral("c")) != QStringLiteral("–"));
    }

    /// "All" of 40 utterances and "at most 50" are the same 40.
    void asManyUtterancesAreTheSameHoweverTheRecipeAsksForThem() {
        RunItem all = sampleRun("a", 1, RunState::Finished, 1), most = sampleRun("b", 1, RunState::Finished, 2), few = sampleRun("c", 1, RunState::Finished, 3),
                begun = sampleRun("b", 2, RunState::Running);
        most.decoded = begun.decoded = 50;
        few.decoded = 30;
        all.info.best["decoded"] = most.info.best["decoded"] = 40;
        few.info.best["decoded"] = 30;
        begun.info.best = nullptr;
        RunTableModel model;
        model.setGroups(groupRuns({all, begun, most, few}));
        model.setReference(QStringLiteral("a"));
        const auto delta = [&](const QString& name) { return model.index(model.rowOf(name), RunTableModel::Delta).data().toString(); };
        QVERIFY2(delta(QStringLiteral("b")) != QStringLiteral("–"), qPrintable(delta(QStringLiteral("b"))));
        QCOMPARE(delta(QStringLiteral("c")), QStringLiteral("–"));
    }

    /// A run that was started took the first colour, and with it the place of the reference.
    void theReferenceStaysUntilAnotherOneIsChosen() {
        const RunItem first = sampleRun("a", 1, RunState::Finished, 1), second = sampleRun("b", 1, RunState::Finished, 2);
        RunItem begins = sampleRun("c", 1, RunState::Running);
        RunTableModel model;
        model.setGroups(groupRuns({first, second}));
        const auto keyOf = [&](const QString& name) {
            for (const RunGroup& group : model.groups())
                if (group.name == name)
                    return group.key;
            return QString();
        };
        const QString a = keyOf(QStringLiteral("a")), b = keyOf(QStringLiteral("b"));
        QSignalSpy told(&model, &RunTableModel::referenceChanged);
        const auto reference = [&] { return model.reference() ? model.reference()->name : QString(); };
        model.setCompared(a, true);
        model.setCompared(b, true);
        QCOMPARE(reference(), QStringLiteral("a"));
        model.setCompared(a, false);
        QCOMPARE(reference(), QStringLiteral("a"));
        model.setGroups(groupRuns({first, second, begins}));
        model.setCompared(keyOf(QStringLiteral("c")), true);
        QCOMPARE(model.styleOf(keyOf(QStringLiteral("c"))), 0);
        QCOMPARE(reference(), QStringLiteral("a"));
        QCOMPARE(told.count(), 1);
        model.setReference(b);
        QCOMPARE(reference(), QStringLiteral("b"));
        QCOMPARE(told.count(), 2);
        // The chosen one is in the wastebasket, and comes back, with its colour.
        QCOMPARE(model.styleOf(b), 1);
        model.setGroups(groupRuns({first, begins}));
        QVERIFY(!model.reference()); // the ticked one has no score
        QCOMPARE(model.referenceKey(), b);
        model.setCompared(a, true);
        QCOMPARE(reference(), QStringLiteral("a"));
        model.setCompared(a, false);
        model.setCompared(keyOf(QStringLiteral("c")), false);
        model.setGroups(groupRuns({first, second, begins}));
        model.setCompared(b, true);
        QCOMPARE(model.styleOf(b), 1);
        QCOMPARE(reference(), QStringLiteral("b"));
        // The keys come before the runs at a start of the program.
        RunTableModel later;
        later.setReference(b);
        later.setGroups(groupRuns({first, second, begins}));
        QCOMPARE(later.reference()->name, QStringLiteral("b"));
        later.setReference(keyOf(QStringLiteral("c")));
        QCOMPARE(later.reference()->name, QStringLiteral("b"));
    }

    void anExperimentWithoutAScoreIsNoReference() {
        RunItem begins = sampleRun("c", 1, RunState::Running, 5);
        RunTableModel model;
        model.setGroups(groupRuns({begins}));
        model.setCompared(model.groups()[0].key, true);
        QVERIFY(!model.reference()); // what it has so far is not its score
        QCOMPARE(model.index(0, RunTableModel::Delta).data().toString(), QStringLiteral("–"));
        begins.info.state = RunState::Finished;
        model.setGroups(groupRuns({begins}));
        QCOMPARE(model.index(0, RunTableModel::Delta).data().toString(), QStringLiteral("reference"));
    }
};

HEADROOM_TEST(ComparedRunsTest)

} // namespace headroom::testing::compared_runs_test

#include "compared_runs_test.moc"
