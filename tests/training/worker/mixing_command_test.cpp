// SPDX-License-Identifier: GPL-3.0-or-later
// analyse --mixing.
#include "core/alignment/text_grid.h"
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QtTest>

#include <cmath>
#include <memory>

namespace headroom::testing::mixing_command_test {

class MixingCommandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_audio = path("tone.wav");
        writeSound(m_audio.toStdString(), 1.5);
        m_out = path("out");
    }

    void everyMeasureIsAnArrayWhoseRowsSumToOne() {
        const auto done = runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out, "--json", "--mixing",
                                            "attention-norm,alti,value-zeroing,rollout-contributions"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto arrays = arraysOf(path("out/tone.npz").toStdString());
        const auto layers = done.document()["utterances"][0]["layers"];
        QVERIFY(layers.size() > 1);
        for (std::size_t layer = 1; layer <= layers.size(); ++layer) {
            const std::string prefix = "layer." + std::to_string(layer) + ".mixing.";
            for (const char* name : {"attention-norm", "alti", "value-zeroing", "rollout-contributions"}) {
                const Tensor& map = arrays.at(prefix + name);
                const auto values = toDoubles(map.view());
                const auto n = static_cast<std::size_t>(map.shape.at(0));
                QCOMPARE(map.shape, (std::vector<std::int64_t>{37, 37}));
                for (std::size_t i = 0; i < n; ++i) {
                    double sum = 0;
                    for (std::size_t j = 0; j < n; ++j)
                        sum += values[i * n + j];
                    QVERIFY(std::abs(sum - 1) <= 1e-4);
                }
                QVERIFY(layers[layer - 1]["mixing"].at(name).is_null());
            }
        }
        // The rollout of the first layer is its map; that of the second the product with it.
        const auto first = toDoubles(arrays.at("layer.1.contributions").view()),
                   second = toDoubles(arrays.at("layer.2.contributions").view()),
                   rollout = toDoubles(arrays.at("layer.2.mixing.rollout-contributions").view());
        for (std::size_t i = 0; i < 37; ++i)
            for (std::size_t j = 0; j < 37; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 37; ++k)
                    sum += second[i * 37 + k] * first[k * 37 + j];
                QVERIFY(std::abs(sum - rollout[i * 37 + j]) <= 1e-5);
            }
    }

    void wordsAreZeroedTogether() {
        TextGrid grid;
        grid.start = Seconds(0);
        grid.end = Seconds(1.5);
        grid.tiers.push_back({"words",
                              false,
                              {{Seconds(0), Seconds(0.3), ""},
                               {Seconds(0.3), Seconds(0.8), "one"},
                               {Seconds(0.8), Seconds(1.5), "two"}},
                              {}});
        writeTextGrid(path("tone.TextGrid").toStdString(), grid);
        const auto done = runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out, "--json", "--mixing",
                                            "value-zeroing,alti", "--units", "words", "--pooling", "maximum"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto arrays = arraysOf(path("out/tone.npz").toStdString());
        const auto units = toDoubles(arrays.at("mixing.units").view());
        QCOMPARE(units, (std::vector<double>{0, 8, 8, 20, 20, 37})); // centres at 0.0125 + 0.04 t
        QCOMPARE(arrays.at("layer.1.mixing.value-zeroing").shape, (std::vector<std::int64_t>{3, 3}));
        QCOMPARE(arrays.at("layer.1.mixing.alti").shape, (std::vector<std::int64_t>{3, 3}));
        const auto row = done.document()["utterances"][0];
        QVERIFY(row["mixingUnits"]["labels"] == nlohmann::json({"", "one", "two"}));
    }

    void theDecoderHasMeasuresOfItsOwn() {
        const auto done = runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out, "--json", "--decoder", "--mixing",
                                            "alti,rollout-alti"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto arrays = arraysOf(path("out/tone.npz").toStdString());
        const auto decoder = done.document()["utterances"][0]["decoder"];
        const auto targets = decoder["targets"].get<std::int64_t>();
        QCOMPARE(arrays.at("decoder.layer.1.self.mixing.alti").shape, (std::vector<std::int64_t>{targets, targets}));
        QCOMPARE(arrays.at("decoder.layer.1.cross.mixing.alti").shape, (std::vector<std::int64_t>{targets, 37}));
        QCOMPARE(arrays.at("decoder.layer.1.cross.mixing.rollout-alti").shape, (std::vector<std::int64_t>{targets, 37}));
        QVERIFY(!arrays.contains("decoder.layer.1.self.mixing.rollout-alti"));
        QVERIFY(decoder["layers"][0]["cross"]["mixing"]["alti"].is_null());
        QVERIFY(decoder["layers"][0]["self"]["mixing"]["rollout-alti"].get<std::string>().find("no rollout") != std::string::npos);
    }

    void whatCannotBeIsSaid() {
        const auto unknown = runWorkerProgram(
            {"analyse", "--model", kModel, m_audio, "--out", m_out, "--mixing", "alti,norm"});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.says("“norm” is not a measure of mixing"), unknown.err.c_str());
        const auto words = runWorkerProgram(
            {"analyse", "--model", kModel, m_audio, "--out", m_out, "--mixing", "alti", "--units", "words"});
        QCOMPARE(words.status, 1);
        QVERIFY2(words.says("tone.wav has no alignment with words"), words.err.c_str());
        QCOMPARE(runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out, "--units", "words"}).status,
                 2);
        QVERIFY(runWorkerProgram({"analyse", "--help"}).out.find("Mohebbi") != std::string::npos);
    }

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_audio, m_out;
};

HEADROOM_TEST(MixingCommandTest)

} // namespace headroom::testing::mixing_command_test

#include "mixing_command_test.moc"
