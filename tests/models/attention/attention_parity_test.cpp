// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/group_pass.h"
#include "models/kernels/banded.h"
#include "tests/models/attention/attention_oracle.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

#include <QTest>

namespace headroom::testing::attention_parity_test {

using namespace headroom::models;

namespace {

constexpr std::int64_t kHeads = 4;

at::Tensor readTensor(const std::filesystem::path& file) {
    const Tensor tensor = readNpy(file);
    std::vector<double> values = toDoubles(tensor.view());
    return at::from_blob(values.data(), tensor.shape, at::kDouble).clone();
}

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

struct Kind {
    const char* name;
    const char* heads;
};
constexpr Kind kKinds[] = {{"full", "4 full"},
                           {"local_1", "4 local 1"},
                           {"local_5", "4 local 5"},
                           {"local_17", "4 local 17"},
                           {"block_64", "4 local 64 block"},
                           {"relaxed", "4 full relaxed 0.25 matched"},
                           {"smoothed_focus", "4 full smoothed"},
                           {"was", "4 full suppressed 0.5"},
                           {"conv", "4 conv 5/2"}};

} // namespace

/// Every kind against parity/attention_kinds, which plain NumPy made in double.
class AttentionParityTest : public QObject {
    Q_OBJECT
    std::filesystem::path m_folder;
    Parameters m_convolutions;
    std::int64_t m_channels = 0; ///< of a head

    at::Tensor read(const std::string& name) const { return readTensor(m_folder / (name + ".npy")); }

    /// The group's outcome on one set of q, k, v in double or float; `wantsMaps` chooses the path that writes
    /// them.
    GroupOutcome outcome(const std::string& set, const char* heads, AttentionContext& context, bool wantsMaps,
                         at::ScalarType type) const {
        AttentionPlan plan;
        plan.groups = parseHeads(heads);
        plan.heads = kHeads;
        plan.width = kHeads * m_channels;
        const auto take = [&](const char* which) {
            const at::Tensor x = read(set + "." + which).to(type);
            return x.dim() == 3 ? x.unsqueeze(0) : x;
        };
        const Parameters single = type == at::kFloat ? inFloat() : m_convolutions;
        const GroupPass pass{Scope(single), plan, context, {}, wantsMaps};
        return attendGroup(pass, {plan.groups.front(), 0, 0, take("q").div(std::sqrt(static_cast<double>(m_channels))), take("k"), take("v")});
    }

    Parameters inFloat() const {
        Parameters result;
        m_convolutions.forEach([&](const std::string& name, const at::Tensor& tensor) {
            result.set(name, tensor.to(at::kFloat));
        });
        return result;
    }

private Q_SLOTS:
    void initTestCase_data() { testing::addGoldenFolders(); }
    void init() {
        const auto folder = testing::classGoldens() / "parity" / "attention_kinds";
        if (folder == m_folder)
            return;
        m_folder = folder;
        m_channels = read("n7.q").size(-1);
        for (const char* which : {"conv_k", "conv_v"})
            for (const char* part : {"weight", "bias"})
                m_convolutions.set(std::string("groups.0.") + which + "." + part,
                                   read(std::string(which) + "." + part));
    }

    void everyKindEqualsTheReference_data() {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < static_cast<int>(std::size(kKinds)); ++kind)
            QTest::newRow(kKinds[kind].name) << kind;
    }
    void everyKindEqualsTheReference() {
        QFETCH(int, kind);
        const std::string name = kKinds[kind].name;
        for (const auto& [type, bound] : {std::pair{at::kDouble, 1e-12}, std::pair{at::kFloat, 1e-5}})
            for (const bool wantsMaps : {false, true}) {
                for (const auto& [set, tokens] :
                     {std::pair{"n1", 1}, std::pair{"n7", 7}, std::pair{"n64", 64}}) {
                    AttentionContext context({}, tokens);
                    const GroupOutcome found = outcome(set, kKinds[kind].heads, context, wantsMaps, type);
                    const at::Tensor expected = read(std::string(set) + "." + name);
                    const double difference = largest(found.mixed.squeeze(0).sub(expected));
                    QVERIFY2(difference <= bound,
                             (std::string(set) + ": " + std::to_string(difference)).c_str());
                }
                AttentionContext context({}, 166);
                const at::Tensor found =
                    outcome("n166", kKinds[kind].heads, context, wantsMaps, type).mixed.squeeze(0);
                const at::Tensor expected = read("n166." + name + ".sample");
                const at::Tensor index = read("n166.sample_index").to(at::kLong);
                for (std::int64_t s = 0; s < index.size(0); ++s) {
                    const double value =
                        found[index[s][0].item<std::int64_t>()][index[s][1].item<std::int64_t>()]
                             [index[s][2].item<std::int64_t>()]
                                 .item<double>();
                    QVERIFY(std::abs(value - expected[s].item<double>()) <= bound);
                }
                const auto summary =
                    testing::readJson(m_folder / "kinds.json")["summary_n166"][kKinds[kind].name];
                QVERIFY(std::abs(found.to(at::kDouble).sum().item<double>() - summary["sum"].get<double>()) <=
                        bound * 1e3);
            }
    }

    void mapsEqualTheReference_data() { everyKindEqualsTheReference_data(); }
    void mapsEqualTheReference() {
        QFETCH(int, kind);
        AttentionContext context({}, 7);
        const GroupOutcome found = outcome("n7", kKinds[kind].heads, context, true, at::kDouble);
        const AttentionMap& map = found.step.applied;
        const at::Tensor written =
            map.form == AttentionMap::Form::Band ? bandedToDense(map.weights, map.reach) : map.weights;
        const at::Tensor expected = read("n7." + std::string(kKinds[kind].name) + ".map");
        QCOMPARE(written.squeeze(0).sizes().vec(), expected.sizes().vec());
        QVERIFY(largest(written.squeeze(0).sub(expected)) <= 1e-12);
    }

    void paddedBatchesEqualTheReference_data() {
        everyKindEqualsTheReference_data();
        QTest::newRow("conv_released") << -1;
    }
    void paddedBatchesEqualTheReference() {
        QFETCH(int, kind);
        const bool released = kind < 0; // the published code reads the padding
        const char* heads = released ? "4 conv 5/2" : kKinds[kind].heads;
        AttentionContext::Options options;
        options.convReadsPadding = released;
        const std::vector<std::int64_t> lengths{24, 11, 3};
        for (const bool wantsMaps : {false, true}) {
            AttentionContext context(lengths, 24, options);
            const at::Tensor found = outcome("batch", heads, context, wantsMaps, at::kDouble).mixed;
            const at::Tensor expected =
                read(std::string("batch.") + (released ? "conv_released" : kKinds[kind].name));
            for (std::size_t item = 0; item < lengths.size(); ++item) {
                const auto valid = [&](const at::Tensor& x) {
                    return x.select(0, static_cast<std::int64_t>(item)).narrow(1, 0, lengths[item]);
                };
                QVERIFY(largest(valid(found).sub(valid(expected))) <= 1e-5); // stored in float32
            }
        }
    }
};

HEADROOM_TEST(AttentionParityTest)

} // namespace headroom::testing::attention_parity_test

#include "attention_parity_test.moc"
