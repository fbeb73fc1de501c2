// SPDX-License-Identifier: GPL-3.0-or-later
// Forms of layers for several processes and for devices other than the CPU, against those of one CPU.
#include "models/layers/batch_norm.h"
#include "models/layers/dropout_kernels.h"
#include "models/layers/dropout_mask.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/zeros.h>

#include <QTest>

#include <barrier>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

namespace headroom::testing::device_forms_test {

using namespace headroom::models;

namespace {

constexpr std::int64_t kChannels = 4, kFrames = 9;
/// Sums of another order differ by rounding. Results go up to 10; in 40,000 drawings they differed by 3.4e-6 at most, the
/// gradients of weights by 7.9e-6.
constexpr double kRounding = 5e-6, kRoundingOfWeights = 1e-5;

double largest(const at::Tensor& x) {
    return x.detach().abs().max().item<double>();
}

/// Weights of a BatchNorm that has seen `seen` batches.
Parameters normAfter(double seen) {
    Parameters result;
    result.set("n.weight", at::randn({kChannels}).add(1).set_requires_grad(true));
    result.set("n.bias", at::randn({kChannels}).set_requires_grad(true));
    result.setBuffer("n.running_mean", at::randn({kChannels}));
    result.setBuffer("n.running_var", at::ones({kChannels}));
    result.setBuffer("n.batches_seen", at::zeros({1}).add(seen));
    return result;
}

Parameters copyOf(const Parameters& made) {
    Parameters result;
    made.forEach([&](const std::string& name, const at::Tensor& tensor) {
        if (made.isBuffer(name))
            result.setBuffer(name, tensor.clone());
        else
            result.set(name, tensor.detach().clone().set_requires_grad(true));
    });
    return result;
}

/// Sums of threads that stand for processes.
class Joined {
public:
    explicit Joined(int count) : m_barrier(count) {}
    void sum(at::Tensor& numbers) {
        {
            const std::lock_guard guard(m_mutex);
            m_total = m_total.defined() ? m_total.add(numbers) : numbers.clone();
        }
        m_barrier.arrive_and_wait();
        numbers.copy_(m_total);
        m_barrier.arrive_and_wait();
        {
            const std::lock_guard guard(m_mutex);
            m_total = at::Tensor();
        }
        m_barrier.arrive_and_wait();
    }

private:
    std::barrier<> m_barrier;
    std::mutex m_mutex;
    at::Tensor m_total;
};

struct Outcome {
    at::Tensor y, gradient;
};

Outcome through(const Parameters& parameters, const at::Tensor& batch, const at::Tensor& direction,
                const std::vector<std::int64_t>& lengths, const SharedStatistics* shared) {
    const at::Tensor x = batch.clone().set_requires_grad(true);
    const at::Tensor y = batchNorm(Scope(parameters) / "n", x, lengths, true, shared);
    y.mul(direction).sum().backward();
    return {y.detach(), x.grad()};
}

} // namespace

class DeviceFormsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void severalProcessesNormaliseAsOne_data() {
        QTest::addColumn<double>("seen");
        QTest::newRow("first batch") << 0.0;
        QTest::newRow("after many") << 400.0;
    }
    /// Three processes, the second with one short recording, the third with none.
    void severalProcessesNormaliseAsOne() {
        QFETCH(double, seen);
        const at::Tensor x = at::randn({3, kChannels, kFrames}).mul(2).add(5), direction = at::randn_like(x);
        const std::vector<std::int64_t> lengths{9, 6, 3};
        const Parameters one = normAfter(seen);
        std::vector<Parameters> parts{copyOf(one), copyOf(one), copyOf(one)};
        const Outcome whole = through(one, x, direction, lengths, nullptr);

        Joined joined(3);
        std::vector<Outcome> found(3);
        const std::vector<std::pair<std::int64_t, std::int64_t>> shares{{0, 2}, {2, 1}, {0, 1}};
        std::vector<std::thread> processes;
        for (std::size_t i = 0; i < 3; ++i)
            processes.emplace_back([&, i] {
                const auto [first, count] = shares[i];
                const SharedStatistics shared{[&](at::Tensor& numbers) { joined.sum(numbers); }, i < 2};
                const auto own = std::vector(lengths.begin() + first, lengths.begin() + first + count);
                found[i] = through(parts[i], x.narrow(0, first, count),
                                   direction.narrow(0, first, count).mul(i < 2 ? 1 : 0), own, &shared);
            });
        for (std::thread& process : processes)
            process.join();

        QVERIFY(largest(at::cat({found[0].y, found[1].y}).sub(whole.y)) < kRounding);
        QVERIFY(largest(at::cat({found[0].gradient, found[1].gradient}).sub(whole.gradient)) < kRounding);
        QCOMPARE(largest(found[2].gradient), 0.0); // stands in for none
        for (const char* name : {"n.weight", "n.bias"}) {
            at::Tensor sum = at::zeros({kChannels});
            for (const Parameters& part : parts)
                sum = sum.add(part.get(name).grad());
            QVERIFY(largest(sum.sub(one.get(name).grad())) < kRoundingOfWeights);
        }
        for (const char* name : {"n.running_mean", "n.running_var", "n.batches_seen"})
            for (const Parameters& part : parts) {
                QVERIFY(largest(part.get(name).sub(one.get(name))) < kRounding);
                QVERIFY(part.get(name).equal(parts[0].get(name)));
            }
    }

    void oneValueIsJudgedByThoseBeforeIt_data() { severalProcessesNormaliseAsOne_data(); }
    void oneValueIsJudgedByThoseBeforeIt() {
        QFETCH(double, seen);
        const at::Tensor x = at::randn({1, kChannels, 1}).add(5), direction = at::randn_like(x);
        const Parameters alone = normAfter(seen), one = copyOf(alone);
        const Outcome expected = through(alone, x, direction, {1}, nullptr);
        const SharedStatistics shared{[](at::Tensor&) {}};
        const Outcome found = through(one, x, direction, {1}, &shared);
        QVERIFY(largest(found.y.sub(expected.y)) < kRounding);
        QVERIFY(largest(found.gradient.sub(expected.gradient)) < kRounding);
        for (const char* name : {"n.weight", "n.bias"})
            QVERIFY(largest(one.get(name).grad().sub(alone.get(name).grad())) < kRounding);
        for (const char* name : {"n.running_mean", "n.running_var", "n.batches_seen"})
            QVERIFY(one.get(name).equal(alone.get(name)));
    }

    void theMaskOfOperationsIsThatOfTheKernel_data() {
        QTest::addColumn<quint64>("key");
        for (const quint64 key : {0ULL, 1ULL, 0x123456789ABCDEF0ULL, ~0ULL})
            QTest::addRow("%llx", static_cast<unsigned long long>(key)) << key;
    }
    void theMaskOfOperationsIsThatOfTheKernel() {
        QFETCH(quint64, key);
        constexpr std::uint32_t kLimit = 1288490188; // 0.3 of 2³²
        const at::Tensor expected = at::empty({70, 1000}, at::kFloat);
        drawMask(expected.mutable_data_ptr<float>(), 0, expected.numel(), key, kLimit, 1.5F);
        const at::Tensor found = dropoutMask(expected, key, kLimit, 1.5F);
        QVERIFY(found.equal(expected));
        QVERIFY(found.eq(0).sum().item<std::int64_t>() > 20000);
        QVERIFY(!dropoutMask(expected, key + 1, kLimit, 1.5F).equal(expected));
    }
};

HEADROOM_TEST(DeviceFormsTest)

} // namespace headroom::testing::device_forms_test

#include "device_forms_test.moc"
