// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/advice.h"

#include "tests/support/runner.h"

#include <QtTest/QtTest>

namespace headroom::testing::advice_test {

using namespace training;

class AdviceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatAProgramSaysHasAnAnswer_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("advice");
        QTest::newRow("disk") << "rsync: [receiver] write failed on \"/d/x.wav\": No space left on device (28)"
                              << "The disk of gpu-1 is full. Free space there and start again; what was copied is kept.";
        QTest::newRow("quota") << "rsync: [receiver] write failed on \"/d/x.wav\": Disk quota exceeded (122)"
                               << "Your quota on gpu-1 is used up (quota -s shows it). Free space there and start again; what was copied "
                                  "is kept.";
        QTest::newRow("read-only") << "mkdir: cannot create directory ‘/d’: Read-only file system"
                                   << "The folder is on a file system of gpu-1 that is read-only. Choose another folder in Places.";
        QTest::newRow("not allowed") << "mkdir: cannot create directory ‘/d’: Permission denied"
                                     << "You do not have permission to write there on gpu-1. Choose another folder in Places, or ask the owner of this one.";
        QTest::newRow("banner") << "protocol version mismatch -- is your shell clean?\n(see the rsync manpage for an explanation)"
                                << "The login shell of gpu-1.lab prints text before every command, and rsync mistakes it for data. In its "
                                   "start-up file (~/.bashrc, ~/.profile), print only to a terminal: [ -t 1 ] && echo …";
        QTest::newRow("no rsync") << "bash: line 1: rsync: command not found"
                                  << "rsync is missing on gpu-1.lab. Type there: sudo apt install rsync";
        QTest::newRow("another") << "rsync: [sender] change_dir failed: No such file or directory" << "";
    }
    void whatAProgramSaysHasAnAnswer() {
        QFETCH(QString, said);
        QFETCH(QString, advice);
        Place place;
        place.name = "gpu-1";
        place.host = "gpu-1.lab";
        QCOMPARE(QString::fromStdString(adviceOn(said.toStdString(), place, place.name)), advice);
    }
    void whatEndedARunHasAnAnswer_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("advice");
        QTest::newRow("disk") << "step-000028.safetensors could not be written: No space left on device."
                              << "The disk of gpu-1 is full. Free space there, then Resume continues from what was saved.";
        QTest::newRow("quota") << "run.json could not be written: Disk quota exceeded."
                               << "Your quota on gpu-1 is used up (quota -s shows it). Free space there, then Resume continues from what was saved.";
        QTest::newRow("read-only") << "run.json could not be written: Read-only file system."
                                   << "The file system of the folder there is read-only now. When it can be written again, Resume continues from what "
                                      "was saved.";
        QTest::newRow("another") << "The loss is not a number." << "";
    }
    void whatEndedARunHasAnAnswer() {
        QFETCH(QString, said);
        QFETCH(QString, advice);
        QCOMPARE(QString::fromStdString(adviceOnEnd(said.toStdString(), "gpu-1")), advice);
    }
    void shellsSayThatAProcessorIsAnother_data() {
        QTest::addColumn<QString>("said");
        for (const char* said : {"bash: line 1: ./w: cannot execute binary file: Exec format error\nbash: line 1: ./w: Success", "sh: 1: exec: ./w: Exec format error",
                                 "zsh:1: exec format error: ./w", "exec: Failed to execute process './w'. Reason: Exec format error"})
            QTest::newRow(said) << QString(said);
    }
    void shellsSayThatAProcessorIsAnother() {
        QFETCH(QString, said);
        QVERIFY(isOtherProcessor(said.toStdString()));
        QVERIFY(!isOtherProcessor("sh: 1: ./w: not found"));
        const std::string sentence = processorSentence("aarch64");
        QVERIFY2(sentence.find("(aarch64)") != std::string::npos && sentence.find("preset worker-no-qt") != std::string::npos, sentence.c_str());
    }
    void theNewestGlibcIsNeeded() {
        QCOMPARE(neededGlibc("w: /lib/libc.so.6: version `GLIBC_2.9' not found (required by w)\n"
                             "w: /lib/libc.so.6: version `GLIBC_2.36' not found (required by w)\n"
                             "w: /lib/libm.so.6: version `GLIBC_2.35' not found (required by w)\n"),
                 std::string("2.36"));
        QCOMPARE(neededGlibc("w: not found"), std::string());
    }
    void anotherVersionIsRefusedWithBoth() {
        Place place;
        place.name = "gpu 1";
        for (const auto& [version, says] : {std::pair("0.0.1", "The worker at gpu 1 is version 0.0.1, and this one is "),
                                            std::pair("", "The worker at gpu 1 is older than this one, which is ")})
            try {
                checkWorkerVersion(place, version);
                QFAIL("accepted");
            } catch (const Error& error) {
                const std::string sentence = error.what(), end = ". Install the same version: headroom-worker places install 'gpu 1'";
                QVERIFY2(sentence.rfind(says, 0) == 0 && sentence.ends_with(end), sentence.c_str());
            }
    }
};

HEADROOM_TEST(AdviceTest)

} // namespace headroom::testing::advice_test

#include "advice_test.moc"
