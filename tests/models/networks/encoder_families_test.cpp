// SPDX-License-Identifier: GPL-3.0-or-later
// Every family that reads a waveform against what its library computes: states, maps, contributions, labels, clock.
#include "core/audio/audio_file.h"
#include "core/features/model_input.h"
#include "core/text/tokenizer.h"
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>

namespace headroom::testing::encoder_families_test {

using namespace headroom::models;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Layer (or layer and head) `index` of an array [layers, …, rows, columns].
std::span<const float> part(const std::vector<float>& values, std::size_t parts, std::size_t index) {
    const std::size_t each = values.size() / parts;
    return {values.data() + index * each, each};
}

std::vector<float> floatsIn(const fs::path& file) {
    return toFloats(readNpy(file).view());
}

float largestOf(std::span<const float> values) {
    float largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::abs(value));
    return largest;
}

constexpr const char* kWaveformTypes[] = {"wav2vec2", "hubert", "wavlm", "data2vec-audio"};

} // namespace

class EncoderFamiliesTest : public QObject {
    Q_OBJECT

    struct Analysed {
        std::unique_ptr<SpeechModel> model;
        Matrix<float> features;
        EncoderAnalysis whole;
        std::vector<LayerAnalysis> layers;
        json expected;
        fs::path folder;
    };

    static Analysed analysed() {
        QFETCH(QString, folder);
        Analysed result;
        result.folder = folder.toStdString();
        result.expected = readJson(result.folder / "expected" / "expected.json");
        result.model = SpeechModel::open(result.folder);
        const auto sound =
            loadRecording(result.folder / "expected" / result.expected["audio"].get<std::string>());
        result.features = modelFeatures(sound.samples, result.model->info().architecture.frontEnd.input());
        AnalysisOptions options;
        options.keepAttention = options.keepStates = true;
        result.whole =
            result.model->analyse(result.features, options, [&](LayerAnalysis&& layer) {
                result.layers.push_back(std::move(layer));
            });
        return result;
    }

    static void folders() {
        QTest::addColumn<QString>("folder");
        for (const auto& [name, goldens] : goldenFolders()) {
            const fs::path encoders = goldens / "parity" / "encoders";
            if (!fs::exists(encoders))
                continue;
            for (const auto& entry : fs::directory_iterator(encoders)) {
                if (!fs::exists(entry.path() / "expected" / "expected.json") ||
                    !fs::exists(entry.path() / "config.json")) // ESPnet has another
                    continue;
                const std::string type = readJson(entry.path() / "config.json").value("model_type", "");
                if (std::find(std::begin(kWaveformTypes), std::end(kWaveformTypes), type) !=
                    std::end(kWaveformTypes))
                    QTest::addRow("%s %s", name, entry.path().filename().c_str())
                        << QString::fromStdString(entry.path().string());
            }
        }
    }

private Q_SLOTS:
    void statesAndMapsEqualTheLibrary_data() { folders(); }
    void statesAndMapsEqualTheLibrary() {
        const Analysed found = analysed();
        const auto count = found.layers.size();
        QVERIFY(json(count) == found.expected["layers"]);
        QVERIFY(json(found.whole.tokens) == found.expected["tokens"]);
        const auto states = floatsIn(found.folder / "expected" / "hidden_states.npy");
        const double most = 1e-4 * static_cast<double>(largestOf(states));
        QVERIFY(largestDifference(found.whole.input.values(), part(states, count + 1, 0)) <= most);
        const auto maps = floatsIn(found.folder / "expected" / "attention.npy");
        const auto heads = found.expected["heads"].get<std::size_t>();
        for (std::size_t l = 0; l < count; ++l) {
            QVERIFY(largestDifference(found.layers[l].state.values(), part(states, count + 1, l + 1)) <= most);
            for (std::size_t h = 0; h < heads; ++h)
                QVERIFY(largestDifference(found.layers[l].attention.at(h).values(),
                                          part(maps, count * heads, l * heads + h)) <=
                        1e-4 * static_cast<double>(largestOf(maps)));
        }
        if (const fs::path output = found.folder / "expected" / "encoder_output.npy"; fs::exists(output))
            QVERIFY(largestDifference(found.whole.encoderOutput.values(), floatsIn(output)) <= most);
        else // post-norm: the last layer ends in a norm
            QCOMPARE(found.whole.encoderOutput.values(), found.layers.back().state.values());
    }

    void contributionsEqualTheMaterialisedOnes_data() { folders(); }
    void contributionsEqualTheMaterialisedOnes() {
        const Analysed found = analysed();
        const auto expected = floatsIn(found.folder / "expected" / "contribution.npy");
        const auto relevance = floatsIn(found.folder / "expected" / "head_relevance.npy");
        for (std::size_t l = 0; l < found.layers.size(); ++l) {
            const LayerAnalysis& layer = found.layers[l];
            QVERIFY(largestDifference(layer.contributions.values(), part(expected, found.layers.size(), l)) <=
                    1e-4 * static_cast<double>(largestOf(expected)));
            QVERIFY(largestDifference(layer.headRelevance.values(), part(relevance, found.layers.size(), l)) <=
                    1e-4);
            QVERIFY(layer.rebuildError <= 1e-4F);
            QVERIFY(layer.gramError <= 1e-5F);
        }
    }

    void labelsAndTextEqualTheLibrary_data() { folders(); }
    void labelsAndTextEqualTheLibrary() {
        const Analysed found = analysed();
        if (!found.expected.contains("ctc")) {
            QVERIFY(found.whole.ctcIds.empty());
            QVERIFY(!found.model->info().architecture.ctc);
            return;
        }
        const json& ctc = found.expected["ctc"];
        QVERIFY(json(found.whole.ctcIds) == ctc["ids"]);
        QCOMPARE(found.model->info().architecture.ctcBlank, ctc["blank"].get<int>());
        const auto ids = found.model->greedy(found.features);
        QVERIFY(json(ids) == ctc["collapsed"]);
        QCOMPARE(Tokenizer(found.model->info().tokenizer).decode(ids), ctc["text"].get<std::string>());
    }

    void anotherLanguageEqualsTheLibrary_data() {
        QTest::addColumn<bool>("byFile");
        QTest::newRow("by the file of its adapters") << true;
        QTest::newRow("by target_lang") << false;
    }
    void anotherLanguageEqualsTheLibrary() {
        QFETCH(bool, byFile);
        const fs::path folder = sharedData() / "parity" / "encoders" / "wav2vec2-mms";
        if (sharedData().empty() || !fs::exists(folder))
            QSKIP(kNoSharedData);
        const QTemporaryDir place;
        const fs::path copy = place.path().toStdString();
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.is_regular_file())
                fs::copy_file(entry, copy / entry.path().filename());
        if (!byFile) {
            fs::permissions(copy / "tokenizer_config.json", fs::perms::owner_all);
            json settings = readJson(copy / "tokenizer_config.json");
            settings["target_lang"] = "fra";
            std::ofstream(copy / "tokenizer_config.json") << settings.dump();
        }
        const auto model = SpeechModel::open(byFile ? copy / "adapter.fra.safetensors" : copy);
        const json expected = readJson(folder / "expected" / "expected.json");
        const auto sound = loadRecording(folder / "expected" / expected["audio"].get<std::string>());
        const auto features = modelFeatures(sound.samples, model->info().architecture.frontEnd.input());
        const Tensor logits = readNpy(folder / "expected" / "logits_fra.npy"); // [token, label]
        auto values = toFloats(logits.view());
        const float most = largestOf(values);
        const auto labels = static_cast<std::size_t>(logits.shape.back());
        for (std::size_t row = 0; row < values.size(); row += labels) { // their ln P
            double sum = 0;
            for (std::size_t i = 0; i < labels; ++i)
                sum += std::exp(static_cast<double>(values[row + i]));
            for (std::size_t i = 0; i < labels; ++i)
                values[row + i] -= static_cast<float>(std::log(sum));
        }
        const auto found = model->ctcLogProbabilities(features);
        QCOMPARE(found.columns(), labels);
        QVERIFY(largestDifference(found.values(), values) <= 1e-4 * static_cast<double>(most));
        const json& ctc = expected["ctc_fra"];
        QVERIFY(json(model->analyse(features, {}, [](LayerAnalysis&&) {}).ctcIds) == ctc["ids"]);
        const auto ids = model->greedy(features);
        QVERIFY(json(ids) == ctc["collapsed"]);
        QCOMPARE(Tokenizer(model->info().tokenizer).decode(ids), ctc["text"].get<std::string>());
    }

    void centresAreExact_data() { folders(); }
    void centresAreExact() {
        const Analysed found = analysed();
        const Tensor clock = readNpy(found.folder / "expected" / "clock.npy");
        const auto* places = reinterpret_cast<const double*>(clock.bytes.data());
        const TokenClock& own = found.model->info().clock;
        for (std::int64_t t = 0; t < clock.shape[0]; ++t) {
            QVERIFY(std::abs(own.centre(Tokens(t)).value() - places[3 * t + 2] / 16000) < 1e-12);
            const auto read = own.receptiveField(Tokens(t));
            QCOMPARE(static_cast<double>(read.first.value()), places[3 * t]);
            QCOMPARE(static_cast<double>(read.last.value()) + 1, places[3 * t + 1]);
        }
    }
};

HEADROOM_TEST(EncoderFamiliesTest)

} // namespace headroom::testing::encoder_families_test

#include "encoder_families_test.moc"
