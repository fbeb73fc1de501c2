// SPDX-License-Identifier: GPL-3.0-or-later
// The script of a Slurm job: the signal that it catches, held back until the user has seen it, refused. Stand-ins answer on PATH.
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/places/slurm_stand_in.h"
#include "training/places/check_place.h"
#include "training/places/launch_here.h"
#include "training/places/slurm.h"

#include <QtTest/QtTest>

namespace headroom::testing::slurm_script_test {

namespace fs = std::filesystem;
using namespace training;

class SlurmScriptTest : public QObject, SlurmStandIn {
    Q_OBJECT
private Q_SLOTS:
    void init() { standIn(); }
    void cleanupTestCase() { giveBack(); }

    void aHeldScriptIsSentAsTheUserLeftIt() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        const auto launcher = slurmLauncher(run, cluster(), 0);
        RunInputs inputs{"{}", "{}", "/data/corpus", ""};
        inputs.hold = true;
        launcher->begin(inputs);
        const fs::path words = m_folder->filePath("bin/sbatch.words").toStdString();
        QVERIFY(fs::exists(run / "job.sh") && !fs::exists(words));
        auto status = launcher->status();
        QVERIFY2(status.waits && status.held && status.sentence.find("is written and not sent") != std::string::npos,
                 status.sentence.c_str());
        launcher->begin(inputs); // asked again after a lost connection
        program("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
        launcher->send("#!/bin/bash\nfirst\n");
        status = launcher->status();
        QVERIFY2(status.held && status.sentence.find("invalid partition specified: gpu. Change the script") != std::string::npos,
                 status.sentence.c_str());
        QCOMPARE(readSmallFile(run / "job.sh", "test"), std::string("#!/bin/bash\nfirst\n"));
        program("sbatch", "printf '%s\\n' \"$@\" > \"$0.words\"; echo 48213");
        launcher->send("#!/bin/bash\nsecond\n");
        QVERIFY(fs::exists(words));
        QCOMPARE(readSmallFile(run / "job.sh", "test"), std::string("#!/bin/bash\nsecond\n"));
        QVERIFY(launcher->status().waits && !launcher->status().held);
        fs::remove(words);
        launcher->send("#!/bin/bash\nthird\n"); // it was sent
        QVERIFY(!fs::exists(words));
        QCOMPARE(readSmallFile(run / "job.sh", "test"), std::string("#!/bin/bash\nsecond\n"));
    }
    void aHeldRunThatIsTakenBackIsNeverSent() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        const auto launcher = slurmLauncher(run, cluster(), 0);
        RunInputs inputs{"{}", "{}", "/data/corpus", ""};
        inputs.hold = true;
        launcher->begin(inputs);
        launcher->stop();
        QVERIFY(!launcher->status().waits && !QFile::exists(m_folder->filePath("bin/sbatch.words")));
    }
    void theConfiguredSignalIsCaught_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("caught");
        QTest::newRow("none") << "" << "B:USR1@120" << "USR1";
        QTest::newRow("another, to the script, too") << "--signal=USR2@300" << "B:USR2@300" << "USR2";
        QTest::newRow("as Slurm writes it") << "--signal=B:SIGUSR2@60" << "B:USR2@60" << "USR2";
        QTest::newRow("in words") << "--signal b:usr2" << "B:USR2" << "USR2";
        QTest::newRow("a number") << "--signal=12@90" << "B:12@90" << "12";
        QTest::newRow("in reservations") << "--signal=R:USR2@60" << "RB:USR2@60" << "USR2";
        QTest::newRow("a name that begins as a flag") << "--signal=BUS@60" << "B:BUS@60" << "BUS";
        QTest::newRow("the one of every end") << "--signal=TERM@60" << "B:TERM@60" << "";
    }
    void theConfiguredSignalIsCaught() {
        QFETCH(QString, line);
        QFETCH(QString, option);
        QFETCH(QString, caught);
        Place place = cluster();
        if (!line.isEmpty())
            place.slurm.lines.push_back(line.toStdString());
        for (const std::string& script : {sbatchScript(place, "x", {"w"}), arrayScript(place, "x", {"/r"})}) {
            const QString text = QString::fromStdString(script);
            QCOMPARE(text.count(QStringLiteral("--signal=")), 1);
            QVERIFY2(text.contains("\n#SBATCH --signal=" + option + "\n"), script.c_str());
        }
        const QString script = QString::fromStdString(sbatchScript(place, "x", {"w"}));
        QCOMPARE(script.contains(QStringLiteral("trap 'limit=1; save' ")), !caught.isEmpty());
        QVERIFY2(caught.isEmpty() || script.contains("trap 'limit=1; save' " + caught + "\n"), qPrintable(script));
    }
    /// “… configuration source Not saved yet.” stood in Places.
    void whatSinfoSaysIsASentence_data() {
        QTest::addColumn<QString>("writes");
        QTest::addColumn<QString>("says");
        QTest::newRow("a line") << "echo 'sinfo: fatal: no configuration source'" << "sinfo says: sinfo: fatal: no configuration source.";
        QTest::newRow("blanks behind it") << "printf 'no source \\r\\n'" << "sinfo says: no source.";
        QTest::newRow("nothing") << "echo" << "sinfo failed and gave no reason."; // “sinfo says: no message.”
    }
    void whatSinfoSaysIsASentence() {
        QFETCH(QString, writes);
        program("sinfo", writes.toUtf8() + " >&2; exit 1");
        Place place = cluster();
        place.folder = m_folder->filePath("there").toStdString();
        std::string said;
        checkPlaceThere(place, "0", [&](const PlaceCheck& check) {
            if (check.what == "Slurm")
                said = check.sentence;
        });
        QTEST(QString::fromStdString(said), "says");
    }
    void sbatchRefusesInItsOwnWords() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        program("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
        try {
            slurmLauncher(run, cluster(), 0)->begin({"{}", "{}", "/data/corpus", ""});
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()),
                     std::string("sbatch refuses the job: sbatch: error: invalid partition specified: gpu"));
        }
        QVERIFY(!fs::exists(run / "slurm.json"));
    }
};

HEADROOM_TEST(SlurmScriptTest)

} // namespace headroom::testing::slurm_script_test

#include "slurm_script_test.moc"
