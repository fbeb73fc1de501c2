// SPDX-License-Identifier: GPL-3.0-or-later
// What an explanation makes of a few rows at a time.
#include "models/kernels/added_heads.h"
#include "models/kernels/contributions.h"
#include "models/kernels/double_matrix.h"
#include "models/kernels/head_products.h"
#include "models/kernels/pieces.h"
#include "models/kernels/profiles.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace headroom::testing::pieces_test {

using namespace headroom::models;

namespace {

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

} // namespace

class PiecesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRowIsInOnePiece() {
        for (const std::int64_t rows : {0, 1, 2, 3, 64, 65, 128, 129, 375, 1052}) {
            std::vector<int> seen(static_cast<std::size_t>(rows));
            const c10::InferenceMode inference;
            std::atomic<bool> right = true;
            inPieces(rows, [&](std::int64_t first, std::int64_t count) {
                right = right && count > 0 && count <= kRowsAtOnce && c10::InferenceMode::is_enabled();
                for (std::int64_t row = first; row < first + count; ++row)
                    ++seen[static_cast<std::size_t>(row)];
            });
            QVERIFY(right && std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
        }
    }

    void twoThreadsShareTheWork() { // whatever flags the caller was compiled with
        const int before = at::get_num_threads();
        at::set_num_threads(2);
        std::mutex guard;
        std::set<std::thread::id> pieces, ranges;
        const auto noting = [&](std::set<std::thread::id>& threads) {
            return [&](std::int64_t, std::int64_t) {
                const std::lock_guard lock(guard);
                threads.insert(std::this_thread::get_id());
            };
        };
        inPieces(4 * kRowsAtOnce, noting(pieces));
        onThreads(4, 1, noting(ranges));
        at::set_num_threads(before);
        QCOMPARE(pieces.size(), std::size_t(2));
        QCOMPARE(ranges.size(), std::size_t(2));
    }

    void whatHeadsAddIsTheirProducts_data() {
        QTest::addColumn<int>("queries");
        QTest::addColumn<int>("width");
        for (const int queries : {1, 5, 150})
            for (const int width : {7, 16, 36})
                QTest::addRow("%d queries, width %d", queries, width) << queries << width;
    }
    void whatHeadsAddIsTheirProducts() {
        QFETCH(int, queries);
        QFETCH(int, width);
        for (const at::ScalarType type : {at::kDouble, at::kFloat})
            for (const int norm : {1, 2}) {
                const double bound = type == at::kDouble ? 1e-12 : 1e-4;
                const at::Tensor mixed = at::randn({3, queries, 5}, type), weight = at::randn({width, 15}, type);
                const at::Tensor before = at::randn({queries, width}, type), products = transformedValues(mixed, weight);
                at::Tensor sum = before.clone();
                const at::Tensor norms = addEachHead(mixed, weight, norm, sum);
                QVERIFY(largest(norms.sub(products.norm(norm, -1))) < bound);
                QVERIFY(largest(sum.sub(before.add(products.sum(0)))) < bound);
            }
        at::Tensor sum = at::randn({queries, width});
        const at::Tensor unknown = at::randn({1, queries, 5}).fill_(std::nan(""));
        QVERIFY(std::isnan(addEachHead(unknown, at::randn({width, 5}), 2, sum)[0][queries - 1].item<float>()));
        QVERIFY_EXCEPTION_THROWN(addEachHead(unknown, at::randn({width, 5}), 3, sum), std::logic_error);
    }

    void productsOfHeadsAreAtens() {
        for (const at::ScalarType type : {at::kFloat, at::kDouble})
            for (const std::int64_t valueWidth : {1, 5, 16, 20})
                for (const std::int64_t keys : {1, 7, 300}) {
                    const double bound = type == at::kDouble ? 1e-12 : 2e-5;
                    // As the network has them: heads beside each other in the vectors of the tokens, columns of a wider W_O.
                    const at::Tensor values = at::randn({keys, 3, valueWidth}, type).transpose(0, 1);
                    const at::Tensor weight = at::randn({33, 5 * valueWidth}, type).narrow(1, valueWidth, 3 * valueWidth);
                    const at::Tensor map = at::rand({3, 70, keys}, type).div_(static_cast<double>(keys)), u = at::empty({3, keys, 33}, type);
                    HeadWeights(weight, 3).write(values, u);
                    const at::Tensor exact = transformedValues(values.to(at::kDouble), weight.contiguous().to(at::kDouble));
                    QVERIFY(largest(u.sub(exact)) < bound * std::sqrt(static_cast<double>(valueWidth)));
                    QVERIFY(largest(mixedValues(map, values).sub(at::bmm(map.to(at::kDouble), values.to(at::kDouble)))) < bound);
                    const at::Tensor some = at::empty({3, (keys + 1) / 2, 33}, type);
                    HeadWeights(weight, 3).write(values.narrow(1, keys / 2, (keys + 1) / 2), some);
                    QVERIFY(some.equal(u.narrow(1, keys / 2, (keys + 1) / 2)) || type == at::kDouble);
                }
        const at::Tensor leaf = at::randn({2, 3, 4}).requires_grad_(true);
        QVERIFY(mixedValues(at::rand({2, 5, 3}), leaf).requires_grad());
    }

    void productsInDoubleAreAtens() {
        for (const std::int64_t out : {1, 8, 13})
            for (const std::int64_t rows : {1, 4, 6, 11, 17}) {
                const at::Tensor wide = at::randn({rows, 20}, at::kDouble), bias = at::randn({out}, at::kDouble);
                const at::Tensor single = at::randn({out, 18}).narrow(1, 3, 9); // rows of a wider matrix
                for (const at::Tensor& weight : {single, single.to(at::kDouble), at::randn({9, out}, at::kDouble).t()}) {
                    const at::Tensor found = at::empty({rows, out}, at::kDouble), x = wide.narrow(1, 2, 9);
                    const DoubleMatrix matrix(weight);
                    matrix.multiply(x.const_data_ptr<double>(), 20, rows, found.mutable_data_ptr<double>(), out,
                                    bias.const_data_ptr<double>());
                    const at::Tensor expected = at::linear(x, weight.to(at::kDouble), bias);
                    QVERIFY(largest(found.sub(expected)) < 1e-12);
                    matrix.multiply(x.const_data_ptr<double>(), 20, rows, found.mutable_data_ptr<double>(), out);
                    QVERIFY(largest(found.add(bias).sub(expected)) < 1e-12);
                }
            }
    }

    void diagonalsOfHeadsAreTheirSums() {
        for (const std::int64_t tokens : {1, 3, 4, 5, 8, 23})
            for (const std::int64_t reach : {std::int64_t(1), std::int64_t(4), tokens}) {
                const at::Tensor maps = at::rand({2, tokens, tokens}).triu(-reach).tril(reach).contiguous();
                const at::Tensor found = diagonalSums(maps, reach);
                for (std::int64_t offset = 1 - tokens; offset < tokens; ++offset)
                    QVERIFY(largest(found.select(1, offset + tokens - 1)
                                        .sub(maps.to(at::kDouble).diagonal(offset, 1, 2).sum(-1))) < 1e-13);
            }
    }

    void diagonalsOfARecordingAreThoseOfItsCutMap() {
        at::Tensor maps = at::rand({2, 11, 17});
        maps.select(1, 3).narrow(1, 0, 9).zero_(); // a row without weight on the recording
        for (const std::int64_t own : {1, 3, 4, 9, 11}) {
            const at::Tensor part = maps.narrow(1, 0, own).narrow(2, 0, own).to(at::kDouble);
            const at::Tensor sums = part.sum(-1, true), found = ownDiagonalSums(maps, own);
            const at::Tensor cut = part.div(sums.masked_fill(sums.le(0), 1));
            for (std::int64_t offset = 1 - own; offset < own; ++offset)
                QVERIFY(largest(found.select(1, offset + own - 1).sub(cut.diagonal(offset, 1, 2).sum(-1))) < 1e-6);
        }
        QVERIFY_EXCEPTION_THROWN(ownDiagonalSums(maps, 12), std::logic_error);
    }

    void rowsAreCentredAndScaled() {
        const at::Tensor rows = at::randn({3, 11}, at::kDouble), scale = at::randn({11}, at::kDouble);
        const at::Tensor found = rows.clone();
        centreAndScaleRows(found.mutable_data_ptr<double>(), 3, 11, scale.const_data_ptr<double>());
        QVERIFY(largest(found.sub(rows.sub(rows.mean(-1, true)).mul(scale))) < 1e-12);
    }

    void theOracleTakesAnyRowsHeadsAndWidth_data() {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("width");
        for (const int heads : {1, 3, 4, 5, 12})
            for (const int width : {3, 8, 21})
                QTest::addRow("%d heads, width %d", heads, width) << heads << width;
    }
    void theOracleTakesAnyRowsHeadsAndWidth() {
        QFETCH(int, heads);
        QFETCH(int, width);
        const at::Tensor attention = at::rand({heads, 70, 70}, at::kDouble), transformed = at::randn({heads, 70, width}, at::kDouble),
                         residual = at::randn({70, width}, at::kDouble);
        const at::Tensor expected = contributionsMaterialised(attention, transformed, residual);
        for (const std::vector<std::int64_t>& queries : {std::vector<std::int64_t>{5}, {0, 1, 2, 33, 69}, {1, 3, 5, 7, 9, 11, 68}}) {
            at::Tensor rows = at::empty({heads, static_cast<std::int64_t>(queries.size()), 70}, at::kDouble);
            for (std::size_t k = 0; k < queries.size(); ++k)
                rows.select(1, static_cast<std::int64_t>(k)).copy_(attention.select(1, queries[k]));
            const Matrix<double> found = referenceContributions(rows, transformed, residual, ResidualPlace::Diagonal, queries);
            for (std::size_t k = 0; k < queries.size(); ++k)
                for (std::int64_t j = 0; j < 70; ++j)
                    QVERIFY(std::abs(found(k, static_cast<std::size_t>(j)) - expected[queries[k]][j].item<double>()) < 1e-13);
        }
    }
};

HEADROOM_TEST(PiecesTest)

} // namespace headroom::testing::pieces_test

#include "pieces_test.moc"
