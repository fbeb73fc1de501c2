// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA kernels of the band, run block by block on the CPU (tests/support/block_runner.h).
#include "models/kernels/banded_device.h"
#include "models/kernels/banded_reference.h"
#include "tests/support/runner.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <QTest>

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>

namespace headroom::testing::banded_device_test {

using namespace headroom::models;

namespace {

constexpr double kScale = 0.3;
constexpr std::int64_t kBatch = 2, kHeads = 2;

at::Tensor unset(at::IntArrayRef shape, at::ScalarType type) {
    return at::full(shape, std::numeric_limits<double>::quiet_NaN(), type);
}

template <class T>
device::BandRows<const T> read(const at::Tensor& x) {
    return {static_cast<const T*>(x.const_data_ptr()), x.stride(0), x.stride(1), x.stride(2)};
}
template <class T>
device::BandRows<T> written(at::Tensor& x) {
    return {static_cast<T*>(x.mutable_data_ptr()), x.stride(0), x.stride(1), x.stride(2)};
}

/// Queries, keys and values as views of one projection, as a layer has them.
struct Numbers {
    at::Tensor q, k, v, gradOut;
    std::vector<std::int64_t> lengths;
    std::int64_t reach;
    Numbers(std::int64_t tokens, std::int64_t width, std::int64_t valueWidth, std::int64_t reach_,
            bool padded, at::ScalarType type)
        : reach(reach_) {
        const at::Tensor heads =
            at::randn({kBatch, tokens, kHeads, 2 * width + valueWidth}, at::kDouble).to(type).transpose(1, 2);
        q = heads.narrow(3, 0, width);
        k = heads.narrow(3, width, width);
        v = heads.narrow(3, 2 * width, valueWidth);
        gradOut = at::randn({kBatch, tokens, kHeads, valueWidth}, at::kDouble).to(type).transpose(1, 2);
        if (padded)
            lengths = {tokens, tokens / 3};
    }
    device::BandShape shape() const {
        return {kBatch, kHeads, q.size(2), reach, lengths.empty() ? nullptr : lengths.data()};
    }
};

/// The kernels in the order in which banded.cpp calls them.
template <class T, class S>
struct Kernels {
    static constexpr at::ScalarType kSums = std::is_same_v<S, double> ? at::kDouble : at::kFloat;
    const Numbers& x;

    at::Tensor band() const { return unset({kBatch, kHeads, x.q.size(2), 2 * x.reach + 1}, kSums); }
    at::Tensor rows(const at::Tensor& like) const { return unset(like.sizes(), like.scalar_type()); }

    at::Tensor products(const at::Tensor& a, const at::Tensor& b, double empty) const {
        at::Tensor result = band();
        device::launchBandProducts(x.shape(), read<T>(a), read<T>(b), a.size(3), static_cast<S>(empty),
                                   result.mutable_data_ptr<S>(), nullptr);
        return result;
    }
    at::Tensor mixed(const at::Tensor& weights, const at::Tensor& from, bool transposed) const {
        at::Tensor result = rows(from);
        device::launchBandTimesRows(x.shape(), weights.const_data_ptr<S>(), read<T>(from), from.size(3),
                                    transposed, written<T>(result), nullptr);
        return result;
    }
    void softmax(at::Tensor& scores, double scale) const {
        device::launchBandSoftmax(scores.mutable_data_ptr<S>(), scores.numel() / scores.size(3),
                                  scores.size(3), static_cast<S>(scale), nullptr);
    }
    BandedReference inPieces() const {
        BandedReference result;
        result.weights = products(x.q, x.k, -std::numeric_limits<double>::infinity());
        softmax(result.weights, kScale);
        result.out = mixed(result.weights, x.v, false);
        return result;
    }
    BandedReference inOnePass(bool stores) const {
        BandedReference result;
        result.weights = band();
        result.out = rows(x.v);
        device::launchBandAttention(x.shape(), read<T>(x.q), read<T>(x.k), read<T>(x.v), x.q.size(3),
                                    x.v.size(3), static_cast<S>(kScale),
                                    stores ? result.weights.mutable_data_ptr<S>() : nullptr,
                                    written<T>(result.out), nullptr);
        return result;
    }
    void differentiate(BandedReference& result, bool inOne) const {
        at::Tensor grad = products(x.gradOut, x.v, 0);
        device::launchBandSoftmaxBackward(result.weights.const_data_ptr<S>(), grad.mutable_data_ptr<S>(),
                                          grad.numel() / grad.size(3), grad.size(3), static_cast<S>(kScale),
                                          nullptr);
        result.gradQ = mixed(grad, x.k, false);
        if constexpr (std::is_same_v<T, device::Bfloat16>)
            if (inOne) {
                grad = band();
                result.gradQ = rows(x.q);
                device::launchBandScoreGradients(x.shape(), read<T>(x.k), read<T>(x.v), read<T>(x.gradOut), x.q.size(3),
                                                 x.v.size(3), static_cast<S>(kScale), result.weights.const_data_ptr<S>(),
                                                 grad.mutable_data_ptr<S>(), written<T>(result.gradQ), nullptr);
            }
        result.gradK = mixed(grad, x.q, true);
        result.gradV = mixed(result.weights, x.gradOut, true);
    }
};

double largest(const at::Tensor& found, const at::Tensor& expected) {
    return found.to(at::kDouble).sub(expected).abs().max().item<double>();
}
/// As `headroom-worker check` measures it: as a share of the largest number where that is above 1.
double largestShare(const at::Tensor& found, const at::Tensor& expected) {
    return largest(found, expected) / std::max(1.0, expected.abs().max().item<double>());
}

template <class T, class S>
bool equalsTheReferenceIn(const Numbers& x, double bound, double storedBound) {
    const Kernels<T, S> kernels{x};
    const BandedReference expected =
        referenceBandedAttention(x.q, x.k, x.v, x.reach, kScale, x.lengths, x.gradOut);
    bool equal = largest(kernels.inOnePass(false).out, expected.out) <= storedBound;
    for (const bool inOne : {false, true}) {
        BandedReference found = inOne ? kernels.inOnePass(true) : kernels.inPieces();
        kernels.differentiate(found, inOne);
        equal = equal && largest(found.weights, expected.weights) <= bound &&
                largest(found.out, expected.out) <= storedBound &&
                largest(found.gradQ, expected.gradQ) <= storedBound &&
                largest(found.gradK, expected.gradK) <= storedBound &&
                largest(found.gradV, expected.gradV) <= storedBound;
    }
    return equal;
}

} // namespace

class BandedDeviceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(13); }

    void equalsTheReferenceForwardAndBackward_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("reach");
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("padded");
        for (const auto& [tokens, reach] : std::vector<std::pair<int, int>>{
                 {1, 0}, {1, 120}, {7, 3}, {7, 120}, {31, 0}, {31, 10}, {33, 3}, {33, 120}, {100, 10}})
            QTest::addRow("N %d, reach %d", tokens, reach)
                << tokens << reach << (reach == 3 ? 80 : 19) << (tokens % 2 == 1);
        QTest::addRow("N 100, reach 120") << 100 << 120 << 16 << true;
    }
    void equalsTheReferenceForwardAndBackward() {
        QFETCH(int, tokens);
        QFETCH(int, reach);
        QFETCH(int, width);
        QFETCH(bool, padded);
        const int valueWidth = width + 5;
        QVERIFY((equalsTheReferenceIn<double, double>({tokens, width, valueWidth, reach, padded, at::kDouble},
                                                      1e-12, 1e-12)));
        if (tokens < 100)
            QVERIFY((equalsTheReferenceIn<float, float>({tokens, width, valueWidth, reach, false, at::kFloat},
                                                        2e-5, 3e-5)));
        if (tokens < 33) // stored with eight bits; what counts is that sums are in float
            QVERIFY((equalsTheReferenceIn<device::Bfloat16, float>(
                {tokens, width, valueWidth, reach, padded, at::kBFloat16}, 2e-5, 6e-2)));
    }

    void tensorCoresEqualTheReference_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("reach");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("valueWidth");
        for (const auto& [tokens, reach, width, valueWidth] : std::vector<std::tuple<int, int, int, int>>{
                 {1, 0, 64, 64}, {64, 10, 64, 64}, {65, 10, 32, 48}, {100, 120, 64, 24}, {130, 40, 128, 128}, {130, 2, 20, 20}, {130, 129, 20, 20}, {70, 3, 80, 16}, {200, 16, 16, 8}})
            QTest::addRow("N %d, reach %d, %d and %d channels", tokens, reach, width, valueWidth)
                << tokens << reach << width << valueWidth;
    }
    void tensorCoresEqualTheReference() { // rows that are moved eight numbers at a time, and several tiles
        QFETCH(int, tokens);
        QFETCH(int, reach);
        QFETCH(int, width);
        QFETCH(int, valueWidth);
        const Numbers x(tokens, width, valueWidth, reach, tokens % 2 == 0, at::kBFloat16);
        const BandedReference expected = referenceBandedAttention(x.q, x.k, x.v, x.reach, kScale, x.lengths, x.gradOut);
        const Kernels<device::Bfloat16, float> kernels{x};
        BandedReference found = kernels.inOnePass(true);
        QVERIFY(largest(found.weights, expected.weights) <= 2e-5);
        kernels.differentiate(found, true);
        constexpr double kBound = 1e-2; // of `check`
        for (const auto& [name, is, should] : {std::tuple{"out", &found.out, &expected.out}, {"gradQ", &found.gradQ, &expected.gradQ},
                                               {"gradK", &found.gradK, &expected.gradK}, {"gradV", &found.gradV, &expected.gradV}})
            QVERIFY2(largestShare(*is, *should) <= kBound, name);
    }

    void aRowThatSeesNothingIsZeros() {
        const Numbers x(9, 8, 8, 2, true, at::kDouble);
        const Kernels<double, double> kernels{x};
        for (const BandedReference& found : {kernels.inPieces(), kernels.inOnePass(true)}) {
            QVERIFY(found.weights[1].narrow(1, 6, 3).eq(0).all().item<bool>()); // the second has three tokens
            QVERIFY(found.out[1].narrow(1, 6, 3).eq(0).all().item<bool>());
        }
    }

    void notANumberStaysInItsWindow() {
        Numbers x(40, 8, 8, 2, false, at::kDouble);
        x.v.select(2, 20).fill_(std::numeric_limits<double>::quiet_NaN());
        const Kernels<double, double> kernels{x};
        for (const BandedReference& found : {kernels.inPieces(), kernels.inOnePass(true)})
            for (int token = 0; token < 40; ++token)
                QCOMPARE(found.out.select(2, token).isnan().all().item<bool>(), token >= 18 && token <= 22);
    }

    void scoresOfAnyScaleAreSafe() { // a later tile holds the largest score of a row
        Numbers x(70, 8, 8, 70, false, at::kDouble);
        x.k.select(2, 69).mul_(1000);
        QVERIFY((equalsTheReferenceIn<double, double>(x, 1e-12, 1e-9)));
    }
};

HEADROOM_TEST(BandedDeviceTest)

} // namespace headroom::testing::banded_device_test

#include "banded_device_test.moc"
