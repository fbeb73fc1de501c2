// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "core/statistics/undefined.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/queue_model.h"
#include "widgets/run_monitor/run_table_model.h"
#include "widgets/run_monitor/table_text.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace headroom::testing::queue_model_test {

using namespace headroom::widgets;
using headroom::testing::sampleRun;

class QueueModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theQueueTellsWhatRunsWaitsAndEnded() {
        QueueModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        WaitingItem waiting;
        waiting.file = "/runs/queue/500000_c.json";
        waiting.name = QStringLiteral("c, seed 1");
        waiting.maxUpdates = 120;
        model.setItems({sampleRun("b", 1, RunState::Finished), sampleRun("a", 1, RunState::Running)},
                       {waiting}, {});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.running(), 1);
        QCOMPARE(model.queued(), 1);
        const auto text = [&](int row, QueueModel::Column column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(text(0, QueueModel::State), QStringLiteral("Running"));
        QCOMPARE(text(0, QueueModel::Step), QStringLiteral("50 of 100"));
        QCOMPARE(text(0, QueueModel::Progress), QStringLiteral("50\u202f%"));
        QCOMPARE(text(0, QueueModel::TimeLeft), QStringLiteral("2\u202fmin"));
        QCOMPARE(text(0, QueueModel::Speed), QStringLiteral("20,000\u202fframes/s"));
        QCOMPARE(text(1, QueueModel::Job), QStringLiteral("c, seed 1"));
        QCOMPARE(text(1, QueueModel::Step), QStringLiteral("0 of 120"));
        QCOMPARE(text(2, QueueModel::State), QStringLiteral("Finished"));
        QVERIFY(model.buttonsAt(0).contains(QueueModel::Button::Stop));
        QVERIFY(model.buttonsAt(1).contains(QueueModel::Button::Remove));
        QVERIFY(model.buttonsAt(2).contains(QueueModel::Button::Open));
    }

    /// Failures stood first, then evaluations, then runs, whenever they had ended.
    void whatEndedLastIsTheFirstThatEnded() {
        auto early = sampleRun("early", 1, RunState::Finished), late = sampleRun("late", 1, RunState::Finished);
        early.info.ended = "2026-11-21T10:40:00Z";
        late.info.ended = "2026-11-21T12:00:00Z";
        WaitingItem failed, waiting;
        failed.file = "/runs/queue/failed/500000_f.json";
        failed.name = QStringLiteral("failed");
        failed.error = QStringLiteral("It does not fit.");
        failed.ended = "2026-11-21T11:00:00Z";
        waiting.file = "/runs/queue/500001_w.json";
        waiting.name = QStringLiteral("waiting");
        EvaluationItem evaluation{{}, QStringLiteral("evaluation"), {}};
        evaluation.info.folder = "/runs/evaluations/a";
        evaluation.info.state = EvaluationInfo::State::Finished;
        evaluation.info.ended = "2026-11-21T11:30:00Z";
        QueueModel model;
        model.setItems({early, late, sampleRun("now", 1, RunState::Running)}, {failed, waiting}, {}, {evaluation});
        QStringList jobs;
        for (int row = 0; row < model.rowCount(); ++row)
            jobs << model.index(row, QueueModel::Job).data().toString();
        QCOMPARE(jobs, (QStringList{QStringLiteral("now, seed 1"), QStringLiteral("waiting"), QStringLiteral("late, seed 1"),
                                    QStringLiteral("evaluation"), QStringLiteral("failed"), QStringLiteral("It does not fit."),
                                    QStringLiteral("early, seed 1")}));
    }

    /// The run stood there twice, "Queued, 0 of 100" and "Stopped, 40 of 100".
    void aRunThatIsToGoOnHasOneRow() {
        const auto stopped = sampleRun("a", 1, RunState::Stopped), broken = sampleRun("b", 1, RunState::Interrupted);
        WaitingItem first, second;
        first.file = "/runs/queue/500000_a.json";
        first.run = stopped.folder;
        second.file = "/runs/queue/500001_b.json";
        second.run = broken.folder;
        first.resume = second.resume = true;
        QueueModel model;
        model.setItems({stopped, broken}, {}, {});
        QCOMPARE(model.rowCount(), 3); // with the sentence of the interrupted one
        model.setItems({stopped, broken}, {first, second}, {});
        QCOMPARE(model.rowCount(), 2);
        for (int row = 0; row < 2; ++row) {
            const auto& run = row == 0 ? stopped : broken;
            QCOMPARE(model.kindAt(row), QueueModel::Kind::Waiting);
            QCOMPARE(model.index(row, QueueModel::Step).data().toString(), QStringLiteral("40 of 100"));
            QVERIFY(!model.buttonsAt(row).contains(QueueModel::Button::Resume));
            QCOMPARE(model.rowOf(run.folder), row);
            QCOMPARE(model.lastingPathAt(row), run.folder);
        }
    }

    /// It stood there twice, once as “Not started, 0 of 100” with a button that could not help.
    void aRunThatWasNotResumedHasOneRow() {
        auto failed = sampleRun("a", 1, RunState::Failed);
        failed.info.started = failed.info.ended = "2026-11-21T10:40:00Z";
        WaitingItem job;
        job.file = "/runs/queue/failed/500000_a.json";
        job.run = failed.folder;
        job.resume = true;
        job.name = QStringLiteral("a");
        job.error = QStringLiteral("The corpus has changed.");
        job.ended = "2026-11-21T11:00:00Z";
        QueueModel model;
        model.setItems({failed}, {job}, {});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Failed);
        QCOMPARE(model.pathAt(0), failed.folder);
        QCOMPARE(model.index(0, QueueModel::Step).data().toString(), QStringLiteral("50 of 100"));
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), QStringLiteral("Not resumed: The corpus has changed."));
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::Resume}));

        WaitingItem again = job;
        again.file = "/runs/queue/500000_a.json";
        again.error.clear();
        model.setItems({failed}, {again, job}, {}); // asked for once more
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Waiting);
        failed.info.started = "2026-11-21T11:30:00Z"; // it was, and failed again
        model.setItems({failed}, {job}, {});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), QStringLiteral("Out of memory at update 40."));
        failed.info.state = RunState::Running;
        model.setItems({failed}, {job}, {});
        QCOMPARE(model.rowCount(), 1);
        failed.info.started = "2026-11-21T10:40:00Z"; // it goes on all the while
        model.setItems({failed}, {job}, {});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), QStringLiteral("Not resumed: The corpus has changed."));
        QVERIFY(model.buttonsAt(1).isEmpty());
    }

    /// “100 %” stood beside “Stopped, 299 of 300”.
    void onlyWhatIsDoneIsAllOfIt() {
        QueueModel model;
        for (const auto& [update, last, text] :
             {std::tuple(299, 300, "99\u202f%"), {300, 300, "100\u202f%"}, {29, 100, "29\u202f%"}, {1, 300, "0\u202f%"}}) {
            auto run = sampleRun("a", 1, RunState::Stopped);
            run.update = update;
            run.info.maxUpdates = last;
            model.setItems({run}, {}, {});
            QCOMPARE(model.index(0, QueueModel::Progress).data().toString(), QString::fromUtf8(text));
        }
    }

    void whatWentWrongHasItsSentenceBelow() {
        QueueModel model;
        model.setItems({sampleRun("a", 1, RunState::Failed), sampleRun("b", 1, RunState::Interrupted)}, {},
                       {});
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.kindAt(1), QueueModel::Kind::Sentence);
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(),
                 QStringLiteral("Out of memory at update 40."));
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::Resume}));
        const QString interrupted = model.index(3, QueueModel::Job).data().toString();
        QVERIFY2(interrupted.contains(QStringLiteral("to update 40 are intact")), qPrintable(interrupted));
        QVERIFY(interrupted.endsWith(QLatin1Char('.')));
    }

    void aStepForwardChangesOneRow() {
        QueueModel model;
        auto run = sampleRun("a", 1, RunState::Running);
        const auto other = sampleRun("b", 1, RunState::Finished);
        model.setItems({run, other}, {}, {});
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset),
            changed(&model, &QAbstractItemModel::dataChanged);
        run.update = 60;
        model.setItems({run, other}, {}, {});
        QCOMPARE(reset.size(), 0);
        QCOMPARE(changed.size(), 1);
        model.setItems({run, other}, {}, {QStringLiteral("/runs/a-1")});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Stopping);
        QVERIFY(!model.buttonsAt(0).contains(QueueModel::Button::Stop));
    }

    void aRunNamesTheGpusThatItHas_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("wanted");
        QTest::addColumn<QString>("where");
        QTest::newRow("CPU") << "cpu" << 3 << 0 << "CPU";
        QTest::newRow("one GPU") << "cuda:1" << 1 << 0 << "cuda:1";
        QTest::newRow("all that were asked for") << "cuda:0" << 4 << 0 << "4 GPUs";
        QTest::newRow("fewer") << "cuda:0" << 2 << 4 << "2 of 4 GPUs";
        QTest::newRow("one of them") << "cuda:0" << 1 << 4 << "1 of 4 GPUs";
    }
    void aRunNamesTheGpusThatItHas() {
        QFETCH(QString, device);
        QFETCH(int, ranks);
        QFETCH(int, wanted);
        RunItem run;
        run.info.decided.device = device.toStdString();
        run.info.decided.ranks = ranks;
        run.info.decided.wantedRanks = wanted;
        QueueModel model;
        model.setItems({run}, {}, {});
        QTEST(model.index(0, QueueModel::Where).data().toString(), "where");
    }

    /// It was called the best score, while another validation, of a higher loss, had a better one.
    void theScoreIsOfTheKeptWeightsAndSaysSo() {
        const QueueModel model;
        QCOMPARE(model.headerData(QueueModel::Score, Qt::Horizontal).toString(), QStringLiteral("Score"));
        QVERIFY(model.headerData(QueueModel::Score, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("validation.best")));
    }

    /// The best score stood beside the last update, without its measure; a translation of texts had word errors.
    void theScoreSaysWhatItIsAndOfWhen() {
        QueueModel model;
        auto run = sampleRun("a", 1, RunState::Finished, 0.42);
        run.update = 60;
        model.setItems({run}, {}, {});
        const QModelIndex score = model.index(0, QueueModel::Score);
        QCOMPARE(score.data().toString(), QStringLiteral("4.20\u202f% WER"));
        QCOMPARE(score.data(Qt::ToolTipRole).toString(), QStringLiteral("The best validation so far, at update 40"));
        for (const char* task : {"translate", "translate_es", "st_de"}) {
            run.task = QString::fromLatin1(task);
            run.info.best["bleu"] = 34.0;
            model.setItems({run}, {}, {});
            QCOMPARE(model.index(0, QueueModel::Score).data().toString(), QStringLiteral("34.00\u202fBLEU"));
            QCOMPARE(model.index(0, QueueModel::Speed).data().toString(),
                     QString::fromLatin1(task).startsWith(QStringLiteral("st")) ? QStringLiteral("20,000\u202fframes/s") : QStringLiteral("20,000\u202ftokens/s"));
        }
    }

    /// Its column was empty, and *Show the errors* was offered of no text.
    void aLanguageModelShowsItsPerplexity() {
        QueueModel model;
        auto run = sampleRun("lm", 1, RunState::Finished);
        run.task = QStringLiteral("lm");
        run.info.best = {{"update", 40}, {"loss", 5.1}, {"perplexity", 35.2}};
        EvaluationItem one{{}, QStringLiteral("Evaluate lm on test"), {}};
        one.info.folder = "/runs/evaluations/a";
        one.info.state = EvaluationInfo::State::Finished;
        one.info.request.model = "/runs/lm-1/model";
        one.info.request.data = "/corpora/b";
        one.info.request.task = "lm";
        one.info.done = one.info.total = 65;
        one.info.perplexity = 40.17;
        one.info.ended = "2026-11-22T10:30:00Z";
        model.setItems({run}, {}, {}, {one});
        const auto text = [&](int row, QueueModel::Column column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(0, QueueModel::Score), QStringLiteral("40.17\u202fPPL"));
        QCOMPARE(text(1, QueueModel::Score), QStringLiteral("35.20\u202fPPL"));
        QCOMPARE(text(0, QueueModel::Step), QStringLiteral("65 sentences"));
        QCOMPARE(model.buttonsAt(0), (QList{QueueModel::Button::Folder}));
        // A name may be elided, and two corpora may have one name.
        QCOMPARE(model.index(0, QueueModel::Job).data(Qt::ToolTipRole).toString(),
                 QStringLiteral("Evaluate lm on test\nModel: /runs/lm-1/model\nCorpus: /corpora/b"));
        QCOMPARE(model.index(1, QueueModel::Job).data(Qt::ToolTipRole).toString(), QStringLiteral("lm, seed 1"));
        one.info.perplexity = kUndefined;
        one.info.wer = 12;
        one.info.request.task = "asr";
        model.setItems({run}, {}, {}, {one});
        QCOMPARE(model.buttonsAt(0), (QList{QueueModel::Button::Errors, QueueModel::Button::Folder}));
        QCOMPARE(text(0, QueueModel::Step), QStringLiteral("65 utt."));
    }

    void unknownNumbersAreNotZero() {
        QueueModel model;
        auto run = sampleRun("a", 1, RunState::Running);
        run.loss = run.framesPerSecond = run.secondsLeft = kUndefined;
        run.info.best = nullptr;
        model.setItems({run}, {}, {});
        for (const auto column :
             {QueueModel::Loss, QueueModel::Speed, QueueModel::TimeLeft, QueueModel::Score})
            QCOMPARE(model.index(0, column).data().toString(), QString());
    }
};

HEADROOM_TEST(QueueModelTest)

} // namespace headroom::testing::queue_model_test

#include "queue_model_test.moc"
