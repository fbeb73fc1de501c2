// SPDX-License-Identifier: GPL-3.0-or-later
// The name under which a run was started is the one that it has later.
#include "app/runs/evaluation_names.h"
#include "app/runs/kept_names.h"
#include "app/runs/run_names.h"
#include "core/runs/kept_name.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/run_words.h"

#include <QTest>
#include <QThread>

namespace headroom::testing::kept_names_test {

using namespace headroom::app;
using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

RunItem made(const char* name, const char* group, std::int64_t updates) {
    RunItem item;
    item.folder = std::string("/runs/") + group;
    item.name = QString::fromLatin1(name);
    item.group = QString::fromLatin1(group);
    item.recipe = QStringLiteral("smoke");
    item.info.maxUpdates = updates;
    item.info.created = "2026-11-21T10:31:05Z";
    return item;
}

Launch launchOf(const Desk& desk, std::int64_t updates, std::uint64_t seed = 1) {
    Launch launch = desk.shop.launch({seed});
    launch.recipe.length.maxUpdates = updates;
    return launch;
}

/// As `train` does with a job, and its queue when the run has ended.
fs::path begin(const fs::path& file) {
    const Job job = readJob(file);
    fs::create_directories(job.run);
    fs::copy_file(job.architecture, RunPaths{job.run}.architecture());
    fs::copy_file(job.recipe, RunPaths{job.run}.recipe());
    RunInfo info;
    info.id = job.run.filename().string();
    info.state = RunState::Finished;
    info.created = utcNow();
    info.seed = *job.seed;
    info.data = job.data.string();
    info.maxUpdates = readRecipe(job.recipe).length.maxUpdates;
    writeRun(job.run, info);
    fs::remove(file);
    return job.run;
}

} // namespace

class KeptNamesTest : public QObject {
    Q_OBJECT

    /// The names of waiting jobs and of runs, as the window shows them.
    static QStringList names(const Desk& desk) {
        QStringList shown;
        for (const auto& job : desk.workspace->store()->waiting())
            shown << job.name;
        for (const RunItem& run : desk.workspace->store()->runs())
            shown << widgets::runTitle(run);
        shown.sort();
        return shown;
    }

private Q_SLOTS:
    /// "demo" became "demo, 40 updates" when another one was started, and "demo" was another one when that was deleted.
    void laterStartsAndDeletionsRenameNothing() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", "/nowhere"); // jobs wait
        auto* queue = desk.workspace->queue();
        const QString name = QString::fromStdString(TrainWorkshop::tiny().name);
        const auto title = [&](const char* more) { return name + QLatin1String(more); };
        (void)queue->start(launchOf(desk, 40));
        QTRY_COMPARE_WITH_TIMEOUT(names(desk), QStringList{title(", seed 1")}, 60000);
        const fs::path first = begin(waitingJobs(desk.shop.runs()).front());
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        QCOMPARE(names(desk), QStringList{title(", seed 1")});
        (void)queue->start(launchOf(desk, 300));
        const QStringList both{title(", 300 updates, seed 1"), title(", seed 1")};
        QTRY_COMPARE_WITH_TIMEOUT(names(desk), both, 60000);
        QVERIFY(fs::exists(first / "started-as.txt"));
        // Another seed of the first one, and then the first one leaves.
        (void)queue->start(launchOf(desk, 40, 2));
        QTRY_COMPARE_WITH_TIMEOUT(names(desk), (QStringList{title(", 300 updates, seed 1"), title(", seed 1"), title(", seed 2")}), 60000);
        fs::remove_all(first);
        QTRY_COMPARE_WITH_TIMEOUT(names(desk), (QStringList{title(", 300 updates, seed 1"), title(", seed 2")}), 60000);
        // One that was started in a terminal is told apart from those that are there, and they are not from it.
        desk.shop.run("2026-11-21T10-31_outside");
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        QCOMPARE(names(desk).size(), 3);
        for (const QString& kept : {title(", 300 updates, seed 1"), title(", seed 2")})
            QVERIFY2(names(desk).contains(kept), qPrintable(names(desk).join(u'\n')));
        // The user's own name counts more, and without it the kept one is back.
        const fs::path second = begin(waitingJobs(desk.shop.runs()).front());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->find(second), 60000);
        QCOMPARE(queue->rename({second}, QStringLiteral("mine")), QString());
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->find(second)->name, QStringLiteral("mine"), 60000);
        QCOMPARE(queue->rename({second}, QString()), QString());
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->find(second)->name, title(", 300 updates"), 60000);
    }

    /// A study called it by the name of another run.
    void aRunThatBeginsLaterHasTheGivenNameOnDisk() {
        Desk desk("good");
        const auto* store = desk.workspace->store();
        const fs::path first = desk.shop.run("2026-11-21T10-31_a_seed-1");
        QTRY_VERIFY_WITH_TIMEOUT(store->find(first), 60000);
        QCOMPARE(desk.workspace->queue()->rename({first}, QStringLiteral("mine")), QString());
        const fs::path later = desk.shop.run("2026-11-21T10-31_a_seed-2", RunState::Finished, 2);
        QTRY_COMPARE_WITH_TIMEOUT(nameOfResult(RunPaths{later}.model(), "tiny"), std::string("mine, seed 2"), 60000);
        QCOMPARE(desk.workspace->queue()->rename({first, later}, QString()), QString());
        QTRY_VERIFY_WITH_TIMEOUT(store->find(later)->name != QStringLiteral("mine"), 60000);
        QVERIFY(!fs::exists(RunPaths{later}.name())); // it is not written again
    }

    /// A look from before wrote the old name, which the whole experiment then had again.
    void anOldNameIsNotWrittenAfterARenaming() {
        Desk desk("good");
        auto* store = desk.workspace->store();
        const fs::path first = desk.shop.run("2026-11-21T10-31_a_seed-1");
        QTRY_VERIFY_WITH_TIMEOUT(store->find(first), 60000);
        QCOMPARE(desk.workspace->queue()->rename({first}, QStringLiteral("old")), QString());
        QTRY_COMPARE_WITH_TIMEOUT(store->find(first)->given, QStringLiteral("old"), 60000);
        store->setPeriod(1000000);
        QTest::qWait(200); // the look that goes on comes to its end
        const fs::path later = desk.shop.run("2026-11-21T10-32_a_seed-2", RunState::Finished, 2);
        store->lookNow();
        QThread::msleep(300); // it sees the later one and the old name
        QCOMPARE(desk.workspace->queue()->rename({first}, QStringLiteral("new")), QString());
        QTRY_COMPARE_WITH_TIMEOUT(nameOfResult(RunPaths{later}.model(), "tiny"), std::string("new, seed 2"), 60000);
        QCOMPARE(nameOfResult(RunPaths{first}.model(), "tiny"), std::string("new, seed 1"));
    }

    /// A run that was seen without a name never got one.
    void aNameThatComesBackIsSharedToo() {
        Desk desk("good");
        const auto* store = desk.workspace->store();
        const fs::path later = desk.shop.run("2026-11-21T10-31_a_seed-2", RunState::Finished, 2);
        QTRY_VERIFY_WITH_TIMEOUT(store->find(later), 60000);
        desk.shop.text("runs/2026-11-21T10-31_a_seed-1/name.txt", "mine\n"); // brought back from the wastebasket
        desk.shop.run("2026-11-21T10-31_a_seed-1");
        QTRY_COMPARE_WITH_TIMEOUT(nameOfResult(RunPaths{later}.model(), "tiny"), std::string("mine, seed 2"), 60000);
    }

    /// They kept the old one, which no run had any more.
    void branchesFollowTheNameOfTheirRun() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", "/nowhere"); // the job waits
        const auto* store = desk.workspace->store();
        auto* queue = desk.workspace->queue();
        const QString tiny = QString::fromStdString(TrainWorkshop::tiny().name);
        const auto branch = [&](const std::string& id, const fs::path& from, const QString& kept) {
            const fs::path run = desk.shop.run(id);
            RunInfo info = readRun(run);
            info.startFrom = from.string();
            writeRun(run, info);
            desk.shop.text(startedAsFile(run), kept.toStdString() + "\n");
            return run;
        };
        const fs::path parent = desk.shop.run("2026-11-21T10-31_a_seed-1");
        const fs::path child = branch("2026-11-21T10-32_b_seed-1", parent / "branches/step-000030", tiny + QStringLiteral(", from update 30 of seed 1"));
        const fs::path grandchild = branch("2026-11-21T10-33_c_seed-1", child / "branches/step-000020",
                                           tiny + QStringLiteral(", from update 30 of seed 1, from update 20 of seed 1"));
        const fs::path other = branch("2026-11-21T10-34_d_seed-1", parent / "branches/step-000010", QStringLiteral("of before"));
        QTRY_COMPARE_WITH_TIMEOUT(store->runs().size(), std::size_t(4), 60000);
        Launch launch = desk.shop.launch();
        launch.startFrom = (parent / "branches/step-000025").string();
        (void)queue->start(launch);
        const fs::path job = readJob(waitingJobs(desk.shop.runs()).front()).run;
        QCOMPARE(keptName(job), tiny + QStringLiteral(", from update 25 of seed 1"));
        QCOMPARE(queue->rename({parent}, QStringLiteral("mine")), QString());
        QCOMPARE(keptName(child), QStringLiteral("mine, from update 30 of seed 1"));
        QCOMPARE(keptName(grandchild), QStringLiteral("mine, from update 30 of seed 1, from update 20 of seed 1"));
        QCOMPARE(keptName(other), QStringLiteral("of before"));
        QCOMPARE(keptName(job), QStringLiteral("mine, from update 25 of seed 1"));
        QTRY_COMPARE_WITH_TIMEOUT(store->find(grandchild)->name, QStringLiteral("mine, from update 30 of seed 1, from update 20 of seed 1"), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(store->waiting().front().name, QStringLiteral("mine, from update 25 of seed 1, seed 1"), 60000);
        QCOMPARE(nameOfResult(RunPaths{child}.model(), "tiny"), std::string("mine, from update 30 of seed 1, seed 1")); // in studies too
        // A branch with a name of its own keeps it, and its branches are called by that.
        QCOMPARE(queue->rename({child}, QStringLiteral("own")), QString());
        QTRY_COMPARE_WITH_TIMEOUT(store->find(grandchild)->name, QStringLiteral("own, from update 20 of seed 1"), 60000);
        QCOMPARE(queue->rename({parent}, QString()), QString());
        QTRY_COMPARE_WITH_TIMEOUT(store->find(child)->called, tiny + QStringLiteral(", from update 30 of seed 1"), 60000);
        QCOMPARE(store->find(grandchild)->name, QStringLiteral("own, from update 20 of seed 1"));
        QCOMPARE(queue->rename({child}, QString()), QString());
        QTRY_COMPARE_WITH_TIMEOUT(store->find(grandchild)->name, tiny + QStringLiteral(", from update 30 of seed 1, from update 20 of seed 1"), 60000);
    }

    /// "Evaluate demo-model_seed-2 on …" stood beside "Evaluate demo-model, seed 1, on …".
    void anEvaluationOfADeletedRunNamesItsSeedAsOthersDo() {
        EvaluationRequest request;
        request.model = "/runs/2026-11-21T10-31_demo-model_seed-2/model";
        request.data = "/corpora/demo";
        request.split = "test";
        request.task = "asr";
        QCOMPARE(evaluationTitle(request), QStringLiteral("Evaluate demo-model, seed 2, on test of demo, asr"));
    }

    void aJobThatIsTakenOutLeavesNoName() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", "/nowhere");
        (void)desk.start();
        const fs::path job = waitingJobs(desk.shop.runs()).front(), run = readJob(job).run;
        QVERIFY(!keptName(run).isEmpty());
        QCOMPARE(desk.workspace->queue()->removeWaiting(job), QString());
        QVERIFY(keptName(run).isEmpty());
    }

    /// What is told apart is told by what differs of those that are there when it starts.
    void aNewRunIsToldApartFromThoseThatAreThere() {
        std::vector<RunItem> runs{made("demo", "a", 40), made("demo, layer 6 changed", "b", 40)};
        tellApart(runs);
        QCOMPARE(nameAtStart(made("other", "c", 300), runs), QStringLiteral("other"));
        QCOMPARE(nameAtStart(made("demo", "a", 40), runs), QStringLiteral("demo"));
        RunItem fresh = made("demo", "c", 300);
        fresh.called = nameAtStart(fresh, runs);
        QCOMPARE(fresh.called, QStringLiteral("demo, 300 updates"));
        runs.push_back(fresh);
        tellApart(runs);
        QCOMPARE(runs[0].name, QStringLiteral("demo"));
        // Alike in all that has words; a name that is given is none that has to be told apart.
        RunItem same = made("demo", "d", 300);
        same.info.created = "2026-11-22T08:00:00Z";
        QCOMPARE(nameAtStart(same, runs), QStringLiteral("demo, 300 updates, 2026-11-22 08:00:00"));
        std::vector<RunItem> given{made("demo", "a", 40)};
        given[0].given = QStringLiteral("mine");
        tellApart(given);
        QCOMPARE(nameAtStart(fresh, given), QStringLiteral("demo"));
        QCOMPARE(nameAtStart(made("demo", "a", 40), given), QString());
        QCOMPARE(nameAtStart(made("mine", "e", 300), given), QStringLiteral("mine, 300 updates")); // drawn from its model, and not changed
        // Later ones stay, too, when all others have left.
        std::vector<RunItem> last{fresh};
        last[0].name = QStringLiteral("demo");
        tellApart(last);
        QCOMPARE(last[0].name, QStringLiteral("demo, 300 updates"));
    }
};

HEADROOM_TEST(KeptNamesTest)

} // namespace headroom::testing::kept_names_test

#include "kept_names_test.moc"
