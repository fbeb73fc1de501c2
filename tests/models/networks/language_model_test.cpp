// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "models/layers/basic.h"
#include "models/networks/language_model.h"
#include "models/networks/step_decoder.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

#include <cmath>

namespace headroom::testing::language_model_test {

using namespace headroom::models;

namespace {

Architecture shapeOf(const QString& kind) {
    Architecture result = smallLanguageModel(kind == "lstm" ? LanguageModelKind::Lstm : LanguageModelKind::Transformer, 3);
    result.languageModel->norm = kind == "postNorm" ? NormPlace::Post : NormPlace::Pre;
    result.languageModel->tiedEmbeddings = kind != "transformer";
    if (kind == "windows")
        result.languageModel->setHeads(
            {{parseHeads("2 masked 3")}, {parseHeads("1 masked 5 + 1 masked")}, {parseHeads("2 masked")}});
    return result;
}

void everyKind() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"transformer", "postNorm", "windows", "lstm"})
        QTest::newRow(kind) << QString(kind);
}

} // namespace

class LanguageModelTest : public QObject {
    Q_OBJECT
    const std::vector<int> m_tokens{2, 9, 31, 9, 7, 22};

private Q_SLOTS:
    void fedTokenByTokenItSaysTheSame_data() { everyKind(); }
    void fedTokenByTokenItSaysTheSame() {
        const c10::InferenceMode inference;
        QFETCH(QString, kind);
        const Architecture architecture = shapeOf(kind);
        const Parameters parameters = madeWeights(architecture);
        const at::Tensor whole = LanguageModel(parameters, architecture).feed(m_tokens);
        QCOMPARE(whole.sizes(), (at::IntArrayRef{6, 40}));
        LanguageModel stepwise(parameters, architecture);
        std::vector<at::Tensor> rows{stepwise.feed({m_tokens[0], m_tokens[1]})};
        for (std::size_t t = 2; t < m_tokens.size(); ++t)
            rows.push_back(stepwise.feed({m_tokens[t]}));
        QVERIFY(largest(at::cat(rows).sub(whole)) <= 1e-5);
        // Beside a longer text, and with another end: nothing that follows is seen.
        std::vector<int> shorter(m_tokens.begin(), m_tokens.begin() + 4), other = m_tokens;
        shorter.resize(6, 1);
        other[5] = 3;
        const at::Tensor batch =
            LanguageModel(parameters, architecture, 3).feedBatch({shorter, m_tokens, other});
        QVERIFY(largest(batch[0].narrow(0, 0, 4).sub(whole.narrow(0, 0, 4))) <= 1e-5);
        QVERIFY(largest(batch[1].sub(whole)) <= 1e-5);
        QVERIFY(largest(batch[2].narrow(0, 0, 5).sub(whole.narrow(0, 0, 5))) <= 1e-5);
        QVERIFY(largest(batch[2][5].sub(whole[5])) > 1e-5);
    }

    void searchesHaveAModelThatSaysTheSame_data() { everyKind(); }
    void searchesHaveAModelThatSaysTheSame() { // while texts move, double and end
        QFETCH(QString, kind);
        const Architecture architecture = shapeOf(kind);
        const Parameters parameters = madeWeights(architecture);
        QVERIFY(!StepDecoder::fits(architecture, parameters)); // it keeps no gradients
        const c10::InferenceMode inference;
        QCOMPARE(StepDecoder::fits(architecture, parameters), kind != "lstm");
        QVERIFY(!StepDecoder::fits(architecture, parameters.inDouble()));
        if (kind == "lstm")
            return;
        LanguageModel expected(parameters, architecture, 2);
        StepDecoder found(parameters, architecture, 2);
        struct Step {
            std::vector<std::int64_t> parents;
            std::vector<std::vector<int>> tokens;
        };
        const std::vector<Step> steps{{{0, 1}, {{2}, {2}}},
                                      {{0, 0, 0, 1, 1}, {{17}, {4}, {33}, {17}, {5}}},
                                      {{2, 0, 0, 4, 4, 3, 3, 3}, {{9}, {8}, {7}, {6}, {5}, {4}, {10}, {11}}},
                                      {{3, 0, 5, 2}, {{7}, {7}, {12}, {8}}},
                                      {{1, 1, 0}, {{3}, {30}, {2}}}};
        for (const Step& step : steps) {
            expected.select(step.parents);
            found.select(step.parents);
            const at::Tensor rows = found.feedBatch(step.tokens), wanted = expected.feedBatch(step.tokens);
            QCOMPARE(rows.sizes(), wanted.sizes());
            const double difference = largest(rows.sub(wanted));
            QVERIFY2(difference <= 1e-5 * std::max(1.0, largest(wanted)), std::to_string(difference).c_str());
        }
    }

    void logProbabilitiesAreTheirs_data() { everyKind(); }
    void logProbabilitiesAreTheirs() {
        QFETCH(QString, kind);
        const Architecture architecture = shapeOf(kind);
        const Parameters parameters = madeWeights(architecture).inDouble();
        const std::vector<int> text{9, 31, 9, 2};
        const auto found = tokenLogProbabilities(parameters, architecture, text);
        QCOMPARE(found.size(), text.size());
        const c10::InferenceMode inference;
        const at::Tensor logits = LanguageModel(parameters, architecture).feed({2, 9, 31, 9});
        for (std::int64_t t = 0; t < 4; ++t) {
            double sum = 0;
            for (std::int64_t v = 0; v < 40; ++v)
                sum += std::exp(logits[t][v].item<double>());
            const auto place = static_cast<std::size_t>(t);
            const double expected = logits[t][text[place]].item<double>() - std::log(sum);
            QVERIFY(std::abs(found[place] - expected) < 1e-10);
            QVERIFY(found[place] < 0);
        }
        QVERIFY(tokenLogProbabilities(parameters, architecture, {}).empty());
        QVERIFY_EXCEPTION_THROWN(tokenLogProbabilities(parameters, architecture, {40}), Error);
    }

    void aWindowThatReachesTheWholeTextIsNone() {
        const c10::InferenceMode inference;
        Architecture architecture = shapeOf("transformer");
        const Parameters parameters = madeWeights(architecture);
        const at::Tensor whole = LanguageModel(parameters, architecture).feed(m_tokens);
        const auto with = [&](const char* heads) {
            architecture.languageModel->selfAttention = parseHeads(heads);
            return LanguageModel(parameters, architecture).feed(m_tokens);
        };
        for (const char* wide :
             {"2 masked 11", "2 masked 13", "2 masked 99999"}) // itself and five earlier tokens
            QVERIFY(largest(with(wide).sub(whole)) == 0);
        const at::Tensor narrower = with("2 masked 9");
        QVERIFY(largest(narrower.sub(whole).narrow(0, 0, 5)) <= 1e-5);
        QVERIFY(largest(narrower[5].sub(whole[5])) > 1e-5); // without the first
    }

    void aMaskWrittenByHandSaysTheSame_data() {
        QTest::addColumn<int>("window");
        for (const int window : {0, 1, 5, 13, 17, 19, 25}) // as a band; as a map from 13 on
            QTest::addRow("%d", window) << window;
    }
    void aMaskWrittenByHandSaysTheSame() {
        const c10::InferenceMode inference;
        QFETCH(int, window);
        Architecture architecture = smallLanguageModel(LanguageModelKind::Transformer, 1);
        architecture.languageModel->selfAttention =
            parseHeads(window == 0 ? "2 masked" : "2 masked " + std::to_string(window));
        const Parameters parameters = madeWeights(architecture).inDouble();
        const std::vector<int> tokens{2, 9, 31, 9, 7, 22, 5, 6, 30, 11, 12, 4, 9};
        at::Tensor x;
        const at::Tensor found = LanguageModel(parameters, architecture)
                                     .states(tokens, {}, [&](int layer, const at::Tensor& state) {
                                         if (layer == 0)
                                             x = state[0]; // [token, 16]
                                     });
        const Scope model = Scope(parameters) / "model", layer = model / "layers" / 0,
                    self = layer / "self_attn";
        const at::Tensor normed = layerNorm(layer / "self_attn_layer_norm", x);
        const at::Tensor q = linear(self / "q_proj", normed), k = linear(self / "k_proj", normed),
                         v = linear(self / "v_proj", normed);
        at::Tensor heads = at::zeros_like(x);
        for (std::int64_t head = 0; head < 2; ++head)
            for (std::int64_t i = 0; i < x.size(0); ++i) {
                at::Tensor sum = at::zeros({8}, at::kDouble), norm = at::zeros({}, at::kDouble);
                for (std::int64_t j = 0; j <= i; ++j) {
                    if (window > 0 && i - j > window / 2)
                        continue;
                    const at::Tensor weight = q[i].narrow(0, 8 * head, 8)
                                                  .dot(k[j].narrow(0, 8 * head, 8))
                                                  .div(std::sqrt(8.0))
                                                  .exp();
                    sum = sum.add(v[j].narrow(0, 8 * head, 8).mul(weight));
                    norm = norm.add(weight);
                }
                heads[i].narrow(0, 8 * head, 8).copy_(sum.div(norm));
            }
        const at::Tensor attended = x.add(linear(self / "out_proj", heads));
        const at::Tensor output = attended.add(linear(
            layer / "fc2", linear(layer / "fc1", layerNorm(layer / "final_layer_norm", attended)).relu()));
        QVERIFY(largest(found[0].sub(layerNorm(model / "layer_norm", output))) < 1e-10);
    }

    void layersOfAWindowSeeSoFarTogether() {
        const c10::InferenceMode inference;
        Architecture architecture = shapeOf("transformer");
        architecture.languageModel->selfAttention =
            parseHeads("2 masked 3"); // itself and the one before, in three layers
        const Parameters parameters = madeWeights(architecture);
        const std::vector<int> tokens{2, 9, 31, 9, 7, 22, 5, 6, 30, 11, 12, 4, 9};
        const at::Tensor whole = LanguageModel(parameters, architecture).feed(tokens);
        std::vector<int> other = tokens;
        other[4] = 33;
        const at::Tensor changed =
            LanguageModel(parameters, architecture).feed(other).sub(whole).abs().amax(1);
        for (std::int64_t t = 0; t < 13; ++t)
            QCOMPARE(changed[t].item<double>() > 1e-5, t >= 4 && t <= 7);
    }

    void lstmIsTheOneOfTheBooks() { // gates in the order i, f, g, o; both biases
        const Architecture architecture = shapeOf("lstm");
        const Parameters parameters = madeWeights(architecture).inDouble();
        const at::Tensor& table = parameters.get("model.embed_tokens.weight");
        const c10::InferenceMode inference;
        const at::Tensor found = LanguageModel(parameters, architecture).feed(m_tokens);
        std::vector<at::Tensor> hidden(3, at::zeros({16}, at::kDouble)), cell = hidden;
        for (std::size_t t = 0; t < m_tokens.size(); ++t) {
            at::Tensor x = table[m_tokens[t]];
            for (int layer = 0; layer < 3; ++layer) {
                const auto l = static_cast<std::size_t>(layer);
                const Scope scope = Scope(parameters) / "model" / "lstm" / layer;
                const at::Tensor gates = scope["weight_ih"]
                                             .mv(x)
                                             .add(scope["bias_ih"])
                                             .add(scope["weight_hh"].mv(hidden[l]))
                                             .add(scope["bias_hh"]);
                const auto gate = [&](std::int64_t number) { return gates.narrow(0, 16 * number, 16); };
                cell[l] = cell[l].mul(gate(1).sigmoid()).add(gate(0).sigmoid().mul(gate(2).tanh()));
                hidden[l] = gate(3).sigmoid().mul(cell[l].tanh());
                x = hidden[l];
            }
            QVERIFY(largest(found[static_cast<std::int64_t>(t)].sub(table.mv(x))) < 1e-10);
        }
    }
};

HEADROOM_TEST(LanguageModelTest)

} // namespace headroom::testing::language_model_test

#include "language_model_test.moc"
