// SPDX-License-Identifier: GPL-3.0-or-later
// What can go wrong with a device, and its memory, shown on the device of tests/far_device.
#include "core/studies/study.h"
#include "tests/support/runner.h"
#include "tests/training/worker/conversation.h"
#include "tests/training/worker/far_device.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>

namespace headroom::testing::device_troubles_test {

namespace fs = std::filesystem;

class DeviceTroublesTest : public QObject {
    Q_OBJECT

    FarOutcome onDevice(const QStringList& arguments, const QStringList& how = {},
                        const QString& device = QStringLiteral("privateuseone:0")) const {
        return onFarDevice(m_place.filePath("device.log"), arguments, how, device);
    }
    QStringList study(const QString& name) const {
        return {"study",     "windows",
                "--model",   kModel,
                "--data",    TinyTraining::text(m_corpus->folder()),
                "--split",   "dev",
                "--threads", "1",
                "--cache",   m_place.filePath("cache " + name),
                "--out",     m_place.filePath(name)};
    }
    fs::path placeOf(const QString& name) const { return m_place.filePath(name).toStdString(); }

private Q_SLOTS:
    void initTestCase() {
        const fs::path place = m_place.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(place / "corpus", 8, 3);
        m_tiny = std::make_unique<TinyTraining>(place, m_corpus->folder());
        m_tiny->recipe.length.maxUpdates = 6;
        m_tiny->recipe.validation.everyUpdates = 3;
    }

    void memoryThatOtherProgramsHoldIsRefusedWithBothNumbers() {
        const FarOutcome run = onDevice(m_tiny->arguments("crowded"), {"FAR_DEVICE_FREE=1000000"});
        QCOMPARE(run.status, 1);
        QVERIFY2(
            run.says("This run needs about ") &&
                run.says(
                    " of memory, but only 1 MB is free on privateuseone:0. A smaller data.maxBatchFrames"),
            run.err.c_str());
        QVERIFY(!fs::exists(RunPaths{m_tiny->run("crowded")}.run()));
    }

    /// The cache and the batches ahead lie in the host's memory.
    void theMemoryOfARunIsThatOfItsDevice() {
        const QStringList frames{"--set", "data.cacheMegabytes=0"};
        const FarOutcome run = onDevice(m_tiny->arguments("measured"), {"FAR_DEVICE_FREE=20000000000"});
        QVERIFY2(run.status == 0, run.err.c_str());
        QVERIFY2(run.says(" of memory on privateuseone:0; 20.00 GB are free."), run.err.c_str());
        const FarOutcome without = onDevice(m_tiny->arguments("uncached", frames));
        QVERIFY2(without.status == 0, without.err.c_str());
        const RunInfo measured = readRun(m_tiny->run("measured")),
                      uncached = readRun(m_tiny->run("uncached"));
        QCOMPARE(measured.predictedBytes, uncached.predictedBytes);
        qInfo("%lld expected, %lld taken", static_cast<long long>(measured.predictedBytes),
              static_cast<long long>(measured.peakBytes));
        // The process itself takes hundreds of megabytes, and what torch keeps for its own work is not taken
        // of this device.
        QVERIFY(measured.peakBytes > 100'000 && measured.peakBytes < measured.predictedBytes);
    }

    void aDeviceThatFallsAwayEndsTheRunAndResumeGoesOn() {
        const FarOutcome whole = onDevice(m_tiny->arguments("whole"));
        QVERIFY2(whole.status == 0, whole.err.c_str());
        const QString lost = QString("FAR_DEVICE_LOST_AFTER=%1").arg(whole.counted.at("requests") * 4 / 5);
        const FarOutcome run = onDevice(m_tiny->arguments("lost"), {lost});
        QCOMPARE(run.status, 1);
        const RunInfo info = readRun(m_tiny->run("lost"));
        QVERIFY(info.state == RunState::Failed);
        const QString expected = "^The device privateuseone:0 failed \\(far device error: the device is "
                                 "lost\\)\\. It was at update [456]; "
                                 "the last checkpoint is step-00000[34]\\.safetensors\\. Resume the run when "
                                 "the device answers, or "
                                 "with another --device\\.$";
        QVERIFY2(QRegularExpression(expected).match(QString::fromStdString(info.error)).hasMatch(),
                 info.error.c_str());
        QVERIFY2(run.says(info.error), run.err.c_str());
        const FarOutcome resumed = onDevice(m_tiny->arguments("lost", {"--resume"}));
        QVERIFY2(resumed.status == 0, resumed.err.c_str());
        QVERIFY(readRun(m_tiny->run("lost")).state == RunState::Finished);
        QVERIFY(m_tiny->weights("lost") == m_tiny->weights("whole"));
    }

    void aDeviceThatFallsAwayEndsTheStudyAndResumeGoesOn() {
        const FarOutcome whole = onDevice(study("whole study"));
        QVERIFY2(whole.status == 0, whole.err.c_str());
        const QString lost = QString("FAR_DEVICE_LOST_AFTER=%1").arg(whole.counted.at("requests") / 2);
        const FarOutcome run = onDevice(study("lost study"), {lost});
        QCOMPARE(run.status, 1);
        const Study found = readStudy(placeOf("lost study"));
        QVERIFY(found.state == RunState::Failed);
        QCOMPARE(
            found.error,
            std::string(
                "The device privateuseone:0 failed (far device error: the device is lost). Resume the study "
                "when the device answers, or with another --device; what was measured is kept."));
        QVERIFY2(run.says(found.error), run.err.c_str());
        const FarOutcome resumed = onDevice({"study", "--resume", m_place.filePath("lost study"), "--cache",
                                             m_place.filePath("cache lost study")});
        QVERIFY2(resumed.status == 0, resumed.err.c_str());
        QVERIFY(readStudy(placeOf("lost study")).state == RunState::Finished);
    }

    void whatDoesNotFitOnTheDeviceIsASentence() {
        const QStringList full{"FAR_DEVICE_LARGEST=1500000"}; // more than any weight of the model
        const QString sound = m_place.filePath("sound.wav");
        writeSound(sound.toStdString(), 20);
        const FarOutcome loading =
            onDevice({"transcribe", "--model", kModel, sound}, {"FAR_DEVICE_LARGEST=100000"});
        QCOMPARE(loading.status, 1);
        QVERIFY2(loading.says("The device privateuseone:0 ran out of memory."), loading.err.c_str());
        const FarOutcome analysed =
            onDevice({"analyse", "--model", kModel, sound, "--out", m_place.filePath("analysed")}, full);
        QCOMPARE(analysed.status, 1);
        QVERIFY2(analysed.says("sound.wav does not fit into memory."), analysed.err.c_str());
        const FarOutcome studied =
            onDevice({"study", "windows", "--model", kModel, "--audio", sound, "--cache",
                      m_place.filePath("cache full"), "--out", m_place.filePath("full study")},
                     full);
        QCOMPARE(studied.status, 1);
        QVERIFY2(studied.says("None of the utterances could be measured; the first: ") &&
                     studied.says(" does not fit into memory."),
                 studied.err.c_str());
    }

    void withoutADeviceTheRecipesCounts() {
        Recipe recipe = m_tiny->recipe;
        m_tiny->recipe.machine.device = "privateuseone:0";
        const FarOutcome run = onDevice(m_tiny->arguments("of the recipe"), {}, "");
        const Finished named = runWorkerProgram(m_tiny->arguments("named", {"--device", "cpu"}));
        const Finished changed =
            runWorkerProgram(m_tiny->arguments("changed", {"--set", "machine.device=\"cpu\""}));
        m_tiny->recipe = recipe;
        QVERIFY2(run.status == 0, run.err.c_str());
        QVERIFY2(named.status == 0 && changed.status == 0, (named.err + changed.err).c_str());
        QCOMPARE(readRun(m_tiny->run("of the recipe")).decided.device, std::string("privateuseone:0"));
        QCOMPARE(readRun(m_tiny->run("named")).decided.device, std::string("cpu"));
        QCOMPARE(readRun(m_tiny->run("changed")).decided.device, std::string("cpu"));
    }

    /// nvidia-smi, as a machine with such GPUs has it.
    void aDriverThatIsTooOldIsNamed() {
        QVERIFY(QDir(m_place.path()).mkpath("smi"));
        writeScript(m_place.filePath("smi/nvidia-smi"),
                    "case \"$1\" in *compute_cap*) echo 'not a valid field' >&2; exit 2;; esac\n"
                    "echo '0, NVIDIA H200, 143771, 143000, 570.86.15, GPU-aa'");
        const QString path = "PATH=" + m_place.filePath("smi") + ":" + qEnvironmentVariable("PATH");
        const Finished listed = runProgram("env", {path, kWorker, "devices", "--json"});
        QCOMPARE(listed.status, 0);
        const auto document = listed.document();
        const auto& devices = document["devices"];
        QCOMPARE(devices.size(), std::size_t(2));
        QCOMPARE(devices[1]["missing"].get<std::string>(),
                 std::string("its driver 570.86.15 is too old for CUDA 13; install driver 580 or newer"));
        QCOMPARE(document["auto"].get<std::string>(), std::string("cpu"));
        const Finished refused =
            runProgram("env", {path, kWorker, "transcribe", "--model", kModel, "x.wav", "--device", "cuda"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.says("The device cuda:0 (NVIDIA H200) cannot be used: its driver 570.86.15 is too "
                              "old for CUDA 13; install "
                              "driver 580 or newer. Use cpu."),
                 refused.err.c_str());
    }

    void serveNamesTheDeviceThatComputes() {
        Conversation far({"LD_PRELOAD=" HEADROOM_FAR_DEVICE, kWorker, "serve", "--device", "privateuseone:0"},
                         "env");
        const auto there = far.call(1, "initialize", {{"protocol", protocol::kVersion}})["result"]["devices"];
        QCOMPARE(there.size(), std::size_t(1));
        QCOMPARE(there[0]["name"].get<std::string>(), std::string("privateuseone:0"));
        Conversation near;
        QCOMPARE(
            near.call(1, "initialize", {{"protocol", protocol::kVersion}})["result"]["devices"][0]["name"]
                .get<std::string>(),
            std::string("cpu"));
    }

    void benchmarksMeasureTheDevice() {
        const FarOutcome contributions = onDevice({"bench", "contributions", "--quick", "--json"});
        QVERIFY2(contributions.status == 0, contributions.err.c_str());
        const auto first = contributions.document()["rows"];
        QCOMPARE(first.size(), std::size_t(1)); // bfloat16 is the kernels', which this device has not
        QVERIFY(first[0]["ratio"].get<double>() > 0 && first[0]["wanted"].get<double>() == 20);
        QVERIFY2(contributions.counted.at("synchronised") >= 20,
                 "each time of five pairs begins and ends with waiting");

        const FarOutcome attention = onDevice({"bench", "attention", "--quick", "--json"});
        QVERIFY2(attention.status == 0, attention.err.c_str());
        const auto rows = attention.document()["rows"];
        QCOMPARE(rows.size(), std::size_t(8)); // two lengths, forward and with backward, beside two
        for (const auto& row : rows) {
            const bool flash = row["alternativeName"] == "flash attention with the window";
            QVERIFY(row["ratio"].get<double>() > 0 && row["wanted"].get<double>() == (flash ? 1.3 : 3));
            const auto match = QRegularExpression("largest difference ([0-9.e+-]+)")
                                   .match(QString::fromStdString(row["note"]));
            QCOMPARE(match.hasMatch(), flash);
            if (flash)
                QVERIFY2(match.captured(1).toDouble() < 0.1, row["note"].get<std::string>().c_str());
        }

        const FarOutcome studies = onDevice({"bench", "studies", "--only", "windows", "--quick", "--json"});
        QVERIFY2(studies.status == 0, studies.err.c_str());
        QCOMPARE(studies.document()["rows"].size(), std::size_t(1));
        QVERIFY(studies.document()["rows"][0]["ratio"].get<double>() > 0);

        const FarOutcome filterbank = onDevice({"bench", "filterbank"});
        QCOMPARE(filterbank.status, 1);
        QVERIFY2(filterbank.says("`bench filterbank` only runs on the CPU. With --device privateuseone:0, "
                                 "choose contributions, attention, studies or train."),
                 filterbank.err.c_str());
    }

private:
    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

HEADROOM_TEST(DeviceTroublesTest)

} // namespace headroom::testing::device_troubles_test

#include "device_troubles_test.moc"
