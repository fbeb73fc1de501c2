// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/full.h"
#include "models/attention/local.h"
#include "models/attention/multi_head.h"
#include "models/checks/check_parts.h"
#include "models/kernels/contributions.h"
#include "models/kernels/device_operators.h"
#include "models/kernels/full_attention.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

namespace headroom::testing::kernels_test {

using namespace headroom::models;

namespace {

struct Numbers {
    at::Tensor attention, transformed, residual;
};

Numbers draw(std::int64_t heads, std::int64_t tokens, std::int64_t width, at::ScalarType type) {
    return {at::softmax(at::randn({heads, tokens, tokens}, type), -1),
            at::randn({heads, tokens, width}, type), at::randn({tokens, width}, type)};
}

struct Result {
    at::Tensor matrix, profile;
};

Result run(const Numbers& numbers, std::int64_t reach) {
    const std::int64_t tokens = numbers.attention.size(1);
    Result result{at::empty({tokens, tokens}, numbers.attention.scalar_type()),
                  at::empty({2 * tokens - 1}, at::kDouble)};
    contributions(numbers.attention, numbers.transformed, numbers.residual, reach, result.matrix,
                  result.profile);
    return result;
}

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

} // namespace

class KernelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyCheckOfTheWorkerPasses() {
        for (const CheckRow& row : runChecks("cpu"))
            QVERIFY2(row.passed, (row.name + ", " + row.precision + ": " + row.detail).c_str());
    }

    void aCheckThatThrowsHasNotPassed() {
        const CheckRow row =
            checkRow("a case", "float32", 1, []() -> double { throw std::runtime_error("no kernel\nof this type"); });
        QVERIFY(!row.passed);
        QCOMPARE(row.detail, std::string("could not be computed: no kernel"));
        QVERIFY(checkRow("a case", "float32", 1, [] { return 1.0; }).passed);
        QVERIFY(!checkRow("a case", "float32", 1, [] { return double(NAN); }).passed);
    }

    void aDeviceThatCannotBeUsedIsRefusedByName() {
        for (const std::string device : {"gpu", "cuda:0"}) {
            if (device == "cuda:0" && loadDeviceKernels().empty())
                QSKIP("the kernels of a GPU are loaded");
            try {
                runChecks(device);
                QFAIL("accepted");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("models.noSuchDevice"));
                QVERIFY(std::string(error.what()).starts_with("The device “" + device + "” cannot be checked: "));
            }
        }
    }

    void gramEqualsMaterialisedNorms_data() {
        QTest::addColumn<int>("heads");
        for (const int heads : {1, 2, 3, 4, 5, 8, 12, 16})
            QTest::addRow("%d heads", heads) << heads;
    }
    void gramEqualsMaterialisedNorms() { // O2
        QFETCH(int, heads);
        const Numbers numbers = draw(heads, 133, 24, at::kDouble); // some keys at a time
        const at::Tensor expected =
            contributionsMaterialised(numbers.attention, numbers.transformed, numbers.residual);
        QVERIFY(largest(run(numbers, 133).matrix.sub(expected)) <= 1e-12);
    }

    void whereKeysAreNotQueriesTheResidualIsTheLastColumn_data() {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("keys");
        for (const int heads : {1, 4, 12})
            for (const int keys : {1, 9, 90})
                QTest::addRow("%d heads, %d keys", heads, keys) << heads << keys;
    }
    void whereKeysAreNotQueriesTheResidualIsTheLastColumn() { // O2
        QFETCH(int, heads);
        QFETCH(int, keys);
        const at::Tensor map = at::softmax(at::randn({heads, 23, keys}, at::kDouble), -1),
                         transformed = at::randn({heads, keys, 24}, at::kDouble),
                         residual = at::randn({23, 24}, at::kDouble);
        at::Tensor out = at::empty({23, keys + 1}, at::kDouble);
        contributionsWithResidualColumn(map, transformed, residual, out);
        const at::Tensor terms = at::einsum("hij,hjd->ijd", {map, transformed}).norm(2, -1);
        const at::Tensor norms = at::cat({terms, residual.norm(2, -1, true)}, 1);
        QVERIFY(largest(out.sub(norms.div(norms.sum(-1, true)))) <= 1e-12);
    }

    void aMapOfOtherKeysIsNoSelfAttention() {
        at::Tensor out = at::empty({5, 7}), profile = at::empty({9}, at::kDouble);
        QVERIFY_EXCEPTION_THROWN(
            contributions(at::ones({2, 5, 7}), at::ones({2, 7, 4}), at::ones({5, 4}), 7, out, profile),
            std::logic_error);
        QVERIFY_EXCEPTION_THROWN(
            contributionsWithResidualColumn(at::ones({2, 5, 7}), at::ones({2, 7, 4}), at::ones({5, 4}), out),
            std::logic_error);
    }

    void profileIsTheSumAlongEachDiagonal() {
        const Result result = run(draw(4, 21, 16, at::kFloat), 21);
        for (std::int64_t offset = -20; offset <= 20; ++offset) {
            const double expected = result.matrix.to(at::kDouble).diagonal(offset).sum().item<double>();
            QVERIFY(std::abs(expected - result.profile[offset + 20].item<double>()) <= 1e-12);
        }
    }

    void resultDoesNotDependOnTheThreads() {
        const Numbers numbers = draw(4, 150, 64, at::kFloat);
        const int before = at::get_num_threads();
        at::set_num_threads(1);
        const Result one = run(numbers, 150);
        at::set_num_threads(3);
        const Result three = run(numbers, 150);
        at::set_num_threads(before);
        QVERIFY(one.matrix.equal(three.matrix));
        QVERIFY(one.profile.equal(three.profile));
    }

    void beyondTheReachEverythingIsExactlyZero() {
        Numbers numbers = draw(4, 140, 16, at::kFloat);
        numbers.attention.masked_fill_(hiddenOutsideWindows({9, 9, 9, 9}, 140), 0);
        const Result near = run(numbers, 4), all = run(numbers, 140);
        QVERIFY(near.matrix.equal(all.matrix));
        QCOMPARE(
            near.matrix.masked_select(hiddenOutsideWindows({9}, 140).squeeze(0)).abs().max().item<float>(),
            0.0F);
    }

    void notANumberIsNotHidden() {
        Numbers numbers = draw(4, 12, 16, at::kFloat);
        numbers.transformed[1][5][0] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(run(numbers, 12).matrix.isnan().all().item<bool>()); // every query looks at token 5
    }

    void fullAttentionIsTheSoftmaxOfTheScores_data() {
        QTest::addColumn<int>("queries");
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale"); // of the scores: even weights, and one that takes nearly all
        for (const auto& [queries, keys, width] :
             {std::tuple{9, 9, 16}, {48, 512, 64}, {53, 513, 64}, {50, 1100, 32}, {97, 31, 48}})
            for (const double scale : {0.1, 40.0})
                QTest::addRow("%d × %d, %d, %g", queries, keys, width, scale)
                    << queries << keys << width << scale;
    }
    void fullAttentionIsTheSoftmaxOfTheScores() { // O8
        QFETCH(int, queries);
        QFETCH(int, keys);
        QFETCH(int, width);
        QFETCH(double, scale);
        const auto heads = [width = width](int tokens) { // as a projection leaves them
            return splitHeads(at::randn({2, tokens, 3 * width}), 3);
        };
        const at::Tensor q = heads(queries).mul(scale / std::sqrt(width)), k = heads(keys), v = heads(keys);
        const at::Tensor map = at::full({2, 3, queries, keys}, std::numeric_limits<float>::quiet_NaN());
        const at::Tensor mixed = fullAttention(q, k, v, map);
        const at::Tensor expected =
            at::softmax(at::matmul(q.to(at::kDouble), k.to(at::kDouble).transpose(2, 3)), -1);
        const double bound = 1e-6 * std::max(1.0, scale);
        QVERIFY2(largest(map.sub(expected)) <= bound, std::to_string(largest(map.sub(expected))).c_str());
        QVERIFY(largest(map.sum(-1, false, at::kDouble).sub(1)) <= 2e-6);
        QVERIFY(largest(mixed.sub(at::matmul(expected, v.to(at::kDouble)))) <= 5 * bound);
        QVERIFY(joinHeads(mixed).is_contiguous());
        QVERIFY(mixed.equal(fullAttention(q, k, v, {}))); // nobody who looks changes a bit
        const int before = at::get_num_threads();
        at::set_num_threads(1);
        QVERIFY(mixed.equal(fullAttention(q, k, v, {})));
        at::set_num_threads(before);
        QVERIFY(
            mixed[1].equal(fullAttention(q[1].unsqueeze(0), k[1].unsqueeze(0), v[1].unsqueeze(0), {})[0]));
    }

    void fullAttentionHidesNoNumber() {
        at::Tensor q = at::randn({1, 2, 20, 16}), k = at::randn({1, 2, 600, 16}),
                   v = at::randn({1, 2, 600, 16});
        q[0][1][7][3] = std::numeric_limits<float>::quiet_NaN();
        const at::Tensor wrong = fullAttention(q, k, v, {}).isnan();
        QVERIFY(wrong[0][1][7].all().item<bool>());
        QCOMPARE(wrong.sum().item<std::int64_t>(), 16);
        QVERIFY_EXCEPTION_THROWN(fullAttention(q, k, v.narrow(2, 0, 599), {}), std::logic_error);
    }

    void fullAttentionIsForInferenceInFloat() {
        const at::Tensor x = at::randn({1, 2, 20, 16}), few = at::randn({1, 2, 8, 16}),
                         odd = at::randn({1, 2, 20, 12});
        QVERIFY(!attendsHere(x, x, x));
        const c10::InferenceMode inference;
        const at::Tensor wide = x.to(at::kDouble);
        QVERIFY(!attendsHere(few, x, x));
        QVERIFY(!attendsHere(x, x, odd));
        QVERIFY(!attendsHere(wide, wide, wide));
    }

    void aRowThatSeesNothingIsZeros() {
        at::Tensor hidden = at::zeros({1, 1, 3, 5}, at::kBool);
        hidden.select(2, 1).fill_(true);
        const at::Tensor map = maskedSoftmax(at::randn({1, 2, 3, 5}), hidden);
        QCOMPARE(map.select(2, 1).abs().max().item<float>(), 0.0F);
        QVERIFY(largest(map.select(2, 0).sum(-1).sub(1)) <= 1e-6);
    }

    void aWindowAsWideAsTheUtteranceIsFullAttention() { // O8
        const at::Tensor queries = at::randn({1, 2, 30, 16}), keys = at::randn({1, 2, 30, 16});
        const at::Tensor full = attentionMap(queries, keys, {});
        QVERIFY(!hiddenOutsideWindows({59, 0}, 30).defined());
        QVERIFY(attentionMap(queries, keys, hiddenOutsideWindows({59, 59}, 30)).equal(full));
        const at::Tensor mixed = attentionMap(queries, keys, hiddenOutsideWindows({0, 5}, 30));
        QVERIFY(largest(mixed.select(1, 0).sub(full.select(1, 0))) <= 1e-6);
        QVERIFY(largest(mixed.select(1, 1).sub(full.select(1, 1))) > 1e-3);
    }

    void localMapIsTheMaskedFullMapMadeToSumToOne() { // O8
        const at::Tensor queries = at::randn({1, 4, 50, 16}), keys = at::randn({1, 4, 50, 16});
        const at::Tensor hidden = hiddenOutsideWindows({17, 17, 17, 17}, 50);
        const at::Tensor cut = attentionMap(queries, keys, {}).masked_fill(hidden, 0);
        const at::Tensor expected = cut.div(cut.sum(-1, true));
        QVERIFY(largest(attentionMap(queries, keys, hidden).sub(expected)) <= 1e-6);
    }

    void referenceReadsOnlyTheRowsAskedFor() {
        const at::Tensor values = at::randn({4, 20, 8}), weight = at::randn({32, 32}),
                         residual = at::randn({20, 32});
        const at::Tensor map = at::softmax(at::randn({4, 20, 20}), -1);
        std::vector<std::int64_t> all(20), some{3, 19};
        std::iota(all.begin(), all.end(), 0);
        const Matrix<double> whole = referenceContributions(map, values, weight, residual, all);
        const at::Tensor rows = at::empty({4, 2, 20});
        rows.select(1, 0).copy_(map.select(1, 3));
        rows.select(1, 1).copy_(map.select(1, 19));
        const Matrix<double> part = referenceContributions(rows, values, weight, residual, some);
        QCOMPARE(testing::largestDifference(part.row(0), whole.row(3)), 0.0);
        QCOMPARE(testing::largestDifference(part.row(1), whole.row(19)), 0.0);
    }
};

HEADROOM_TEST(KernelsTest)

} // namespace headroom::testing::kernels_test

#include "kernels_test.moc"
