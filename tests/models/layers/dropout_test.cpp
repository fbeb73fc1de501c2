// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <ATen/Parallel.h>

#include "models/layers/basic.h"
#include "models/layers/dropout.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

#include <cmath>

namespace headroom::testing::dropout_test {

namespace {

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

} // namespace

class DropoutTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void dropoutIsEvenAndTheSameForAnyNumberOfThreads();
    void dropoutTogetherWithItsNeighboursIsTheSameAsApart_data();
    void dropoutTogetherWithItsNeighboursIsTheSameAsApart();
    void aFeedForwardHasADropoutOfItsOwn_data();
    void aFeedForwardHasADropoutOfItsOwn();
};

void DropoutTest::dropoutIsEvenAndTheSameForAnyNumberOfThreads() {
    const at::Tensor ones = at::zeros({40, 30000}).add_(1);
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const auto draw = [&](std::uint64_t seed, int threads) {
        at::set_num_threads(threads);
        generator.set_current_seed(seed);
        return models::dropped(ones, 0.1);
    };
    const at::Tensor first = draw(1, 1);
    QCOMPARE(largest(draw(1, 2).sub(first)), 0.0);
    QVERIFY(largest(draw(2, 1).sub(first)) > 1);
    at::set_num_threads(1);
    const at::Tensor zeros = first.eq(0).to(at::kDouble);
    const double cells = static_cast<double>(first.numel());
    const double share = zeros.sum().item<double>() / cells;
    QVERIFY2(std::abs(share - 0.1) < 5 * std::sqrt(0.09 / cells), std::to_string(share).c_str());
    QVERIFY(std::abs(first.max().item<double>() - 1 / 0.9) < 1e-6);
    // Neighbours, rows and masks of neighbouring seeds fall independently: 1 % fall together.
    const auto together = [&](const at::Tensor& a, const at::Tensor& b) {
        return a.mul(b).mean().item<double>();
    };
    for (const double both : {together(zeros.slice(1, 1), zeros.slice(1, 0, -1)),
                              together(zeros.slice(0, 1), zeros.slice(0, 0, -1)),
                              together(zeros, draw(2, 1).eq(0).to(at::kDouble))})
        QVERIFY2(std::abs(both - 0.01) < 0.0006, std::to_string(both).c_str());

    at::Tensor x = at::randn({50, 20}).set_requires_grad(true);
    const at::Tensor y = models::dropped(x, 0.5);
    y.sum().backward();
    QVERIFY(largest(x.grad().mul(x.detach()).sub(y.detach())) < 1e-6);
    QVERIFY(models::dropped(x, 0).is_same(x));
}

void DropoutTest::dropoutTogetherWithItsNeighboursIsTheSameAsApart_data() {
    QTest::addColumn<int>("type");
    QTest::newRow("float") << static_cast<int>(at::kFloat);
    QTest::newRow("double") << static_cast<int>(at::kDouble);
    QTest::newRow("bfloat16") << static_cast<int>(at::kBFloat16);
}

/// Values and gradients of the functions that do in one pass what relu, dropout and the residual sum do one
/// after the other; the masks follow from the seed.
void DropoutTest::dropoutTogetherWithItsNeighboursIsTheSameAsApart() {
    QFETCH(int, type);
    const auto wanted = static_cast<at::ScalarType>(type);
    const at::Tensor numbers = at::randn({70, 61}).to(wanted), past = at::randn({70, 61});
    const at::Tensor residual = wanted == at::kDouble ? past.to(at::kDouble) : past;
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const auto both = [&](bool together) {
        generator.set_current_seed(3);
        at::Tensor x = numbers.clone().set_requires_grad(true);
        at::Tensor r = residual.clone().set_requires_grad(true);
        const at::Tensor fresh = x.mul(2);
        const at::Tensor inner =
            together ? models::reluDropped(fresh, 0.3) : models::dropped(fresh.relu(), 0.3);
        const at::Tensor more = inner.mul(inner);
        const at::Tensor sum =
            together ? models::addDropped(more, r, 0.2) : models::addResidual(models::dropped(more, 0.2), r);
        sum.mul(sum).sum().backward();
        return std::vector<at::Tensor>{sum.detach(), x.grad(), r.grad()};
    };
    const auto one = both(true), other = both(false);
    const double tolerance = wanted == at::kBFloat16 ? 0.02 : 1e-5;
    for (std::size_t i = 0; i < one.size(); ++i) {
        QVERIFY(one[i].scalar_type() == other[i].scalar_type());
        QVERIFY(largest(one[i].sub(other[i]).to(at::kDouble)) <
                tolerance * largest(other[i].to(at::kDouble)));
    }
    QVERIFY(one[1].eq(0).to(at::kDouble).mean().item<double>() > 0.6); // half by relu, 44 % of the rest
    const at::Tensor broken = at::zeros({4, 4}).fill_(std::nan(""));
    QVERIFY(models::reluDropped(broken, 0.5).isnan().all().item<bool>()); // what went wrong stays visible
}

void DropoutTest::aFeedForwardHasADropoutOfItsOwn_data() {
    QTest::addColumn<int>("activation");
    QTest::newRow("relu") << static_cast<int>(Activation::Relu);
    QTest::newRow("swish") << static_cast<int>(Activation::Swish);
}

/// With a second matrix that is the identity, zeros of the inner layer are zeros of the output: as many as `activation` says.
void DropoutTest::aFeedForwardHasADropoutOfItsOwn() {
    QFETCH(int, activation);
    constexpr int kWidth = 64;
    models::Parameters parameters;
    for (const char* name : {"fc1.weight", "fc2.weight"})
        parameters.set(name, at::eye(kWidth));
    const at::Tensor x = at::ones({8, 50, kWidth});
    const auto zeros = [&](const models::Dropout& dropout) {
        return models::feedForward(models::Scope(parameters), x, dropout, static_cast<Activation>(activation)).eq(0).to(at::kDouble).mean().item<double>();
    };
    models::Dropout dropout{0.3, 0, true};
    QVERIFY(std::abs(zeros(dropout) - (1 - 0.7 * 0.7)) < 0.02); // unset: as hidden, inside and outside
    dropout.activation = 0.1;
    QVERIFY(std::abs(zeros(dropout) - (1 - 0.9 * 0.7)) < 0.02);
    dropout.hidden = 0;
    QVERIFY(std::abs(zeros(dropout) - 0.1) < 0.02);
    dropout.activation = 0;
    QCOMPARE(zeros(dropout), 0.0);
}

HEADROOM_TEST(DropoutTest)

} // namespace headroom::testing::dropout_test

#include "dropout_test.moc"
