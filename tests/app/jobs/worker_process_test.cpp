// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_location.h"
#include "app/jobs/worker_process.h"
#include "tests/app/jobs/fake_worker_options.h"
#include "tests/support/runner.h"

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace headroom::testing::worker_process_test {

using namespace headroom::app;

namespace {

WorkerProcess::Request ask(const std::string& method, std::vector<WorkerReply>& replies) {
    WorkerProcess::Request request;
    request.method = method;
    request.finished = [&replies](const WorkerReply& reply) { replies.push_back(reply); };
    return request;
}

WorkerProcess::Request analysis(std::vector<WorkerReply>& replies, std::vector<int>& layers) {
    auto request = ask("analyse", replies);
    request.parameters = {{"model", 1}, {"tag", "current"}};
    const std::vector<float> samples(8000, 0.1F);
    request.arrays.emplace_back("samples", Tensor::of<float>({8000}, std::span<const float>(samples)));
    request.notified = [&layers](const std::string& method, const nlohmann::json& values,
                                 NamedTensors arrays) {
        if (method == "layer" && arrays.size() == 4)
            layers.push_back(values.at("layer").get<int>());
    };
    return request;
}

} // namespace

class WorkerProcessTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requestsBeforeTheHandshakeWaitForIt();
    void arraysComeWithTheirLayer();
    void anErrorKeepsItsCodeAndSentence();
    void aCancelledRequestSaysSo();
    void anotherVersionIsRefused();
    void aMissingProgramIsSaid();
    void theEnvironmentDecidesAlone();
    void aWorkerThatEndsAtOnceTellsItsLastWords();
    void theWorkerNeedNotStartItselfAgain();
    void aSilentWorkerIsGivenUp();
    void rubbishIsACrashWithASentence();
    void aKilledWorkerIsStartedAgain();
    void aWorkerAtRestStoppedWhileDoingNothing();
    void threeRestartsAMinuteAreEnough();
    void startForgetsTheCount();
    void aStubbornWorkerIsKilledAtLast();
    void stoppingDoesNotBlock();
    void startWhileStoppingStartsAgain();
};

void WorkerProcessTest::requestsBeforeTheHandshakeWaitForIt() {
    WorkerProcess worker(fakeWorker({}));
    std::vector<WorkerReply> replies;
    worker.start();
    worker.request(ask("shutdown", replies));
    QCOMPARE(worker.state(), WorkerProcess::State::Starting);
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QVERIFY(replies[0].ok());
    QCOMPARE(worker.state(), WorkerProcess::State::Ready);
    QCOMPARE(worker.identity().build, QStringLiteral("fake"));
    QCOMPARE(worker.identity().devices, QStringList{QStringLiteral("cpu: This machine")});
}

void WorkerProcessTest::arraysComeWithTheirLayer() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--layers"), QStringLiteral("3")}));
    std::vector<WorkerReply> replies;
    std::vector<int> layers;
    worker.start();
    worker.request(analysis(replies, layers));
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QVERIFY(replies[0].ok());
    QCOMPARE(layers, (std::vector<int>{1, 2, 3}));
    QCOMPARE(replies[0].result.at("frames").get<int>(), 48);
    QVERIFY(!worker.isBusy());
}

void WorkerProcessTest::anErrorKeepsItsCodeAndSentence() {
    WorkerProcess worker(fakeWorker({}));
    std::vector<WorkerReply> replies;
    auto request = ask("openModel", replies);
    request.parameters = {{"folder", "/models/broken"}};
    worker.start();
    worker.request(request);
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QCOMPARE(replies[0].errorCode, -32000);
    QCOMPARE(replies[0].code, QStringLiteral("model.missing"));
    QVERIFY(replies[0].sentence.startsWith(QStringLiteral("/models/broken/")));
    QVERIFY(!replies[0].wasCancelled() && !replies[0].workerStopped());
}

void WorkerProcessTest::aCancelledRequestSaysSo() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--delay"), QStringLiteral("10000")}));
    std::vector<WorkerReply> replies;
    std::vector<int> layers;
    worker.start();
    worker.cancel(worker.request(analysis(replies, layers))); // while it still waits for the handshake
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QVERIFY(replies[0].wasCancelled());
    QTRY_COMPARE_WITH_TIMEOUT(worker.state(), WorkerProcess::State::Ready, 60000);
    worker.cancel(worker.request(analysis(replies, layers)));
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(2), 60000);
    QVERIFY(replies[1].wasCancelled());
    worker.cancel(12345); // nothing of that number: nothing happens
}

void WorkerProcessTest::anotherVersionIsRefused() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--protocol"), QStringLiteral("2")}));
    QSignalSpy failed(&worker, &WorkerProcess::failed);
    std::vector<WorkerReply> replies;
    worker.start();
    worker.request(ask("shutdown", replies));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("protocol 2")));
    QCOMPARE(worker.state(), WorkerProcess::State::Failed);
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QVERIFY(replies[0].workerStopped());
    QTRY_COMPARE_WITH_TIMEOUT(worker.processId(), qint64(0), 60000);
    QCOMPARE(worker.state(), WorkerProcess::State::Failed); // its end is not a crash
}

void WorkerProcessTest::aMissingProgramIsSaid() {
    auto options = fakeWorker({});
    options.program = QStringLiteral("/nowhere/headroom-worker");
    WorkerProcess worker(options);
    QSignalSpy failed(&worker, &WorkerProcess::failed);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
    QVERIFY(worker.sentence().contains(QStringLiteral("/nowhere/headroom-worker")));
    std::vector<WorkerReply> replies;
    worker.request(ask("shutdown", replies));
    QVERIFY(replies.empty()); // never from within request()
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
}

void WorkerProcessTest::theEnvironmentDecidesAlone() {
    const QByteArray before = qgetenv("HEADROOM_WORKER");
    qputenv("HEADROOM_WORKER", HEADROOM_FAKE_WORKER);
    QCOMPARE(findWorker().program, QStringLiteral(HEADROOM_FAKE_WORKER));
    qputenv("HEADROOM_WORKER", "/nowhere/worker");
    QVERIFY(findWorker().program.isEmpty());
    QVERIFY(findWorker().sentence.contains(QStringLiteral("/nowhere/worker")));
    qunsetenv("HEADROOM_WORKER");
    QCOMPARE(findWorker().searched.size(), 1);
    QVERIFY(QFileInfo(findWorker().searched[0]).isAbsolute());
    if (!before.isEmpty())
        qputenv("HEADROOM_WORKER", before);
}

void WorkerProcessTest::aWorkerThatEndsAtOnceTellsItsLastWords() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--words"), QStringLiteral("libtorch_cpu.so is not there")}));
    QSignalSpy failed(&worker, &WorkerProcess::failed);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
    QVERIFY2(worker.sentence().contains(QStringLiteral("libtorch_cpu.so")), qPrintable(worker.sentence()));
    QVERIFY(worker.sentence().contains(QStringLiteral("status 3")));
}

void WorkerProcessTest::theWorkerNeedNotStartItselfAgain() {
    if (qEnvironmentVariableIsSet("OMP_WAIT_POLICY"))
        QSKIP("OMP_WAIT_POLICY is set, and whoever sets it is left alone");
    WorkerProcess::Options options;
    options.program = QStringLiteral("/bin/sh");
    options.arguments = {QStringLiteral("-c"), QStringLiteral("echo policy $OMP_WAIT_POLICY >&2; exit 3")};
    WorkerProcess worker(options);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.state(), WorkerProcess::State::Failed, 60000);
    QVERIFY2(worker.sentence().contains(QStringLiteral("policy PASSIVE")), qPrintable(worker.sentence()));
}

void WorkerProcessTest::aSilentWorkerIsGivenUp() {
    auto options = fakeWorker({QStringLiteral("--silent"), QStringLiteral("--stubborn")});
    options.handshakeMilliseconds = 200;
    WorkerProcess worker(options);
    QSignalSpy failed(&worker, &WorkerProcess::failed);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
    QTRY_COMPARE_WITH_TIMEOUT(worker.processId(), qint64(0), 60000); // down the whole ladder
}

void WorkerProcessTest::rubbishIsACrashWithASentence() {
    QTemporaryDir folder;
    WorkerProcess worker(fakeWorker({QStringLiteral("--rubbish-after"), QStringLiteral("2"),
                                     QStringLiteral("--once"), folder.filePath(QStringLiteral("once"))}));
    QSignalSpy died(&worker, &WorkerProcess::stoppedUnexpectedly), started(&worker, &WorkerProcess::started);
    std::vector<WorkerReply> replies;
    std::vector<int> layers;
    worker.start();
    worker.request(analysis(replies, layers));
    QTRY_COMPARE_WITH_TIMEOUT(died.count(), 1, 60000);
    QVERIFY2(died[0][0].toString().contains(QStringLiteral("invalid protocol data")),
             qPrintable(died[0][0].toString()));
    QVERIFY(replies.at(0).workerStopped());
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 2, 60000);
}

void WorkerProcessTest::aKilledWorkerIsStartedAgain() {
    WorkerProcess worker(fakeWorker({}));
    QSignalSpy died(&worker, &WorkerProcess::stoppedUnexpectedly), started(&worker, &WorkerProcess::started);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 1, 60000);
    worker.setActivity(QStringLiteral("analysing layer 7"));
    const qint64 first = worker.processId();
    QCOMPARE(::kill(static_cast<pid_t>(first), SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 2, 60000);
    QCOMPARE(died.count(), 1);
    QVERIFY(died[0][0].toString().startsWith(QStringLiteral("The worker stopped while analysing layer 7: ")));
    QVERIFY(died[0][0].toString().contains(QStringLiteral("signal 9")));
    QVERIFY(worker.processId() != first);
    std::vector<WorkerReply> replies;
    worker.request(ask("shutdown", replies));
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QVERIFY(replies[0].ok());
}

/// "The worker stopped while transcribing" named work that had long ended.
void WorkerProcessTest::aWorkerAtRestStoppedWhileDoingNothing() {
    WorkerProcess worker(fakeWorker({}));
    QSignalSpy died(&worker, &WorkerProcess::stoppedUnexpectedly), started(&worker, &WorkerProcess::started);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 1, 60000);
    std::vector<WorkerReply> replies;
    auto request = ask("openModel", replies);
    request.parameters = {{"folder", "m"}};
    worker.request(request);
    worker.setActivity(QStringLiteral("transcribing"));
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QCOMPARE(::kill(static_cast<pid_t>(worker.processId()), SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(died.count(), 1, 60000);
    QCOMPARE(died[0][0].toString(), QStringLiteral("The worker stopped: killed (signal 9)."));
}

void WorkerProcessTest::threeRestartsAMinuteAreEnough() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--crash-opening")}));
    QSignalSpy died(&worker, &WorkerProcess::stoppedUnexpectedly), failed(&worker, &WorkerProcess::failed);
    std::vector<WorkerReply> replies;
    const auto open = [&] {
        auto request = ask("openModel", replies);
        request.parameters = {{"folder", "m"}};
        worker.request(request);
    };
    connect(&worker, &WorkerProcess::started, &worker, open);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
    QCOMPARE(died.count(), 3);
    QCOMPARE(replies.size(), std::size_t(4));
    QVERIFY2(worker.sentence().contains(QStringLiteral("4 times")), qPrintable(worker.sentence()));
    QCOMPARE(worker.state(), WorkerProcess::State::Failed);
}

void WorkerProcessTest::startForgetsTheCount() {
    auto options = fakeWorker({});
    options.restartsPerMinute = 0;
    WorkerProcess worker(options);
    QSignalSpy failed(&worker, &WorkerProcess::failed), started(&worker, &WorkerProcess::started);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 1, 60000);
    ::kill(static_cast<pid_t>(worker.processId()), SIGSEGV);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
    worker.start(); // “Start it again”
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 2, 60000);
}

void WorkerProcessTest::aStubbornWorkerIsKilledAtLast() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--stubborn")}));
    QSignalSpy started(&worker, &WorkerProcess::started), stopped(&worker, &WorkerProcess::stopped);
    QSignalSpy died(&worker, &WorkerProcess::stoppedUnexpectedly);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 1, 60000);
    const auto process = static_cast<pid_t>(worker.processId());
    worker.stop();
    QCOMPARE(worker.state(), WorkerProcess::State::Stopping);
    QTRY_COMPARE_WITH_TIMEOUT(stopped.count(), 1, 60000);
    QCOMPARE(died.count(), 0); // stopped is not failed
    QCOMPARE(::kill(process, 0), -1);
}

void WorkerProcessTest::stoppingDoesNotBlock() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--delay"), QStringLiteral("10000")}));
    QSignalSpy stopped(&worker, &WorkerProcess::stopped);
    std::vector<WorkerReply> replies;
    std::vector<int> layers;
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.state(), WorkerProcess::State::Ready, 60000);
    worker.request(analysis(replies, layers));
    worker.stop();
    QCOMPARE(stopped.count(), 0); // it came back before the process was gone
    QCOMPARE(replies.size(), std::size_t(1));
    QVERIFY(replies[0].workerStopped());
    QTRY_COMPARE_WITH_TIMEOUT(stopped.count(), 1, 60000);
}

void WorkerProcessTest::startWhileStoppingStartsAgain() {
    WorkerProcess worker(fakeWorker({QStringLiteral("--stubborn")}));
    QSignalSpy started(&worker, &WorkerProcess::started);
    worker.start();
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 1, 60000);
    std::vector<WorkerReply> replies;
    worker.stop();
    worker.start();
    // It was answered at once that no worker runs, so that a model that was being opened had failed.
    worker.request(ask("transcribe", replies));
    QTRY_COMPARE_WITH_TIMEOUT(started.count(), 2, 60000);
    QCOMPARE(worker.state(), WorkerProcess::State::Ready);
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(1), 60000);
    QVERIFY2(replies[0].ok(), qPrintable(replies[0].sentence));
    worker.stop();
    worker.start();
    worker.request(ask("transcribe", replies));
    worker.stop(); // there will be none
    QTRY_COMPARE_WITH_TIMEOUT(replies.size(), std::size_t(2), 60000);
    QVERIFY(replies[1].workerStopped());
}

HEADROOM_TEST(WorkerProcessTest)

} // namespace headroom::testing::worker_process_test

#include "worker_process_test.moc"
