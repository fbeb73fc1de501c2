// SPDX-License-Identifier: GPL-3.0-or-later
// Whisper against what its library computes: states, maps, contributions, decoder, texts and times.
#include "core/audio/audio_file.h"
#include "core/features/model_input.h"
#include "core/text/tokenizer.h"
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <numeric>

#include <QTemporaryDir>
#include <QTest>

#include "models/checkpoints/import.h"

namespace headroom::testing::whisper_parity_test {

using namespace headroom::models;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::vector<float> floatsIn(const fs::path& file) {
    return toFloats(readNpy(file).view());
}

double largestOf(std::span<const float> values) {
    float largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::abs(value));
    return static_cast<double>(largest);
}

/// The part `index` of `parts` equal ones.
std::span<const float> part(const std::vector<float>& values, std::size_t parts, std::size_t index) {
    const std::size_t each = values.size() / parts;
    return {values.data() + index * each, each};
}

/// What the model reads: from the recording, or, where it is not here, from the stored frames.
Matrix<float> inputOf(const fs::path& folder, const json& expected, const ModelInput& input) {
    const fs::path audio = folder / "expected" / expected["audio"].get<std::string>();
    if (fs::exists(audio))
        return modelFeatures(loadRecording(audio).samples, input);
    const Matrix<float> stored = readMatrix(folder / "expected" / "input_features.npy"); // [bin, frame]
    Matrix<float> rows(static_cast<std::size_t>(
                           input.frameCount(Samples(expected["samples"].get<std::int64_t>())).value()),
                       stored.rows(), expected["input_features_tail"].get<float>());
    for (std::size_t frame = 0; frame < std::min(rows.rows(), stored.columns()); ++frame)
        for (std::size_t bin = 0; bin < rows.columns(); ++bin)
            rows(frame, bin) = stored(bin, frame);
    return rows;
}

/// Rows of `matrix` beside the stored tokens `rows`, which lie among the recording's own.
double differenceAt(const Matrix<float>& matrix, std::span<const float> stored, const json& rows) {
    double largest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto token = rows[i].get<std::size_t>();
        if (token < matrix.rows())
            largest = std::max(largest, largestDifference(matrix.row(token),
                                                          stored.subspan(i * matrix.columns(), matrix.columns())));
    }
    return largest;
}

/// A map of the valid tokens, rows divided by their sum, which is how it is shown.
std::vector<float> divided(std::span<const float> map, std::size_t columns) {
    std::vector<float> result(map.begin(), map.end());
    for (std::size_t row = 0; row * columns < result.size(); ++row) {
        double sum = 0;
        for (std::size_t i = 0; i < columns; ++i)
            sum += static_cast<double>(result[row * columns + i]);
        for (std::size_t i = 0; i < columns; ++i)
            result[row * columns + i] = static_cast<float>(static_cast<double>(result[row * columns + i]) / sum);
    }
    return result;
}

} // namespace

class WhisperParityTest : public QObject {
    Q_OBJECT

    struct Opened {
        fs::path folder;
        json expected;
        std::unique_ptr<SpeechModel> model;
        Matrix<float> input;
    };
    static Opened opened() {
        QFETCH(QString, folder);
        Opened result;
        result.folder = folder.toStdString();
        result.expected = readJson(result.folder / "expected" / "expected.json");
        result.model = SpeechModel::open(result.folder);
        result.input = inputOf(result.folder, result.expected, result.model->info().architecture.frontEnd.input());
        return result;
    }
    static void folders() {
        addEncoderFolders({"whisper-small", "whisper-80", "whisper-128"});
    }

private Q_SLOTS:
    void statesAndMapsEqualTheLibrary_data() { folders(); }
    void statesAndMapsEqualTheLibrary() {
        const Opened found = opened();
        AnalysisOptions options;
        options.keepAttention = options.keepStates = true;
        std::vector<LayerAnalysis> layers;
        const EncoderAnalysis whole = found.model->analyse(
            found.input, options, [&](LayerAnalysis&& layer) { layers.push_back(std::move(layer)); });
        const auto valid = found.expected["valid_tokens"].get<std::size_t>();
        QVERIFY(json(whole.tokens) == found.expected["valid_tokens"]);
        QVERIFY(json(layers.size()) == found.expected["layers"]);
        const fs::path golden = found.folder / "expected";
        const auto states = floatsIn(golden / "hidden_states.npy");
        const json& rows = found.expected["rows"];
        const double most = 1e-4 * largestOf(states);
        QVERIFY(differenceAt(whole.input, part(states, layers.size() + 1, 0), rows) <= most);
        QVERIFY(differenceAt(whole.encoderOutput, floatsIn(golden / "encoder_output.npy"), rows) <= most);
        const auto maps = floatsIn(golden / "attention_valid.npy"), cut = floatsIn(golden / "contribution_cut.npy"),
                   relevance = floatsIn(golden / "head_relevance.npy");
        const auto heads = found.expected["heads"].get<std::size_t>();
        const json& shares = found.expected["contributions"]["share_on_padding_keys_of_valid_queries"];
        for (std::size_t l = 0; l < layers.size(); ++l) {
            const LayerAnalysis& layer = layers[l];
            QVERIFY(differenceAt(layer.state, part(states, layers.size() + 1, l + 1), rows) <= most);
            for (std::size_t h = 0; h < heads; ++h) {
                const auto map = divided(part(maps, layers.size() * heads, l * heads + h), valid);
                QVERIFY(largestDifference(layer.attention.at(h).values(), map) <= 1e-4 * largestOf(map));
            }
            QVERIFY(largestDifference(layer.contributions.values(), part(cut, layers.size(), l)) <=
                    1e-4 * largestOf(cut));
            QVERIFY(largestDifference(layer.headRelevance.values(), part(relevance, layers.size(), l)) <= 1e-4);
            const double share = std::accumulate(layer.paddingShare.begin(), layer.paddingShare.end(), 0.0) /
                                 static_cast<double>(valid);
            QCOMPARE(layer.paddingShare.size(), valid);
            QVERIFY(std::abs(share - shares[l].get<double>()) < 1e-4);
            QVERIFY(layer.rebuildError <= 1e-4F);
            QVERIFY(layer.gramError <= 1e-5F);
            QCOMPARE(layer.contributionProfile.size(), static_cast<std::int64_t>(valid));
        }
    }

    void centresAreExact_data() { folders(); }
    void centresAreExact() {
        const Opened found = opened();
        const TokenClock& clock = found.model->info().clock;
        for (std::int64_t t = 0; t < found.expected["valid_tokens"].get<std::int64_t>(); ++t)
            QVERIFY(std::abs(clock.centre(Tokens(t)).value() - 0.02 * static_cast<double>(t)) < 1e-12);
    }

    void decoderLogitsEqualTheLibrary_data() { folders(); }
    void decoderLogitsEqualTheLibrary() {
        const Opened found = opened();
        auto ids = found.expected["decoder"]["ids"].get<std::vector<int>>();
        ids.pop_back();
        const auto expected = floatsIn(found.folder / "expected" / "decoder_logits.npy");
        QVERIFY(largestDifference(found.model->forcedLogits(found.input, ids).values(), expected) <=
                1e-4 * largestOf(expected));
    }

    void crossAttentionEqualsTheLibrary_data() { folders(); }
    void crossAttentionEqualsTheLibrary() {
        const Opened found = opened();
        auto ids = found.expected["decoder"]["ids"].get<std::vector<int>>();
        ids.pop_back();
        AnalysisOptions options;
        options.keepAttention = true;
        std::vector<DecoderLayerAnalysis> layers;
        found.model->analyseDecoder(found.input, ids, options, [&](DecoderLayerAnalysis&& layer) {
            layers.push_back(std::move(layer));
        });
        const auto valid = found.expected["valid_tokens"].get<std::size_t>();
        const auto cross = floatsIn(found.folder / "expected" / "cross_attention_valid.npy"),
                   own = floatsIn(found.folder / "expected" / "decoder_attention.npy");
        const std::size_t heads = layers.front().self.attention.size(), all = layers.size() * heads;
        for (std::size_t l = 0; l < layers.size(); ++l) {
            for (std::size_t h = 0; h < heads; ++h) {
                const auto map = divided(part(cross, all, l * heads + h), valid);
                QVERIFY(largestDifference(layers[l].cross.attention[h].values(), map) <= 1e-4 * largestOf(map));
                QVERIFY(largestDifference(layers[l].self.attention[h].values(), part(own, all, l * heads + h)) <=
                        1e-4);
            }
            QCOMPARE(layers[l].cross.contributions.columns(), valid + 1); // the residual
            QCOMPARE(layers[l].cross.paddingShare.size(), ids.size());
            QVERIFY(layers[l].cross.rebuildError <= 1e-4F);
            for (std::size_t row = 0; row < ids.size(); ++row) {
                const auto weights = layers[l].cross.contributions.row(row);
                QVERIFY(std::abs(std::accumulate(weights.begin(), weights.end(), 0.0) - 1) < 1e-5);
            }
        }
    }

    void textsAndTimesEqualTheLibrary_data() { folders(); }
    void textsAndTimesEqualTheLibrary() {
        const Opened found = opened();
        const json& decoder = found.expected["decoder"];
        TextRequest request;
        request.starts = true;
        const WrittenText text = found.model->write(found.input, request);
        QVERIFY(json(text.prompt) == decoder["prompt"]);
        QVERIFY(json(text.ids) == decoder["new_ids"]);
        QCOMPARE("<|" + text.language + "|>", decoder["detected_language"].get<std::string>());
        QVERIFY(json(found.model->greedy(found.input)) == decoder["new_ids"]);
        const Tokenizer tokenizer(found.model->info().tokenizer);
        QCOMPARE(tokenizer.decode(text.ids), decoder["text"].get<std::string>());
        QVERIFY(largestDifference(text.startSeconds, decoder["token_start_seconds"].get<std::vector<double>>()) <
                1e-9);
        if (!found.expected.contains("decoder_with_times")) {
            request.times = true;
            QVERIFY_EXCEPTION_THROWN(found.model->write(found.input, request), Error);
            return;
        }
        const json& timed = found.expected["decoder_with_times"];
        request.times = true;
        const WrittenText withTimes = found.model->write(found.input, request);
        std::vector<int> ids = withTimes.prompt;
        ids.insert(ids.end(), withTimes.ids.begin(), withTimes.ids.end());
        QVERIFY(json(ids) == timed["ids"]);
        std::string whole;
        for (const int id : ids)
            whole += tokenizer.piece(id).starts_with("<|") ? tokenizer.piece(id) : tokenizer.decode(std::vector{id});
        QCOMPARE(whole, timed["text"].get<std::string>());
    }

    void anImportedModelIsTheSame_data() { folders(); }
    void anImportedModelIsTheSame() {
        const Opened found = opened();
        QTemporaryDir place;
        const fs::path out = place.filePath("ours").toStdString();
        importModel(found.folder, out);
        const auto ours = SpeechModel::open(out);
        QCOMPARE(ours->encode(found.input).values(), found.model->encode(found.input).values());
        QCOMPARE(ours->greedy(found.input), found.model->greedy(found.input));
        QVERIFY(ours->info().tokens == found.model->info().tokens);
        QCOMPARE(Tokenizer(ours->info().tokenizer).decode(ours->greedy(found.input)),
                 found.expected["decoder"]["text"].get<std::string>());
        QCOMPARE(canonicalText(parseArchitecture(canonicalText(ours->info().architecture), "again")),
                 canonicalText(ours->info().architecture));
    }
};

HEADROOM_TEST(WhisperParityTest)

} // namespace headroom::testing::whisper_parity_test

#include "whisper_parity_test.moc"
