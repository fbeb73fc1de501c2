// SPDX-License-Identifier: GPL-3.0-or-later
// Spaces, quotes, a newline and letters of several scripts in every path of both ends: with the real worker and a real ssh server of
// this machine.
#include "core/runs/evaluations.h"
#include "core/studies/study.h"
#include "tests/support/runner.h"
#include "tests/training/places/left_behind.h"
#include "tests/training/places/trainings_there.h"

namespace headroom::testing::odd_paths_test {

namespace fs = std::filesystem;

class OddPathsTest : public QObject, TrainingsThere {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = setUp(kThere); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_odd = std::make_unique<ToneCorpus>(m_ssh->folder() / kCorpus, 10, 3);
        fs::create_directory_symlink(kModel.toStdString(), m_ssh->folder() / kOther);
    }
    void cleanup() {
        QStringList left;
        QVERIFY2(QTest::qWaitFor([&] { return (left = processesOf(QString::fromStdString(m_ssh->folder().string()))).isEmpty(); }, kPatience),
                 qPrintable(left.join(u'\n')));
    }

    void aRunIsStartedStoppedAndResumed() {
        TinyTraining tiny(m_ssh->folder() / kHere, data());
        tiny.recipe.length.maxUpdates = 1'000'000;
        const fs::path here = tiny.run(kRun), there = m_ssh->folder() / kThere / "runs" / kRun;
        QProcess process;
        process.start(kWorker, tiny.arguments(kRun, {"--place", "loop"}));
        QVERIFY2(QTest::qWaitFor([&] { return stepsIn(here) > 3; }, kPatience), process.readAllStandardError().constData());
        m_ssh->cut(); // it is found again by its path
        const std::int64_t before = stepsIn(here);
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here) > before + 3; }, kPatience));
        askToStop(here);
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const RunInfo info = readRun(here);
        QVERIFY(info.state == RunState::Stopped);
        QVERIFY2(info.data.rfind((m_ssh->folder() / kThere / "data").string(), 0) == 0 && fs::path(info.data).filename() == fs::path(kCorpus).filename(),
                 info.data.c_str());
        QCOMPARE(readRunPlace(here)->data, data().string());
        // The queue, as the window has it: beside it another one of the host, over the same session.
        const fs::path second = tiny.run(std::string(kRun) + " 2");
        tiny.recipe.length.maxUpdates = 8;
        tiny.arguments("written"); // the recipe
        Job job;
        job.run = here;
        job.resume = true;
        writeJob(nextJobFile(here.parent_path(), here), job);
        Job other;
        other.run = second;
        other.architecture = here.parent_path() / "architecture.json";
        other.recipe = here.parent_path() / "recipe.json";
        other.data = data();
        other.place = "loop";
        writeJob(nextJobFile(here.parent_path(), second), other);
        QProcess queue;
        queue.start(kWorker, {"queue", TinyTraining::text(here.parent_path()), "--stay"});
        QVERIFY2(QTest::qWaitFor([&] { return stepsIn(here) > info.update + 3; }, kPatience), queue.readAllStandardError().constData());
        askToStop(here); // one run after the other there
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY2(readRun(here).state == RunState::Stopped && readRun(here).resumed == 1, queue.readAllStandardError().constData());
        QVERIFY2(readRun(second).state == RunState::Finished, queue.readAllStandardError().constData());
        QVERIFY(!fs::exists(failedJobs(here.parent_path())));
        QCOMPARE(QString::fromStdString(firstDifference(here, there, false)), QString());
        QCOMPARE(QString::fromStdString(firstDifference(second, there.parent_path() / second.filename(), true)), QString());
    }

    void anEvaluationIsTheSameAsHere() {
        const QStringList words{"evaluate", "--model", TinyTraining::text(model()), "--data", TinyTraining::text(data()),
                                "--split",  "dev",     "--max-tokens",              "5"};
        const fs::path here = m_ssh->folder() / kHere / "evaluated here", there = m_ssh->folder() / kHere / kRun / "evaluated\nthere";
        const Finished local = runWorkerProgram(words + QStringList{"--out", TinyTraining::text(here)});
        QVERIFY2(local.status == 0, local.err.c_str());
        const Finished far = runWorkerProgram(words + QStringList{"--out", TinyTraining::text(there), "--place", "loop"});
        QVERIFY2(far.status == 0, far.err.c_str());
        for (const char* name : {"evaluation.json", "references.txt", "hypotheses.txt"})
            QCOMPARE(QString::fromStdString(wholeText(there / name)), QString::fromStdString(wholeText(here / name)));
        QVERIFY(fs::is_empty(m_ssh->folder() / kThere / "work"));
    }

    void aStudyIsTheSameAsHere() {
        const fs::path sound = m_odd->folder() / "audio" / "it's “odd”,\nグ.wav";
        fs::copy_file(m_odd->folder() / "audio" / "dev0.wav", sound);
        const QStringList words{"study", "heads", "--model", TinyTraining::text(model()), "--audio", TinyTraining::text(sound), "--threads", "1"};
        const fs::path here = m_ssh->folder() / kHere / "study here", there = m_ssh->folder() / kHere / kRun / "study\nthere";
        // Of its own: what an earlier build left in the user's was rounded in another way.
        const QStringList own{"--cache", TinyTraining::text(m_ssh->folder() / "cache")};
        const Finished local = runWorkerProgram(words + QStringList{"--out", TinyTraining::text(here)} + own);
        QVERIFY2(local.status == 0, local.err.c_str());
        const Finished far = runWorkerProgram(words + QStringList{"--out", TinyTraining::text(there), "--place", "loop"});
        QVERIFY2(far.status == 0, far.err.c_str());
        const Study a = readStudy(here), b = readStudy(there);
        QVERIFY(b.state == RunState::Finished);
        QCOMPARE(b.models.front().folder, a.models.front().folder);
        QCOMPARE(b.utterances.front().audio, a.utterances.front().audio);
        QVERIFY(wholeText(there / "results.npz") == wholeText(here / "results.npz"));
    }

    /// And brought to another machine, which another runs folder stands for.
    void aRunIsListedAndWatched() {
        const Finished listed = runWorkerProgram({"places", "runs", "loop", "--json"});
        QVERIFY2(listed.status == 0, listed.err.c_str());
        bool found = false;
        const nlohmann::json document = listed.document();
        for (const auto& run : document["runs"])
            found = found || (run["name"] == kRun && run["state"] == "stopped");
        QVERIFY2(found, listed.out.c_str());
        const fs::path other = m_ssh->folder() / "another\nmachine" / kRun;
        const Finished watched = runWorkerProgram({"train", "--run", TinyTraining::text(other), "--place", "loop", "--watch"});
        QVERIFY2(watched.status == 0, watched.err.c_str());
        QCOMPARE(QString::fromStdString(firstDifference(other, m_ssh->folder() / kThere / "runs" / kRun, false)), QString());
        const Finished tested = runWorkerProgram({"places", "test", "loop"});
        QVERIFY2(tested.status == 0, (tested.out + tested.err).c_str());
    }

private:
    static constexpr const char* kThere = "there: \"a\" 'b', $HOME `c`\nGrüße 日本 \\";
    static constexpr const char* kHere = "hier, it's “odd”;\n[дом] *?";
    static constexpr const char* kRun = "Lauf \"1\", it's\n日本 # %";
    static constexpr const char* kCorpus = "корпус 'c' \"d\"\nzwei!";
    static constexpr const char* kOther = "model, it's \"odd\"\n模型";
    /// Other folders there, as on another machine: they are copied.
    static fs::path data() { return fs::path("/proc/self/cwd") / kCorpus; }
    static fs::path model() { return fs::path("/proc/self/cwd") / kOther; }

    std::unique_ptr<ToneCorpus> m_odd;
};

HEADROOM_TEST(OddPathsTest)

} // namespace headroom::testing::odd_paths_test

#include "odd_paths_test.moc"
