// SPDX-License-Identifier: GPL-3.0-or-later
// Against the searches of Hugging Face transformers (parity/decoding): beam search, and fusion with language
// models.
#include "models/checkpoints/checkpoint.h"
#include "models/networks/model_scorers.h"
#include "models/networks/s2t_encoder.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "tests/training/decoding/golden_searches.h"
#include "training/decoding/fused_scorer.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

#include <map>

namespace headroom::testing::beam_parity_test {

using namespace headroom::models;
using namespace headroom::training;

namespace {

/// A speech model of the goldens, and its encoder's outputs by utterance.
struct Speech {
    Checkpoint checkpoint;
    at::Tensor encode(const std::filesystem::path& features, const nlohmann::json& rows) const {
        const c10::InferenceMode inference;
        Matrix<float> all = testing::readMatrix(features);
        at::Tensor batch = at::from_blob(all.values().data(),
                                         {1, static_cast<std::int64_t>(all.rows()),
                                          static_cast<std::int64_t>(all.columns())},
                                         at::kFloat);
        if (rows.is_array())
            batch = batch.narrow(1, rows[0], rows[1].get<std::int64_t>() - rows[0].get<std::int64_t>());
        batch = batch.clone();
        return encodeBatch(checkpoint.parameters, checkpoint.info.architecture, batch, {batch.size(1)});
    }
    std::unique_ptr<TokenScorer> scorer(const at::Tensor& memory) const {
        return decoderScorer(checkpoint.parameters, checkpoint.info.architecture, memory, {}, 1024);
    }
};

Speech speech(const std::filesystem::path& folder, double timesHead) {
    const c10::InferenceMode inference;
    Speech result{readCheckpoint(folder)};
    if (timesHead != 1)
        result.checkpoint.parameters.set("lm_head.weight",
                                         result.checkpoint.parameters.get("lm_head.weight").mul(timesHead));
    return result;
}

} // namespace

class BeamParityTest : public QObject {
    Q_OBJECT
    std::filesystem::path m_decoding;

private Q_SLOTS:
    void initTestCase() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        m_decoding = testing::sharedData() / "parity/decoding";
    }

    void searchesFindTheLibrarysHypotheses_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"s2t-tiny", "s2t-sharp", "s2t-reference"})
            QTest::newRow(name) << name;
    }
    void searchesFindTheLibrarysHypotheses() {
        QFETCH(QString, name);
        const auto golden = testing::readJson(m_decoding / "beam" / (name.toStdString() + ".json"));
        const Speech model =
            speech(m_decoding / golden.at("model").get<std::string>(), golden.at("lm_head_weight_times"));
        std::map<std::string, at::Tensor> memories;
        for (const auto& utterance : golden.at("utterances"))
            memories[utterance.at("name")] =
                model.encode(m_decoding / utterance.at("features").get<std::string>(),
                             utterance.value("rows", nlohmann::json()));
        int clear = 0;
        for (const auto& run : golden.at("runs")) {
            const auto scorer = model.scorer(memories.at(run.at("utterance")));
            const auto found = beamSearch(*scorer, 1, settingsOf(run.at("settings"))).front();
            const QString wrong = difference(found, run, "sum_log_prob");
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + " in " + QString::fromStdString(run.dump())));
            clear += run.at("smallest_margin_of_a_decision").get<double>() > kClearMargin;
        }
        QVERIFY(clear > 100);
    }

    void fusedSearchesFindTheGoldenHypotheses() {
        const auto golden = testing::readJson(m_decoding / "fusion/fusion.json");
        std::map<std::string, Checkpoint> languages;
        for (const char* kind : {"transformer", "lstm"})
            languages.emplace(kind, readCheckpoint(m_decoding / "fusion" / kind));
        std::map<std::string, Speech> models;
        int clear = 0;
        for (const auto& run : golden.at("runs")) {
            const std::string folder = run.at("model");
            const double times = run.at("lm_head_weight_times");
            const std::string key = folder + std::to_string(times);
            if (!models.contains(key))
                models.emplace(key, speech(m_decoding / folder, times));
            const Speech& model = models.at(key);
            std::vector<FusedScorer::Part> parts;
            parts.push_back({model.scorer(model.encode(
                                 m_decoding / run.at("features").get<std::string>(),
                                 run.value("rows", nlohmann::json()))),
                             1});
            const auto language = [&](const std::string& kind, double weight) {
                const Checkpoint& checkpoint = languages.at(kind);
                parts.push_back(
                    {languageModelScorer(checkpoint.parameters, checkpoint.info.architecture, 1), weight});
            };
            const std::string kind = run.at("lm");
            language(kind, run.at("lm_weight"));
            if (run.at("subtract") == "density_ratio")
                language(kind == "lstm" ? "transformer" : "lstm", -run.at("subtract_weight").get<double>());
            else if (run.at("subtract") == "internal")
                parts.push_back({internalScorer(model.checkpoint.parameters,
                                                model.checkpoint.info.architecture, 1, 1024),
                                 -run.at("subtract_weight").get<double>()});
            FusedScorer fused(std::move(parts));
            const auto found = beamSearch(fused, 1, settingsOf(run.at("settings"))).front();
            const QString wrong = difference(found, run, "sum");
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + " in " + QString::fromStdString(run.dump())));
            clear += run.at("smallest_margin_of_a_decision").get<double>() > kClearMargin;
        }
        QVERIFY(clear > 150);
    }
};

HEADROOM_TEST(BeamParityTest)

} // namespace headroom::testing::beam_parity_test

#include "beam_parity_test.moc"
