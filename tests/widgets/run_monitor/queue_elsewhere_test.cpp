// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs, runs and evaluations of the queue that are at another machine or on a cluster.
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/queue_model.h"

#include <QTest>

namespace headroom::testing::queue_elsewhere_test {

using namespace headroom::widgets;

class QueueElsewhereTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunElsewhereSaysWhereAndWhetherThereIsContact() {
        QueueModel model;
        auto run = sampleRun("a", 1, RunState::Running);
        run.place = QStringLiteral("gpu-1");
        WaitingItem job;
        job.file = "/runs/queue/500000_b.json";
        job.place = QStringLiteral("cluster");
        job.contact = QStringLiteral("Slurm job 7 waits (Priority).");
        model.setItems({run}, {job}, {});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Running);
        QCOMPARE(model.index(0, QueueModel::Where).data().toString(), QStringLiteral("gpu-1"));
        QCOMPARE(model.index(1, QueueModel::Where).data().toString(), QStringLiteral("cluster"));
        QCOMPARE(model.index(2, QueueModel::Job).data().toString(), job.contact);
        run.lost = true;
        run.contact = QStringLiteral("No contact with gpu-1 since 14:20.");
        model.setItems({run}, {job}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::NoContact);
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), run.contact);
        QVERIFY(model.buttonsAt(0).contains(QueueModel::Button::Stop));
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::TryNow})); // nothing to resume: it goes on there
        run.isPaused = true;
        model.setItems({run}, {job}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::NoContact);
        run.isPaused = false;
        run.info.state = RunState::Interrupted; // its watcher was killed
        model.setItems({run}, {}, {});
        QVERIFY(model.index(1, QueueModel::Job).data().toString().contains(QStringLiteral("Resume finds it at gpu-1")));
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::Resume}));
        run.info.state = RunState::Running;
        run.lost = false;
        run.contact.clear();
        model.setItems({run}, {}, {});
        QCOMPARE(model.rowCount(), 1);
    }

    void aRunThatAClusterQueuesAgainCanBeStoppedAndNotResumed() {
        QueueModel model;
        auto run = sampleRun("a", 1, RunState::Stopped); // it saved itself when it was preempted
        run.place = QStringLiteral("cluster");
        run.contact = QStringLiteral("Slurm job 7 waits (BeginTime).");
        run.waits = true;
        model.setItems({sampleRun("b", 1, RunState::Finished), run}, {}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Requeued); // before those that have ended
        QCOMPARE(model.kindWord(model.kindAt(0)), QStringLiteral("Requeued"));
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), run.contact);
        QVERIFY(model.buttonsAt(0).contains(QueueModel::Button::Stop));
        QVERIFY(!model.buttonsAt(0).contains(QueueModel::Button::Resume) && model.buttonsAt(1).isEmpty());
        QCOMPARE(model.pending(), 1);
        QCOMPARE(model.running(), 0);
        model.setItems({run}, {}, {QStringLiteral("/runs/a-1")});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Stopping);
        run.lost = true;
        model.setItems({run}, {}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::NoContact);
        run.waits = false; // its watcher was killed: Resume finds it
        model.setItems({run}, {}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Stopped);
        QVERIFY(model.index(1, QueueModel::Job).data().toString().contains(QStringLiteral("Resume finds it at cluster")));
        run.waited = true; // and Slurm gave a reason
        model.setItems({run}, {}, {});
        QVERIFY(model.index(1, QueueModel::Job).data().toString().endsWith(QStringLiteral("Last heard from there: Slurm job 7 waits (BeginTime).")));
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::Resume}));
    }

    void aRunThatSlurmEndedSaysWhy() {
        QueueModel model;
        auto run = sampleRun("a", 1, RunState::Stopped);
        run.place = QStringLiteral("cluster");
        model.setItems({run}, {}, {});
        QCOMPARE(model.rowCount(), 1); // it was stopped from here
        run.contact = QStringLiteral("Slurm job 7 was cancelled. Resume continues from the last checkpoint.");
        model.setItems({run}, {}, {});
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), run.contact);
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::Resume}));
    }

    /// Its own words, then what its place says to do.
    void aRunThatFailedElsewhereSaysWhatToDo() {
        QueueModel model;
        auto run = sampleRun("a", 1, RunState::Failed);
        run.info.error = "run.json could not be written: No space left on device.";
        model.setItems({run}, {}, {});
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), QString::fromStdString(run.info.error));
        run.place = QStringLiteral("gpu-1");
        run.contact = QStringLiteral("The disk of gpu-1 is full.");
        model.setItems({run}, {}, {});
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), QString::fromStdString(run.info.error) + u' ' + run.contact);
    }

    void aJobElsewhereSaysHowFarItIs() {
        QueueModel model;
        WaitingItem job;
        job.file = "/runs/queue/500000_b.json";
        job.place = QStringLiteral("gpu-1");
        job.maxUpdates = 100;
        job.there = WaitingItem::There::Copying;
        job.copied = 0.58;
        job.bytesPerSecond = 109e6;
        job.secondsLeft = 12;
        model.setItems({}, {job}, {});
        const auto text = [&](QueueModel::Column column) { return model.index(0, column).data().toString(); };
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Copying);
        QCOMPARE(text(QueueModel::Progress), QStringLiteral("58\u202f%"));
        QCOMPARE(text(QueueModel::Speed), QStringLiteral("109\u202fMB/s"));
        QCOMPARE(text(QueueModel::TimeLeft), QStringLiteral("12\u202fs"));
        QCOMPARE(text(QueueModel::Step), QStringLiteral("0 of 100"));
        QCOMPARE(model.copying(), 1);
        QCOMPARE(model.queued(), 0);
        job.there = WaitingItem::There::Waiting;
        model.setItems({}, {job}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::Pending);
        QCOMPARE(text(QueueModel::Speed), QString());
        QCOMPARE(model.buttonsAt(0), (QList{QueueModel::Button::Remove}));
        QCOMPARE(model.pending(), 1);
        job.there = WaitingItem::There::Lost;
        job.contact = QStringLiteral("No contact with gpu-1.");
        model.setItems({}, {job}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::NoContact);
        QCOMPARE(model.buttonsAt(0), (QList{QueueModel::Button::Remove}));
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::TryNow}));
        job.error = QStringLiteral("It was not started.");
        model.setItems({}, {job}, {});
        QCOMPARE(model.kindAt(0), QueueModel::Kind::NotStarted);
    }

    void anEvaluationElsewhereSaysHowFarItIs() {
        QueueModel model;
        EvaluationItem one;
        one.info.folder = "/runs/evaluations/a";
        one.info.request.device = "auto";
        one.elsewhere.place = QStringLiteral("gpu-1");
        const auto shown = [&](Elsewhere::There there, const char* contact) {
            one.elsewhere.there = there;
            one.elsewhere.contact = QString::fromUtf8(contact);
            model.setItems({}, {}, {}, {one});
            return model.kindAt(0);
        };
        QCOMPARE(shown(Elsewhere::There::Copying, "Copying x."), QueueModel::Kind::Copying);
        QCOMPARE(model.index(0, QueueModel::Where).data().toString(), QStringLiteral("gpu-1"));
        QCOMPARE(model.buttonsAt(0), (QList{QueueModel::Button::Stop}));
        QCOMPARE(model.copying(), 1);
        QCOMPARE(shown(Elsewhere::There::Waiting, "It waits."), QueueModel::Kind::Pending);
        QCOMPARE(model.buttonsAt(0), (QList{QueueModel::Button::Stop}));
        QCOMPARE(shown(Elsewhere::There::Lost, "No contact."), QueueModel::Kind::NoContact);
        QCOMPARE(model.buttonsAt(0), (QList{QueueModel::Button::Stop}));
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::TryNow}));
        QCOMPARE(shown(Elsewhere::There::No, ""), QueueModel::Kind::Running);
        QCOMPARE(model.rowCount(), 1);
        one.info.state = EvaluationInfo::State::Interrupted;
        model.setItems({}, {}, {}, {one});
        QCOMPARE(model.buttonsAt(1), (QList{QueueModel::Button::Resume}));
        const auto sentence = [&] { return model.index(1, QueueModel::Job).data().toString(); };
        QVERIFY2(sentence().endsWith(QStringLiteral("or starts it again there.")), qPrintable(sentence()));
        shown(Elsewhere::There::Waiting, "Slurm job 7 waits (Priority).");
        QVERIFY2(sentence().endsWith(QStringLiteral("Last heard from there: Slurm job 7 waits (Priority).")), qPrintable(sentence()));
        shown(Elsewhere::There::No, "Slurm job 7 reached its time limit.");
        QCOMPARE(sentence(), QStringLiteral("Slurm job 7 reached its time limit."));
        one.elsewhere.place.clear();
        model.setItems({}, {}, {}, {one});
        QVERIFY(model.buttonsAt(1).isEmpty());
    }
};

HEADROOM_TEST(QueueElsewhereTest)

} // namespace headroom::testing::queue_elsewhere_test

#include "queue_elsewhere_test.moc"
