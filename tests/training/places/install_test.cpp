// SPDX-License-Identifier: GPL-3.0-or-later
// The worker is brought to a place by a command, checked by hash, and taken away again. The bundle is a
// stand-in: a script.
#include "tests/support/runner.h"
#include "tests/training/places/loopback_ssh.h"
#include "training/places/check_place.h"

namespace headroom::testing::install_test {

namespace fs = std::filesystem;
using training::PlaceCheck;
using training::PlaceFacts;

class InstallTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_ssh = std::make_unique<LoopbackSsh>();
        if (const QString reason = m_ssh->skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_version = runWorkerProgram({"--version"}).out;
        m_version = m_version.substr(m_version.find(' ') + 1);
        m_version.erase(m_version.find_last_not_of('\n') + 1);
        for (const char* folder : {"bin", "lib", "libexec"})
            QDir(m_ssh->folder().c_str()).mkpath(QString("bundle/") + folder);
        writeLauncher("echo headroom-worker " + QByteArray::fromStdString(m_version));
        writeFile(m_ssh->file("bundle/lib/libone.so"), QByteArray(300000, 'x'));
        writeFile(m_ssh->file("bundle/libexec/headroom-worker"), "program");
        Place place = m_ssh->place("a folder, it's “odd”");
        place.worker.clear();
        writePlaces(m_ssh->file("places.json").toStdString(), {place});
    }

    void itIsCopiedCheckedKeptAndRemoved() {
        auto ended = install();
        QVERIFY2(ended.status == 0, (ended.out + ended.err).c_str());
        QVERIFY2(ended.out.find("✓ Copied: every file has the hash it has here") != std::string::npos,
                 ended.out.c_str());
        QVERIFY2(ended.out.find("✓ Worker: " + m_version) != std::string::npos, ended.out.c_str());
        const fs::path link = worker() / m_version;
        QVERIFY(fs::is_symlink(link));
        const fs::path first = fs::canonical(link);
        QVERIFY(fs::exists(first / "lib/libone.so"));
        ended = install();
        QVERIFY2(ended.out.find("✓ Copied: is there already") != std::string::npos, ended.out.c_str());
        // What was damaged there since is copied again.
        writeFile(QString::fromStdString((first / "lib/libone.so").string()), QByteArray(300000, 'y'));
        ended = install();
        QVERIFY2(ended.status == 0 && ended.out.find("every file has the hash") != std::string::npos,
                 ended.out.c_str());
        QCOMPARE(readFirst(first / "lib/libone.so"), 'x');
        // Another build of the same version is used from now on, and the first one stays for those who run
        // it.
        writeFile(m_ssh->file("bundle/libexec/headroom-worker"), "another program");
        QCOMPARE(install().status, 0);
        QVERIFY(fs::canonical(link) != first && fs::exists(first / "lib/libone.so"));
        fs::create_directories(worker() / "torch"); // not ours
        ended = install({"--remove"});
        QVERIFY2(ended.status == 0 && ended.out.find("✓ Removed: " + m_version + "-") != std::string::npos,
                 ended.out.c_str());
        QVERIFY(!fs::exists(first) && !fs::is_symlink(link));
        QVERIFY(fs::exists(worker() / "torch"));
    }

    void whatDoesNotRunThereIsSaid() {
        writeLauncher("echo 'x: /lib/libc.so.6: version `GLIBC_2.38 not found' >&2; exit 1");
        auto ended = install();
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.out.find("✗ Worker: glibc too old") != std::string::npos, ended.out.c_str());
        writeLauncher("echo 'headroom-worker: LibTorch 2.11 was not found' >&2; exit 1");
        ended = install();
        QVERIFY2(ended.out.find("pip install torch==2.11.0") != std::string::npos, ended.out.c_str());
        install({"--remove"});
        ended = runWorkerProgram({"places", "install", "loop", "--bundle", m_ssh->file("nothing here")});
        QVERIFY2(ended.status == 1 && ended.says("There is no worker bundle to copy") && ended.says("does not exist") &&
                     ended.says("packaging/bundle-worker"),
                 ended.err.c_str());
        QVERIFY(!fs::exists(worker() / m_version));
    }

    void whatTorchIsMissingIsSaidWithTheLineToType_data() {
        QTest::addColumn<QString>("python");
        QTest::addColumn<QString>("torch");
        QTest::addColumn<QString>("says");
        QTest::newRow("no Python") << ""
                                   << ""
                                   << "Python is missing there";
        QTest::newRow("no torch") << "/usr/bin/python3"
                                  << ""
                                  << "has no torch";
        QTest::newRow("other torch") << "/usr/bin/python3"
                                     << "2.4.1+cu121"
                                     << "has torch 2.4.1+cu121";
    }
    void whatTorchIsMissingIsSaidWithTheLineToType() {
        QFETCH(QString, python);
        QFETCH(QString, torch);
        QFETCH(QString, says);
        PlaceFacts facts;
        facts.python = python.toStdString();
        facts.torch = torch.toStdString();
        Place place;
        place.name = place.host = "gpu-1";
        place.folder = "~/my headroom";
        training::Ended ended;
        ended.status = 1;
        ended.err = "headroom-worker: LibTorch 2.11 was not found: …";
        const PlaceCheck check = training::workerCheck(place, ended, facts, "1.2.3");
        QVERIFY(check.state == PlaceCheck::State::Failed);
        QVERIFY2(check.sentence.find(says.toStdString()) != std::string::npos, check.sentence.c_str());
        // One word for the shell there, and in it one for each path.
        QVERIFY2(check.sentence.find("ssh gpu-1 'python3 -m venv '\\''my headroom/worker/torch'\\'' && ") !=
                     std::string::npos,
                 check.sentence.c_str());
    }

private:
    Finished install(const QStringList& more = {}) const {
        return runWorkerProgram(QStringList{"places", "install", "loop"} +
                                (more.isEmpty() ? QStringList{"--bundle", m_ssh->file("bundle")} : more));
    }
    fs::path worker() const { return m_ssh->folder() / "a folder, it's “odd”" / "worker"; }
    void writeLauncher(const QByteArray& line) const {
        writeScript(m_ssh->file("bundle/bin/headroom-worker"), line);
    }
    static char readFirst(const fs::path& file) {
        std::ifstream stream(file);
        return static_cast<char>(stream.get());
    }

    std::unique_ptr<LoopbackSsh> m_ssh;
    std::string m_version;
};

HEADROOM_TEST(InstallTest)

} // namespace headroom::testing::install_test

#include "install_test.moc"
