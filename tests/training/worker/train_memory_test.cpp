// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::train_memory_test {

namespace {

// Outside of the class: moc reads no raw text.
const QString kWide = QStringLiteral(R"("width": 256, "feedForward": 2048)"),
              kNarrow = QStringLiteral(R"("width": 128, "feedForward": 512)"),
              kHuge = QStringLiteral(R"("width": 65536, "feedForward": 262144)");

QString architectureIn(const std::filesystem::path& folder, const QString& encoder, int layers,
                       const QString& heads) {
    const auto file = folder / "large.json";
    std::ofstream out(file);
    out << R"({ "format": "headroom/architecture", "version": 1, "name": "large", "source": "a test",
  "frontEnd": { "kind": "conv1d", "features": 80, "channels": 256, "kernels": [5, 5], "strides": [2, 2] },
  "encoder": { "kind": "transformer", )"
        << encoder.toStdString() << R"(, "norm": "pre", "positions": "sinusoidal",
    "activation": "relu", "queryKeyValueBias": true, "dropout": 0.1, "attentionDropout": 0.1, "layers": [ )";
    for (int i = 0; i < layers; ++i)
        out << (i ? ", " : "") << R"({ "heads": ")" << heads.toStdString() << "\" }";
    out << " ] }, \"decoder\": { \"layers\": 2, " << encoder.toStdString()
        << R"(, "selfAttention": "4 masked", "crossAttention": "4 full" }, "ctc": null, "vocabulary": 1000 })";
    return TinyTraining::text(file);
}

} // namespace
} // namespace headroom::testing::train_memory_test

// Opened again: moc takes braces of raw text for braces of code.
namespace headroom::testing::train_memory_test {

/// The memory of a training beside what was expected, the real program.
class TrainMemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_corpus = std::make_unique<ToneCorpus>(folder() / "corpus", 400, 4);
        m_tiny = std::make_unique<TinyTraining>(folder(), m_corpus->folder());
    }

    void whatWasExpectedIsWithinAFifthOfWhatWasMeasured_data() {
        QTest::addColumn<QString>("encoder");
        QTest::addColumn<int>("layers");
        QTest::addColumn<QString>("heads");
        QTest::addColumn<int>("frames");
        QTest::addColumn<QString>("precision");
        QTest::newRow("wide, full, small batches") << kWide << 6 << "4 full" << 3000 << "fp32";
        QTest::newRow("wide, full, large batches") << kWide << 6 << "4 full" << 12000 << "fp32";
        // Small: a processor without instructions for bfloat16 takes twenty times as long.
        QTest::newRow("narrow, full, bf16") << kNarrow << 6 << "4 full" << 3000 << "bf16";
        QTest::newRow("narrow, local, small batches") << kNarrow << 12 << "4 local 5" << 3000 << "fp32";
        QTest::newRow("narrow, local, large batches") << kNarrow << 12 << "4 local 5" << 12000 << "fp32";
    }

    void whatWasExpectedIsWithinAFifthOfWhatWasMeasured() {
        QFETCH(QString, encoder);
        QFETCH(int, layers);
        QFETCH(QString, heads);
        QFETCH(int, frames);
        QFETCH(QString, precision);
        const Finished done =
            runWorkerProgram({"bench", "train", "--json", "--data", TinyTraining::text(m_corpus->folder()),
                       "--architecture", architectureIn(folder(), encoder, layers, heads), "--threads", "2",
                       "--frames", QString::number(frames), "--updates", "2", "--precision", precision});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto training = nlohmann::json::parse(done.out)["training"];
        const double expected = training["predictedBytes"].get<double>() / 1e6,
                     measured = training["peakBytes"].get<double>() / 1e6;
        qInfo("%.0f MB expected, %.0f MB measured: %.2f", expected, measured, expected / measured);
        QVERIFY(expected > 0.8 * measured && expected < 1.2 * measured);
    }

    void aSecondPassIsExpected() {
        m_tiny->recipe.loss.rDrop = 1;
        m_tiny->recipe.loss.ctcWeight = 0;
        m_tiny->recipe.data.maxFrames = m_tiny->recipe.data.maxBatchFrames = 6000;
        m_tiny->recipe.length.maxUpdates = 2;
        auto arguments = m_tiny->arguments("twice");
        arguments[2] = architectureIn(folder(), kWide, 6, "4 full");
        const Finished done = runWorkerProgram(arguments);
        *m_tiny = TinyTraining(folder(), m_corpus->folder());
        QVERIFY2(done.status == 0, done.err.c_str());
        const RunInfo info = readRun(m_tiny->run("twice"));
        const double expected = static_cast<double>(info.predictedBytes), measured = static_cast<double>(info.peakBytes);
        qInfo("%.0f MB expected, %.0f MB measured: %.2f", expected / 1e6, measured / 1e6, expected / measured);
        QVERIFY(expected > 0.8 * measured && expected < 1.2 * measured);
    }

    void whatDoesNotFitIsRefusedWithBothNumbers() {
        auto arguments = m_tiny->arguments("large");
        arguments[2] = architectureIn(folder(), kHuge, 12, "4 full");
        const Finished done = runWorkerProgram(arguments);
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("This run needs about ") && done.says(" of memory, but only ") &&
                     done.says(" is free"),
                 done.err.c_str());
        QVERIFY(!std::filesystem::exists(RunPaths{m_tiny->run("large")}.run()));
    }

    void theRunSaysBothNumbers() {
        m_tiny->recipe.length.maxUpdates = 4;
        const Finished done = runWorkerProgram(m_tiny->arguments("small"));
        QVERIFY2(done.status == 0, done.err.c_str());
        const RunInfo info = readRun(m_tiny->run("small"));
        QVERIFY(info.predictedBytes > 50'000'000 && info.peakBytes > 50'000'000);
        QVERIFY(done.out.find("; its peak memory was ") != std::string::npos);
        QVERIFY(done.says("This run will need about "));
    }

private:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    QTemporaryDir m_folder;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

HEADROOM_TEST(TrainMemoryTest)

} // namespace headroom::testing::train_memory_test

#include "train_memory_test.moc"
