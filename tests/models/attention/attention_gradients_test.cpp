// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/attention/attention_oracle.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <QTest>

#include <functional>
#include <map>

namespace headroom::testing::attention_gradients_test {

using namespace headroom::models;
using headroom::testing::MadeAttention;
using headroom::testing::randomNumbers;

namespace {

constexpr std::int64_t kTokens = 13, kWidth = 24;
const std::vector<std::int64_t> kLengths{13, 6, 1};

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

struct Gradients {
    double loss = 0;
    at::Tensor input;
    std::map<std::string, at::Tensor> parameters;
};

using Forward = std::function<at::Tensor(const MadeAttention&, const at::Tensor&)>;

/// Of Σ out · direction over the valid tokens.
Gradients gradients(const MadeAttention& made, const at::Tensor& batch, const at::Tensor& direction,
                    const Forward& forward) {
    MadeAttention learnt = made;
    made.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        learnt.parameters.set(name, tensor.detach().clone().requires_grad_(true));
    });
    const at::Tensor x = batch.detach().clone().requires_grad_(true);
    const at::Tensor loss = forward(learnt, x).mul(direction).sum();
    loss.backward();
    Gradients result;
    result.loss = loss.item<double>();
    const auto gradientOf = [](const at::Tensor& tensor) {
        return tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor);
    };
    result.input = gradientOf(x);
    learnt.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        result.parameters[name] = gradientOf(tensor);
    });
    return result;
}

at::Tensor blocks(const MadeAttention& made, const at::Tensor& x) {
    AttentionContext::Options options;
    options.training = true;
    AttentionContext context(kLengths, kTokens, options);
    return made.run(x, context, {}, {0, 0, true});
}

at::Tensor definitions(const MadeAttention& made, const at::Tensor& x) {
    std::vector<at::Tensor> items;
    for (std::size_t item = 0; item < kLengths.size(); ++item) {
        const at::Tensor valid =
            made.oracle(x[static_cast<std::int64_t>(item)].narrow(0, 0, kLengths[item]), true);
        items.push_back(at::constant_pad_nd(valid, {0, 0, 0, kTokens - kLengths[item]}));
    }
    return at::stack(items);
}

at::Tensor validDirection() {
    at::Tensor direction = randomNumbers({3, kTokens, kWidth}, 21);
    for (std::size_t item = 0; item < kLengths.size(); ++item)
        direction[static_cast<std::int64_t>(item)]
            .narrow(0, kLengths[item], kTokens - kLengths[item])
            .zero_();
    return direction;
}

} // namespace

/// Gradients of every kind: against the masked full heads of the oracle, and against finite differences.
class AttentionGradientsTest : public QObject {
    Q_OBJECT

    static void addLayers() {
        QTest::addColumn<QStringList>("layers");
        QTest::addColumn<QString>("positions");
        QTest::addColumn<QString>("norm");
        const auto add = [](const QStringList& layers, const char* positions = "sinusoidal",
                            const char* norm = "pre") {
            QTest::addRow("%s, %s, %s", qPrintable(layers.join(" / ")), positions, norm)
                << layers << positions << norm;
        };
        for (const char* heads : {"4 full",
                                  "4 local 5",
                                  "4 local 17",
                                  "4 local 9 block",
                                  "4 local 4 block",
                                  "4 masked",
                                  "4 conv 5/2",
                                  "4 conv 4/3 separable",
                                  "4 conv 3/2 normal",
                                  "4 conv 8/4 speechformer",
                                  "4 full relaxed 0.3",
                                  "4 local 5 relaxed 0.3",
                                  "4 local 9 block relaxed 0.3",
                                  "4 conv 5/2 relaxed 0.3",
                                  "4 full smoothed",
                                  "4 local 5 smoothed",
                                  "4 local 9 block smoothed",
                                  "4 full suppressed 0.5",
                                  "4 local 7 suppressed 0.5",
                                  "4 local 9 block suppressed 0.5",
                                  "1 local 9 block + 2 conv 5/2 + 1 full",
                                  "4 local 17 relaxed 0.1"})
            add({heads});
        for (const char* heads : {"4 full", "4 local 5", "4 masked", "4 local 5 suppressed 0.5"})
            add({heads}, "relative");
        for (const char* heads : {"4 full", "4 local 5", "4 local 9 block"})
            add({heads}, "rotary");
        add({"4 full", "4 local 5"}, "sinusoidal", "post");
        add({"4 full", "4 reuse 1", "4 reuse 1 relaxed 0.3"}, "relative");
        add({"4 local 5", "4 reuse 1", "4 reuse 1"});
        add({"2 local 9 block + 2 full suppressed 0.5", "4 reuse 1"});
    }

    static MadeAttention made() {
        QFETCH(QStringList, layers);
        QFETCH(QString, positions);
        QFETCH(QString, norm);
        std::vector<std::string> texts;
        for (const QString& layer : layers)
            texts.push_back(layer.toStdString());
        MadeAttention::Options options;
        options.positions = choiceOf<Positions>(positions.toStdString());
        options.norm = choiceOf<NormPlace>(norm.toStdString());
        return MadeAttention(texts, options);
    }

private Q_SLOTS:
    void equalThoseOfTheDefinition_data() { addLayers(); }
    void equalThoseOfTheDefinition() {
        const MadeAttention layers = made();
        const at::Tensor x = randomNumbers({3, kTokens, kWidth}, 11), direction = validDirection();
        const Gradients found = gradients(layers, x, direction, blocks),
                        expected = gradients(layers, x, direction, definitions);
        QVERIFY(std::abs(found.loss - expected.loss) <= 1e-9);
        QVERIFY(largest(found.input.sub(expected.input)) <= 1e-9);
        for (const auto& [name, gradient] : expected.parameters) {
            const double difference = largest(found.parameters.at(name).sub(gradient));
            QVERIFY2(difference <= 1e-9, (name + ": " + std::to_string(difference)).c_str());
        }
    }

    void equalFiniteDifferences_data() { addLayers(); }
    void equalFiniteDifferences() {
        const MadeAttention layers = made();
        const at::Tensor x = randomNumbers({3, kTokens, kWidth}, 11), direction = validDirection();
        const Gradients found = gradients(layers, x, direction, blocks);
        const auto lossAt = [&](const std::string& name, const at::Tensor& step) {
            MadeAttention moved = layers;
            if (!name.empty())
                moved.parameters.set(name, layers.parameters.get(name).add(step));
            return blocks(moved, name.empty() ? x.add(step) : x).mul(direction).sum().item<double>();
        };
        const auto check = [&](const std::string& name, const at::Tensor& gradient) {
            constexpr double kStep = 1e-6;
            const at::Tensor along = randomNumbers(gradient.sizes(), 5);
            const double slope =
                (lossAt(name, along.mul(kStep)) - lossAt(name, along.mul(-kStep))) / (2 * kStep);
            const double expected = gradient.mul(along).sum().item<double>();
            return std::abs(slope - expected) <= 1e-5 * std::max(1.0, std::abs(expected));
        };
        QVERIFY(check("", found.input));
        for (const auto& [name, gradient] : found.parameters)
            QVERIFY2(check(name, gradient), name.c_str());
    }

    void everyUserOfAMapMovesItsQueriesAndKeys() {
        const MadeAttention layers({"4 full", "4 reuse 1", "4 reuse 1"});
        const at::Tensor x = randomNumbers({3, kTokens, kWidth}, 11), direction = validDirection();
        const at::Tensor whole =
            gradients(layers, x, direction, blocks).parameters.at("0.self_attn.q_proj.weight");
        double before = 0;
        for (const std::string last : {"2", "1"}) { // without the last user, then without both
            MadeAttention cut = layers;
            cut.parameters = layers.parameters;
            for (int user = std::stoi(last); user <= 2; ++user) {
                const std::string name = std::to_string(user) + ".self_attn.out_proj.weight";
                cut.parameters.set(name, at::zeros_like(layers.parameters.get(name)));
            }
            const double moved = largest(
                gradients(cut, x, direction, blocks).parameters.at("0.self_attn.q_proj.weight").sub(whole));
            QVERIFY(moved > 1e-3);
            QVERIFY(moved != before);
            before = moved;
        }
    }

    void dropoutDrawsForEveryUserOfAMap() {
        const MadeAttention layers({"4 full", "4 reuse 1"});
        const at::Tensor x = randomNumbers({3, kTokens, kWidth}, 11);
        AttentionContext first(kLengths, kTokens), second(kLengths, kTokens);
        const Dropout half{0, 0.5, true};
        QVERIFY(layers.run(x, first, {}, half).isfinite().all().item<bool>());
        QVERIFY(largest(layers.run(x, first, {}, half).sub(layers.run(x, second, {}, {}))) > 1e-3);
        for (const char* heads :
             {"4 local 5", "4 local 9 block", "4 conv 5/2"}) { // its mean is the plain map
            const MadeAttention one({heads});
            at::Tensor sum = at::zeros_like(x);
            for (int draw = 0; draw < 300; ++draw) {
                AttentionContext context(kLengths, kTokens);
                sum.add_(one.run(x, context, {}, {0, 0.2, true}));
            }
            AttentionContext context(kLengths, kTokens);
            const at::Tensor difference = sum.div(300).sub(one.run(x, context)).mul(validDirection().ne(0));
            QVERIFY(difference.abs().mean().item<double>() < 0.1);
        }
    }
};

HEADROOM_TEST(AttentionGradientsTest)

} // namespace headroom::testing::attention_gradients_test

#include "attention_gradients_test.moc"
