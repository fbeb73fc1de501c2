// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/ctc.h"
#include "models/kernels/ctc_device.h"
#include "tests/support/runner.h"

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <QTest>

#include <cmath>
#include <limits>

namespace headroom::testing::ctc_test {

using namespace headroom::models;

namespace {

using Texts = std::vector<std::vector<int>>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Outcome {
    double loss;
    at::Tensor gradient; // of the logits
};

Outcome ours(const at::Tensor& logits, const std::vector<std::int64_t>& tokens, const Texts& texts, int blank) {
    const at::Tensor leaf = logits.clone().set_requires_grad(true);
    const at::Tensor loss = ctcLoss(at::log_softmax(leaf, -1), tokens, texts, blank);
    loss.mul(0.5).backward();
    return {loss.item<double>(), leaf.grad().mul(2)};
}

Outcome atens(const at::Tensor& logits, const std::vector<std::int64_t>& tokens, const Texts& texts, int blank) {
    const at::Tensor leaf = logits.clone().set_requires_grad(true);
    std::vector<std::int64_t> joined, lengths;
    for (const std::vector<int>& text : texts) {
        joined.insert(joined.end(), text.begin(), text.end());
        lengths.push_back(static_cast<std::int64_t>(text.size()));
    }
    const at::Tensor loss = at::ctc_loss(at::log_softmax(leaf, -1).transpose(0, 1), at::tensor(joined, at::kLong), tokens, lengths,
                                         blank, at::Reduction::Sum, true);
    loss.backward();
    return {loss.item<double>(), leaf.grad()};
}

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

} // namespace

class CtcTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lossAndGradientAreAtens_data() {
        QTest::addColumn<int>("blank");
        QTest::addColumn<Texts>("texts");
        QTest::addColumn<std::vector<std::int64_t>>("tokens");
        QTest::newRow("texts of any length") << 0 << Texts{{1, 2, 3}, {4}, {5, 1, 5, 2}} << std::vector<std::int64_t>{9, 12, 7};
        QTest::newRow("empty texts") << 0 << Texts{{}, {1, 2}, {}} << std::vector<std::int64_t>{12, 5, 1};
        QTest::newRow("all empty") << 0 << Texts{{}, {}} << std::vector<std::int64_t>{12, 3};
        QTest::newRow("repeated labels") << 0 << Texts{{1, 1, 1}, {2, 2, 3, 2, 2}, {4, 5, 4}} << std::vector<std::int64_t>{12, 8, 3};
        QTest::newRow("too long") << 0 << Texts{{1, 2, 3, 4}, {1, 1, 2}, {6, 6}} << std::vector<std::int64_t>{3, 3, 12};
        QTest::newRow("one that just fits") << 0 << Texts{{1, 1}, {1, 2, 3}} << std::vector<std::int64_t>{3, 3};
        QTest::newRow("the blank is last") << 6 << Texts{{0, 1, 1}, {5}} << std::vector<std::int64_t>{10, 12};
    }
    void lossAndGradientAreAtens() {
        QFETCH(int, blank);
        QFETCH(Texts, texts);
        QFETCH(std::vector<std::int64_t>, tokens);
        const at::Tensor logits = at::randn({static_cast<std::int64_t>(texts.size()), 12, 7}, at::kDouble).mul_(2);
        const Outcome expected = atens(logits, tokens, texts, blank);
        const Outcome found = ours(logits, tokens, texts, blank), single = ours(logits.to(at::kFloat), tokens, texts, blank);
        QVERIFY(std::abs(found.loss - expected.loss) < 1e-11);
        QVERIFY(largest(found.gradient.sub(expected.gradient)) < 1e-12);
        QVERIFY(std::abs(single.loss - expected.loss) < 1e-5);
        QVERIFY(largest(single.gradient.sub(expected.gradient)) < 1e-6);
    }

    void aTextThatDoesNotFitCountsNothing() {
        const at::Tensor logits = at::randn({2, 4, 5}, at::kDouble);
        const Outcome found = ours(logits, {4, 2}, {{1, 2}, {1, 1}}, 0);
        QVERIFY(found.loss > 0);
        QCOMPARE(largest(found.gradient[1]), 0.0);
        QCOMPARE(ours(logits, {1, 2}, {{1, 2}, {1, 1}}, 0).loss, 0.0);
    }

    void aLongRecordingKeepsItsDigits() {
        const at::Tensor logits = at::randn({2, 700, 30}, at::kDouble);
        std::vector<int> text;
        for (int i = 0; i < 150; ++i)
            text.push_back(1 + i * i % 29);
        const Outcome expected = atens(logits, {700, 500}, {text, text}, 0);
        const Outcome single = ours(logits.to(at::kFloat), {700, 500}, {text, text}, 0);
        QVERIFY(largest(single.gradient.sub(expected.gradient)) < 1e-6); // ATen's own in float: 1e-4
    }

    void aLossThatIsNotANumberStaysSo() {
        at::Tensor logits = at::randn({1, 4, 5}, at::kDouble);
        logits[0][2].fill_(std::nan(""));
        QVERIFY(std::isnan(ours(logits, {4}, {{1, 2}}, 0).loss));
    }

    /// Block by block on the CPU.
    void theKernelIsThePlainForm_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("states");
        for (const int tokens : {1, 2, 9})
            for (const int states : {1, 3, 126, 127, 401})
                QTest::addRow("%d tokens, %d states", tokens, states) << tokens << states;
    }
    void theKernelIsThePlainForm() {
        QFETCH(int, tokens);
        QFETCH(int, states);
        at::Tensor emissions = at::randn({tokens, 3, states}, at::kDouble);
        emissions.select(1, 1).narrow(1, 0, 1).fill_(-kInfinity);
        const at::Tensor skips = at::where(at::randn({3, states}).gt(0), at::zeros({}, at::kDouble), -kInfinity).contiguous();
        const at::Tensor expected = ctcPaths(emissions, skips);
        const at::Tensor found = expected.clone().fill_(std::nan(""));
        device::launchCtcPaths(emissions.const_data_ptr<double>(), skips.const_data_ptr<double>(), tokens, 3, states,
                               found.mutable_data_ptr<double>(), nullptr);
        QVERIFY(found.eq(-kInfinity).equal(expected.eq(-kInfinity)));
        QVERIFY(largest(found.masked_fill(found.eq(-kInfinity), 0).sub(expected.masked_fill(expected.eq(-kInfinity), 0))) < 1e-12);
    }
};

HEADROOM_TEST(CtcTest)

} // namespace headroom::testing::ctc_test

#include "ctc_test.moc"
