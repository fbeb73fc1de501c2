// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/run_monitor/queue_model.h"
#include "widgets/run_monitor/run_words.h"

#include <QTest>

namespace headroom::testing::lost_contact_test {

using namespace headroom::widgets;
using headroom::testing::sampleRun;
using Button = QueueModel::Button;
using Kind = QueueModel::Kind;

/// Of a run at a place that does not answer.
class LostContactTest : public QObject {
    Q_OBJECT

    static RunItem lostRun() {
        RunItem run = sampleRun("a", 1, RunState::Running);
        run.place = QStringLiteral("gpu-1");
        run.lost = true;
        run.contact = QStringLiteral("No contact with gpu-1 since 14:20.");
        return run;
    }

private Q_SLOTS:
    /// The row became “Stopping”, without the reason and without Try now, while the run went on there.
    void aRequestToStopWaitsForContact() {
        QueueModel model;
        RunItem run = lostRun();
        const QSet<QString> stopping{QString::fromStdU16String(run.folder.u16string())};
        model.setItems({run}, {}, {});
        const auto text = [&](int row, QueueModel::Column column) { return model.index(row, column).data().toString(); };
        QVERIFY(!text(0, QueueModel::TimeLeft).isEmpty());
        model.setItems({run}, {}, stopping);
        QCOMPARE(model.kindAt(0), Kind::NoContact);
        QCOMPARE(text(1, QueueModel::Job), QStringLiteral("Stops when contact returns. No contact with gpu-1 since 14:20."));
        QCOMPARE(model.buttonsAt(0), (QList{Button::Folder})); // it was asked for once
        QCOMPARE(model.buttonsAt(1), (QList{Button::TryNow}));
        QCOMPARE(text(0, QueueModel::TimeLeft), QString());
        run.lost = false;
        run.contact.clear();
        model.setItems({run}, {}, stopping);
        QCOMPARE(model.kindAt(0), Kind::Stopping);
        QCOMPARE(model.rowCount(), 1);
    }

    void soDoesThatOfAnEvaluation() {
        QueueModel model;
        EvaluationItem one;
        one.info.folder = "/runs/evaluations/a";
        one.elsewhere.place = QStringLiteral("gpu-1");
        one.elsewhere.there = Elsewhere::There::Lost;
        one.elsewhere.contact = QStringLiteral("No contact with gpu-1 since 14:20.");
        const QSet<QString> stopping{QStringLiteral("/runs/evaluations/a")};
        model.setItems({}, {}, stopping, {one});
        QCOMPARE(model.kindAt(0), Kind::NoContact);
        QCOMPARE(model.index(1, QueueModel::Job).data().toString(), QStringLiteral("Stops when contact returns. No contact with gpu-1 since 14:20."));
        QCOMPARE(model.buttonsAt(0), (QList{Button::Folder}));
        QCOMPARE(model.buttonsAt(1), (QList{Button::TryNow}));
        one.elsewhere.there = Elsewhere::There::No;
        one.elsewhere.contact.clear();
        model.setItems({}, {}, stopping, {one});
        QCOMPARE(model.kindAt(0), Kind::Stopping);
    }

    /// The row said “No contact”, the table and the head of the queue counted it as running.
    void tableAndQueueSayTheSameOfIt() {
        RunGroup group{QStringLiteral("a"), QStringLiteral("a"), {}, {}, {lostRun()}};
        QCOMPARE(stateWord(group.runs.front()), QStringLiteral("No contact"));
        QCOMPARE(stateWord(group), QStringLiteral("No contact"));
        RunGroup found = group;
        found.runs.front().lost = false;
        QCOMPARE(stateWord(found), QStringLiteral("Running"));
        QVERIFY(!looksTheSame(group, found));
        group.runs.push_back(sampleRun("a", 2, RunState::Running));
        QCOMPARE(stateWord(group), QStringLiteral("Running")); // one of them is known to run
        group.runs.back() = sampleRun("a", 2, RunState::Finished);
        QCOMPARE(stateWord(group), QStringLiteral("No contact"));
        group.runs.front().info.state = RunState::Interrupted; // nobody watches it: it is not known to go on
        QCOMPARE(stateWord(group), QStringLiteral("Interrupted"));

        // The legend of the curves: "1 running" of one without contact.
        RunGroup seeds{QStringLiteral("a"), QStringLiteral("a"), {}, {}, {lostRun(), sampleRun("a", 2, RunState::Running), sampleRun("a", 3, RunState::Finished)}};
        QCOMPARE(goingOnText(seeds), QStringLiteral("1 without contact, 1 running"));
        seeds.runs.front().isPaused = seeds.runs[1].isPaused = true;
        QCOMPARE(goingOnText(seeds), QStringLiteral("1 without contact, 1 paused"));
        seeds.runs.erase(seeds.runs.begin(), seeds.runs.begin() + 2);
        QCOMPARE(goingOnText(seeds), QString());

        QueueModel model;
        WaitingItem job;
        job.file = "/runs/queue/500000_b.json";
        job.there = Elsewhere::There::Lost;
        EvaluationItem evaluation;
        evaluation.info.folder = "/runs/evaluations/a";
        evaluation.elsewhere.there = Elsewhere::There::Lost;
        model.setItems({lostRun(), sampleRun("b", 1, RunState::Running)}, {job}, {}, {evaluation});
        QCOMPARE(model.lost(), 3);
        QCOMPARE(model.running(), 1);
        QCOMPARE(model.queued(), 0);
    }
};

HEADROOM_TEST(LostContactTest)

} // namespace headroom::testing::lost_contact_test

#include "lost_contact_test.moc"
