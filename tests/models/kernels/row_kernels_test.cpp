// SPDX-License-Identifier: GPL-3.0-or-later
// Products with few rows, and the attention of single tokens, against the same in double.
#include "models/kernels/packed_matrix.h"
#include "models/kernels/row_attention.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

namespace headroom::testing::row_kernels_test {

using namespace headroom::models;

namespace {

std::vector<float> drawn(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers)
        number = normal(random);
    return numbers;
}

/// Attention of one query to `tokens` keys and values in rows of `width`, of the head that begins at `begin`.
std::vector<double> attended(const float* query, const std::vector<const float*>& keys,
                             const std::vector<const float*>& values, std::int64_t headWidth) {
    std::vector<double> weights, out(static_cast<std::size_t>(headWidth));
    for (const float* key : keys) {
        double sum = 0;
        for (std::int64_t d = 0; d < headWidth; ++d)
            sum += static_cast<double>(query[d]) * key[d];
        weights.push_back(std::exp(sum / std::sqrt(static_cast<double>(headWidth))));
    }
    double total = 0;
    for (const double weight : weights)
        total += weight;
    for (std::size_t t = 0; t < values.size(); ++t)
        for (std::int64_t d = 0; d < headWidth; ++d)
            out[static_cast<std::size_t>(d)] += weights[t] / total * values[t][d];
    return out;
}

} // namespace

class RowKernelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void productsAreRight_data() {
        QTest::addColumn<int>("out");
        QTest::addColumn<int>("in");
        for (const int out : {1, 16, 47})
            for (const int in : {1, 64, 255, 257, 600})
                QTest::addRow("%d × %d", out, in) << out << in;
    }
    void productsAreRight() {
        QFETCH(int, out);
        QFETCH(int, in);
        const auto weight = drawn(out * in, 1), bias = drawn(out, 2);
        PackedMatrix w(out, in);
        w.set(0, out / 2, weight.data(), in, 1); // in two pieces, one of them turned round
        std::vector<float> turned(weight.size());
        for (int o = 0; o < out; ++o)
            for (int i = 0; i < in; ++i)
                turned[static_cast<std::size_t>(i * out + o)] = weight[static_cast<std::size_t>(o * in + i)];
        w.set(out / 2, out - out / 2, turned.data() + out / 2, 1, out);
        std::vector<float> alone;
        for (const int rows : {1, 2, 5, 6, 13}) {
            const auto x = drawn(13 * in, 3), before = drawn(13 * (out + 3), 4);
            auto y = before;
            multiply(w, {x.data(), in, rows, y.data(), out + 3, bias.data(), y.data(), true});
            for (int r = 0; r < rows; ++r)
                for (int o = 0; o < out; ++o) {
                    double sum = bias[static_cast<std::size_t>(o)] +
                                 static_cast<double>(before[static_cast<std::size_t>(r * (out + 3) + o)]);
                    for (int i = 0; i < in; ++i)
                        sum += static_cast<double>(x[static_cast<std::size_t>(r * in + i)]) *
                               weight[static_cast<std::size_t>(o * in + i)];
                    QVERIFY(std::abs(std::max(sum, 0.0) - y[static_cast<std::size_t>(r * (out + 3) + o)]) < 1e-4);
                }
            QVERIFY(std::equal(y.begin() + out, y.begin() + out + 3, before.begin() + out)); // nothing behind a row
            if (rows == 1)
                alone.assign(y.begin(), y.begin() + out);
            QVERIFY(std::equal(alone.begin(), alone.end(), y.begin())); // the same bits beside others
        }
    }

    void attentionIsRight_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("tokens");
        for (const int width : {3, 8, 21, 64})
            for (const int tokens : {1, 7, 8, 31, 200})
                QTest::addRow("%d wide, %d tokens", width, tokens) << width << tokens;
    }
    void attentionIsRight() {
        QFETCH(int, width);
        QFETCH(int, tokens);
        constexpr int kHeads = 2, kRows = 5;
        const std::int64_t all = kHeads * width;
        const auto queries = drawn(kRows * all, 1), keys = drawn(2 * tokens * all, 2), values = drawn(2 * tokens * all, 3);
        std::vector<float> out(queries.size());
        const QueryRows rows{queries.data(), all, kRows, kHeads, width, out.data(), all};
        const auto compare = [&](const auto& keyOf, const auto& valueOf, const auto& countOf) {
            for (int row = 0; row < kRows; ++row)
                for (int head = 0; head < kHeads; ++head) {
                    std::vector<const float*> k, v;
                    for (int t = 0; t < countOf(row); ++t) {
                        k.push_back(keyOf(row, t) + head * width);
                        v.push_back(valueOf(row, t) + head * width);
                    }
                    const auto wanted = attended(queries.data() + row * all + head * width, k, v, width);
                    for (int d = 0; d < width; ++d)
                        QVERIFY(std::abs(wanted[static_cast<std::size_t>(d)] -
                                         out[static_cast<std::size_t>(row * all + head * width + d)]) < 1e-5);
                }
        };
        // Two recordings, the second shorter, read by rows that are no neighbours, too.
        const int shorter = tokens / 2;
        std::vector<HeardTokens> heard;
        heard.emplace_back(keys.data(), values.data(), tokens, kHeads, width);
        heard.emplace_back(keys.data() + tokens * all, values.data() + tokens * all, shorter, kHeads, width);
        const std::vector<std::int64_t> recordings{0, 0, 1, 0, 1};
        attendHeard(rows, heard, recordings);
        const auto of = [&](const std::vector<float>& numbers, int row, int t) {
            return numbers.data() + (recordings[static_cast<std::size_t>(row)] * tokens + t) * all;
        };
        compare([&](int row, int t) { return of(keys, row, t); }, [&](int row, int t) { return of(values, row, t); },
                [&](int row) { return recordings[static_cast<std::size_t>(row)] ? shorter : tokens; });
        if (QTest::currentTestFailed())
            return;
        // The tokens that rows were fed: three rows a step, of which each row has ancestors of its own.
        const auto fed = drawn(3 * tokens * 2 * all, 4);
        std::vector<const float*> steps;
        std::vector<std::vector<std::int32_t>> ancestors;
        std::vector<const std::int32_t*> table;
        for (int t = 0; t < tokens; ++t) {
            steps.push_back(fed.data() + t * 3 * 2 * all);
            ancestors.emplace_back();
            for (int row = 0; row < kRows; ++row)
                ancestors.back().push_back((row * 2 + t) % 3);
        }
        for (const auto& each : ancestors)
            table.push_back(each.data());
        attendFed(rows, {steps.data(), table.data(), tokens});
        const auto at = [&](int row, int t) {
            return steps[static_cast<std::size_t>(t)] + ancestors[static_cast<std::size_t>(t)][static_cast<std::size_t>(row)] * 2 * all;
        };
        compare(at, [&](int row, int t) { return at(row, t) + all; }, [&](int) { return tokens; });
    }
};

HEADROOM_TEST(RowKernelsTest)

} // namespace headroom::testing::row_kernels_test

#include "row_kernels_test.moc"
