// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/ranks/at_ranks.h"
#include "training/ranks/gradient_sums.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <QElapsedTimer>
#include <QtTest>

namespace headroom::testing::gradient_sums_test {

using namespace headroom::training;

constexpr std::int64_t kMuch = 400'000; ///< numbers; more than the first bucket holds

at::Tensor leaf(std::int64_t count, double value) {
    return at::full({count}, value).set_requires_grad(true);
}

std::string differs(const char* name, const at::Tensor& gradient, double wanted) {
    if (!gradient.defined())
        return std::string(name) + " has no gradient ";
    return at::equal(gradient, at::full(gradient.sizes(), wanted)) ? "" : std::string(name) + " has another gradient ";
}

class GradientSumsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Two passes per update, of which the second is announced; three updates, because a reducer has a state.
    void gradientsAreSumsOverPassesAndRanks_data() {
        QTest::addColumn<int>("world");
        QTest::newRow("two") << 2;
        QTest::newRow("three") << 3;
    }
    void gradientsAreSumsOverPassesAndRanks() {
        QFETCH(int, world);
        const double ranksSum = world * (world + 1) / 2.0; // of rank + 1
        const std::string problems = atRanks(world, [&](Ranks& ranks) {
            const at::Tensor everywhere = leaf(kMuch, 1), first = leaf(3, 2), atLast = leaf(5, 3), nowhere = leaf(2, 4);
            GradientSums sums(ranks, {first, everywhere, atLast, nowhere});
            std::string problem;
            const bool isLast = ranks.rank() == world - 1;
            for (int update = 0; update < 3; ++update) {
                for (const at::Tensor& parameter : {everywhere, first, atLast, nowhere})
                    parameter.mutable_grad().reset();
                everywhere.sum().add(first.sum()).backward(); // `first` in this pass alone
                at::Tensor loss = everywhere.sum().mul(ranks.rank() + 1.0);
                if (isLast)
                    loss = loss.add(atLast.sum().mul(7));
                sums.expect(loss).backward();
                problem += differs("everywhere", everywhere.grad(), world + ranksSum) +
                           differs("first", first.grad(), world) + differs("at the last rank", atLast.grad(), 7) +
                           (nowhere.grad().defined() ? "nowhere has a gradient " : "");
            }
            return problem;
        });
        QCOMPARE(problems, std::string());
    }

    /// A parameter may cease to learn for a while (a frozen encoder).
    void whatDoesNotLearnHasNoGradient() {
        const std::string problems = atRanks(2, [](Ranks& ranks) {
            const at::Tensor a = leaf(3, 1), b = leaf(4, 1);
            GradientSums sums(ranks, {a, b});
            std::string problem;
            for (const bool learns : {false, true, false}) {
                a.mutable_grad().reset();
                b.mutable_grad().reset();
                a.set_requires_grad(learns);
                const at::Tensor loss = a.sum().add(b.sum());
                sums.expect(loss).backward();
                problem += learns ? differs("a", a.grad(), 2) : a.grad().defined() ? "a has a gradient " : "";
                problem += differs("b", b.grad(), 2);
            }
            return problem;
        });
        QCOMPARE(problems, std::string());
    }

    void aRankWithNothingInTheLastPassKeepsWhatItHas() {
        const std::string problems = atRanks(3, [](Ranks& ranks) {
            const at::Tensor a = leaf(3, 1), b = leaf(4, 1);
            GradientSums sums(ranks, {a, b});
            std::string problem;
            for (int update = 0; update < 2; ++update) {
                a.mutable_grad().reset();
                b.mutable_grad().reset();
                a.sum().backward();
                if (ranks.rank() == 2) {
                    sums.passNothing();
                } else {
                    const at::Tensor loss = a.sum();
                    sums.expect(loss).backward();
                }
                problem += differs("a", a.grad(), 5) + (b.grad().defined() ? "b has a gradient " : "");
            }
            return problem;
        });
        QCOMPARE(problems, std::string());
    }

    /// In the middle of the backward pass, before its last gradient exists, the sum of the first ones arrives.
    void sumsArriveWhileTheBackwardPassGoesOn() {
        const std::string problems = atRanks(2, [](Ranks& ranks) {
            const at::Tensor early = leaf(kMuch, 1), late = leaf(kMuch, 1);
            GradientSums sums(ranks, {early, late});
            const at::Tensor inner = early.mul(1);
            bool arrived = false;
            inner.register_hook([&](const at::Tensor&) {
                QElapsedTimer timer;
                timer.start();
                while (!arrived && !timer.hasExpired(60000)) {
                    std::this_thread::yield();
                    arrived = late.grad().defined() && late.grad()[0].item<double>() == 2 &&
                              late.grad()[kMuch - 1].item<double>() == 2;
                }
            });
            const at::Tensor loss = inner.sum().add(late.sum());
            sums.expect(loss).backward();
            return (arrived ? "" : "the sum did not arrive ") + differs("early", early.grad(), 2);
        });
        QCOMPARE(problems, std::string());
    }

    void aBackwardPassEndsWhenARankFails() {
        const std::string told = toldOfAFailure([](Ranks& first, std::thread& other) {
            const at::Tensor a = leaf(3, 1);
            GradientSums sums(first, {a});
            other.join();
            const at::Tensor loss = a.sum();
            sums.expect(loss).backward();
        });
        QCOMPARE(told, std::string("Rank 1 failed: The disk is full."));
    }
};

HEADROOM_TEST(GradientSumsTest)

} // namespace headroom::testing::gradient_sums_test

#include "gradient_sums_test.moc"
