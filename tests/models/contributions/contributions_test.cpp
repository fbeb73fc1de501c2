// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of attention as a sum over the original tokens, against blocks that are computed another way.
#include "core/matrix/diagonal_profile.h"
#include "models/contributions/explain_block.h"
#include "models/contributions/analyse_layer.h"
#include "models/contributions/twin.h"
#include "tests/models/contributions/made_blocks.h"
#include "tests/support/runner.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::testing::contributions_test {

using namespace headroom::models;
using headroom::testing::MadeBlock;

namespace {

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

double largestDifference(const Matrix<float>& found, const at::Tensor& expected) {
    double result = 0;
    for (std::size_t i = 0; i < found.rows(); ++i)
        for (std::size_t j = 0; j < found.columns(); ++j)
            result = worse(
                result,
                std::abs(
                    static_cast<double>(found(i, j)) -
                    expected[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(j)].item<double>()));
    return result;
}

} // namespace

class ContributionsTest : public QObject {
    Q_OBJECT

    static void addKinds() {
        QTest::addColumn<QString>("heads");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<bool>("postNorm");
        const auto row = [](const char* heads, int tokens) {
            for (const bool post : {false, true})
                QTest::addRow("%s, %d tokens%s", heads, tokens, post ? ", post-norm" : "")
                    << QString(heads) << tokens << post;
        };
        row("4 full", 17);
        row("3 full", 5);
        row("4 local 5", 17);
        row("4 local 9 block", 20);
        row("4 masked", 11);
        row("4 full relaxed 0.1 matched", 9);
        for (const int tokens : {1, 2, 3, 5, 6, 7, 16, 17})
            row("4 conv 5/2", tokens);
        row("2 conv 5/2 normal", 13);
        row("2 conv 3/3", 14);
        row("2 conv 4/1", 12);
        row("1 conv 8/4", 19);
        row("2 conv 1/1", 9);
        row("1 local 5 + 3 conv 5/2", 18);
        row("2 local 9 block + 2 conv 5/2", 21);
        row("1 full + 1 local 3 + 1 conv 5/2 + 1 conv 3/2 normal", 15);
        row("2 conv 5/2 + 2 conv 5/2", 10);
    }
    static MadeBlock::Options fetched() {
        QFETCH(int, tokens);
        QFETCH(bool, postNorm);
        MadeBlock::Options options;
        options.tokens = tokens;
        options.postNorm = postNorm;
        return options;
    }
    static std::string heads() {
        QFETCH(QString, heads);
        return heads.toStdString();
    }

    static void mustHold(const MadeBlock& block) { // O1, O2, O3, O12 in double
        const BlockExplanation found = explainBlock(block.weights(), block.step());
        QVERIFY2(found.rebuildError <= 1e-9, std::to_string(found.rebuildError).c_str());
        QVERIFY(largest(found.contributions.sub(block.expectedContributions())) <= 1e-12);
        QVERIFY(largest(found.headRelevance.sub(block.expectedRelevance())) <= 1e-12);
        QVERIFY(found.rowSumError <= 1e-12);
        std::vector<std::int64_t> rows(static_cast<std::size_t>(found.contributions.size(0)));
        std::iota(rows.begin(), rows.end(), 0);
        const Matrix<double> twin =
            materialisedTwin(block.weights(), block.groups(), block.step().input, rows);
        const at::Tensor expected = block.expectedContributions();
        for (std::size_t i = 0; i < twin.rows(); ++i)
            for (std::size_t j = 0; j < twin.columns(); ++j)
                QVERIFY(
                    std::abs(twin(i, j) - expected[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(j)]
                                              .item<double>()) <= 1e-12);
    }

private Q_SLOTS:
    void everyKindIsTheResponseToEachTokenAlone_data() { addKinds(); }
    void everyKindIsTheResponseToEachTokenAlone() { mustHold(MadeBlock(heads(), fetched())); }

    void someKeysOfTheTwinShareAmongThemselves_data() { addKinds(); }
    void someKeysOfTheTwinShareAmongThemselves() {
        const MadeBlock block(heads(), fetched());
        const std::int64_t tokens = block.step().input.size(1);
        const std::vector<std::int64_t> rows{tokens / 3};
        std::vector<std::int64_t> keys;
        for (std::int64_t j = tokens / 3; j < tokens; j += 2)
            keys.push_back(j);
        const auto twinOf = [&](std::span<const std::int64_t> some) {
            return materialisedTwin(block.weights(), block.groups(), block.step().input, rows, some);
        };
        const Matrix<double> whole = twinOf({}), part = twinOf(keys);
        if (part.columns() == whole.columns() && keys.size() != whole.columns()) { // a convolution needs all
            QCOMPARE(part.values(), whole.values());
            return;
        }
        QCOMPARE(part.columns(), keys.size());
        double sum = 0;
        for (const std::int64_t j : keys)
            sum += whole(0, static_cast<std::size_t>(j));
        for (std::size_t k = 0; k < keys.size(); ++k)
            QVERIFY(std::abs(part(0, k) - whole(0, static_cast<std::size_t>(keys[k])) / sum) <= 1e-12);
    }

    void aWrongColumnIsNoticedAmongManyKeys() { // of which the twin takes a sample
        MadeBlock::Options options;
        options.tokens = 400;
        const MadeBlock block = MadeBlock("2 full", options).inFloat();
        BlockExplanation known = explainBlock(block.weights(), block.step());
        const auto errorOf = [&] {
            return analyseLayer(block.weights(), 1, block.step(), {}, nullptr, 0, &known).gramError;
        };
        QVERIFY(errorOf() <= 1e-5F);
        known.contributions = known.contributions.clone();
        known.contributions.narrow(1, 100, 20).mul_(1.5);
        QVERIFY2(errorOf() > 1e-4F, std::to_string(errorOf()).c_str());
    }

    void everyKindHoldsItsIdentitiesInSinglePrecision_data() { addKinds(); }
    void everyKindHoldsItsIdentitiesInSinglePrecision() {
        const MadeBlock exact(heads(), fetched());
        const MadeBlock block = exact.inFloat();
        AnalysisOptions options;
        options.keepAttention = true;
        const LayerAnalysis found = analyseLayer(block.weights(), 3, block.step(), options);
        QCOMPARE(found.layer, 3);
        QVERIFY(found.reason.empty());
        QVERIFY2(found.rebuildError <= 1e-4F, std::to_string(found.rebuildError).c_str());
        QVERIFY2(found.gramError <= 1e-5F, std::to_string(found.gramError).c_str());
        QVERIFY(found.rowSumError <= 1e-5F);
        QVERIFY(largestDifference(found.contributions, exact.expectedContributions()) <= 1e-5);
        QVERIFY(largestDifference(found.headRelevance, exact.expectedRelevance()) <= 1e-5);
        const DiagonalProfile profile{found.contributions.view()};
        for (std::size_t k = 0; k < profile.sums().size(); ++k)
            QVERIFY(std::abs(profile.sums()[k] - found.contributionProfile.sums()[k]) <= 1e-9);

        std::size_t head = 0;
        for (const GroupStep& group : block.groups())
            for (int h = 0; h < group.kind.count; ++h, ++head) {
                const at::Tensor map = group.applied.weights[0][h];
                QCOMPARE(found.attention.at(head).columns(), static_cast<std::size_t>(map.size(1)));
                QVERIFY(largestDifference(found.attention[head], map) == 0);
                const DiagonalProfile& sums = found.attentionProfiles.at(head);
                QCOMPARE(sums.empty(), group.kind.kind == HeadKind::Conv);
                if (!sums.empty())
                    QVERIFY(std::abs(sums.total() - static_cast<double>(block.step().input.size(1))) <= 1e-4);
            }
        QVERIFY(found.rawAttention.empty());
    }

    void aReusedMapCountsWithItsOwnWiderValues_data() {
        QTest::addColumn<bool>("postNorm");
        QTest::newRow("pre-norm") << false;
        QTest::newRow("post-norm") << true;
    }
    void aReusedMapCountsWithItsOwnWiderValues() {
        QFETCH(bool, postNorm);
        MadeBlock::Options options;
        options.doubleValues = true;
        options.postNorm = postNorm;
        mustHold(MadeBlock("4 reuse 1", options));
    }

    void rowsThatDoNotSumToOneTakeTheirShareOfTheConvolutionsBias() {
        MadeBlock::Options options;
        options.unevenRows = true;
        options.tokens = 14;
        mustHold(MadeBlock("1 full smoothed + 3 conv 5/2 smoothed", options));
        options.outputBias = false;
        mustHold(MadeBlock("1 full smoothed + 3 conv 5/2 smoothed", options));
    }

    void bandsCountAsTheMapsTheyStandFor() {
        MadeBlock::Options options;
        options.tokens = 16;
        const MadeBlock block("3 full + 1 local 5", options);
        std::vector<GroupStep> groups = block.groups();
        at::Tensor band = at::zeros({1, 1, 16, 5}, at::kDouble);
        const at::Tensor dense = groups[1].applied.weights;
        for (std::int64_t i = 0; i < 16; ++i)
            for (std::int64_t s = 0; s < 5; ++s)
                if (const std::int64_t j = i - 2 + s; j >= 0 && j < 16)
                    band[0][0][i][s] = dense[0][0][i][j];
        groups[1].applied = groups[1].raw = {AttentionMap::Form::Band, band, 2};
        const AttentionStep whole = block.step();
        const BlockExplanation found = explainBlock(block.weights(), {whole.input, whole.output, groups});
        QVERIFY(found.rebuildError <= 1e-9);
        QVERIFY(largest(found.contributions.sub(block.expectedContributions())) <= 1e-12);
    }

    void crossAttentionHasTheResidualAsItsLastColumn_data() {
        QTest::addColumn<bool>("postNorm");
        QTest::addColumn<int>("targets");
        QTest::addColumn<int>("memory");
        for (const bool post : {false, true})
            for (const auto& [targets, memory] : {std::pair{5, 13}, {9, 4}, {1, 1}, {6, 6}})
                QTest::addRow("%d targets, %d tokens%s", targets, memory, post ? ", post-norm" : "")
                    << post << targets << memory;
    }
    void crossAttentionHasTheResidualAsItsLastColumn() {
        QFETCH(bool, postNorm);
        QFETCH(int, targets);
        QFETCH(int, memory);
        MadeBlock::Options options;
        options.postNorm = postNorm;
        options.tokens = targets;
        options.memory = memory;
        const MadeBlock block("4 full", options);
        mustHold(block);
        const MadeBlock single = block.inFloat();
        const LayerAnalysis found = analyseLayer(single.weights(), 1, single.step(), {});
        QCOMPARE(found.contributions.rows(), static_cast<std::size_t>(targets));
        QCOMPARE(found.contributions.columns(), static_cast<std::size_t>(memory + 1));
        QVERIFY(found.contributionProfile.empty());
        QVERIFY(found.rebuildError <= 1e-4F && found.gramError <= 1e-5F);
        QCOMPARE(found.queries, std::int64_t(targets));
        for (const DiagonalProfile& profile : found.attentionProfiles)
            QVERIFY(profile.empty());
    }

    void aRowDoesNotDependOnTheOtherRows_data() {
        QTest::addColumn<QString>("heads");
        for (const char* heads : {"4 full", "3 full", "2 full relaxed 0.25 matched + 2 full"})
            QTest::addRow("%s", heads) << heads;
    }
    void aRowDoesNotDependOnTheOtherRows() {
        QFETCH(QString, heads);
        for (const bool post : {false, true}) {
            MadeBlock::Options options;
            options.tokens = 17;
            options.postNorm = post;
            const MadeBlock block = MadeBlock(heads.toStdString(), options).inFloat();
            AnalysisOptions wanted;
            wanted.keepAttention = true;
            const LayerAnalysis all = analyseLayer(block.weights(), 1, block.step(), wanted);
            const LayerAnalysis five = analyseLayer(block.weights(), 1, block.step(), wanted, nullptr, 5);
            QCOMPARE(five.queries, std::int64_t(5));
            QCOMPARE(five.contributions.rows(), std::size_t(5));
            QCOMPARE(five.contributions.columns(), std::size_t(5)); // the recording's, in a window of 17
            for (std::size_t i = 0; i < 5; ++i) {
                const auto row = all.contributions.row(i);
                const float kept = std::accumulate(row.begin(), row.begin() + 5, 0.0F);
                QVERIFY(std::abs(five.paddingShare.at(i) - (1 - kept)) <= 1e-6F);
                for (std::size_t j = 0; j < 5; ++j)
                    QVERIFY(std::abs(five.contributions(i, j) - row[j] / kept) <= 2e-6F);
                for (std::size_t h = 0; h < all.headRelevance.columns(); ++h)
                    QVERIFY(std::abs(five.headRelevance(i, h) - all.headRelevance(i, h)) <= 1e-6F);
            }
            for (std::size_t h = 0; h < all.attention.size(); ++h) {
                QCOMPARE(five.attention[h].rows(), std::size_t(5));
                QCOMPARE(five.attention[h].columns(), std::size_t(5));
                const auto row = all.attention[h].row(4);
                const float kept = std::accumulate(row.begin(), row.begin() + 5, 0.0F);
                for (std::size_t j = 0; j < 5; ++j)
                    QVERIFY(std::abs(five.attention[h](4, j) - row[j] / kept) <= 1e-6F);
                QCOMPARE(five.attentionProfiles[h].size(), std::int64_t(5));
                QVERIFY(std::abs(five.attentionProfiles[h].total() - 5) <= 1e-5);
            }
            QVERIFY(std::abs(five.contributionProfile.total() - 5) <= 1e-5);
            QCOMPARE(five.rawAttention.size(), all.rawAttention.size());
            QVERIFY(five.rebuildError <= 1e-4F && five.gramError <= 1e-5F && five.rowSumError <= 1e-5F);
        }
    }

    void rawMapsAreKeptWhereRelaxationActed() {
        MadeBlock::Options options;
        const MadeBlock block = MadeBlock("2 full relaxed 0.25 matched + 2 full", options).inFloat();
        std::vector<GroupStep> groups = block.groups();
        groups[0].raw.weights = groups[0].applied.weights.mul(0.5);
        const AttentionStep whole = block.step();
        const AttentionStep step{whole.input, whole.output, groups};
        AnalysisOptions wanted;
        wanted.keepAttention = true;
        const LayerAnalysis found = analyseLayer(block.weights(), 1, step, wanted);
        QCOMPARE(found.rawAttention.size(), std::size_t(4));
        QVERIFY(largestDifference(found.rawAttention[1], groups[0].raw.weights[0][1]) == 0);
        QVERIFY(found.rawAttention[2].empty());
        QVERIFY(analyseLayer(block.weights(), 1, step, {}).rawAttention.empty());
    }

    void speechformersCompressionHasAReasonInsteadOfContributions() {
        const MadeBlock made = MadeBlock("2 full + 2 conv 8/4", {}).inFloat();
        std::vector<GroupStep> groups = made.groups();
        groups[1].kind.convForm = ConvForm::Speechformer;
        groups[1].values = at::randn({1, 2, groups[1].applied.weights.size(3), 6}); // made of compressed keys
        groups[1].valueTaps = groups[1].valueBias = at::Tensor();
        const AttentionStep whole = made.step();
        const AttentionStep step{whole.input, whole.output, groups};
        AnalysisOptions wanted;
        wanted.keepAttention = true;
        const LayerAnalysis found = analyseLayer(made.weights(), 1, step, wanted);
        QVERIFY(found.reason.find("Speechformer") != std::string::npos && found.reason.back() == '.');
        QVERIFY(found.contributions.empty() && found.contributionProfile.empty());
        for (std::size_t i = 0; i < 17; ++i) { // W_O z needs no decomposition
            const auto row = found.headRelevance.row(i);
            QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= 1e-5);
        }
        QVERIFY(std::isnan(found.rebuildError) && std::isnan(found.gramError));
        QCOMPARE(found.attention.size(), std::size_t(4)); // the maps are there all the same
        QVERIFY(!found.attentionProfiles[0].empty() && found.attentionProfiles[3].empty());
        QCOMPARE(found.queries, std::int64_t(17));
    }

    void everySelfCheckCanFail() {
        const MadeBlock block = MadeBlock("2 full + 2 conv 5/2", {}).inFloat();
        const AttentionStep right = block.step();
        const auto check = [&](const std::vector<GroupStep>& groups) {
            return analyseLayer(block.weights(), 4, {right.input, right.output, groups}, {});
        };
        QVERIFY(check(block.groups()).rebuildError <= 1e-4F && check(block.groups()).gramError <= 1e-5F);
        std::vector<GroupStep> groups = block.groups();
        groups[0].values = groups[0].values.flip(1); // heads in another order: both see it
        QVERIFY(check(groups).rebuildError > 1e-2F && check(groups).gramError > 1e-4F);
        groups = block.groups();
        groups[1].padding = 2; // another padding than the layer's: the rebuilt output is another
        QVERIFY(check(groups).rebuildError > 1e-2F);
        groups = block.groups();
        groups[1].valueBias = groups[1].valueBias.add(1);
        QVERIFY(check(groups).rebuildError > 1e-2F);
        MadeBlock::Options behind;
        behind.postNorm = true;
        const MadeBlock post = MadeBlock("4 full", behind).inFloat();
        BlockWeights other = post.weights();
        QVERIFY(analyseLayer(other, 4, post.step(), {}).rebuildError <= 1e-4F);
        other.outputBias = other.outputBias.mul(2); // b_O changes σ and the mean
        QVERIFY(analyseLayer(other, 4, post.step(), {}).rebuildError > 1e-2F);
        const MadeBlock full = MadeBlock("4 full", {}).inFloat();
        groups = full.groups();
        groups[0].kind.kind = HeadKind::Local; // a wrong C from a right block is seen by the twin alone
        groups[0].kind.window = 3;
        const AttentionStep whole = full.step();
        const LayerAnalysis cut =
            analyseLayer(full.weights(), 4, {whole.input, whole.output, groups}, {});
        QVERIFY(cut.rebuildError <= 1e-4F && cut.gramError > 1e-4F);
        groups = block.groups();
        groups[1].values = groups[1].values.clone();
        groups[1].values[0][1][7][0] = std::numeric_limits<float>::quiet_NaN();
        const LayerAnalysis notNumbers = check(groups);
        QVERIFY(std::isinf(notNumbers.rebuildError) && std::isinf(notNumbers.rowSumError));
        QVERIFY(std::isinf(notNumbers.gramError));
    }
};

HEADROOM_TEST(ContributionsTest)

} // namespace headroom::testing::contributions_test

#include "contributions_test.moc"
