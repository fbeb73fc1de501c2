// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/runs/checkpoint_name.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

namespace headroom::testing::checkpoint_name_test {

namespace fs = std::filesystem;

class CheckpointNameTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    fs::path run() const { return fs::path(m_folder.path().toStdString()) / "a@b"; }

private Q_SLOTS:
    void initTestCase() {
        fs::create_directories(run() / "checkpoints");
        for (const char* name : {"step-000200.safetensors", "step-001000.safetensors", "stop-000312.safetensors", "step-x.safetensors"})
            std::ofstream(run() / "checkpoints" / name) << "weights";
        fs::create_symlink("step-000200.safetensors", run() / "checkpoints/best.safetensors");
    }

    void namesAreReadAndWritten() {
        for (const char* which : {"best", "last", "200"}) {
            const CheckpointName name{run(), which};
            QVERIFY(checkpointNamed(name.text()) == name);
        }
        QVERIFY((checkpointNamed(run() / "checkpoints/step-000200.safetensors") == CheckpointName{run(), "200"}));
        QVERIFY((checkpointNamed(run() / "checkpoints/best.safetensors") == CheckpointName{run(), "best"}));
    }

    /// A folder that is there is itself, whatever its name looks like.
    void otherThingsAreNoCheckpoints() {
        QVERIFY(!checkpointNamed(run())); // a@b
        QVERIFY(!checkpointNamed("runs/one"));
        QVERIFY(!checkpointNamed("runs/one@500k"));
        QVERIFY(!checkpointNamed("@500"));
        QVERIFY(!checkpointNamed("model/model.safetensors"));
        fs::create_directories(run().string() + "@500");
        QVERIFY(!checkpointNamed(run().string() + "@500"));
        fs::remove(run().string() + "@500");
    }

    void filesAreFoundByTheirUpdate() {
        QCOMPARE((CheckpointName{run(), "1000"}.file().filename()), fs::path("step-001000.safetensors"));
        QCOMPARE((CheckpointName{run(), "312"}.file().filename()), fs::path("stop-000312.safetensors"));
        QCOMPARE((CheckpointName{run(), "best"}.file().filename()), fs::path("step-000200.safetensors"));
        QVERIFY((checkpointUpdates(run()) == std::vector<std::int64_t>{200, 312, 1000}));
        try {
            CheckpointName{run(), "201"}.file();
            QFAIL("it was found");
        } catch (const Error& error) {
            QCOMPARE(QString::fromUtf8(error.what()),
                     QString("The run a@b has no checkpoint “201”. It has those of updates 200, 312, 1000."));
        }
    }
};

HEADROOM_TEST(CheckpointNameTest)

} // namespace headroom::testing::checkpoint_name_test

#include "checkpoint_name_test.moc"
