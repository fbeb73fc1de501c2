// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/basic.h"
#include "models/layers/inference_linear.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

namespace headroom::testing::inference_linear_test {

using namespace headroom::models;

class InferenceLinearTest : public QObject {
    Q_OBJECT

    static constexpr std::int64_t kIn = 512, kOut = 768;
    const at::Generator m_generator = at::detail::createCPUGenerator(1);
    const at::Tensor m_weight = at::randn({kOut, kIn}, m_generator).mul_(0.05);
    const at::Tensor m_bias = at::randn({kOut}, m_generator);
    const at::Tensor m_rows = at::randn({2, 50, kIn}, m_generator);

private Q_SLOTS:
    void bothProductsAgree_data() {
        QTest::addColumn<int>("activation"); // −1: none
        QTest::addColumn<bool>("bias");
        for (const bool bias : {true, false}) {
            const char* behind = bias ? "with a bias" : "without";
            QTest::addRow("none, %s", behind) << -1 << bias;
            QTest::addRow("ReLU, %s", behind) << int(Activation::Relu) << bias;
            QTest::addRow("swish, %s", behind) << int(Activation::Swish) << bias;
            QTest::addRow("GELU, %s", behind) << int(Activation::Gelu) << bias;
            QTest::addRow("GELU by tanh, %s", behind) << int(Activation::GeluTanh) << bias;
        }
    }
    void bothProductsAgree() {
        QFETCH(int, activation);
        QFETCH(bool, bias);
        const c10::InferenceMode inference;
        const at::Tensor own = bias ? m_bias : at::Tensor();
        const auto wanted = activation < 0 ? std::nullopt : std::optional(Activation(activation));
        const at::Tensor found = inferenceLinear(m_rows, m_weight, own, wanted);
        if (!found.defined())
            QSKIP("This LibTorch has no oneDNN.");
        const std::optional<at::Tensor> added = bias ? std::optional(m_bias.to(at::kDouble)) : std::nullopt;
        at::Tensor expected = at::linear(m_rows.to(at::kDouble), m_weight.to(at::kDouble), added);
        if (wanted)
            expected = activated(expected, *wanted);
        QCOMPARE(found.sizes().vec(), (std::vector<std::int64_t>{2, 50, kOut}));
        const double apart = found.to(at::kDouble).sub(expected).abs().max().item<double>();
        QVERIFY2(apart <= 4e-6 * expected.abs().max().item<double>(), std::to_string(apart).c_str());
    }

    void whatItDoesNotDoIsLeftToAten() {
        QVERIFY(!inferenceLinear(m_rows, m_weight, m_bias).defined()); // gradients may be wanted
        const c10::InferenceMode inference;
        QVERIFY(!inferenceLinear(m_rows.narrow(1, 0, 3), m_weight, m_bias).defined()); // few rows
        QVERIFY(!inferenceLinear(m_rows, m_weight.narrow(0, 0, 64), {}).defined());    // a small weight
        QVERIFY(!inferenceLinear(m_rows.to(at::kDouble), m_weight.to(at::kDouble), {}).defined());
        QVERIFY(!inferenceLinear(m_rows.to(at::kMeta), m_weight.to(at::kMeta), {}).defined());
    }
};

HEADROOM_TEST(InferenceLinearTest)

} // namespace headroom::testing::inference_linear_test

#include "inference_linear_test.moc"
