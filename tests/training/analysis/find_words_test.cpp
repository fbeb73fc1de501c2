// SPDX-License-Identifier: GPL-3.0-or-later
// Words in the sound: on the demo, whose times are known from its synthesiser, and on small models of other
// kinds.
#include "core/alignment/word_distance.h"
#include "core/audio/audio_file.h"
#include "core/features/model_input.h"
#include "core/tensors/text_array.h"
#include "core/text/tokenizer.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "training/analysis/find_words.h"

#include <cmath>
#include <map>
#include <set>

#include <QTest>

namespace headroom::testing::find_words_test {

using namespace headroom::training;
using headroom::models::SpeechModel;
using headroom::protocol::WordsResult;
namespace fs = std::filesystem;

namespace {

const fs::path kDemo = fs::path(HEADROOM_SOURCE_DIR) / "resources" / "demo";

struct Found {
    WordsResult result;
    std::map<std::string, Tensor> arrays;
};

Matrix<float> featuresFor(const SpeechModel& model, const fs::path& audio) {
    return modelFeatures(loadRecording(audio).samples, model.info().architecture.frontEnd.input());
}

/// Keeps copies of the arrays.
ArraySink into(std::map<std::string, Tensor>& arrays) {
    return [&arrays](const std::string& name, const TensorView& array) {
        Tensor& copy = arrays[name];
        copy.dtype = array.dtype;
        copy.shape.assign(array.shape.begin(), array.shape.end());
        copy.bytes.assign(array.bytes.begin(), array.bytes.end());
    };
}

Found wordsIn(SpeechModel& model, const fs::path& audio, const std::string& text = {}) {
    Found found;
    found.result = findWords(model, featuresFor(model, audio), text, into(found.arrays));
    return found;
}

std::vector<Interval> tierOf(const WordsResult& result, WordsResult::Span WordsResult::Word::*times) {
    std::vector<Interval> tier;
    for (const auto& word : result.words)
        tier.push_back({Seconds((word.*times).start), Seconds((word.*times).end), word.label});
    return tier;
}

/// The error code of a text that cannot be found; empty if it can.
std::string codeOf(SpeechModel& model, const fs::path& audio, const std::string& text) {
    try {
        wordsIn(model, audio, text);
    } catch (const Error& error) {
        return error.code();
    }
    return {};
}

} // namespace

class FindWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void attentionTellsWhenTheWordsOfTheDemoAreSaid() {
        const auto model = SpeechModel::open(kDemo / "model");
        const Found found = wordsIn(*model, kDemo / "demo.wav");
        QCOMPARE(found.result.text,
                 std::string("The big man looks for the pictures in the forest at night."));
        QVERIFY(!found.result.given);
        const Alignment known = alignmentFrom(readTextGrid(kDemo / "demo.TextGrid"), Seconds(10), "demo");
        const WordDistance distance =
            wordDistance(tierOf(found.result, &WordsResult::Word::attention), known.words);
        QCOMPARE(distance.words.size(), std::size_t(12));
        QVERIFY2(distance.mean < 0.06, qPrintable(QString::number(distance.mean)));
    }

    void everyMapHasARowForEachPiece() {
        const auto model = SpeechModel::open(kDemo / "model");
        const Found found = wordsIn(*model, kDemo / "demo.wav");
        const auto pieces = static_cast<std::int64_t>(found.result.pieces.size());
        QCOMPARE(found.result.firstRow, std::int64_t(0));
        QCOMPARE(found.result.layers, 2);
        for (int layer = 1; layer <= 2; ++layer) {
            const std::string prefix = "decoder.layer." + std::to_string(layer);
            const std::vector<std::int64_t> cross{4, pieces, found.result.tokens}, self{4, pieces, pieces};
            QCOMPARE(found.arrays.at(prefix + ".cross.attention").shape, cross);
            QCOMPARE(found.arrays.at(prefix + ".self.attention").shape, self);
        }
        QVERIFY(found.result.pieces.back().ends);
        std::int64_t next = 0;
        double time = 0;
        for (const auto& word : found.result.words) { // in order, and without a gap in time
            QVERIFY(word.first >= next && word.end > word.first && word.end < pieces);
            QCOMPARE(word.attention.start, time);
            QVERIFY(word.attention.end > time);
            next = word.end;
            time = word.attention.end;
        }
    }

    /// What is said is likelier than what is not; the probabilities are those of the forced pass.
    void aGivenTextIsForced() {
        const auto model = SpeechModel::open(kDemo / "model");
        const auto meanOf = [](const WordsResult& result) {
            double sum = 0;
            for (const auto& piece : result.pieces)
                sum += piece.logProbability;
            return sum / static_cast<double>(result.pieces.size());
        };
        const Found heard = wordsIn(*model, kDemo / "demo.wav");
        const Found same = wordsIn(*model, kDemo / "demo.wav", heard.result.text);
        QVERIFY(same.result.given);
        QCOMPARE(same.result.text, heard.result.text);
        QCOMPARE(meanOf(same.result), meanOf(heard.result));
        const Found other = wordsIn(*model, kDemo / "demo.wav", "The old woman sees a dog.");
        QCOMPARE(other.result.text, std::string("The old woman sees a dog."));
        QCOMPARE(other.result.words.size(), std::size_t(6));
        QVERIFY(meanOf(other.result) < meanOf(heard.result) - 1);
        std::vector<int> inputs{2};
        for (const auto& piece : other.result.pieces)
            inputs.push_back(piece.id);
        inputs.pop_back();
        const Matrix<float> logits = model->forcedLogits(featuresFor(*model, kDemo / "demo.wav"), inputs);
        for (std::size_t row = 0; row < logits.rows(); ++row) {
            double sum = 0;
            for (const float logit : logits.row(row))
                sum += std::exp(static_cast<double>(logit));
            const auto& piece = other.result.pieces[row];
            const double expected =
                static_cast<double>(logits(row, static_cast<std::size_t>(piece.id))) - std::log(sum);
            QVERIFY(std::abs(piece.logProbability - expected) < 1e-4);
        }
    }

    void aTextOfOtherLettersIsRefused() {
        const auto model = SpeechModel::open(kDemo / "model");
        QCOMPARE(codeOf(*model, kDemo / "demo.wav", "日本"), std::string("words.unknownText"));
        const auto sentence = [&](const char* text) {
            try {
                wordsIn(*model, kDemo / "demo.wav", text);
            } catch (const Error& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        };
        const QString start = QStringLiteral("The vocabulary of %1 cannot write ").arg(QString::fromStdString(model->info().name));
        QCOMPARE(sentence("日本"), start + QStringLiteral("“日”, “本” in the given text “日本”."));
        QCOMPARE(sentence("Big Boxes"), start + QStringLiteral("“B” in the given text “Big Boxes”. It can write the text in lower case."));
        QCOMPARE(sentence("Big qualms"), start + QStringLiteral("“B”, “q” in the given text “Big qualms”.")); // nor in those
        QVERIFY(sentence(QStringLiteral("日").repeated(30).toUtf8().constData()).contains(QStringLiteral("日…”."))); // a whole letter
        QVERIFY2(sentence("ÄÖÜßéèê").contains(QStringLiteral(" and 2 other characters in the given text")), qPrintable(sentence("ÄÖÜßéèê")));
    }

    void ctcTellsWhenTheLettersAreSaid() {
        const fs::path encoders = repositoryGoldens() / "parity" / "encoders";
        const auto model = SpeechModel::open(encoders / "wav2vec2");
        const Found found = wordsIn(*model, encoders / "audio" / "demo.wav");
        QVERIFY2(found.result.ctcReason.empty(), found.result.ctcReason.c_str());
        QCOMPARE(found.result.layers, 0);
        QVERIFY(!found.result.attentionReason.empty());
        QVERIFY(!found.result.words.empty());
        double before = 0;
        for (const auto& word : found.result.words) {
            QVERIFY(word.ctc.start >= before - 1e-9 && word.ctc.end > word.ctc.start);
            QVERIFY(std::isnan(word.attention.start));
            before = word.ctc.end;
        }
        const Tensor& map = found.arrays.at("ctc.probabilities");
        QCOMPARE(map.shape[0], static_cast<std::int64_t>(found.result.pieces.size()));
        QCOMPARE(map.shape[1], found.result.tokens);
        const Matrix<float> expected =
            model->ctcLogProbabilities(featuresFor(*model, encoders / "audio" / "demo.wav"));
        const auto probabilities = toFloats(map.view());
        for (std::size_t piece = 0; piece < found.result.pieces.size(); ++piece)
            for (std::size_t token = 0; token < expected.rows(); ++token)
                QVERIFY(std::abs(probabilities[piece * expected.rows() + token] -
                                 std::exp(expected(token, static_cast<std::size_t>(
                                                              found.result.pieces[piece].id)))) < 1e-6F);
    }

    void theBestTextsComeWithScoresAndTheTimesOfTheirWords() {
        const auto model = SpeechModel::open(kDemo / "model");
        const Matrix<float> features = featuresFor(*model, kDemo / "demo.wav");
        const auto unused = [](const std::string&, const TensorView&) {};
        const WordsResult found = findBestWords(*model, features, 4, unused);
        QVERIFY(!found.given);
        QVERIFY(found.hypotheses.size() > 1 && found.hypotheses.size() <= 4);
        QCOMPARE(found.hypotheses.front().text, found.text);
        QCOMPARE(found.text, wordsIn(*model, kDemo / "demo.wav").result.text); // the demo model is sure of it
        QCOMPARE(found.hypotheses.front().words.size(), found.words.size());
        std::set<std::string> texts;
        double before = 0; // ln P is below
        for (const auto& one : found.hypotheses) {
            QVERIFY(texts.insert(one.text).second);
            QVERIFY(one.score < before);
            before = one.score;
            double time = 0, sum = 0;
            for (const auto& piece : one.pieces)
                sum += piece.logProbability;
            QVERIFY(std::abs(one.score - sum / static_cast<double>(one.pieces.size())) < 1e-4); // that of the forced pass, by length
            for (const auto& word : one.words) {
                QVERIFY(word.first < word.end && word.end <= static_cast<std::int64_t>(one.pieces.size()));
                QVERIFY(word.time.start >= time && word.time.end >= word.time.start); // some have no token
                time = word.time.end;
            }
        }
        QCOMPARE(findBestWords(*model, features, 2, unused).hypotheses.size(), std::size_t(2));
    }

    void theBestTextsOfAModelWithoutDecoderAreCtcs() {
        const fs::path encoders = repositoryGoldens() / "parity" / "encoders";
        const auto model = SpeechModel::open(encoders / "wav2vec2");
        const auto unused = [](const std::string&, const TensorView&) {};
        const WordsResult found =
            findBestWords(*model, featuresFor(*model, encoders / "audio" / "demo.wav"), 3, unused);
        QCOMPARE(found.hypotheses.size(), std::size_t(3));
        QVERIFY(found.hypotheses[0].score > found.hypotheses[1].score);
        QVERIFY(found.hypotheses[0].words.front().time.end > 0);
    }

    void aModelThatIsOnlyDecodedGreedilySaysSo() {
        const fs::path encoders = repositoryGoldens() / "parity" / "encoders";
        const auto model = SpeechModel::open(encoders / "whisper-small");
        const auto unused = [](const std::string&, const TensorView&) {};
        try {
            findBestWords(*model, featuresFor(*model, encoders / "audio" / "short.wav"), 3, unused);
            QFAIL("Whisper has beams now: its n-best list wants a test");
        } catch (const Error& error) {
            QCOMPARE(error.code(), "model.noSearch");
        }
    }

    /// The prompt has rows too; the row before the first piece predicts it.
    void whispersPromptIsNoPartOfTheText() {
        const fs::path encoders = repositoryGoldens() / "parity" / "encoders";
        const auto model = SpeechModel::open(encoders / "whisper-small");
        const Found found = wordsIn(*model, encoders / "audio" / "short.wav");
        const auto written = model->write(featuresFor(*model, encoders / "audio" / "short.wav"), {});
        QCOMPARE(found.result.firstRow + 1, static_cast<std::int64_t>(written.prompt.size()));
        QVERIFY(found.result.headsAreNamed);
        const std::size_t text =
            written.ids.back() == model->info().tokens.end ? written.ids.size() - 1 : written.ids.size();
        QVERIFY(text > 0);
        for (std::size_t piece = 0; piece < std::min(text, found.result.pieces.size() - 1); ++piece)
            QCOMPARE(found.result.pieces[piece].id, written.ids[piece]);
        const auto& shape = found.arrays.at("decoder.layer.1.cross.attention").shape;
        QCOMPARE(shape[1], found.result.firstRow + static_cast<std::int64_t>(found.result.pieces.size()));
        QCOMPARE(shape[2], found.result.tokens);
        const auto inputs = arrayTexts(found.arrays.at("decoder.input_pieces").view());
        QCOMPARE(inputs.size(), found.result.inputs.size());
        QCOMPARE(inputs[0], std::string("<|startoftranscript|>"));
        const std::set<std::string> prompt(inputs.begin(), inputs.begin() + found.result.firstRow + 1);
        QCOMPARE(prompt.size(), written.prompt.size()); // each its own
    }

    /// Among the tokens that may follow, as `transcribe` says them; a given text may have one that may not.
    void whispersWordsAreAsLikelyAsWhenTheyAreWritten() {
        const fs::path encoders = repositoryGoldens() / "parity" / "encoders";
        const auto model = SpeechModel::open(encoders / "whisper-small");
        const Matrix<float> features = featuresFor(*model, encoders / "audio" / "short.wav");
        const TokenRules& rules = model->info().tokens;
        QVERIFY(!rules.suppressed.empty());
        const auto written = model->write(features, {});
        const Matrix<float> logits = model->forcedLogits(features, written.prompt);
        double sum = 0;
        for (const float logit : logits.row(logits.rows() - 1))
            sum += std::exp(static_cast<double>(logit));
        const auto first = static_cast<std::size_t>(written.ids.front());
        const double amongAll = static_cast<double>(logits(logits.rows() - 1, first)) - std::log(sum);
        QVERIFY(written.logProbabilities.front() - amongAll > 0.01); // else this shows nothing
        const auto unused = [](const std::string&, const TensorView&) {};
        const WordsResult found = findWords(*model, features, {}, unused);
        QVERIFY(found.pieces.size() > 1);
        for (std::size_t piece = 0; piece + 1 < found.pieces.size(); ++piece)
            QVERIFY2(std::abs(found.pieces[piece].logProbability - written.logProbabilities[piece]) < 1e-3,
                     qPrintable(QString::number(found.pieces[piece].logProbability - written.logProbabilities[piece])));
        const int never = rules.suppressed.front();
        const WordsResult forced = findWrittenWords(*model, features, {written.ids[0], never, written.ids[1]}, unused);
        QCOMPARE(forced.pieces[1].id, never);
        QVERIFY(std::isfinite(forced.pieces[1].logProbability) && forced.pieces[1].logProbability < 0);
    }

    /// A text that is cut anew may have other pieces than those that decoding wrote, and other times.
    void aTextThatWasWrittenKeepsItsPieces() {
        const fs::path encoders = repositoryGoldens() / "parity" / "encoders";
        const auto model = SpeechModel::open(encoders / "whisper-small");
        const fs::path audio = encoders / "audio" / "short.wav";
        const Matrix<float> features = featuresFor(*model, audio);
        const Found heard = wordsIn(*model, audio);
        std::vector<int> ids;
        for (const auto& piece : heard.result.pieces)
            ids.push_back(piece.id); // with the end of the text
        const std::vector<int> pieces(ids.begin(), ids.end() - 1);
        QVERIFY(Tokenizer(model->info().tokenizer).encode(" " + heard.result.text) != pieces); // else this shows nothing
        if (const auto firstTime = model->info().tokens.firstTime(model->info().architecture.vocabulary))
            ids.insert(ids.begin() + 2, *firstTime + 7);
        const auto unused = [](const std::string&, const TensorView&) {};
        for (const auto& one : {ids, model->write(features, {}).ids}) { // the latter as `transcribe` has them
            const WordsResult written = findWrittenWords(*model, features, one, unused);
            QVERIFY(!written.given);
            QVERIFY(written.inputs == heard.result.inputs);
            QCOMPARE(written.text, heard.result.text);
            QCOMPARE(written.words.size(), heard.result.words.size());
            for (std::size_t word = 0; word < heard.result.words.size(); ++word) {
                const auto &a = written.words[word], &b = heard.result.words[word];
                QCOMPARE(a.label, b.label);
                QCOMPARE(std::pair(a.attention.start, a.attention.end), std::pair(b.attention.start, b.attention.end));
            }
        }
    }

    void theMeasuresOfALayerAreThoseOfTheTextThatWasFound_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("recording");
        const QString encoders = QString::fromStdString((repositoryGoldens() / "parity/encoders").string());
        const QString demo = QString::fromStdString(kDemo.string());
        QTest::newRow("demo") << demo + "/model" << demo + "/demo.wav";
        QTest::newRow("in a window") << encoders + "/whisper-small" << encoders + "/audio/short.wav";
    }
    void theMeasuresOfALayerAreThoseOfTheTextThatWasFound() {
        QFETCH(QString, folder);
        QFETCH(QString, recording);
        const auto model = SpeechModel::open(folder.toStdString());
        const fs::path audio = recording.toStdString();
        const Found found = wordsIn(*model, audio);
        std::map<std::string, Tensor> arrays;
        const auto measured = measureWords(*model, featuresFor(*model, audio),
                                           {1, 2, false, true, found.result.inputs, {"attention", "value-zeroing", "rollout-value-zeroing"}, {}},
                                           into(arrays));
        QCOMPARE(measured.measures.size(), std::size_t(3));
        QVERIFY(measured.rowSumError <= 1e-5 && measured.rebuildError <= 1e-4 && measured.gramError <= 1e-5);
        QVERIFY(measured.measures[0].reason.empty() && measured.measures[0].milliseconds >= 0);
        QVERIFY(!measured.measures[2].reason.empty() && std::isnan(measured.measures[2].milliseconds));
        QVERIFY(!arrays.contains("cross.mixing.rollout-value-zeroing"));
        const Tensor& heads = found.arrays.at("decoder.layer.2.cross.attention");
        const auto all = toFloats(heads.view()), mean = toFloats(arrays.at("cross.mixing.attention").view());
        QCOMPARE(arrays.at("cross.mixing.value-zeroing").shape,
                 (std::vector<std::int64_t>{heads.shape[1], heads.shape[2]}));
        for (std::size_t cell = 0; cell < mean.size(); ++cell) {
            double sum = 0;
            for (std::int64_t head = 0; head < heads.shape[0]; ++head)
                sum += static_cast<double>(all[static_cast<std::size_t>(head) * mean.size() + cell]);
            QVERIFY(std::abs(sum / static_cast<double>(heads.shape[0]) - static_cast<double>(mean[cell])) <= 1e-6);
        }
    }
};

HEADROOM_TEST(FindWordsTest)

} // namespace headroom::testing::find_words_test

#include "find_words_test.moc"
