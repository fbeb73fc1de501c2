// SPDX-License-Identifier: GPL-3.0-or-later
// Analyse computed at another machine: the protocol of `serve` over a real ssh server of this machine.
#include "core/protocol/sounds.h"
#include "tests/support/runner.h"
#include "tests/training/places/loopback_ssh.h"
#include "tests/training/worker/conversation.h"

namespace headroom::testing::serve_there_test {

using nlohmann::json;
namespace fs = std::filesystem;

class ServeThereTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_ssh = std::make_unique<LoopbackSsh>();
        if (const QString reason = m_ssh->skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place("over there")});
        // The same path names another folder in another process: there, as on another machine, the model is
        // missing.
        QDir::setCurrent(m_ssh->file("."));
        fs::copy(kModel.toStdString(), m_ssh->folder() / "model", fs::copy_options::recursive);
    }

    void theAnswersAreThoseOfThisMachine() {
        Conversation here, there({"serve", "--place", "loop"});
        const int model = here.openModel();
        QCOMPARE(there.initialize()["result"]["protocol"].get<int>(), 1);
        const json opened = there.call(2, "openModel", {{"folder", "/proc/self/cwd/model"}});
        QVERIFY2(opened.contains("result"), opened.dump().c_str());
        QVERIFY(fs::exists(m_ssh->folder() / "over there/models"));
        const json asked{{"model", opened["result"]["model"]}, {"attention", true}};
        for (Conversation* worker : {&here, &there})
            worker->samples(3, 1);
        QVERIFY(here.call(3, "analyse", {{"model", model}, {"attention", true}}).contains("result"));
        const json answer = there.call(3, "analyse", asked);
        QVERIFY2(answer.contains("result"), answer.dump().c_str());
        QVERIFY(here.arrays[3].size() > 3);
        QCOMPARE(there.arrays[3].size(), here.arrays[3].size());
        for (const auto& [name, tensor] : here.arrays[3])
            QVERIFY2(there.arrays[3][name].bytes == tensor.bytes, name.c_str());
        // Again: the sound is named only, and the answer is the same.
        there.samples(4, 1);
        QVERIFY(there.call(4, "analyse", asked).contains("result"));
        QVERIFY(there.arrays[4]["encoder_output"].bytes == there.arrays[3]["encoder_output"].bytes);
        there.closeInput();
        QCOMPARE(there.status(), 0);
    }
    void theDeviceOfThePlaceAnswers() {
        Place place = m_ssh->place("over there");
        place.name = "no such GPU";
        place.device = "cuda:77";
        writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place("over there"), place});
        Conversation refused({"serve", "--place", "no such GPU"}), typed({"serve", "--place", "no such GPU", "--device", "cpu"});
        QCOMPARE(refused.status(), 1);
        QVERIFY2(refused.log().find("There is no device cuda:77.") != std::string::npos, refused.log().c_str());
        QCOMPARE(typed.initialize()["result"]["protocol"].get<int>(), 1);
    }
    void aModelThatIsThereIsNotLookedThrough() {
        const QByteArray path = qgetenv("PATH");
        QDir(m_ssh->file(".")).mkpath("bin");
        writeScript(m_ssh->file("bin/rsync"), "echo 'rsync was started' >&2; exit 1");
        qputenv("PATH", m_ssh->file("bin").toUtf8() + ":" + path);
        Conversation there({"serve", "--place", "loop"});
        there.initialize();
        const json opened = there.call(2, "openModel", {{"folder", "/proc/self/cwd/model"}});
        qputenv("PATH", path);
        QVERIFY2(opened.contains("result"), opened.dump().c_str());
    }
    void aSoundIsSentOnce() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 1);
        QVERIFY(worker.call(3, "analyse", {{"model", model}, {"sound", "one"}}).contains("result"));
        QVERIFY(worker.call(4, "analyse", {{"model", model}, {"sound", "one"}})
                    .contains("result")); // without the array
        QVERIFY(worker.arrays[4]["encoder_output"].bytes == worker.arrays[3]["encoder_output"].bytes);
        QVERIFY(worker.call(5, "analyse", {{"model", model}, {"sound", "two"}}).contains("error"));
        protocol::SoundList list;
        QVERIFY(list.remember("a", 1) && !list.remember("a", 1) && list.holds("a"));
        QVERIFY(list.remember("b", protocol::SoundList::kMostBytes)); // the oldest leaves
        QVERIFY(!list.holds("a") && list.holds("b"));
    }
    void aWorkerOfAnotherVersionIsRefused() {
        Place place = m_ssh->place("over there");
        place.name = "old";
        place.worker = m_ssh->file("old-worker").toStdString();
        const QByteArray answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocol\":1,\"version\":\"0.0.1\"}}";
        writeScript(m_ssh->file("old-worker"), "printf 'Content-Length: " + QByteArray::number(answer.size()) + "\\r\\n\\r\\n%s' '" + answer + "'; cat > /dev/null");
        writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place("over there"), place});
        Conversation there({"serve", "--place", "old"});
        QCOMPARE(there.status(), 1);
        QVERIFY2(there.log().find("The worker at old is version 0.0.1, and this one is ") != std::string::npos, there.log().c_str());
    }
    void whatIsWrongIsASentence() {
        Conversation there({"serve", "--place", "loop"});
        there.initialize();
        const json answer =
            there.call(2, "openModel", {{"folder", m_ssh->file("no such model").toStdString()}});
        QVERIFY2(answer.contains("error"), answer.dump().c_str());
        m_ssh->cut();
        QCOMPARE(there.status(), 1);
        QVERIFY(!there.log().empty());
        Conversation unknown({"serve", "--place", "nowhere"});
        QCOMPARE(unknown.status(), 1);
        QVERIFY(unknown.log().find("There is no place “nowhere”") != std::string::npos);
    }

private:
    std::unique_ptr<LoopbackSsh> m_ssh;
};

HEADROOM_TEST(ServeThereTest)

} // namespace headroom::testing::serve_there_test

#include "serve_there_test.moc"
