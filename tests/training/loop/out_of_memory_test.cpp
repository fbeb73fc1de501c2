// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/out_of_memory.h"
#include "core/architecture/architecture.h"
#include "core/corpus/corpus.h"
#include "core/text/tokenizer.h"
#include "models/layers/device_errors.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "training/loop/trainer.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <stdexcept>

namespace headroom::testing::out_of_memory_test {

using namespace headroom::training;

namespace {

constexpr std::size_t kImpossible = std::size_t(1) << 60;

/// LibTorch's own, which refuses everything above a kilobyte while it is full.
class FullAllocator final : public c10::Allocator {
public:
    FullAllocator() : m_own(c10::GetCPUAllocator()) { c10::SetCPUAllocator(this, 255); }
    ~FullAllocator() override { c10::SetCPUAllocator(m_own, 255); }
    c10::DataPtr allocate(std::size_t size) override {
        return m_own->allocate(full && size > 1024 ? kImpossible : size);
    }
    c10::DeleterFnPtr raw_deleter() const override { return m_own->raw_deleter(); }
    void copy_data(void* to, const void* from, std::size_t size) const override { m_own->copy_data(to, from, size); }

    std::atomic<bool> full = false;

private:
    c10::Allocator* m_own;
};

} // namespace

class OutOfMemoryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { letRefusalsThrow(); }

    void everyRefusalIsRecognised() {
        const auto isRefusal = [](const auto& work) {
            try {
                work();
            } catch (const std::exception& error) {
                return models::isOutOfMemory(error);
            }
            return false;
        };
        QVERIFY(isRefusal([] { at::empty({std::int64_t(kImpossible)}, at::kByte); }));
        QVERIFY(isRefusal([] { throw std::bad_alloc(); }));
        QVERIFY(isRefusal([] { throw OutOfMemory(Batch()); }));
        QVERIFY(!isRefusal([] { throw std::runtime_error("out of luck"); }));
        QVERIFY(!isRefusal([] { at::empty({2}).view({3}); }));
    }

    void aLostDeviceIsNoRefusedMemory() {
        const c10::SourceLocation here{__func__, __FILE__, __LINE__};
        QVERIFY(models::isDeviceLost(c10::AcceleratorError(here, 719, "CUDA error: unspecified launch failure")));
        QVERIFY(models::isDeviceLost(c10::Error(here, "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm`")));
        QVERIFY(!models::isDeviceLost(c10::OutOfMemoryError(here, "CUDA out of memory. Tried to allocate 2 GiB.")));
        QVERIFY(!models::isDeviceLost(c10::Error(here, "shape '[3]' is invalid for input of size 2")));
        QVERIFY(!models::isDeviceLost(std::runtime_error("CUDA error")));
        const c10::AcceleratorError lost(here, 719, "CUDA error: the launch failed.\nCUDA kernel errors might be reported later");
        QCOMPARE(models::deviceLostSentence(lost), std::string("The device cpu failed (CUDA error: the launch failed)."));
    }

    /// Memory runs out in the middle of update 7: the run ends with a sentence, and goes on once there is memory.
    void aRunThatRunsOutOfMemorySaysWhatToLower() {
        const std::filesystem::path folder = m_folder.path().toStdString();
        const ToneCorpus corpus(folder / "corpus", 12, 3);
        TinyTraining tiny(folder, corpus.folder());
        tiny.recipe.length.maxUpdates = 8;
        tiny.recipe.data.loaderThreads = 1;
        const Corpus opened = Corpus::open(corpus.folder());
        TrainSetup setup;
        setup.recipe = tiny.recipe;
        setup.architecture = readArchitecture(folder / "architecture.json");
        setup.tokenizer = corpus.folder() / corpusTokenizerName("asr");
        const Tokenizer tokenizer(setup.tokenizer);
        const int unknown = checkTokenIds(tokenizer, setup.tokenizer);
        setup.architecture.vocabulary = tokenizer.size();
        setup.train = readExamples(opened, setup.recipe, "train", true, tokenizer, unknown);
        setup.validation = readExamples(opened, setup.recipe, "dev", false, tokenizer, unknown);
        RunInfo info;
        info.id = "full";
        const FileLock lock = takeRun(tiny.run("full"));
        Journal journal(RunPaths{tiny.run("full")}, info);

        FullAllocator memory;
        setup.progress = [&](const Progress& progress) { memory.full = progress.update == 6; };
        try {
            train(setup, journal);
            QFAIL("it went on");
        } catch (const Error& error) {
            memory.full = false;
            const std::string told = error.what();
            QCOMPARE(error.code(), std::string("train.memory"));
            QVERIFY2(told.starts_with("Out of memory at update 7, in a batch of "), told.c_str());
            QVERIFY2(told.find("; the last checkpoint is step-000006.safetensors. Lower data.maxBatchFrames (now "
                               "300) and raise optimiser.accumulate (now 2)") != std::string::npos,
                     told.c_str());
            QCOMPARE(error.values()["setting"].get<std::string>(), std::string("data.maxBatchFrames"));
        }
        setup.progress = {};
        setup.resume = true;
        QVERIFY(train(setup, journal) == RunState::Finished);
    }

private:
    QTemporaryDir m_folder;
};

HEADROOM_TEST(OutOfMemoryTest)

} // namespace headroom::testing::out_of_memory_test

#include "out_of_memory_test.moc"
