// SPDX-License-Identifier: GPL-3.0-or-later
// The disk space that the form states, against what the real worker writes.
#include "app/parts/number_text.h"
#include "app/workspaces/train/disk_need.h"
#include "tests/app/workspaces/train/whole_launch.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::disk_need_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// Bytes of the regular files in a folder: last and best are links.
double bytesIn(const fs::path& folder, int& files) {
    double bytes = 0;
    files = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file() && !entry.is_symlink() && entry.path().extension() == ".safetensors") {
            bytes += static_cast<double>(entry.file_size());
            ++files;
        }
    return bytes;
}

Check diskCheckOf(const LaunchValues& values) {
    return validate(values).checks.last();
}

} // namespace

class DiskNeedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRealRunWritesWhatIsStated_data() {
        QTest::addColumn<int>("keep");
        QTest::addColumn<int>("updates");
        QTest::addColumn<int>("files");
        QTest::newRow("the last two and the best") << 2 << 8 << 3;
        QTest::newRow("every checkpoint") << 9 << 6 << 3;
        QTest::newRow("and one at the end") << 9 << 7 << 4;
    }
    /// In bytes of the files of a small model: their headers are what no one counts.
    void aRealRunWritesWhatIsStated() {
        QFETCH(int, keep);
        QFETCH(int, updates);
        QFETCH(int, files);
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        const ToneCorpus corpus(place / "tones", 6, 2);
        TinyTraining tiny(place, corpus.folder());
        tiny.recipe.checkpoints.everyUpdates = 0;
        tiny.recipe.checkpoints.keep = keep;
        tiny.recipe.checkpoints.average = 1;
        tiny.recipe.validation.everyUpdates = 2;
        tiny.recipe.length.maxUpdates = updates;
        tiny.recipe.optimiser.learningRate = 1e-12; // no validation is better than the first: the best one is the oldest
        auto architecture = readArchitecture(TrainWorkshop::resource("recipes/smoke.architecture.json"));
        architecture.vocabulary = 256; // the pieces of the corpus
        writeFile(place / "architecture.json", canonicalText(architecture));
        const Finished done = runWorkerProgram(tiny.arguments("run"));
        QVERIFY2(done.status == 0, done.err.c_str());
        int written = 0, models = 0;
        const RunPaths run{tiny.run("run")};
        const double checkpoints = bytesIn(run.checkpoints(), written), model = bytesIn(run.model(), models);
        QCOMPARE(written, files);
        const DiskNeed need = diskNeed(architecture, tiny.recipe, 1, false);
        QCOMPARE(need.checkpoints, std::int64_t(files));
        QCOMPARE(need.oneMore, keep == 2); // the fourth was written before the second was removed
        const double stays = need.bytes() - (need.oneMore ? need.checkpointBytes : 0);
        QVERIFY2(std::abs(stays / (checkpoints + model) - 1) < 0.03, qPrintable(QStringLiteral("%1 of %2").arg(stays).arg(checkpoints + model)));
        QVERIFY2(std::abs(need.modelBytes / model - 1) < 0.05, qPrintable(QStringLiteral("%1 of %2").arg(need.modelBytes).arg(model)));
    }

    void allSeedsCount() {
        LaunchValues values = wholeLaunch();
        values.recipe.length.maxUpdates = 1000;
        values.recipe.validation.everyUpdates = 100;
        values.recipe.validation.everyEpochs = 0;
        values.recipe.checkpoints.keep = 4;
        const DiskNeed one = diskNeed(*values.architecture, values.recipe, 1, false);
        QCOMPARE(one.bytes(), 6 * one.checkpointBytes + one.modelBytes); // four, the best, and one that is being written
        values.seeds = QStringLiteral("1");
        Check check = diskCheckOf(values);
        QCOMPARE(check.name, QStringLiteral("Disk space for 1 run"));
        QCOMPARE(check.value, decimalBytes(one.bytes()));
        values.seeds = QStringLiteral("1-3");
        check = diskCheckOf(values);
        QCOMPARE(check.name, QStringLiteral("Disk space for 3 runs"));
        QCOMPARE(check.value, decimalBytes(16 * one.checkpointBytes + 3 * one.modelBytes));
        QCOMPARE(check.toolTip, QStringLiteral("Each run keeps up to 5 checkpoints of %1 (the last 4 and the best), and a model of %2. One more "
                                               "checkpoint needs space while it is written. A checkpoint holds the weights and Adam's two moments in "
                                               "fp32. %3 free.")
                                    .arg(decimalBytes(one.checkpointBytes), decimalBytes(one.modelBytes), decimalBytes(*values.disk)));
        values.disk = 16 * one.checkpointBytes;
        QVERIFY(diskCheckOf(values).state == Check::State::Remark);
    }

    /// Of a run at a place, the last and the best checkpoint are copied here.
    void runsElsewhereNeedLess() {
        LaunchValues values = wholeLaunch();
        values.recipe.length.maxUpdates = 1000;
        values.recipe.checkpoints.keep = 4;
        values.seeds = QStringLiteral("1");
        values.place = QStringLiteral("gpu-1");
        const QString less = diskCheckOf(values).toolTip;
        QVERIFY2(less.startsWith(QStringLiteral("The run keeps up to 2 checkpoints of ")) && less.contains(QStringLiteral("(the last and the best)")),
                 qPrintable(less));
        values.allCheckpoints = true;
        QVERIFY(diskCheckOf(values).toolTip.startsWith(QStringLiteral("The run keeps up to 5 checkpoints of ")));
    }

    /// A checkpoint has the CTC output that a recipe trains with, the model does not.
    void theCtcOutputIsInCheckpointsOnly() {
        LaunchValues values = wholeLaunch();
        values.architecture->ctc.reset();
        values.recipe.loss.ctcWeight = 0;
        const DiskNeed without = diskNeed(*values.architecture, values.recipe, 1, false);
        QCOMPARE(without.checkpointBytes, 3 * without.modelBytes);
        values.recipe.loss.ctcWeight = 0.3;
        const DiskNeed with = diskNeed(*values.architecture, values.recipe, 1, false);
        QCOMPARE(with.modelBytes, without.modelBytes);
        QVERIFY(with.checkpointBytes > without.checkpointBytes);
    }
};

HEADROOM_TEST(DiskNeedTest)

} // namespace headroom::testing::disk_need_test

#include "disk_need_test.moc"
