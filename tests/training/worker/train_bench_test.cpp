// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest>

#include <set>

namespace headroom::testing::train_bench_test {

/// `bench train`, the real program.
class TrainBenchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_corpus = std::make_unique<ToneCorpus>(folder() / "corpus", 30, 4);
        m_tiny = std::make_unique<TinyTraining>(folder(), m_corpus->folder());
        m_tiny->arguments("none"); // writes the architecture
    }

    void theDocumentSaysWhatWasMeasured() {
        const Finished done =
            runWorkerProgram(bench({"--updates", "3", "--batches", TinyTraining::text(folder() / "b")}));
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = nlohmann::json::parse(done.out);
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/benchmarks"));
        QVERIFY(document["rows"].empty());
        const auto& training = document["training"];
        std::set<std::string> keys;
        for (const auto& [key, value] : training.items())
            keys.insert(key);
        QCOMPARE(keys, (std::set<std::string>{"architecture", "data", "precision", "threads", "batchFrames",
                                              "updates", "frames", "targetTokens", "seconds",
                                              "processorSeconds", "framesPerSecond", "waiting", "loss",
                                              "peakBytes", "predictedBytes"}));
        QCOMPARE(training["updates"].get<int>(), 3);
        QCOMPARE(training["threads"].get<int>(), 1);
        const double seconds = training["seconds"].get<double>(), waiting = training["waiting"].get<double>();
        QVERIFY(seconds > 0 && waiting >= 0 && waiting < 1);
        QVERIFY(training["peakBytes"].get<std::int64_t>() > 10'000'000);
    }

    void theBatchesAreThoseThatWereLearnt() {
        const auto out = folder() / "batches";
        const Finished done = runWorkerProgram(bench({"--updates", "4", "--batches", TinyTraining::text(out)}));
        QVERIFY2(done.status == 0, done.err.c_str());
        std::int64_t frames = 0, tokens = 0;
        for (int number = 1; number <= 4; ++number) // batch 0 warms up
            for (const auto& [name, tensor] : readNpz(out / ("batch-00" + std::to_string(number) + ".npz"))) {
                if (name == "frames")
                    for (const double count : toDoubles(tensor.view()))
                        frames += static_cast<std::int64_t>(count);
                if (name == "targets") {
                    tokens += tensor.shape[0]; // </s>
                    for (const double id : toDoubles(tensor.view()))
                        tokens += id >= 0 ? 1 : 0;
                }
            }
        QVERIFY(!std::filesystem::exists(out / "batch-005.npz"));
        const auto training = nlohmann::json::parse(done.out)["training"];
        QCOMPARE(training["frames"].get<std::int64_t>(), frames);
        QCOMPARE(training["targetTokens"].get<std::int64_t>(), tokens);
    }

    void withoutACorpusItIsWrongUsage() {
        const Finished done = runWorkerProgram({"bench", "train"});
        QCOMPARE(done.status, 2);
        QVERIFY(done.says("--data"));
    }

private:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    QStringList bench(const QStringList& more) const {
        return QStringList{"bench",
                           "train",
                           "--json",
                           "--data",
                           TinyTraining::text(m_corpus->folder()),
                           "--architecture",
                           TinyTraining::text(folder() / "architecture.json"),
                           "--threads",
                           "1",
                           "--frames",
                           "300"} +
               more;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

HEADROOM_TEST(TrainBenchTest)

} // namespace headroom::testing::train_bench_test

#include "train_bench_test.moc"
