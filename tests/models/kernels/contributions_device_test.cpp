// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA kernels of contributions, run block by block on threads of the CPU (tests/support/block_runner.h).
#include "core/analysis/distance_pairs.h"
#include "models/kernels/contributions.h"
#include "models/kernels/contributions_device.h"
#include "tests/support/runner.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>

#include <QTest>

#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace headroom::testing::contributions_device_test {

using namespace headroom::models;

namespace {

at::Tensor unset(at::IntArrayRef shape, at::ScalarType type) {
    return at::full(shape, std::numeric_limits<double>::quiet_NaN(), type);
}

struct Found {
    at::Tensor matrix, profile, headProfiles;
};

struct Case {
    at::Tensor attention, transformed, residual;
    std::int64_t reach;
    ResidualPlace place = ResidualPlace::Diagonal;

    Case(std::int64_t heads, std::int64_t queries, std::int64_t keys, std::int64_t width, std::int64_t reach_,
         at::ScalarType type)
        : attention(at::softmax(at::randn({heads, queries, keys}, at::kDouble).mul(2), -1))
        , transformed(at::randn({heads, keys, width}, at::kDouble).to(type))
        , residual(at::randn({queries, width}, at::kDouble).to(type))
        , reach(reach_) {
        if (queries == keys && reach < keys)
            attention = attention.triu(-reach).tril(reach);
        attention = attention.to(type).contiguous();
        if (queries != keys)
            place = ResidualPlace::Column;
    }

    bool ownColumn() const { return place == ResidualPlace::Column; }

    template <class T, class S>
    Found run(bool wantsMap, bool wantsProfiles, const at::Tensor* strongest = nullptr) const {
        const std::int64_t heads = attention.size(0), queries = attention.size(1), keys = attention.size(2);
        const at::ScalarType type = std::is_same_v<S, double> ? at::kDouble : at::kFloat;
        Found found{unset({queries, keys + (ownColumn() ? 1 : 0)}, type), unset({2 * keys - 1}, at::kDouble),
                    unset({heads, 2 * keys - 1}, at::kDouble)};
        device::Contributions<T, S> work{heads,
                                         queries,
                                         keys,
                                         transformed.size(2),
                                         reach,
                                         ownColumn(),
                                         static_cast<const T*>(attention.const_data_ptr()),
                                         static_cast<const T*>(transformed.const_data_ptr()),
                                         static_cast<const T*>(residual.const_data_ptr()),
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         wantsMap ? found.matrix.mutable_data_ptr<S>() : nullptr,
                                         wantsProfiles ? found.profile.mutable_data_ptr<double>() : nullptr,
                                         wantsProfiles ? found.headProfiles.mutable_data_ptr<double>()
                                                       : nullptr};
        work.strongest = strongest ? strongest->mutable_data_ptr<double>() : nullptr;
        const at::Tensor gram = unset({heads * (heads + 1) / 2, keys}, type),
                         rows = unset({2, queries}, at::kDouble),
                         parts = unset({work.partsOf()}, at::kDouble), sums = unset({work.sumsOf()}, at::kDouble),
                         norms = unset({wantsMap ? 0 : queries * keys}, type);
        work.sums = sums.mutable_data_ptr<double>();
        work.norms = norms.mutable_data_ptr<S>();
        work.gram = gram.mutable_data_ptr<S>();
        work.own = rows.mutable_data_ptr<double>();
        work.inverse = work.own + queries;
        work.parts = parts.mutable_data_ptr<double>();
        device::launchContributions(work, nullptr);
        return found;
    }

    Found run(bool wantsMap = true, bool wantsProfiles = true) const {
        switch (attention.scalar_type()) {
        case at::kFloat:
            return run<float, float>(wantsMap, wantsProfiles);
        case at::kDouble:
            return run<double, double>(wantsMap, wantsProfiles);
        default:
            return run<device::Bfloat16, float>(wantsMap, wantsProfiles);
        }
    }

    at::Tensor expected() const {
        std::vector<std::int64_t> all(static_cast<std::size_t>(attention.size(1)));
        std::iota(all.begin(), all.end(), 0);
        const Matrix<double> found = referenceContributions(attention, transformed, residual, place, all);
        std::vector<at::Tensor> rows;
        for (std::size_t i = 0; i < all.size(); ++i)
            rows.push_back(at::from_blob(const_cast<double*>(found.row(i).data()),
                                         {static_cast<std::int64_t>(found.row(i).size())}, at::kDouble)
                               .clone());
        return at::stack(rows);
    }
};

double largest(const at::Tensor& difference) {
    return difference.to(at::kDouble).abs().max().item<double>();
}

at::Tensor diagonalsOf(const at::Tensor& map) {
    std::vector<at::Tensor> sums;
    for (std::int64_t offset = 1 - map.size(-1); offset < map.size(-1); ++offset)
        sums.push_back(map.to(at::kDouble).diagonal(offset, -2, -1).sum(-1));
    return at::stack(sums, -1);
}

} // namespace

class ContributionsDeviceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(11); }

    void equalsTheReference_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("reach");
        for (const int tokens : {1, 7, 31, 33, 140})
            for (const int heads : {1, 3, 4, 8})
                if (tokens < 100 || heads == 4)
                    for (const int reach : {4, 1000})
                        QTest::addRow("N %d, %d heads, reach %d", tokens, heads, reach)
                            << tokens << heads << reach;
    }
    void equalsTheReference() {
        QFETCH(int, tokens);
        QFETCH(int, heads);
        QFETCH(int, reach);
        for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16}) {
            if (type != at::kFloat && (heads == 1 || reach == 4) && tokens > 7)
                continue;
            const Case numbers(heads, tokens, tokens, 37, reach, type);
            const double bound = type == at::kDouble ? 1e-12 : 2e-6;
            const Found found = numbers.run();
            const at::Tensor expected = numbers.expected();
            QVERIFY(largest(found.matrix.sub(expected)) <= bound);
            QVERIFY(largest(found.profile.sub(diagonalsOf(expected))) <= bound * tokens);
            QVERIFY(largest(found.profile.sub(diagonalsOf(found.matrix))) <= 1e-12 * tokens);
            QVERIFY(largest(found.headProfiles.sub(diagonalsOf(numbers.attention))) <= 1e-12 * tokens);
        }
    }

    void theProfilesNeedNoMap() {
        const Case numbers(4, 70, 70, 16, 70, at::kFloat);
        const Found with = numbers.run(), without = numbers.run(false, true);
        QVERIFY(without.profile.equal(with.profile));
        QVERIFY(without.headProfiles.equal(with.headProfiles));
        QVERIFY(without.matrix.isnan().all().item<bool>()); // was not touched
        QVERIFY(numbers.run(true, false).matrix.equal(with.matrix));
    }

    void theHeadsAloneNeedOnlyTheirMaps() {
        const Case numbers(5, 70, 70, 16, 20, at::kFloat);
        const at::Tensor found = unset({5, 139}, at::kDouble);
        device::Contributions<float, float> work{};
        work.heads = 5;
        work.queries = work.keys = 70;
        work.reach = 20;
        work.attention = numbers.attention.const_data_ptr<float>();
        work.headProfiles = found.mutable_data_ptr<double>();
        const at::Tensor parts = unset({work.partsOf()}, at::kDouble);
        work.parts = parts.mutable_data_ptr<double>();
        device::launchContributions(work, nullptr);
        QVERIFY(largest(found.sub(diagonalsOf(numbers.attention))) <= 1e-12);
    }

    void layersTogetherHaveTheProfilesOfEachAlone_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("heads");
        for (const auto& [tokens, heads] : {std::pair{1, 4}, {33, 3}, {70, 4}})
            QTest::addRow("N %d, %d heads", tokens, heads) << tokens << heads;
    }
    void layersTogetherHaveTheProfilesOfEachAlone() {
        QFETCH(int, tokens);
        QFETCH(int, heads);
        const std::int64_t diagonals = 2 * tokens - 1, layers = 3;
        std::vector<Case> cases;
        for (std::int64_t layer = 0; layer < layers; ++layer)
            cases.emplace_back(heads, tokens, tokens, 16, layer == 1 ? 5 : tokens, at::kFloat);
        device::LayerContributions<float, float> work{};
        work.layers = layers;
        work.step = 3 * diagonals;
        auto& one = work.shared;
        one.heads = heads;
        one.queries = one.keys = one.reach = tokens;
        one.width = 16;
        for (std::size_t layer = 0; layer < cases.size(); ++layer) {
            work.attention[layer] = cases[layer].attention.const_data_ptr<float>();
            work.transformed[layer] = cases[layer].transformed.const_data_ptr<float>();
            work.residual[layer] = cases[layer].residual.const_data_ptr<float>();
        }
        const at::Tensor out = unset({layers, 3, diagonals}, at::kDouble);
        one.profile = out.mutable_data_ptr<double>();
        one.strongest = one.profile + diagonals;
        const at::Tensor gram = unset({layers, one.gramOf()}, at::kFloat), norms = unset({layers, tokens, tokens}, at::kFloat),
                         rows = unset({2, layers, tokens}, at::kDouble), parts = unset({layers, one.partsOf()}, at::kDouble),
                         sums = unset({layers, one.sumsOf()}, at::kDouble);
        one.gram = gram.mutable_data_ptr<float>();
        one.norms = norms.mutable_data_ptr<float>();
        one.own = rows.mutable_data_ptr<double>();
        one.inverse = one.own + layers * tokens;
        one.parts = parts.mutable_data_ptr<double>();
        one.sums = sums.mutable_data_ptr<double>();
        device::launchContributions(work, nullptr);
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const Found alone = cases[static_cast<std::size_t>(layer)].run();
            QVERIFY(out[layer][0].equal(alone.profile));
            const auto* numbers = out[layer].const_data_ptr<double>();
            const auto count = static_cast<std::size_t>(diagonals);
            const auto found = strongestByDistance(std::span(numbers + count, count), std::span(numbers + 2 * count, count));
            const Matrix<float> matrix(static_cast<std::size_t>(tokens), static_cast<std::size_t>(tokens),
                                       {alone.matrix.const_data_ptr<float>(), alone.matrix.const_data_ptr<float>() + tokens * tokens});
            const auto expected = strongestByDistance(matrix.view());
            QCOMPARE(found.size(), expected.size());
            for (std::size_t d = 0; d < found.size(); ++d) {
                QCOMPARE(found[d].value, expected[d].value);
                QCOMPARE(found[d].query, expected[d].query);
                QCOMPARE(found[d].key, expected[d].key);
            }
        }
    }

    /// Of equal entries the first, as where the whole map is read.
    void theStrongestOfEqualsIsTheFirst() {
        Case numbers(1, 70, 70, 4, 70, at::kFloat);
        numbers.attention.fill_(1.0F / 70);
        numbers.transformed.fill_(1);
        numbers.residual.zero_();
        const at::Tensor strongest = unset({2, 139}, at::kDouble);
        const Found whole = numbers.run<float, float>(true, true, &strongest);
        const auto* found = strongest.const_data_ptr<double>();
        for (std::int64_t offset = -69; offset < 70; ++offset) {
            QCOMPARE(found[offset + 69], static_cast<double>(whole.matrix[0][0].item<float>()));
            QCOMPARE(found[139 + offset + 69], static_cast<double>(offset < 0 ? -offset : 0));
        }
        QVERIFY(largest(whole.headProfiles.sub(diagonalsOf(numbers.attention))) <= 1e-12 * 70); // it stands behind the strongest
    }

    void theResidualIsAColumnWhereKeysAreNotQueries_data() {
        QTest::addColumn<int>("queries");
        QTest::addColumn<int>("keys");
        for (const auto& [queries, keys] : {std::pair{1, 9}, {33, 7}, {5, 90}, {65, 1}})
            QTest::addRow("%d queries, %d keys", queries, keys) << queries << keys;
    }
    void theResidualIsAColumnWhereKeysAreNotQueries() {
        QFETCH(int, queries);
        QFETCH(int, keys);
        for (const int heads : {4, 12}) {
            const Case numbers(heads, queries, keys, 24, 0, at::kDouble);
            QVERIFY(largest(numbers.run(true, false).matrix.sub(numbers.expected())) <= 1e-12);
        }
    }

    void aRowOfZerosStaysZeroAndNotANumberStays() {
        Case numbers(4, 12, 12, 16, 12, at::kFloat);
        numbers.attention.select(1, 3).zero_();
        numbers.residual[3].zero_();
        QCOMPARE(largest(numbers.run().matrix[3]), 0.0);
        numbers.transformed[1][5][0] = std::numeric_limits<float>::quiet_NaN();
        const at::Tensor found = numbers.run().matrix;
        QVERIFY(found[0].isnan().all().item<bool>()); // it looks at token 5
    }
};

HEADROOM_TEST(ContributionsDeviceTest)

} // namespace headroom::testing::contributions_device_test

#include "contributions_device_test.moc"
