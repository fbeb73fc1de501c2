// SPDX-License-Identifier: GPL-3.0-or-later
// Parakeet's transducers against what transformers writes: TDT and RNN-T, from recording to text.
#include "core/audio/audio_file.h"
#include "core/features/model_input.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/checkpoint.h"
#include "models/networks/s2t_encoder.h"
#include "models/networks/speech_model.h"
#include "models/networks/transducer_text.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::transducer_test {

using namespace headroom::models;
namespace fs = std::filesystem;

namespace {

const fs::path kEncoders = fs::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/encoders";

/// A copy whose config.json has another value; null: without the key.
fs::path changedCopy(const QTemporaryDir& place, const char* key, const nlohmann::json& value) {
    const fs::path folder = fs::path(place.path().toStdString()) / "parakeet-tdt";
    fs::copy(kEncoders / "parakeet-tdt", folder, fs::copy_options::recursive);
    nlohmann::json config = readJson(folder / "config.json");
    if (value.is_null())
        config.erase(key);
    else
        config[key] = value;
    std::ofstream(folder / "config.json") << config;
    return folder;
}

} // namespace

class TransducerTest : public QObject {
    Q_OBJECT

    fs::path m_folder;
    nlohmann::json m_expected;
    Matrix<float> m_features;

private Q_SLOTS:
    void initTestCase_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"parakeet-tdt", "parakeet-rnnt"})
            QTest::newRow(folder) << folder;
    }
    void init() {
        QFETCH_GLOBAL(QString, folder);
        m_folder = kEncoders / folder.toStdString();
        m_expected = readJson(m_folder / "expected/expected.json");
        const auto recording = loadRecording(m_folder / "expected" / m_expected["audio"].get<std::string>());
        m_features =
            modelFeatures(recording.samples, describeModelFolder(m_folder).architecture.frontEnd.input());
    }

    void textIsTheOriginals() {
        const auto model = SpeechModel::open(m_folder);
        const Matrix<float> states = readMatrix(m_folder / "expected/hidden_states.npy");
        const Matrix<float> found = model->encode(m_features);
        // The last of the original's tokens is a masked one.
        const std::vector<float> own(states.values().begin(),
                                     states.values().begin() +
                                         static_cast<std::ptrdiff_t>(found.values().size()));
        QCOMPARE(found.columns(), states.columns());
        QVERIFY(largestDifference(found.values(), own) <= 1e-4);
        const std::vector<int> ids = model->greedy(m_features);
        QCOMPARE(ids, m_expected["ids"].get<std::vector<int>>());
        QCOMPARE(Tokenizer(model->info().tokenizer).decode(ids), m_expected["text"].get<std::string>());
        for (const std::string& sentence : model->info().report.assumed)
            QVERIFY2(sentence.find("joint") == std::string::npos, sentence.c_str());
    }

    void labelsStandAtTheOriginalsTokens() {
        const c10::InferenceMode inference;
        const Checkpoint model = readCheckpoint(m_folder);
        QVERIFY(model.transducer.has_value());
        const Matrix<float> output = SpeechModel::open(m_folder)->encode(m_features);
        const at::Tensor memory = at::from_blob(
            const_cast<float*>(output.values().data()),
            {1, static_cast<std::int64_t>(output.rows()), static_cast<std::int64_t>(output.columns())});
        const TransducerText text = transducerGreedy(*model.transducer, memory);
        QCOMPARE(text.ids, m_expected["ids"].get<std::vector<int>>());
        QCOMPARE(text.tokens, m_expected["frames"].get<std::vector<std::int64_t>>());
    }

    void theEncoderIsExplained() {
        const auto model = SpeechModel::open(m_folder);
        int layers = 0;
        model->analyse(m_features, {}, [&](LayerAnalysis&& layer) {
            QVERIFY(layer.rebuildError <= 1e-4F && layer.gramError <= 1e-5F);
            ++layers;
        });
        QCOMPARE(layers, 1);
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value"); // JSON
        QTest::addColumn<QString>("says");
        QTest::newRow("another width")
            << QByteArray("decoder_hidden_size") << QByteArray("13") << "decoder.embedding.weight";
        QTest::newRow("another number of durations")
            << QByteArray("durations") << QByteArray("[0,1,2]") << "joint.head.weight";
        QTest::newRow("no blank") << QByteArray("blank_token_id") << QByteArray("null") << "blank_token_id";
        QTest::newRow("a blank that is no label")
            << QByteArray("blank_token_id") << QByteArray("60") << "blank_token_id";
        QTest::newRow("another activation")
            << QByteArray("hidden_act") << QByteArray("\"gelu\"") << "hidden_act";
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        QFETCH(QString, says);
        const QTemporaryDir place;
        const fs::path folder = changedCopy(place, key.constData(), nlohmann::json::parse(value.constData()));
        try {
            SpeechModel::open(folder);
            QFAIL("was opened");
        } catch (const Error& error) {
            const QString sentence = error.what();
            QVERIFY2(sentence.contains(says) && sentence.contains("parakeet-tdt"), error.what());
        }
    }

    void withoutATokenizerItIsAnalysed() {
        const QTemporaryDir place;
        const fs::path folder = changedCopy(place, "durations", {0, 1, 2, 3});
        fs::remove(folder / "tokenizer.json");
        const auto model = SpeechModel::open(folder);
        QVERIFY(model->info().tokenizer.empty());
        const auto& assumed = model->info().report.assumed;
        QVERIFY(std::any_of(assumed.begin(), assumed.end(), [](const std::string& sentence) {
            return sentence.find("the labels of the transducer have no text") != std::string::npos;
        }));
    }
};

HEADROOM_TEST(TransducerTest)

} // namespace headroom::testing::transducer_test

#include "transducer_test.moc"
