// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/events.h"
#include "core/runs/recipe.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "tests/support/written_files.h"
#include "tests/training/worker/worker_program.h"

#include <QProcess>
#include <QStringList>
#include <QtTest/QtTest>

#include <filesystem>
#include <fstream>
#include <string>

namespace headroom::testing {

/// An architecture of a few thousand weights and a recipe of twenty updates, in files.
class TinyTraining {
public:
    TinyTraining(std::filesystem::path folder, std::filesystem::path data)
        : m_folder(std::move(folder))
        , m_data(std::move(data)) {
        writeFile(m_folder / "architecture.json", R"({ "format": "headroom/architecture", "version": 1,
  "name": "tiny", "source": "a test",
  "frontEnd": { "kind": "conv1d", "features": 80, "channels": 16, "kernels": [5, 5], "strides": [2, 2] },
  "encoder": { "kind": "transformer", "width": 16, "feedForward": 24, "norm": "pre", "positions": "sinusoidal",
    "activation": "relu", "queryKeyValueBias": true, "dropout": 0.1, "attentionDropout": 0.1,
    "layers": [ { "heads": "2 full" }, { "heads": "2 local 5" } ] },
  "decoder": { "layers": 1, "width": 16, "feedForward": 24, "selfAttention": "2 masked", "crossAttention": "2 full" },
  "ctc": null, "vocabulary": 256 })");
        recipe.name = "tiny";
        recipe.data.maxBatchFrames = 300;
        recipe.data.maxFrames = 300;
        recipe.augmentation.timeWidth = 10;
        recipe.loss.ctcWeight = 0.3;
        recipe.optimiser.warmupUpdates = 5;
        recipe.optimiser.accumulate = 2;
        recipe.length.maxUpdates = 20;
        recipe.validation.everyUpdates = 5;
        recipe.validation.everyEpochs = 0;
        recipe.validation.maxTokens = 10;
        recipe.checkpoints.everyUpdates = 2;
        recipe.checkpoints.keep = recipe.checkpoints.average = 3;
        recipe.machine.threads = 1;
        recipe.machine.logEvery = 1;
    }

    Recipe recipe;

    std::filesystem::path run(const std::string& name) const { return m_folder / name; }
    /// `train` of the recipe as it is now.
    QStringList arguments(const std::string& name, const QStringList& more = {}) const {
        writeFile(m_folder / "recipe.json", canonicalText(recipe)); // an earlier run may still read the last one
        return QStringList{"train",
                           "--architecture",
                           text(m_folder / "architecture.json"),
                           "--recipe",
                           text(m_folder / "recipe.json"),
                           "--data",
                           text(m_data),
                           "--run",
                           text(run(name))} +
               more;
    }
    std::string weights(const std::string& name) const {
        return readSmallFile(RunPaths{run(name)}.model() / "model.safetensors", "test");
    }
    static QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

private:
    std::filesystem::path m_folder, m_data;
};

/// Terminates the run `name` at the first step of each start and resumes it, until it is finished. Checks that it was
/// stopped at least once; the caller asks QTest::currentTestFailed().
inline void stopAndResume(const TinyTraining& tiny, const std::string& name) {
    const std::filesystem::path folder = tiny.run(name);
    int stops = 0;
    for (int attempt = 0; attempt < 60; ++attempt) {
        QProcess process;
        process.start(kWorker, tiny.arguments(name, {"--resume"}));
        EventFollower follower(RunPaths{folder}.events());
        follower.poll();
        for (bool working = false; !working && !process.waitForFinished(2);)
            for (const auto& event : follower.poll())
                working = working || event["event"] == "step";
        process.terminate();
        QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(180000));
        QCOMPARE(process.exitCode(), 0);
        if (readRun(folder).state != RunState::Finished)
            ++stops;
        else if (stops > 0)
            break;
        else // it was faster than we: once more
            std::filesystem::remove_all(folder);
    }
    QVERIFY2(stops > 0, "each run ended before it could be stopped");
    qInfo("stopped %d times", stops);
    QVERIFY(readRun(folder).state == RunState::Finished);
}

} // namespace headroom::testing
