// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "models/networks/language_model.h"
#include "models/networks/step_decoder.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
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
    return result;
}

void everyKind() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"transformer", "postNorm", "lstm"})
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
