// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/basic.h"
#include "models/layers/convolution_module.h"
#include "models/networks/conformer_layer.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"

#include <ATen/ops/randn.h>

#include <QTest>

#include <cmath>

namespace headroom::testing::convolution_module_test {

using namespace headroom::models;

namespace {

using Row = std::vector<double>;

Row values(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.to(at::kDouble).contiguous().view({-1});
    const auto* data = flat.const_data_ptr<double>();
    return {data, data + flat.numel()};
}

Row normed(const Row& x, const Row& weight, const Row& bias) {
    double mean = 0, square = 0;
    for (const double v : x)
        mean += v / static_cast<double>(x.size());
    for (const double v : x)
        square += (v - mean) * (v - mean) / static_cast<double>(x.size());
    Row y;
    for (std::size_t c = 0; c < x.size(); ++c)
        y.push_back((x[c] - mean) / std::sqrt(square + 1e-5) * weight[c] + bias[c]);
    return y;
}

Row affine(const Row& x, const Row& weight, const Row& bias) {
    Row y(bias);
    for (std::size_t o = 0; o < y.size(); ++o)
        for (std::size_t i = 0; i < x.size(); ++i)
            y[o] += weight[o * x.size() + i] * x[i];
    return y;
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

/// The module written out as in Gulati et al. 2020, token by token; running statistics.
std::vector<Row> written(const Scope& scope, const std::vector<Row>& x, int kernel) {
    const std::size_t width = x.front().size();
    const auto of = [&](const char* part, const char* name) { return values((scope / part)[name]); };
    std::vector<Row> gated;
    for (const Row& row : x) {
        const Row both = affine(normed(row, of("layer_norm", "weight"), of("layer_norm", "bias")),
                                of("pointwise_conv1", "weight"), of("pointwise_conv1", "bias"));
        Row half;
        for (std::size_t c = 0; c < width; ++c)
            half.push_back(both[c] * sigmoid(both[width + c]));
        gated.push_back(half);
    }
    const Row taps = of("depthwise_conv", "weight"), gamma = of("batch_norm", "weight"),
              beta = of("batch_norm", "bias"), mean = of("batch_norm", "running_mean"),
              variance = of("batch_norm", "running_var");
    std::vector<Row> result;
    for (int t = 0; t < static_cast<int>(x.size()); ++t) {
        Row row(width);
        for (std::size_t c = 0; c < width; ++c) {
            for (int k = 0; k < kernel; ++k) {
                const int from = t + k - kernel / 2;
                if (from >= 0 && from < static_cast<int>(x.size()))
                    row[c] += taps[c * static_cast<std::size_t>(kernel) + static_cast<std::size_t>(k)] *
                              gated[static_cast<std::size_t>(from)][c];
            }
            row[c] = (row[c] - mean[c]) / std::sqrt(variance[c] + 1e-5) * gamma[c] + beta[c];
            row[c] *= sigmoid(row[c]);
        }
        result.push_back(affine(row, of("pointwise_conv2", "weight"), of("pointwise_conv2", "bias")));
    }
    return result;
}

} // namespace

class ConvolutionModuleTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void moduleIsWhatThePaperDraws() {
        const Architecture& architecture = smallFamily("conformer");
        const Parameters parameters = madeWeights(architecture).inDouble();
        const Scope scope = Scope(parameters) / "model" / "encoder" / "layers" / 1 / "conv_module";
        const at::Tensor x = at::randn({2, 13, 32}, at::kDouble);
        const at::Tensor found =
            convolutionModule(scope, *architecture.encoder.convolution, x, {13, 6}, Dropout());
        for (const auto& [item, tokens] : {std::pair{0, 13}, std::pair{1, 6}}) {
            std::vector<Row> rows;
            for (int t = 0; t < tokens; ++t)
                rows.push_back(values(x[item][t]));
            const std::vector<Row> expected = written(scope, rows, 7);
            for (int t = 0; t < tokens; ++t) {
                const Row row = values(found[item][t]);
                for (std::size_t c = 0; c < row.size(); ++c)
                    QVERIFY(std::abs(row[c] - expected[static_cast<std::size_t>(t)][c]) < 1e-10);
            }
        }
    }

    /// wav2vec2-BERT's: what follows a token changes nothing, and the last tap reads the token itself.
    void causalModulesReadNoLaterToken() {
        Architecture architecture = smallFamily("conformer");
        architecture.encoder.convolution->causal = true;
        const Parameters parameters = madeWeights(architecture).inDouble();
        const Scope scope = Scope(parameters) / "model" / "encoder" / "layers" / 0 / "conv_module";
        const at::Tensor x = at::randn({1, 13, 32}, at::kDouble);
        at::Tensor changed = x.clone();
        changed.narrow(1, 6, 7).mul_(-2);
        const auto run = [&](const at::Tensor& input) {
            return convolutionModule(scope, *architecture.encoder.convolution, input, {}, Dropout());
        };
        const at::Tensor difference = run(x).sub(run(changed)).abs().amax(-1).squeeze(0); // [token]
        QCOMPARE(largest(difference.narrow(0, 0, 6)), 0.0);
        QVERIFY(difference[6].item<double>() > 1e-6);
        const at::Tensor early = x.clone();
        early.narrow(1, 0, 1).mul_(-2);
        const at::Tensor reached = run(x).sub(run(early)).abs().amax(-1).squeeze(0);
        QVERIFY(reached[6].item<double>() > 1e-9); // kernel 7: six tokens back, and no further
        QCOMPARE(largest(reached.narrow(0, 7, 6)), 0.0);
    }

    void aLayerIsItsParts() { // macaron: half steps, the attention's input and output in between
        const Architecture& architecture = smallFamily("conformer");
        const Parameters parameters = madeWeights(architecture).inDouble();
        const Scope scope = Scope(parameters) / "model" / "encoder" / "layers" / 0;
        const at::Tensor x = at::randn({1, 11, 32}, at::kDouble);
        AttentionContext context({}, 11);
        at::Tensor before, after;
        const at::Tensor found =
            conformerLayer(scope, x, architecture.encoder, attentionPlan(architecture.encoder, 1, "tiny"),
                           context, [&](const AttentionStep& step) {
                               before = step.input.clone();
                               after = step.output.clone();
                           });
        const auto half = [&](const char* name, const at::Tensor& input) {
            const at::Tensor hidden =
                linear(scope / name / "fc1", layerNorm(scope / (std::string(name) + "_layer_norm"), input));
            return input.add(linear(scope / name / "fc2", hidden.mul(hidden.sigmoid())).mul(0.5));
        };
        QVERIFY(largest(before.sub(half("ffn1", x))) < 1e-12);
        const at::Tensor convolved = after.add(convolutionModule(
            scope / "conv_module", *architecture.encoder.convolution, after, {}, Dropout()));
        QVERIFY(largest(found.sub(layerNorm(scope / "final_layer_norm", half("ffn2", convolved)))) < 1e-12);
    }
};

HEADROOM_TEST(ConvolutionModuleTest)

} // namespace headroom::testing::convolution_module_test

#include "convolution_module_test.moc"
