// SPDX-License-Identifier: GPL-3.0-or-later
// The last layer of a pass of which only the first tokens are read.
#include "models/networks/s2t_encoder.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

namespace headroom::testing::read_tokens_test {

using namespace headroom::models;

class ReadTokensTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreThoseOfTheWholePass_data() {
        QTest::addColumn<bool>("leavesRestOut");
        for (const auto& [family, leavesRestOut] :
             {std::pair{"s2t", true}, {"postNorm", true}, {"relaxed", true}, {"wav2vec2", false}, {"wavlm", false}, {"ast", false},
              {"multiformerLc", false}, {"conformer", false}, {"branchformer", false}, {"relaxedMatched", true}})
            QTest::newRow(family) << leavesRestOut;
    }
    void theyAreThoseOfTheWholePass() {
        const c10::InferenceMode inference;
        QFETCH(const bool, leavesRestOut);
        constexpr std::int64_t kRead = 11;
        const Architecture& architecture = smallFamily(QTest::currentDataTag());
        const Parameters parameters = madeWeights(architecture);
        const at::Tensor features = madeBatch({150}, 1, architecture.frontEnd.features);
        std::vector<at::Tensor> maps, values;
        const auto pass = [&](std::int64_t read, bool observed) {
            maps.clear();
            values.clear();
            const AttentionObserver keep = [&](const AttentionStep& step) {
                maps.push_back(step.groups.back().applied.weights.clone());
                values.push_back(step.groups.back().values.clone());
            };
            return encodeBatch(parameters, architecture, features, {150}, Padding::Safe,
                               observed ? LayerObservers([&](int) { return keep; }) : LayerObservers(), {}, {}, nullptr, nullptr, read);
        };
        for (const bool observed : {false, true}) {
            const at::Tensor whole = pass(0, observed);
            const std::vector<at::Tensor> wholeMaps = maps, wholeValues = values;
            QVERIFY(whole.size(1) > kRead);
            const at::Tensor read = pass(kRead, observed);
            QCOMPARE(read.size(1), leavesRestOut ? kRead : whole.size(1));
            QVERIFY(largest(read.narrow(1, 0, kRead).sub(whole.narrow(1, 0, kRead))) <= 1e-5 * largest(whole));
            QCOMPARE(maps.size(), observed ? architecture.encoder.layers.size() : 0);
            for (std::size_t layer = 0; layer < maps.size(); ++layer) {
                const at::Tensor wanted = wholeMaps[layer].narrow(2, 0, kRead);
                QVERIFY(largest(maps[layer].narrow(2, 0, kRead).sub(wanted)) <= 1e-5);
                QVERIFY(largest(values[layer].sub(wholeValues[layer])) <= 1e-5 * largest(wholeValues[layer])); // of all keys
            }
        }
    }
};

HEADROOM_TEST(ReadTokensTest)

} // namespace headroom::testing::read_tokens_test

#include "read_tokens_test.moc"
