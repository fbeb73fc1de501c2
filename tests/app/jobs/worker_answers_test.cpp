// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_answers.h"
#include "core/tensors/text_array.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::worker_answers_test {

using namespace headroom::app;
using nlohmann::json;

namespace {

template <class T>
Tensor tensor(std::vector<std::int64_t> shape, std::vector<T> values) {
    return Tensor::of<T>(std::move(shape), std::span<const T>(values));
}

/// A layer of two tokens and two heads; the second head has no N × N map.
NamedTensors arrays() {
    NamedTensors made;
    made["layer.2.contributions"] = tensor<float>({2, 2}, {0.75F, 0.25F, 0.5F, 0.5F});
    made["layer.2.contribution_profile"] = tensor<double>({3}, {0.5, 1.25, 0.25});
    made["layer.2.attention_profile"] = tensor<double>({2, 3}, {0.5, 1.0, 0.5, NAN, NAN, NAN});
    made["layer.2.head_relevance"] = tensor<float>({2, 2}, {0.25F, 0.75F, 0.5F, 0.5F});
    made["layer.2.attention"] = tensor<float>({2, 2, 2}, {1, 0, 0, 1, 0, 1, 1, 0});
    return made;
}

const json kValues = {{"request", 1}, {"layer", 2}, {"D1", 0.625}, {"CCD", nullptr}, {"gramError", 1e-7}};

QString mistake(NamedTensors made, const json& values = kValues) {
    try {
        readLayer(values, std::move(made));
    } catch (const Error& error) {
        return error.code() == "worker.badAnswer" ? QString::fromUtf8(error.what()) : QString();
    }
    return {};
}

} // namespace

class WorkerAnswersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLayerBecomesItsNumbers();
    void aThumbnailGetsTheSizeOfItsMap();
    void compressedKeysAreDrawnOnTheTokensAxis();
    void mapsBeforeRelaxationAreKeptApart();
    void aLayerWithoutContributionsSaysWhy();
    void everyArrayIsChecked();
    void aModelBecomesItsInfo();
    void wordsBecomeTimesOfTheRecordingAndRowsOfPieces();
    void aModelWithoutItsDocumentIsRefused();
};

/// A decoder of one layer and two heads; the first of three rows belongs to the prompt.
void WorkerAnswersTest::wordsBecomeTimesOfTheRecordingAndRowsOfPieces() {
    const json result = {{"text", "so"},
                         {"hypotheses", {{{"text", "so"}, {"score", -0.5},
                                          {"pieces", {{{"id", 7}, {"text", "so"}, {"logProbability", -0.25}}}},
                                          {"words", {{{"label", "so"}, {"start", 0.25}, {"end", 0.5}, {"pieces", {0, 1}}}}}},
                                         {{"text", "sow"}, {"score", nullptr},
                                          {"words", {{{"label", "sow"}, {"start", nullptr}, {"end", nullptr}}}}}}},
                         {"tokens", 2},
                         {"firstRow", 1},
                         {"layers", 1},
                         {"heads", 2},
                         {"pieces", {{{"id", 7}, {"text", "so"}}, {{"id", 2}, {"text", "</s>"}, {"ends", true}}}},
                         {"words", {{{"label", "so"}, {"first", 0}, {"end", 1}, {"attentionStart", 0.25},
                                     {"attentionEnd", 0.5}, {"ctcStart", nullptr}}}}};
    const auto made = [](std::int64_t rows) {
        NamedTensors maps;
        std::vector<float> values(static_cast<std::size_t>(2 * rows * 2));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i);
        maps["decoder.layer.1.cross.attention"] = tensor<float>({2, rows, 2}, values);
        maps["decoder.input_pieces"] = textArray({"<|start|>", "<|en|>", "so"});
        return maps;
    };
    const TokenClock clock = TokenClock::speechToText();
    const SpokenWords words = readWords(result, made(3), clock, Seconds(10));
    QCOMPARE(words.words.front().attention->start.value(), 10.25);
    QVERIFY(!words.words.front().ctc);
    QVERIFY(words.pieces.back().ends);
    QCOMPARE(words.inputLabels(), (QStringList{"<|start|>", "<|en|>", "so"})); // the prompt by its names
    QCOMPARE(words.hypotheses.size(), std::size_t(2));
    QCOMPARE(words.hypotheses[0].words[0].time->start.value(), 10.25);
    QCOMPARE(words.hypotheses[0].pieces.front().logProbability, -0.25);
    QCOMPARE(words.hypotheses[0].words[0].end, 1);
    QVERIFY(std::isnan(words.hypotheses[1].score) && !words.hypotheses[1].words[0].time && words.hypotheses[1].pieces.empty());
    json outside = result;
    outside["hypotheses"][0]["words"][0]["pieces"] = {0, 2};
    QVERIFY_EXCEPTION_THROWN(readWords(outside, made(3), clock, Seconds(0)), Error);
    QCOMPARE(words.map(1, 1)->rows(), std::size_t(2));
    QCOMPARE(words.map(1, 1)->level(0)(0, 0), 2.0F); // behind the prompt's row
    QCOMPARE(words.map(1, 2)->level(0)(1, 1), 11.0F);
    QCOMPARE(words.map(1, 0)->level(0)(0, 0), 5.0F); // of 2 and 8
    QVERIFY(words.map(2, 1) == nullptr && words.map(1, 3) == nullptr);
    QVERIFY_EXCEPTION_THROWN(readWords(result, made(2), clock, Seconds(0)), Error);
    auto nameless = made(3);
    nameless["decoder.input_pieces"] = textArray({"<|start|>"});
    QVERIFY_EXCEPTION_THROWN(readWords(result, nameless, clock, Seconds(0)), Error);
    QVERIFY_EXCEPTION_THROWN(readWords(result, {}, clock, Seconds(0)), Error);
}

void WorkerAnswersTest::aThumbnailGetsTheSizeOfItsMap() {
    constexpr std::int64_t kTokens = 200;
    NamedTensors made;
    made["layer.2.contribution_profile"] = tensor<double>({2 * kTokens - 1}, std::vector<double>(2 * kTokens - 1, 1.0));
    made["layer.2.attention_profile"] = tensor<double>({1, 2 * kTokens - 1}, std::vector<double>(2 * kTokens - 1, 1.0));
    made["layer.2.head_relevance"] = tensor<float>({kTokens, 1}, std::vector<float>(kTokens, 1.0F));
    std::vector<float> cells(100 * 100);
    cells[3 * 100 + 7] = 0.5F;
    made["layer.2.thumbnail"] = tensor<float>({100, 100}, cells);
    const LayerResult layer = readLayer(kValues, made);
    QVERIFY(layer.isReady() && !layer.contributions && !layer.sharedMap({}));
    QCOMPARE(layer.thumbnail->rows(), std::size_t(kTokens));
    for (const auto& [row, column, value] : {std::tuple(6, 14, 0.5F), std::tuple(7, 15, 0.5F), std::tuple(8, 15, 0.0F)})
        QCOMPARE(layer.thumbnail->level(0)(std::size_t(row), std::size_t(column)), value);
    made["layer.2.thumbnail"] = tensor<float>({50, 50}, std::vector<float>(50 * 50));
    QVERIFY2(mistake(made).contains(QStringLiteral("does not belong to a map of 200 tokens")), qPrintable(mistake(made)));
}

void WorkerAnswersTest::aLayerBecomesItsNumbers() {
    const LayerResult layer = readLayer(kValues, arrays());
    QCOMPARE(layer.layer, 2);
    QCOMPARE(layer.contributions->level(0)(0, 1), 0.25F);
    QCOMPARE(layer.profile.at(0), 1.25);
    QCOMPARE(layer.d1, 0.625);
    QVERIFY(std::isnan(layer.ccd));
    QCOMPARE(layer.attentionProfiles.size(), std::size_t(2));
    QCOMPARE(layer.attentionProfiles[0].at(1), 0.5);
    QVERIFY(layer.attentionProfiles[1].empty());
    QCOMPARE(layer.headRelevance(0, 1), 0.75F);
    QCOMPARE(layer.map({MapSource::Kind::Head, 2})->level(0)(0, 1), 1.0F);
    QCOMPARE(layer.map({MapSource::Kind::HeadMean, 1})->level(0)(0, 0), 0.5F);
    QVERIFY(layer.map({MapSource::Kind::Head, 3}) == nullptr);
    QVERIFY(layer.profileOf({MapSource::Kind::Head, 1}).has_value());
    QVERIFY(!layer.profileOf({MapSource::Kind::HeadMean, 1}).has_value()); // one head has none
}

namespace {

/// A layer of seven tokens: a head that sees them all, and one over the three keys that conv 5/2 leaves of
/// them.
NamedTensors mixedLayer() {
    constexpr std::int64_t kTokens = 7, kKeys = 3;
    const auto ones = [](std::int64_t count, float value) {
        return std::vector<float>(std::size_t(count), value);
    };
    NamedTensors made;
    made["layer.2.contributions"] =
        tensor<float>({kTokens, kTokens}, ones(kTokens * kTokens, 1.0F / kTokens));
    made["layer.2.contribution_profile"] = tensor<double>({13}, std::vector<double>(13, 0.5));
    std::vector<double> profiles(26, 0.25);
    std::fill(profiles.begin() + 13, profiles.end(), NAN);
    made["layer.2.attention_profile"] = tensor<double>({2, 13}, profiles);
    made["layer.2.head_relevance"] = tensor<float>({kTokens, 2}, ones(kTokens * 2, 0.5F));
    made["layer.2.head.1.attention"] =
        tensor<float>({kTokens, kTokens}, ones(kTokens * kTokens, 1.0F / kTokens));
    std::vector<float> compressed;
    for (std::int64_t i = 0; i < kTokens; ++i)
        compressed.insert(compressed.end(), {0.5F, 0.25F, 0.25F});
    made["layer.2.head.2.attention"] = tensor<float>({kTokens, kKeys}, compressed);
    return made;
}

} // namespace

void WorkerAnswersTest::compressedKeysAreDrawnOnTheTokensAxis() {
    const Architecture::Layer kinds{parseHeads("1 full + 1 conv 5/2")};
    const LayerResult layer = readLayer(kValues, mixedLayer(), &kinds);
    const MaxPyramid* map = layer.map({MapSource::Kind::Head, 2});
    QVERIFY(map);
    // The middles of the keys are tokens 1, 3 and 5; a token half-way belongs to the later one.
    const std::vector<float> expected{0.5F, 0.5F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F};
    const auto row = map->level(0).row(3);
    QCOMPARE(std::vector<float>(row.begin(), row.end()), expected);
    QCOMPARE(layer.attention->compressed[1].columns(), std::size_t(3));
    QVERIFY(layer.attention->compressed[0].empty());
    const auto mean = layer.map({MapSource::Kind::HeadMean})->level(0).row(3);
    double sum = 0;
    for (const float value : mean)
        sum += double(value);
    QVERIFY(std::abs(sum - 1) <= 1e-6);
    QVERIFY(!layer.profileOf({MapSource::Kind::Head, 2}).has_value());
    const Architecture::Layer other{parseHeads("1 full + 1 conv 7/3")}; // would leave other keys
    QVERIFY_EXCEPTION_THROWN(readLayer(kValues, mixedLayer(), &other), Error);
    const Architecture::Layer none{parseHeads("2 full")};
    QVERIFY_EXCEPTION_THROWN(readLayer(kValues, mixedLayer(), &none), Error);
}

void WorkerAnswersTest::mapsBeforeRelaxationAreKeptApart() {
    auto made = arrays();
    made["layer.2.head.2.raw_attention"] = tensor<float>({2, 2}, {0.125F, 0.875F, 0.5F, 0.5F});
    const LayerResult layer = readLayer(kValues, made);
    QCOMPARE(layer.map({MapSource::Kind::Head, 2, true})->level(0)(0, 0), 0.125F);
    QVERIFY(layer.map({MapSource::Kind::Head, 1, true}) == nullptr); // not relaxed
    QCOMPARE(layer.map({MapSource::Kind::Head, 2})->level(0)(0, 1), 1.0F);
}

void WorkerAnswersTest::aLayerWithoutContributionsSaysWhy() {
    auto made = arrays();
    made.erase("layer.2.contributions");
    made.erase("layer.2.contribution_profile");
    json values = kValues;
    values["reason"] = "Its compression is gated.";
    const LayerResult layer = readLayer(values, made);
    QCOMPARE(layer.reason, QStringLiteral("Its compression is gated."));
    QVERIFY(layer.isReady() && !layer.contributions);
    QCOMPARE(layer.tokens, std::int64_t(2));
    QVERIFY(layer.map({}) == nullptr && layer.map({MapSource::Kind::Head, 1}) != nullptr);
    QVERIFY(!layer.profileOf({}).has_value());
    QVERIFY(!mistake(made).isEmpty()); // without a reason they must be there
}

void WorkerAnswersTest::everyArrayIsChecked() {
    for (const char* name :
         {"contributions", "contribution_profile", "attention_profile", "head_relevance"}) {
        auto made = arrays();
        made.erase(std::string("layer.2.") + name);
        QVERIFY2(mistake(made).contains(QString::fromUtf8(name)), name);
        made = arrays();
        made["layer.2." + std::string(name)] = tensor<float>({1, 1, 1}, {0});
        QVERIFY2(!mistake(made).isEmpty(), name);
    }
    auto made = arrays();
    made["layer.2.contributions"] = tensor<float>({1, 2}, {1, 0});
    QVERIFY(mistake(made).contains(QStringLiteral("square")));
    made = arrays();
    made["layer.2.contribution_profile"] = tensor<double>({4}, {0, 0, 0, 0});
    QVERIFY(mistake(made).contains(QStringLiteral("2N")));
    made = arrays();
    made["layer.2.attention"] = tensor<float>({1, 1, 1}, {1});
    QVERIFY(mistake(made).contains(QStringLiteral("tokens")));
    QVERIFY(!mistake(arrays(), {{"layer", 99}}).isEmpty());
    QVERIFY(!mistake(arrays(), json::array()).isEmpty());
}

void WorkerAnswersTest::aModelBecomesItsInfo() {
    Architecture architecture;
    architecture.vocabulary = 10;
    architecture.encoder.layers.push_back({parseHeads("4 local 17")});
    const json result = {{"model", "m1"},
                         {"name", "small"},
                         {"architecture", json::parse(canonicalText(architecture))},
                         {"clock", {{"offset", 0.0125}, {"step", 0.04}}},
                         {"maxSourceFrames", 6000},
                         {"report", {{"missing", {"a", "b"}}}}};
    const ModelDescription info = readModelDescription(result, QStringLiteral("m"));
    QVERIFY(info.architecture == architecture);
    QCOMPARE(info.clock.centre(Tokens(2)).value(), 0.0125 + 0.08);
    QCOMPARE(info.maxSourceFrames, std::int64_t(6000));
    QCOMPARE(info.missing.size(), 2);
    QCOMPARE(modelHandle(result).get<std::string>(), std::string("m1"));
}

void WorkerAnswersTest::aModelWithoutItsDocumentIsRefused() {
    QVERIFY_EXCEPTION_THROWN(readModelDescription(json::object(), QString()), Error);
    QVERIFY_EXCEPTION_THROWN(readModelDescription({{"model", 1}, {"clock", 3}}, QString()), Error);
    QVERIFY_EXCEPTION_THROWN(readModelDescription(nullptr, QString()), Error);
}

HEADROOM_TEST(WorkerAnswersTest)

} // namespace headroom::testing::worker_answers_test

#include "worker_answers_test.moc"
