// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/analysis/text_attention.h"

#include "core/tensors/npy.h"
#include "tests/support/random_model.h"
#include "tests/support/runner.h"
#include "training/analysis/analysis_arrays.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <map>

namespace headroom::testing::text_attention_test {

using namespace headroom::training;

class TextAttentionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Heads over other keys have a map of another size each, also where nothing but maps is computed.
    void mapsAreThoseOfAnalyse_data() {
        QTest::addColumn<QString>("heads");
        QTest::newRow("several kinds in a layer") << "1 local 9 block + 2 conv 5/2 + 1 full";
        QTest::newRow("shortened keys alone") << "4 conv 5/2";
        QTest::newRow("relaxed") << "4 full relaxed 0.3 matched";
    }
    void mapsAreThoseOfAnalyse() {
        QFETCH(QString, heads);
        QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        const RandomModel random(place / "model", {heads.toStdString(), "4 full"});
        const auto model = models::SpeechModel::open(random.folder());
        std::vector<float> values(120 * 80);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(std::sin(0.37 * static_cast<double>(i) + 0.01 * static_cast<double>(i % 80)));
        const Matrix<float> features(120, 80, std::move(values));
        models::AnalysisOptions options;
        options.keepAttention = true;
        std::map<std::string, Tensor> expected;
        model->analyse(features, options, [&](models::LayerAnalysis&& layer) {
            for (auto& [name, tensor] : layerArrays(layer))
                if (name.ends_with("attention"))
                    expected.emplace(name, std::move(tensor));
        });
        writeTextAttention(*model, features, {2}, {{5, 6, 2}}, place / "maps.npz"); // an encoder alone reads no text
        std::map<std::string, Tensor> found;
        for (auto& [name, tensor] : readNpz(place / "maps.npz"))
            found.emplace(name, std::move(tensor));
        QCOMPARE(found.size(), expected.size() + 1);
        QVERIFY(found.contains("token_seconds"));
        for (const auto& [name, tensor] : expected) {
            QVERIFY2(found.contains(name), name.c_str());
            QCOMPARE(found.at(name).shape, tensor.shape);
            const auto x = toDoubles(tensor.view()), y = toDoubles(found.at(name).view());
            for (std::size_t i = 0; i < x.size(); ++i)
                QVERIFY2(std::abs(x[i] - y[i]) < 1e-6, name.c_str());
        }
        QCOMPARE(expected.contains("layer.1.attention"), !heads.contains("conv"));
        QVERIFY(!heads.contains("conv") || expected.contains("layer.1.head.2.attention"));
    }
};

HEADROOM_TEST(TextAttentionTest)

} // namespace headroom::testing::text_attention_test

#include "text_attention_test.moc"
