// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/full.h"
#include "models/attention/local.h"
#include "models/kernels/banded.h"
#include "models/kernels/banded_composite.h"
#include "models/kernels/banded_reference.h"
#include "models/layers/gradients.h"
#include "models/layers/padding.h"
#include "tests/support/runner.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <ATen/Parallel.h>

#include <QTest>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace headroom::testing::banded_test {

using namespace headroom::models;

namespace {

using Lengths = std::vector<std::int64_t>;
constexpr double kScale = 0.3;

/// Queries, keys and values as views of one projection, as a layer has them.
struct Numbers {
    at::Tensor q, k, v, gradOut;
    Numbers(std::int64_t tokens, std::int64_t width, std::int64_t valueWidth, at::ScalarType type) {
        constexpr std::int64_t kBatch = 2, kHeads = 3;
        const at::Tensor projection = at::randn({kBatch, tokens, kHeads, 2 * width + valueWidth}, type);
        const at::Tensor heads = projection.transpose(1, 2);
        q = heads.narrow(3, 0, width).detach().requires_grad_();
        k = heads.narrow(3, width, width).detach().requires_grad_();
        v = heads.narrow(3, 2 * width, valueWidth).detach().requires_grad_();
        gradOut = at::randn({kBatch, tokens, kHeads, valueWidth}, type).transpose(1, 2);
    }
};

using Attend = at::Tensor (*)(const Numbers&, std::int64_t, const Lengths&);

at::Tensor fused(const Numbers& x, std::int64_t reach, const Lengths& lengths) {
    return bandedAttention(x.q, x.k, x.v, reach, kScale, lengths);
}
at::Tensor composed(const Numbers& x, std::int64_t reach, const Lengths& lengths) {
    return bandedMix(bandedSoftmax(bandedScores(x.q.mul(kScale), x.k, reach, lengths)), x.v, reach);
}

at::Tensor ofOperations(const Numbers& x, std::int64_t reach, const Lengths& lengths) { // on other devices
    return composite::bandedAttention(x.q, x.k, x.v, reach, kScale, lengths);
}

double largest(const at::Tensor& difference) {
    return difference.detach().abs().max().item<double>();
}

struct Gradients {
    at::Tensor q, k, v;
};
Gradients gradients(const Numbers& x, const at::Tensor& out) {
    const auto found = models::gradients(out, {x.q, x.k, x.v}, x.gradOut);
    return {found[0], found[1], found[2]};
}

/// 1e-12 in double; in float a few roundings of sums of `terms` numbers of ordinary size.
double bound(at::ScalarType type, std::int64_t terms) {
    return type == at::kDouble ? 1e-12 : 2e-6 * std::sqrt(static_cast<double>(terms)) + 5e-6;
}

} // namespace

class BandedTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(7); }

    void equalsTheReferenceForwardAndBackward_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("reach");
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("padded");
        for (const int tokens : {1, 2, 5, 63, 96, 97, 210})
            for (const int reach : {0, 1, 3, 10, 31, 99, 230})
                for (const bool padded : {false, true})
                    QTest::addRow("%d tokens, reach %d%s", tokens, reach, padded ? ", padded" : "")
                        << tokens << reach << (reach == 10 ? 64 : 19) << padded;
    }
    void equalsTheReferenceForwardAndBackward() {
        QFETCH(int, tokens);
        QFETCH(int, reach);
        QFETCH(int, width);
        QFETCH(bool, padded);
        const Lengths lengths = padded ? Lengths{tokens, tokens / 3} : Lengths{};
        for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
            const Numbers x(tokens, width, width + 5, type);
            const BandedReference expected =
                referenceBandedAttention(x.q, x.k, x.v, reach, kScale, lengths, x.gradOut);
            for (const Attend attend : {&fused, &composed, &ofOperations}) {
                const at::Tensor out = attend(x, reach, lengths);
                const Gradients found = gradients(x, out);
                const double limit = bound(type, width + 2 * reach);
                QVERIFY(largest(out.sub(expected.out)) <= limit);
                QVERIFY(largest(found.q.sub(expected.gradQ)) <= limit);
                QVERIFY(largest(found.k.sub(expected.gradK)) <= limit);
                QVERIFY(largest(found.v.sub(expected.gradV)) <= limit);
            }
        }
    }

    void gradientsAreFiniteDifferences() {
        const Numbers x(11, 5, 4, at::kDouble);
        for (const Attend attend : {&fused, &composed}) {
            const Gradients found = gradients(x, attend(x, 3, {11, 7}));
            const at::NoGradGuard still;
            for (const auto& [input, gradient] :
                 {std::pair{x.q, found.q}, std::pair{x.k, found.k}, std::pair{x.v, found.v}}) {
                const at::Tensor direction = at::randn(input.sizes(), at::kDouble);
                constexpr double kStep = 1e-6;
                input.add_(direction, kStep);
                const double above = attend(x, 3, {11, 7}).mul(x.gradOut).sum().item<double>();
                input.sub_(direction, 2 * kStep);
                const double below = attend(x, 3, {11, 7}).mul(x.gradOut).sum().item<double>();
                input.add_(direction, kStep);
                const double expected = gradient.mul(direction).sum().item<double>();
                QVERIFY(std::abs((above - below) / (2 * kStep) - expected) <=
                        1e-7 * (1 + std::abs(expected)));
            }
        }
    }

    void equalsTheMaskedFullMap_data() {
        QTest::addColumn<int>("window");
        for (const int window : {1, 5, 21, 79, 81, 1001}) // 79 = 2 N − 1 and more: all is seen
            QTest::addRow("window %d", window) << window;
    }
    void equalsTheMaskedFullMap() { // O8
        QFETCH(int, window);
        constexpr std::int64_t kTokens = 40;
        const Lengths lengths{40, 23};
        const Numbers x(kTokens, 16, 16, at::kFloat);
        const at::NoGradGuard still;
        at::Tensor hidden = hiddenPadding(lengths, kTokens);
        const at::Tensor outside = hiddenOutsideWindows({window}, kTokens);
        if (outside.defined())
            hidden = hidden.logical_or(outside);
        const at::Tensor map = maskedSoftmax(at::matmul(x.q.mul(kScale), x.k.transpose(2, 3)), hidden);
        const std::int64_t reach = bandReach(window, kTokens);
        QVERIFY(largest(fused(x, reach, lengths).sub(at::matmul(map, x.v))) <= 1e-5);
        const at::Tensor band = bandedSoftmax(bandedScores(x.q.mul(kScale), x.k, reach, lengths));
        const at::Tensor dense = bandedToDense(band, reach);
        QVERIFY(largest(dense.sub(map)) <= 1e-5);
        QCOMPARE(largest(dense.masked_select(hidden.expand_as(dense))), 0.0);
    }

    void tokensOutsideTheWindowChangeNothing() { // O8
        const Numbers x(120, 16, 16, at::kFloat);
        const at::NoGradGuard still;
        for (const Attend attend : {&fused, &composed}) {
            const at::Tensor before = attend(x, 8, {}).clone();
            x.k.select(2, 60).add_(3);
            x.v.select(2, 60).add_(3);
            const at::Tensor changed = attend(x, 8, {}).sub(before).abs().amax({0, 1, 3}); // [token]
            for (std::int64_t i = 0; i < 120; ++i)
                QCOMPARE(changed[i].item<float>() > 0, std::abs(i - 60) <= 8);
        }
    }

    void resultsDoNotDependOnTheThreads() {
        const Numbers x(301, 64, 64, at::kFloat);
        const int before = at::get_num_threads();
        for (const Attend attend : {&fused, &composed}) {
            at::set_num_threads(1);
            const at::Tensor one = attend(x, 10, {301, 150});
            const Gradients back = gradients(x, one);
            at::set_num_threads(3);
            const at::Tensor three = attend(x, 10, {301, 150});
            const Gradients again = gradients(x, three);
            at::set_num_threads(before);
            QVERIFY(one.equal(three));
            QVERIFY(back.q.equal(again.q) && back.k.equal(again.k) && back.v.equal(again.v));
        }
    }

    void onePassIsTheSameBitsAsTheThreeSteps() {
        for (const std::int64_t reach : {2, 10, 23, 24, 40, 100, 138}) {
            const Numbers x(139, 20, 20, at::kFloat);
            const Lengths lengths{139, 50};
            const at::Tensor one = bandedAttention(x.q, x.k, x.v, reach, 1, lengths);
            const at::Tensor three =
                bandedMix(bandedSoftmax(bandedScores(x.q, x.k, reach, lengths)), x.v, reach);
            QVERIFY(one.equal(three));
            const Gradients a = gradients(x, one), b = gradients(x, three);
            QVERIFY(a.q.equal(b.q) && a.k.equal(b.k) && a.v.equal(b.v));
        }
    }

    void aRowWithoutAKeyIsZerosAndHasNoGradient() {
        const Numbers x(30, 8, 8, at::kFloat);
        const Lengths lengths{30, 4};
        for (const Attend attend : {&fused, &composed}) {
            const at::Tensor out = attend(x, 3, lengths);
            const Gradients found = gradients(x, out);
            QCOMPARE(largest(out.select(0, 1).narrow(1, 7, 23)), 0.0);
            QCOMPARE(largest(found.q.select(0, 1).narrow(1, 7, 23)), 0.0);
            QCOMPARE(largest(found.k.select(0, 1).narrow(1, 4, 26)), 0.0);
            QCOMPARE(largest(found.v.select(0, 1).narrow(1, 4, 26)), 0.0);
            QVERIFY(largest(found.q.select(0, 1).narrow(1, 6, 1)) == 0.0); // one key: its weight is always 1
            QVERIFY(largest(out.select(0, 1).narrow(1, 6, 1)) > 0.0);
        }
    }

    void nothingIsReadWhereNoKeyIs() {
        Numbers x(20, 8, 8, at::kFloat);
        const at::NoGradGuard still;
        const at::Tensor scores = bandedScores(x.q, x.k, 4, {20, 15});
        QVERIFY(scores.select(2, 0).narrow(2, 0, 4).isneginf().all().item<bool>());
        QVERIFY(scores.select(0, 1).select(1, 14).narrow(1, 5, 4).isneginf().all().item<bool>());
        QVERIFY(scores.select(2, 10).isfinite().all().item<bool>());
        at::Tensor weights = bandedSoftmax(scores);
        const at::Tensor out = bandedMix(weights, x.v, 4).clone();
        weights.select(2, 0).narrow(2, 0, 4).fill_(std::numeric_limits<float>::quiet_NaN());
        weights.select(2, 19).narrow(2, 5, 4).fill_(std::numeric_limits<float>::quiet_NaN());
        QVERIFY(bandedMix(weights, x.v, 4).equal(out));
    }

    void notANumberIsNotHidden() {
        Numbers x(20, 8, 8, at::kFloat);
        const at::NoGradGuard still;
        x.k[0][0][5][0] = std::numeric_limits<float>::quiet_NaN();
        for (const Attend attend : {&fused, &composed}) {
            const at::Tensor unknown = attend(x, 2, {}).isnan().any(3); // [batch, head, token]
            for (std::int64_t i = 0; i < 20; ++i)
                QCOMPARE(unknown[0][0][i].item<bool>(), std::abs(i - 5) <= 2);
        }
        x.k.fill_(std::numeric_limits<float>::quiet_NaN());
        QVERIFY(fused(x, 2, {}).isnan().all().item<bool>());
    }

    void sharpRowsNeitherOverflowNorVanish() {
        const at::Tensor scores = at::randn({1, 1, 40, 21}).mul_(3e4);
        const at::Tensor weights = bandedSoftmax(scores);
        QVERIFY(weights.isfinite().all().item<bool>());
        QVERIFY(largest(weights.sum(-1).sub(1)) <= 1e-6);
        QVERIFY(largest(weights.amax(-1).sub(1)) <= 1e-6);
    }

    void softmaxIsThatOfATenForEveryWidth_data() {
        QTest::addColumn<int>("slots");
        for (const int slots : {1, 3, 8, 15, 16, 17, 31, 32, 33, 48, 49, 65, 200})
            QTest::addRow("%d slots", slots) << slots;
    }
    void softmaxIsThatOfATenForEveryWidth() {
        QFETCH(int, slots);
        for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
            const at::Tensor scores = at::randn({2, 2, 9, slots}, type).mul_(4).requires_grad_();
            const at::Tensor gradOut = at::randn({2, 2, 9, slots}, type);
            const at::Tensor found = bandedSoftmax(scores), expected = scores.softmax(-1);
            const double limit = type == at::kDouble ? 1e-14 : 5e-7;
            QVERIFY(largest(found.sub(expected)) <= limit);
            QVERIFY(largest(models::gradients(found, {scores}, gradOut)[0].sub(
                        models::gradients(expected, {scores}, gradOut)[0])) <= 4 * limit);
        }
    }

    void bfloat16IsFloatCastBack() {
        const Numbers x(50, 16, 16, at::kFloat);
        const auto reduced = [](const at::Tensor& t) {
            return t.detach().to(at::kBFloat16).requires_grad_();
        };
        const at::Tensor q = reduced(x.q), k = reduced(x.k), v = reduced(x.v);
        const at::Tensor out = bandedAttention(q, k, v, 5, kScale);
        QCOMPARE(out.scalar_type(), at::kBFloat16);
        const at::Tensor gradOut = x.gradOut.to(at::kBFloat16);
        const auto found = models::gradients(out, {q, k, v}, gradOut);
        const BandedReference expected = referenceBandedAttention(q, k, v, 5, kScale, {}, gradOut);
        QVERIFY(out.equal(expected.out.to(at::kFloat).to(at::kBFloat16)) ||
                largest(out.sub(expected.out)) <= 0x1p-8 * largest(expected.out));
        for (const auto& [gradient, wanted] :
             {std::pair{found[0], expected.gradQ}, std::pair{found[1], expected.gradK},
              std::pair{found[2], expected.gradV}}) {
            QCOMPARE(gradient.scalar_type(), at::kBFloat16);
            QVERIFY(largest(gradient.sub(wanted)) <= 0x1p-8 * largest(wanted));
        }
    }

    void anyStridesGiveTheSame() {
        const Numbers x(33, 12, 12, at::kFloat);
        const at::NoGradGuard still;
        const at::Tensor expected = fused(x, 4, {});
        const auto turned = [](const at::Tensor& t) {
            return t.transpose(2, 3).contiguous().transpose(2, 3);
        };
        QVERIFY(bandedAttention(turned(x.q), x.k.contiguous(), turned(x.v), 4, kScale).equal(expected));
        const at::Tensor scores = bandedScores(x.q, x.k, 4).mul(kScale), weights = bandedSoftmax(scores);
        QVERIFY(bandedMix(turned(weights), x.v, 4).equal(bandedMix(weights, x.v, 4)));
        QVERIFY(bandedSoftmax(turned(scores)).equal(weights));
    }

    void aHundredThousandTokensRun() {
        constexpr std::int64_t kTokens = 100'000, kReach = 10; // N × N floats would be 40 GB
        const auto draw = [] { return at::randn({1, 1, kTokens, 16}).requires_grad_(); };
        const at::Tensor q = draw(), k = draw(), v = draw();
        const at::Tensor out = bandedAttention(q, k, v, kReach, kScale);
        const auto found = models::gradients(out, {q, k, v}, at::randn(out.sizes()));
        QVERIFY(found[1].isfinite().all().item<bool>());
        // 41 tokens far inside, alone: the middle one sees the same keys.
        const auto part = [](const at::Tensor& t) { return t.detach().narrow(2, 70'000, 41); };
        const at::Tensor alone = bandedAttention(part(q), part(k), part(v), kReach, kScale);
        QVERIFY(largest(alone.select(2, 20).sub(out.select(2, 70'020))) <= 1e-6);
    }

    void tensorsThatDoNotBelongTogetherAreRefused() {
        const at::Tensor q = at::randn({2, 3, 10, 8}), k = at::randn({2, 3, 11, 8});
        QVERIFY_EXCEPTION_THROWN(bandedScores(q, k, 2), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(bandedScores(q, q, -1), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(bandedScores(q, q, 2, {10}), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(bandedScores(q, q, 2, {10, 11}), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(bandedMix(at::zeros({2, 3, 10, 4}), q, 2), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(bandedAttention(q, q, k, 2, kScale), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(bandedAttention(q, q, q, 2, 0), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(bandedToDense(at::zeros({2, 3, 10, 4}), 2), std::logic_error);
    }

    void theReachHasNoSlotThatNobodyCanUse() {
        QCOMPARE(bandReach(21, 1052), 10);
        QCOMPARE(bandReach(21, 5), 4);
        QCOMPARE(bandReach(1, 5), 0);
        QCOMPARE(bandReach(21, 1), 0);
        QCOMPARE(bandReach(21, 0), 0);
    }
};

HEADROOM_TEST(BandedTest)

} // namespace headroom::testing::banded_test

#include "banded_test.moc"
