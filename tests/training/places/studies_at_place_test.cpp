// SPDX-License-Identifier: GPL-3.0-or-later
// Studies at a place, with the real worker on both ends of a real ssh server of this machine.
#include "core/alignment/phone_map.h"
#include "core/runs/file_lock.h"
#include "core/studies/study.h"
#include "tests/support/golden_folders.h"
#include "tests/support/runner.h"
#include "tests/training/places/work_there.h"

#include <algorithm>
#include <csignal>

namespace headroom::testing::studies_at_place_test {

namespace fs = std::filesystem;

class StudiesAtPlaceTest : public QObject, WorkThere {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = setUp(kThere); !reason.isEmpty())
            QSKIP(qPrintable(reason));
    }
    void cleanup() { noProcessIsLeftThere(); }

    /// It says when it is tried again, is tried at once on request, and a request to stop waits for the contact.
    void aLostContactIsTriedAgain() {
        QProcess process;
        process.start(kWorker, longStudy("s-again"));
        QVERIFY(QTest::qWaitFor([&] { return isMeasuring("s-again"); }, kPatience));
        m_ssh->stop();
        const auto place = [&] { return *readRunPlace(folder("s-again")); };
        QVERIFY(QTest::qWaitFor([&] { return place().contact == RunPlace::Contact::Lost; }, kPatience));
        QVERIFY(!place().nextTry.empty());
        stopStudy(folder("s-again"));
        askToReconnect(folder("s-again"));
        QVERIFY(QTest::qWaitFor([&] { return !fs::exists(folder("s-again") / "reconnect"); }, kPatience)); // it was taken
        QVERIFY(process.state() == QProcess::Running && place().contact == RunPlace::Contact::Lost);
        QVERIFY(m_ssh->start());
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY(readStudy(folder("s-again")).state == RunState::Stopped);
        QVERIFY(place().nextTry.empty());
    }

    void aStudyThereIsTheSameAsHere() {
        const QStringList words{"study", "windows", "--model", kModel, "--data", kData, "--split", "train", "--utterances", "3",
                                "--cache", out("cache"), "--threads", "1"};
        const Finished here = runWorkerProgram(words + QStringList{"--out", out("s-here")});
        QVERIFY2(here.status == 0, here.err.c_str());
        const Finished there = runWorkerProgram(words + QStringList{"--out", out("s-there"), "--place", "loop"});
        QVERIFY2(there.status == 0, there.err.c_str());
        Study a = readStudy(folder("s-here")), b = readStudy(folder("s-there"));
        QVERIFY(b.state == RunState::Finished && a.models.front().folder == b.models.front().folder && a.data == b.data);
        QCOMPARE(b.utterances.front().audio, a.utterances.front().audio);
        for (const char* name : {"results.npz", "places.npz"})
            QVERIFY2(wholeText(folder("s-here") / name) == wholeText(folder("s-there") / name), name);
        QVERIFY(fs::exists(folder("s-there") / "tables"));
        QVERIFY2(QString::fromStdString(there.out).contains("The study is in " + out("s-there")), there.out.c_str());
    }

    void recordingsGoThereWithTheirAlignments() {
        const fs::path demo = fs::path(HEADROOM_SOURCE_DIR) / "resources/demo/demo.wav";
        // The model is copied, too, and keeps its name.
        fs::create_directory_symlink(kModel.toStdString(), m_ssh->folder() / "my model");
        const Finished ended = runWorkerProgram({"study", "heads", "--model", "/proc/self/cwd/my model", "--audio", QString::fromStdString(demo.string()), "--out",
                                       out("s-audio"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const Study study = readStudy(folder("s-audio"));
        QCOMPARE(study.models.front().name, std::string("my model"));
        QCOMPARE(study.models.front().folder, std::string("/proc/self/cwd/my model"));
        QCOMPARE(study.utterances.front().audio, demo.string());
        QCOMPARE(study.utterances.front().alignment, fs::path(demo).replace_extension("TextGrid").string());
    }

    void phoneMapsGoThere() {
        const fs::path map = m_ssh->folder() / "ARPABET, edited.tsv";
        PhoneMap edited;
        edited.set("AH", 5);
        edited.write(map);
        const QString demo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav");
        const Finished ended = runWorkerProgram({"study", "heads", "--model", kModel, "--audio", demo, "--set",
                                                 QString::fromStdString("phoneMap=" + map.string()), "--out", out("s-map"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        int copies = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_ssh->folder() / kThere / "data"))
            copies += entry.path().filename() == map.filename();
        QCOMPARE(copies, 1);
        QCOMPARE(readStudy(folder("s-map")).settings.at("phoneMap").get<std::string>(), map.string()); // the path of here
        QVERIFY(PhoneMap::read(folder("s-map") / "phones.tsv") == edited);
    }

    void anAlignmentOfAnotherNameGoesThere() {
        const fs::path made = m_ssh->folder() / "spoken here";
        fs::create_directories(made);
        const fs::path demo = HEADROOM_SOURCE_DIR "/resources/demo";
        fs::copy_file(demo / "demo.wav", made / "demo.wav");
        fs::copy_file(demo / "demo.TextGrid", made / "other name.TextGrid");
        const fs::path named = made / "other name.TextGrid";
        const Finished ended =
            runWorkerProgram({"study", "phones", "--model", kModel, "--audio", QString::fromStdString((made / "demo.wav").string()), "--alignment",
                              QString::fromStdString(named.string()), "--id=-the demo", "--name=the model, seed 1", "--out", out("s-aligned"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QCOMPARE(readStudy(folder("s-aligned")).models.at(0).name, std::string("the model, seed 1"));
        const StudyUtterance measured = readStudy(folder("s-aligned")).utterances.at(0);
        QCOMPARE(measured.alignment, named.string()); // the path of here
        int copies = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_ssh->folder() / kThere / "data"))
            copies += entry.path().filename() == named.filename();
        QCOMPARE(copies, 1);
        QCOMPARE(measured.id, std::string("-the demo"));
        QVERIFY2(measured.error.empty(), measured.error.c_str());
    }

    /// Nothing was measured there, although the kind needs no alignment.
    void anAlignmentThatIsGoneIsLeftOutThere() {
        const QString demo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav"), gone = QStringLiteral("/no/such/demo.TextGrid");
        const Finished ended = runWorkerProgram(
            {"study", "windows", "--model", kModel, "--audio", demo, "--alignment", gone, "--out", out("s-unaligned"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const Study study = readStudy(folder("s-unaligned"));
        QVERIFY(study.utterances.at(0).error.empty() && study.utterances.at(0).alignment == gone.toStdString());
        QVERIFY(std::ranges::count(study.notes, "The alignment of demo.wav was not found, so it was left out: " + gone.toStdString() + ".") == 1);
    }

    /// It was looked for there, under its path of here.
    void theStudyThatIsTheReferenceGoesThere() {
        const QString demo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav");
        const QStringList words{"study", "phones", "--model", kModel, "--audio", demo, "--threads", "1"};
        // The place is this machine: only a path that it lacks shows that the study was copied.
        fs::create_directories(m_ssh->folder() / "studies here");
        const QString made = QString::fromStdString((m_ssh->folder() / "studies here/s-ref").string());
        const Finished reference = runWorkerProgram(words + QStringList{"--out", made});
        QVERIFY2(reference.status == 0, reference.err.c_str());
        const std::string named = "/proc/self/cwd/studies here/s-ref";
        const QStringList against{"--set", QString::fromStdString("reference=" + named), "--set", "allowSame=true"};
        const Finished here = runWorkerProgram(words + QStringList{"--out", out("s-covered-here"), "--set", "reference=" + made, "--set", "allowSame=true"});
        QVERIFY2(here.status == 0, here.err.c_str());
        const Finished there = runWorkerProgram(words + against + QStringList{"--out", out("s-covered"), "--place", "loop"});
        QVERIFY2(there.status == 0, there.err.c_str());
        QCOMPARE(readStudy(folder("s-covered")).settings.at("reference").get<std::string>(), named); // the path of here
        QVERIFY(readStudyArrays(folder("s-covered")).at("1.coverage").bytes == readStudyArrays(folder("s-covered-here")).at("1.coverage").bytes);
        const Finished missing = runWorkerProgram(words + QStringList{"--set", "reference=/no/such/study", "--out", out("s-none"), "--place", "loop"});
        QVERIFY2(missing.says("The reference /no/such/study was not found."), missing.err.c_str());
    }

    /// As they are, also one that begins with a dash.
    void sentencesGoThere() {
        const QString model = QString::fromStdString((repositoryGoldens() / "parity/decoding/text/model").string());
        const Finished ended = runWorkerProgram(
            {"study", "windows", "--model", model, "--text=abc cd e", "--text=-abc", "--out", out("s-texts"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const Study study = readStudy(folder("s-texts"));
        QCOMPARE(study.utterances.size(), std::size_t(2));
        QCOMPARE(study.utterances.front().text, std::string("abc cd e"));
        QCOMPARE(study.utterances.back().text, std::string("-abc"));
    }

    void interruptingStopsItThereAndResumeGoesOnThere() {
        QProcess process;
        process.start(kWorker, longStudy("s-stopped", 400));
        QVERIFY2(QTest::qWaitFor([&] { return isMeasuring("s-stopped"); }, kPatience), process.readAllStandardError().constData());
        QVERIFY(readStudy(folder("s-stopped")).state == RunState::Running); // its lock is held here
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(readStudy(folder("s-stopped")).state == RunState::Stopped);
        cleanup();
        const Finished resumed = runWorkerProgram({"study", "--resume", out("s-stopped")});
        QVERIFY2(resumed.status == 0, resumed.err.c_str());
        QVERIFY(readStudy(folder("s-stopped")).state == RunState::Finished);
    }

    /// Whether the worker there is just being started or computes.
    void interruptingAtOnceLeavesNothingThere() {
        for (const int milliseconds : {600, 1200, 1800}) {
            const std::string name = "s-early-" + std::to_string(milliseconds);
            QProcess process;
            process.start(kWorker, longStudy(name));
            QTest::qWait(milliseconds);
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(process.waitForFinished(kPatience));
            QVERIFY(!fs::exists(StudyPaths{folder(name)}.study()) || readStudy(folder(name)).state == RunState::Stopped);
            cleanup();
        }
    }

    void controlJsonStopsItThere() {
        QProcess process;
        process.start(kWorker, longStudy("s-asked"));
        QVERIFY(QTest::qWaitFor([&] { return isMeasuring("s-asked"); }, kPatience));
        stopStudy(folder("s-asked"));
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY(readStudy(folder("s-asked")).state == RunState::Stopped);
        QVERIFY(!studyWasAskedToStop(folder("s-asked")));
    }

    void itGoesOnWithoutTheConnectionAndWithoutTheWatcher() {
        QProcess process;
        process.start(kWorker, longStudy("s-lost", 400));
        QVERIFY(QTest::qWaitFor([&] { return isMeasuring("s-lost"); }, kPatience));
        m_ssh->stop();
        QVERIFY(QTest::qWaitFor([&] { return contactOf(folder("s-lost")) == RunPlace::Contact::Lost; }, kPatience));
        process.kill();
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY(m_ssh->start());
        const Finished again = runWorkerProgram({"study", "--resume", out("s-lost")});
        QVERIFY2(again.status == 0, again.err.c_str());
        QVERIFY(readStudy(folder("s-lost")).state == RunState::Finished);
        QVERIFY(!FileLock::isLocked(StudyPaths{folder("s-lost")}.lock()));
    }

private:
    static constexpr const char* kThere = "a place of studies, it's “odd”"; ///< of no other test: processes are told by it
    /// With all 600 utterances it takes much longer than it is let run, in an optimised build too.
    QStringList longStudy(const std::string& name, int utterances = 600) const {
        return {"study", "heads", "--model", kModel, "--data", kData, "--split", "dev", "--utterances", QString::number(utterances),
                "--threads", "1", "--cache", out("cache-" + name), "--out", out(name), "--place", "loop"};
    }
    bool isMeasuring(const std::string& name) const { return readStudyProgress(folder(name)).done > 0; }
};

HEADROOM_TEST(StudiesAtPlaceTest)

} // namespace headroom::testing::studies_at_place_test

#include "studies_at_place_test.moc"
