// SPDX-License-Identifier: GPL-3.0-or-later
// Places are tested against a real ssh server of this machine.
#include "tests/support/runner.h"
#include "tests/training/places/loopback_ssh.h"
#include "training/places/check_place.h"
#include "training/places/connection.h"

#include <ctime>

namespace headroom::testing::check_place_test {

using training::PlaceCheck;
using training::PlaceFacts;

class CheckPlaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_ssh = std::make_unique<LoopbackSsh>();
        if (!m_ssh->skipReason().isEmpty())
            QSKIP(qPrintable(m_ssh->skipReason()));
    }
    void cleanup() {
        m_ssh->disconnect();
        m_ssh->writeClientConfig();
        m_ssh->knowHost(m_ssh->publicKey("host_key"));
    }

    void wordsArriveAsTheyWere() {
        const std::vector<std::string> words{"printf",     "<%s>",  "two words", "it's", "a\nb",
                                             "Grüße 日本", "$HOME", "",          "-n",   "\\"};
        const auto ended = training::runAt(m_ssh->place("x"), words);
        QCOMPARE(ended.out, std::string("<two words><it's><a\nb><Grüße 日本><$HOME><><-n><\\>"));
        QCOMPARE(ended.status, 0);
        QCOMPARE(training::runAt(m_ssh->place("x"), {"sh", "-c", "exit 7"}).status, 7);
        QCOMPARE(training::runAt(m_ssh->place("x"), {"cat"}, "from here").out, std::string("from here"));
    }
    void aHostHasOneConnection() {
        const auto first = training::runAt(m_ssh->place("x"), {"sh", "-c", "echo $SSH_CONNECTION"}).out;
        const auto second = training::runAt(m_ssh->place("x"), {"sh", "-c", "echo $SSH_CONNECTION"}).out;
        QVERIFY(first.size() > 5);
        QCOMPARE(first, second); // the same port on this side
    }

    void theCommandAddsTestsAndRemoves() {
        const QString folder = m_ssh->file("a folder, it's “odd”");
        auto ended = runWorkerProgram(
            {"places", "add", "loop", "--host", "loop", "--folder", folder, "--worker", kWorker});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QVERIFY2(ended.out.find("headroom-worker places test loop") != std::string::npos, ended.out.c_str());
        ended = runWorkerProgram({"places", "add", "loop", "--host", "loop", "--folder", folder});
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.says("A place named “loop” already exists."));
        ended = runWorkerProgram({"places", "list", "--json"});
        QCOMPARE(ended.document()["places"][0]["folder"].get<std::string>(), folder.toStdString());
        QCOMPARE((keysOf(ended.document())), (std::set<std::string>{"format", "version", "file", "places"}));
        ended = runWorkerProgram({"places", "test", "loop", "--json"});
        QVERIFY2(ended.status == 0, (ended.err + ended.out).c_str());
        QCOMPARE((keysOf(ended.document())),
                 (std::set<std::string>{"format", "version", "place", "usable", "checks"}));
        std::set<std::string> passed;
        const nlohmann::json answer = ended.document();
        for (const auto& check : answer["checks"])
            if (check["state"] == "passed")
                passed.insert(check["what"].get<std::string>());
        for (const char* what : {"Reachable", "Processor", "glibc", "Folder", "Worker", "Device cpu"})
            QVERIFY2(passed.count(what), (std::string(what) + "\n" + ended.out).c_str());
        QVERIFY(QDir(folder).exists());
        QVERIFY(QDir(folder).isEmpty());
        ended = runWorkerProgram({"places", "test", "loop"});
        QVERIFY2(ended.out.find("✓ glibc: ") != std::string::npos, ended.out.c_str());
        ended = runWorkerProgram({"places", "remove", "loop"});
        QCOMPARE(ended.status, 0);
        ended = runWorkerProgram({"places", "test", "loop"});
        QVERIFY2(ended.says("There is no place “loop”."), ended.err.c_str());
        ended = runWorkerProgram({"places", "add", "bad", "--host=-oProxyCommand=true", "--folder", folder});
        QVERIFY2(ended.status == 1 && ended.says("A host must not begin with “-”"), ended.err.c_str());
    }

    void whatIsWrongIsSaidInASentence_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown host") << "host"
                                      << "Reachable"
                                      << "is unknown here";
        QTest::newRow("nothing listens") << "port"
                                         << "Reachable"
                                         << "refuses connections";
        QTest::newRow("key not known") << "unknownKey"
                                       << "Reachable"
                                       << "is not known yet";
        QTest::newRow("key changed") << "otherKey"
                                     << "Reachable"
                                     << "has changed";
        QTest::newRow("no key of ours") << "denied"
                                        << "Reachable"
                                        << "accepts none of your keys";
        QTest::newRow("folder cannot be written") << "folder"
                                                  << "Folder"
                                                  << "cannot be written there";
        QTest::newRow("no worker") << "worker"
                                   << "Worker"
                                   << "does not start there";
        QTest::newRow("another version") << "version"
                                         << "Worker"
                                         << "The worker there is version 0.0.1";
        QTest::newRow("glibc too old") << "glibc"
                                       << "Worker"
                                       << "is older than the worker needs (2.99)";
        QTest::newRow("no such device") << "device"
                                        << "Device of the place"
                                        << "Runs there compute on cuda:77, which cannot be used.";
        QTest::newRow("no LibTorch") << "torch"
                                     << "Worker"
                                     << "2.11";
    }
    void whatIsWrongIsSaidInASentence() {
        QFETCH(QString, how);
        QFETCH(QString, what);
        QFETCH(QString, says);
        Place place = m_ssh->place("there");
        if (how == "host")
            place.host = "no-such-host.invalid";
        else if (how == "port")
            m_ssh->writeClientConfig("Host closed\n  HostName 127.0.0.1\n  Port 1\n"), place.host = "closed";
        else if (how == "unknownKey")
            m_ssh->knowHost("");
        else if (how == "otherKey")
            m_ssh->knowHost(m_ssh->publicKey("key"));
        else if (how == "denied") {
            m_ssh->makeKey("stranger");
            m_ssh->writeClientConfig("Host other\n  HostName 127.0.0.1\n  Port " +
                                     QByteArray::number(m_ssh->port()) +
                                     "\n  IdentityAgent none\n  IdentitiesOnly yes\n  IdentityFile " +
                                     m_ssh->file("stranger").toUtf8() + "\n  UserKnownHostsFile " +
                                     m_ssh->file("known_hosts").toUtf8() + "\n");
            place.host = "other";
        } else if (how == "folder")
            place.folder = "/proc/no folder here";
        else if (how == "worker")
            place.worker = "/nowhere/headroom-worker";
        else if (how == "version")
            place.worker = script("echo 'headroom-worker 0.0.1'");
        else if (how == "device")
            place.device = "cuda:77";
        else if (how == "glibc") {
            place.worker = script("echo \"w: version \\`GLIBC_2.99' not found (required by w)\" >&2; exit 1");
            says.prepend("glibc " + QString::fromStdString(training::parseFacts(training::runAt(place, training::factsScript(place)).out).glibc) + " ");
        } else
            place.worker = script("echo 'headroom-worker: LibTorch 2.11 was not found. Try: pip install "
                                  "torch==2.11.0' >&2; exit 1");
        std::string all;
        bool found = false;
        const bool good = training::checkPlaceThere(place, "0.1.0", [&](const PlaceCheck& check) {
            all += check.what + ": " + check.sentence + "\n";
            found = found || (check.state == PlaceCheck::State::Failed && check.what == what.toStdString() &&
                              QString::fromStdString(check.sentence).contains(says));
        });
        QVERIFY2(found && !good, all.c_str());
    }
    void whatSshSaysIsOneSentence_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("unreachable") << "ssh: connect to host loop port 22: Connection timed out\r\n"
                                     << "loop does not answer: ssh: connect to host loop port 22: Connection timed out.";
        QTest::newRow("no route") << "ssh: connect to host loop port 22: No route to host\n"
                                  << "loop does not answer: ssh: connect to host loop port 22: No route to host.";
        QTest::newRow("lost") << "client_loop: send disconnect: Broken pipe\n"
                              << "loop does not answer: client_loop: send disconnect: Broken pipe.";
        QTest::newRow("silent") << ""
                                << "The connection to loop was lost.";
        QTest::newRow("another reason") << "Bad configuration option: x\n"
                                        << "ssh could not reach loop: Bad configuration option: x";
    }
    void whatSshSaysIsOneSentence() {
        QFETCH(QString, said);
        QFETCH(QString, sentence);
        QCOMPARE(QString(training::problemOf(m_ssh->place("x"), said.toStdString()).what()), sentence);
    }
    void torchThatIsMissingIsALineToType_data() {
        QTest::addColumn<QString>("python");
        QTest::addColumn<QString>("torch");
        QTest::addColumn<QString>("says");
        QTest::newRow("no Python") << "" << "" << "Python is missing there";
        QTest::newRow("no torch") << "/usr/bin/python3" << "" << "Python there has no torch; the worker needs torch 2.11.";
        QTest::newRow("another torch") << "/usr/bin/python3" << "2.3.1+cu121"
                                       << "Python there has torch 2.3.1+cu121, but the worker needs 2.11.";
    }
    void torchThatIsMissingIsALineToType() {
        QFETCH(QString, python);
        QFETCH(QString, torch);
        QFETCH(QString, says);
        PlaceFacts facts;
        facts.python = python.toStdString();
        facts.torch = torch.toStdString();
        const training::Ended ended{1, "", "headroom-worker: LibTorch 2.11 was not found"};
        const PlaceCheck check = training::workerCheck(m_ssh->place("x"), ended, facts, "0.1.0");
        QVERIFY2(QString::fromStdString(check.sentence).startsWith(says), check.sentence.c_str());
        QVERIFY2(check.sentence.find("/bin/pip install torch==2.11.0") != std::string::npos, check.sentence.c_str());
    }
    void aBannerIsRemarked() {
        PlaceFacts facts = training::parseFacts("Welcome to gpu-1!\n" + kAnswer);
        QCOMPARE(facts.banner, std::string("Welcome to gpu-1!"));
        const auto checks = training::checksOf(m_ssh->place("x"), facts, 1700000000);
        QCOMPARE(checks.front().what, std::string("Login shell"));
        QVERIFY(checks.front().state == PlaceCheck::State::Remark);
    }
    void factsBecomeLines_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("old glibc") << "glibc 2.36"
                                   << "glibc 2.31"
                                   << "glibc 2.31 is older than the worker needs (2.36)";
        QTest::newRow("musl") << "glibc 2.36"
                              << "glibc "
                              << "another C library";
        QTest::newRow("other processor") << "machine x86_64"
                                         << "machine aarch64"
                                         << "this is Linux on aarch64";
        QTest::newRow("clock") << "clock 1700000000"
                               << "clock 1700003700"
                               << "1 h 1 min ahead";
        QTest::newRow("read-only") << "writable yes"
                                   << "writable no mkdir: Read-only file system"
                                   << "Read-only file system";
        QTest::newRow("quota") << "writable yes"
                               << "writable no mkdir: Disk quota exceeded"
                               << "Disk quota exceeded";
        QTest::newRow("full") << "disk 100000000"
                              << "disk 1000"
                              << "Only 0.0 GB are free";
        QTest::newRow("no rsync") << "rsync /usr/bin/rsync"
                                  << "rsync "
                                  << "sudo apt install rsync";
    }
    void factsBecomeLines() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, says);
        QString answer = QString::fromStdString(kAnswer);
        QVERIFY(answer.contains(from));
        answer.replace(from, to);
        QString sentences;
        for (const auto& check :
             training::checksOf(m_ssh->place("x"), training::parseFacts(answer.toStdString()), 1700000000))
            sentences += QString::fromStdString(check.sentence) + '\n';
        QVERIFY2(sentences.contains(says), qPrintable(sentences));
        sentences.clear();
        for (const auto& check :
             training::checksOf(m_ssh->place("x"), training::parseFacts(kAnswer), 1700000000))
            sentences += QString::fromStdString(check.sentence);
        QCOMPARE(sentences, QString());
    }
    void anAnswerThatIsCutOffIsNone() {
        for (const std::string& text :
             {std::string(), std::string("This account is closed.\n"), kAnswer.substr(0, 60)})
            QVERIFY_EXCEPTION_THROWN(training::parseFacts(text), Error);
    }

private:
    std::string script(const QByteArray& line) const {
        const QString file = m_ssh->file("fake-worker");
        writeScript(file, line);
        return file.toStdString();
    }
    const std::string kAnswer =
        "\nheadroom-facts 1\nsystem Linux\nmachine x86_64\nglibc 2.36\nclock 1700000000\n"
        "rsync /usr/bin/rsync\nsbatch \nwritable yes\ndisk 100000000\nend\n";
    std::unique_ptr<LoopbackSsh> m_ssh;
};

HEADROOM_TEST(CheckPlaceTest)

} // namespace headroom::testing::check_place_test

#include "check_place_test.moc"
