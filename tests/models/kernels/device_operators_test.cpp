// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of other devices, as far as they are known without one: `meta` tensors, and libheadroom-cuda.so
// where it was built.
#include "core/errors/error.h"
#include "models/kernels/contributions.h"
#include "models/kernels/device_operators.h"
#include "models/kernels/dropout_device.h"
#include "models/layers/dropout_kernels.h"
#include "tests/support/block_runner.h"

#include "models/kernels/device_code.h"

#include "tests/support/runner.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <QTest>

#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace headroom::testing::device_operators_test {

using namespace headroom::models;

namespace {

void someThreadsSkipABarrier(float* out) {
    if (threadIdx.x < 40)
        __syncthreads();
    out[threadIdx.x] = 1;
}
void lanesWaitAtDifferentPlaces(float* out) {
    if (threadIdx.x < 7)
        out[0] = __shfl_xor_sync(0xFFFFFFFFU, out[0], 1);
    else
        __syncwarp();
}
void addsTheNumbersOfItsThreads(float* out) {
    auto* room = device::sharedRoom<float>();
    const float sum = device::warpSum(static_cast<float>(threadIdx.x));
    if (threadIdx.x % 32 == 0)
        room[threadIdx.x / 32] = sum;
    __syncthreads();
    out[threadIdx.x] = room[0] + room[1];
}
void readsBeforeItIsWritten(float* out) {
    float* room = device::sharedRoom<float>();
    out[threadIdx.x] = room[(threadIdx.x + 1) % 64];
    room[threadIdx.x] = 1;
}

} // namespace

class DeviceOperatorsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void metaTensorsHaveShapesOnly() {
        const auto there = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
        at::Tensor out = at::empty({9, 9}, there), profile = at::empty({17}, there.dtype(at::kDouble));
        contributions(at::empty({4, 9, 9}, there), at::empty({4, 9, 8}, there), at::empty({9, 8}, there), 9,
                      out, profile);
        at::Tensor wide = at::empty({5, 10}, there);
        contributionsWithResidualColumn(at::empty({4, 5, 9}, there), at::empty({4, 9, 8}, there),
                                        at::empty({5, 8}, there), wide);
        QVERIFY(hasDeviceKernels(out) && !hasDeviceKernels(at::empty({1})));
    }

    void tensorsOfTwoDevicesAreRefused() {
        const auto there = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
        at::Tensor out = at::empty({9, 9}, there), profile = at::empty({17}, at::kDouble);
        QVERIFY_THROWS_EXCEPTION(std::logic_error, contributions(at::empty({4, 9, 9}, there), at::empty({4, 9, 8}, there),
                                                                 at::empty({9, 8}, there), 9, out, profile));
    }

    void thePluginRegistersItsKernels() {
        const std::string missing = loadDeviceKernels();
        const auto plugin = std::filesystem::path(HEADROOM_BINARY_DIR) / "lib" / "libheadroom-cuda.so";
        if (!std::filesystem::exists(plugin)) {
            QVERIFY(missing.find("libheadroom-cuda.so is not beside this program") != std::string::npos);
            QSKIP("libheadroom-cuda.so was not built: there is no nvcc 13 (packaging/set-up --cuda)");
        }
        QVERIFY2(missing.empty() || missing.find("CUDA libraries") != std::string::npos, missing.c_str());
        for (const char* name :
             {"headroom::contributions", "headroom::head_profiles", "headroom::band_products",
              "headroom::band_times_rows", "headroom::band_softmax", "headroom::band_softmax_backward",
              "headroom::band_attention", "headroom::ctc_paths", "headroom::dropout"})
            QVERIFY2(c10::Dispatcher::singleton().findSchemaOrThrow(name, "").hasKernelForDispatchKey(
                         c10::DispatchKey::CUDA),
                     name);
    }

    void dropoutDrawsTheBitsOfTheCpu() {
        constexpr std::uint64_t kKey = 0x123456789ABCDEF0;
        constexpr std::uint32_t kLimit = 1U << 30;
        constexpr float kKept = 4.0F / 3;
        for (const std::size_t count : {1U, 255U, 1025U, 3000U}) {
            std::vector<float> mask(count), x(count), expected(count), found(count);
            drawMask(mask.data(), 0, static_cast<std::int64_t>(count), kKey, kLimit, kKept);
            for (std::size_t i = 0; i < count; ++i)
                x[i] = static_cast<float>(i) - 700;
            multiply(expected.data(), x.data(), mask.data(), static_cast<std::int64_t>(count));
            device::launchDropout(x.data(), found.data(), static_cast<std::int64_t>(count), kKey, kLimit,
                                  kKept, nullptr);
            QCOMPARE(std::memcmp(found.data(), expected.data(), count * sizeof(float)), 0);
            std::vector<BFloat16> narrow(count), same(count), there(count);
            for (std::size_t i = 0; i < count; ++i)
                narrow[i].bits = static_cast<std::uint16_t>(i * 37);
            multiply(same.data(), narrow.data(), mask.data(), static_cast<std::int64_t>(count));
            device::launchDropout(reinterpret_cast<const device::Bfloat16*>(narrow.data()),
                                  reinterpret_cast<device::Bfloat16*>(there.data()),
                                  static_cast<std::int64_t>(count), kKey, kLimit, kKept, nullptr);
            QCOMPARE(std::memcmp(there.data(), same.data(), count * sizeof(BFloat16)), 0);
        }
    }

    void theBlockRunnerKeepsBarriers() {
        std::vector<float> out(64);
        const bool before = blockThreads();
        for (const bool threads : {false, true}) {
            blockThreads() = threads;
            for (void (*kernel)(float*) : {someThreadsSkipABarrier, lanesWaitAtDifferentPlaces})
                QVERIFY_EXCEPTION_THROWN(device::launch(kernel, dim3(1), dim3(64), 0, nullptr, out.data()),
                                         std::logic_error);
            device::launch(addsTheNumbersOfItsThreads, dim3(3), dim3(64), 2 * sizeof(float), nullptr, out.data());
            for (const float sum : out)
                QCOMPARE(sum, 63.0F * 64 / 2);
        }
        blockThreads() = before;
    }

    void sharedMemoryBeginsAsNotANumber() {
        std::vector<float> out(64);
        const bool before = blockThreads();
        blockThreads() = false; // one thread after the other: the first reads what nobody has written
        device::launch(readsBeforeItIsWritten, dim3(1), dim3(64), 64 * sizeof(float), nullptr, out.data());
        QVERIFY(std::isnan(out[0]));
        blockThreads() = before;
    }
};

HEADROOM_TEST(DeviceOperatorsTest)

} // namespace headroom::testing::device_operators_test

#include "device_operators_test.moc"
