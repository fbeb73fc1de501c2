// SPDX-License-Identifier: GPL-3.0-or-later
// What the architecture says of a token's receptive field against what networks do: one row of the input changes, and with
// it the states of exactly those tokens whose field has the row.
#include "core/analysis/receptive_field.h"
#include "core/architecture/layer_rules.h"
#include "models/networks/s2t_encoder.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

namespace headroom::testing::network_field_test {

using namespace headroom::models;

namespace {

/// Each of three layers with these heads. A norm over the whole recording is exchanged for one of each token.
Architecture with(const char* heads, Architecture architecture) {
    architecture.encoder.layers.assign(3, {parseHeads(heads)});
    if (architecture.frontEnd.norm == FrontEndNorm::Group)
        architecture.frontEnd.norm = FrontEndNorm::Layer;
    return architecture;
}

Architecture causal() { // wav2vec2-BERT
    Architecture result = smallConformer({"4 full"});
    result.encoder.convolution->causal = true;
    result.encoder.convolution->norm = ConvolutionNorm::Layer;
    return result;
}

Architecture positioned(int kernel, int layers) {
    Architecture result = smallFamily("wav2vec2");
    result.encoder.positionalConvolution->kernel = kernel;
    result.encoder.positionalConvolution->layers = layers;
    result.encoder.positionalConvolution->norm = layers > 1 ? PositionalNorm::Layer : PositionalNorm::None;
    return result;
}

/// Which tokens' states after each layer (from 1) change with row `row`: those of any of a few networks, because an
/// activation of one of them may be 0 for both inputs.
std::vector<std::vector<bool>> changedTokens(const Architecture& architecture, std::int64_t rows, std::int64_t row) {
    std::vector<std::vector<bool>> changed;
    for (unsigned seed = 1; seed <= 3; ++seed) {
        const Parameters parameters = madeWeights(architecture, seed);
        const at::Tensor before = madeBatch({rows}, seed, architecture.frontEnd.features), after = before.clone();
        after[0][row].mul_(-2).add_(3);
        std::vector<at::Tensor> states[2];
        for (const bool second : {false, true})
            encodeBatch(parameters, architecture, second ? after : before, {rows}, Padding::Safe, {}, {},
                        [&](int, const at::Tensor& x) { states[second].push_back(x.clone()); });
        changed.resize(states[0].size() - 1);
        for (std::size_t layer = 1; layer < states[0].size(); ++layer) {
            const at::Tensor differs = states[0][layer].ne(states[1][layer]).any(2)[0];
            changed[layer - 1].resize(static_cast<std::size_t>(differs.size(0)));
            for (std::int64_t token = 0; token < differs.size(0); ++token)
                if (differs[token].item<bool>())
                    changed[layer - 1][static_cast<std::size_t>(token)] = true;
        }
    }
    return changed;
}

} // namespace

class NetworkFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exactlyTheTokensOfTheFieldChange_data() {
        QTest::addColumn<Architecture>("architecture");
        for (const Family& family : smallFamilies())
            for (const char* heads : {"4 local 3", "4 local 15 block", "2 masked 5 + 2 masked 7", "1 local 3 + 3 conv 8/4"})
                if (const Architecture changed = with(heads, family.architecture);
                    !layerMistake(changed.encoder.layers, 1, surroundingsOf(changed)))
                    QTest::addRow("%s, %s", family.name.c_str(), heads) << changed;
        QTest::newRow("causal convolution") << with("4 local 3", causal());
        QTest::newRow("causal in all") << with("4 masked 3", causal());
        QTest::newRow("positions, even") << with("4 local 3", positioned(8, 1));
        QTest::newRow("positions, odd") << with("4 local 3", positioned(7, 1));
        QTest::newRow("several positions, even") << with("4 masked 3", positioned(4, 3));
        QTest::newRow("several positions, odd") << with("4 local 1", positioned(5, 3));
    }
    void exactlyTheTokensOfTheFieldChange() {
        const c10::InferenceMode inference;
        QFETCH(const Architecture, architecture);
        constexpr std::int64_t kRows = 160;
        const TokenClock clock = architecture.frontEnd.clock();
        for (const std::int64_t row : {0, 77, 158}) {
            const auto changed = changedTokens(architecture, kRows, row);
            const auto tokens = static_cast<std::int64_t>(changed.front().size());
            const ReceptiveField field(architecture.encoder, tokens);
            QCOMPARE(static_cast<int>(changed.size()), field.layers());
            for (int layer = 1; layer <= field.layers(); ++layer)
                for (std::int64_t token = 0; token < tokens; ++token) {
                    const TokenSpan known = field.of(layer, token);
                    const bool reads = clock.receptiveField(Tokens(known.first)).first.value() <= row &&
                                       row <= clock.receptiveField(Tokens(known.last)).last.value();
                    QVERIFY2(changed[static_cast<std::size_t>(layer - 1)][static_cast<std::size_t>(token)] == reads,
                             qPrintable(QString("row %1, layer %2, token %3 of %4: %5")
                                            .arg(row)
                                            .arg(layer)
                                            .arg(token)
                                            .arg(tokens)
                                            .arg(reads ? "in its field, but it does not change"
                                                       : "changes, but it is not in its field")));
                }
        }
    }
};

HEADROOM_TEST(NetworkFieldTest)

} // namespace headroom::testing::network_field_test

Q_DECLARE_METATYPE(headroom::Architecture)

#include "receptive_field_test.moc"
