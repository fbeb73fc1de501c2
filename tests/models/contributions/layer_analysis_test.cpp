// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for any model and any recording, on the reference model: no golden numbers.
#include "core/features/model_input.h"
#include "models/contributions/analyse_layer.h"
#include "models/contributions/memory.h"
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/random_model.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <malloc.h>

#include <numeric>
#include <set>

namespace headroom::testing::layer_analysis_test {

using namespace headroom::models;
using headroom::testing::largestDifference;
using headroom::testing::madeFeatures;

namespace {

/// A field of /proc/self/status in bytes.
double residentBytes(const std::string& field) {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.rfind(field + ":", 0) == 0)
            return std::stod(line.substr(field.size() + 1)) * 1024;
    return 0;
}

} // namespace

class AnalysisTest : public QObject {
    Q_OBJECT
    std::unique_ptr<SpeechModel> m_model;

    /// Within 1e-5 of the largest value: encoding alone uses the fused kernel, an observed pass does not.
    bool isEncoded(const Matrix<float>& output, const Matrix<float>& features) const {
        const Matrix<float> alone = m_model->encode(features);
        float largest = 0;
        for (const float value : alone.values())
            largest = std::max(largest, std::abs(value));
        return largestDifference(output.values(), alone.values()) <= 1e-5 * double(largest);
    }

private Q_SLOTS:
    void initTestCase() { m_model = SpeechModel::open(testing::referenceModel()); }

    void everyLayerHoldsItsIdentities_data() {
        QTest::addColumn<int>("frames");
        for (const int frames : {1, 2, 5, 98, 401, 1500})
            QTest::addRow("%d frames", frames) << frames;
    }
    void everyLayerHoldsItsIdentities() { // O1, O2 in rows, O3, O12
        QFETCH(int, frames);
        AnalysisOptions options;
        options.keepAttention = true;
        int layers = 0;
        const EncoderAnalysis whole = m_model->analyse(
            madeFeatures(static_cast<std::size_t>(frames)), options, [&](LayerAnalysis&& layer) {
                QCOMPARE(layer.layer, ++layers);
                const auto n = static_cast<std::int64_t>(layer.contributions.rows());
                QVERIFY2(layer.rebuildError <= 1e-4F, std::to_string(layer.rebuildError).c_str());
                QVERIFY2(layer.gramError <= 1e-5F, std::to_string(layer.gramError).c_str());
                QVERIFY2(layer.rowSumError <= 1e-5F, std::to_string(layer.rowSumError).c_str());

                const DiagonalProfile& profile = layer.contributionProfile;
                QCOMPARE(profile.size(), n);
                QVERIFY(std::abs(profile.total() / static_cast<double>(n) - 1) <= 1e-6);
                double diagonal = 0;
                for (std::size_t i = 0; i < layer.contributions.rows(); ++i)
                    diagonal += static_cast<double>(layer.contributions(i, i));
                QVERIFY(std::abs(profile.at(0) - diagonal) <= 1e-9);
                for (const float value : layer.contributions.values())
                    QVERIFY(value >= 0 && value <= 1.000001F);

                QCOMPARE(layer.attention.size(), std::size_t(4));
                for (std::size_t h = 0; h < 4; ++h) {
                    const DiagonalProfile expected{layer.attention[h].view()};
                    QVERIFY(largestDifference(layer.attentionProfiles[h].sums(), expected.sums()) <= 1e-9);
                    for (std::size_t i = 0; i < layer.attention[h].rows(); ++i) {
                        const auto row = layer.attention[h].row(i);
                        QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= 1e-5);
                    }
                }
                for (std::size_t i = 0; i < layer.headRelevance.rows(); ++i) {
                    const auto row = layer.headRelevance.row(i);
                    QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= 1e-5);
                }
            });
        QCOMPARE(layers, 8);
        QCOMPARE(whole.frames, frames);
        QCOMPARE(whole.tokens, m_model->info().clock.tokenCount(Frames(frames)).value());
        QCOMPARE(whole.encoderOutput.rows(), static_cast<std::size_t>(whole.tokens));
    }

    void analysingChangesNothing() {
        const Matrix<float> features = madeFeatures(300);
        const EncoderAnalysis explained = m_model->analyse(features, {}, [](LayerAnalysis&&) {});
        QVERIFY(isEncoded(explained.encoderOutput, features));
    }

    void statesAreWhatTheLayersPassOn() {
        const Matrix<float> features = madeFeatures(200);
        AnalysisOptions options;
        options.keepStates = true;
        options.explain = false;
        std::vector<Matrix<float>> states;
        const EncoderAnalysis whole = m_model->analyse(features, options, [&](LayerAnalysis&& layer) {
            states.push_back(std::move(layer.state));
            QCOMPARE(layer.layer, static_cast<int>(states.size()));
        });
        QCOMPARE(states.size(), std::size_t(8));
        QVERIFY(isEncoded(whole.encoderOutput, features));
        QCOMPARE(whole.input.rows(), whole.encoderOutput.rows());
        for (const Matrix<float>& state : states)
            QCOMPARE(state.columns(), whole.encoderOutput.columns());
        QVERIFY(largestDifference(states.front().values(), whole.input.values()) > 1e-3);

        options.layers = {3};
        options.explain = true;
        int seen = 0;
        m_model->analyse(features, options, [&](LayerAnalysis&& layer) {
            ++seen;
            QCOMPARE(layer.layer, 3);
            QCOMPARE(layer.state.values(), states[2].values());
            QVERIFY(!layer.contributions.empty());
        });
        QCOMPARE(seen, 1);
    }

    void mapsAloneAreTheSameMaps() {
        const Matrix<float> features = madeFeatures(200);
        AnalysisOptions options;
        options.keepAttention = true;
        std::vector<LayerAnalysis> explained;
        m_model->analyse(features, options,
                         [&](LayerAnalysis&& layer) { explained.push_back(std::move(layer)); });
        options.explain = false;
        std::size_t seen = 0;
        m_model->analyse(features, options, [&](LayerAnalysis&& layer) {
            const LayerAnalysis& other = explained.at(seen++);
            QVERIFY(layer.contributions.empty() && layer.headRelevance.empty() && layer.state.empty());
            QVERIFY(std::isnan(layer.rebuildError) && std::isnan(layer.gramError));
            QCOMPARE(layer.attention.size(), other.attention.size());
            for (std::size_t h = 0; h < layer.attention.size(); ++h)
                QCOMPARE(layer.attention[h].values(), other.attention[h].values());
        });
        QCOMPARE(seen, explained.size());
    }

    void chosenLayersAreTheSameAsAll() {
        const Matrix<float> features = madeFeatures(200);
        Matrix<float> fifth;
        m_model->analyse(features, {}, [&](LayerAnalysis&& layer) {
            if (layer.layer == 5)
                fifth = layer.contributions;
        });
        AnalysisOptions options;
        options.layers = {5};
        int seen = 0;
        m_model->analyse(features, options, [&](LayerAnalysis&& layer) {
            ++seen;
            QCOMPARE(layer.contributions.values(), fifth.values());
            QVERIFY(layer.attention.empty());
        });
        QCOMPARE(seen, 1);
        options.layers = {9};
        QCOMPARE(codeOf([&] { m_model->analyse(features, options, [](LayerAnalysis&&) {}); }),
                 std::string("model.noSuchLayer"));
    }

    void matricesAreLeftOutWhenNotKept() {
        AnalysisOptions options;
        options.keepContributions = false;
        m_model->analyse(madeFeatures(100), options, [](LayerAnalysis&& layer) {
            QVERIFY(layer.contributions.empty());
            QCOMPARE(layer.contributionProfile.size(), 25);
            QVERIFY(layer.gramError <= 1e-5F);
        });
    }

    void profilesOfHeadsAreLeftOutWhenNotWanted() {
        AnalysisOptions options;
        options.headProfiles = false;
        std::vector<DiagonalProfile> with, without;
        m_model->analyse(madeFeatures(120), {}, [&](LayerAnalysis&& layer) { with.push_back(layer.contributionProfile); });
        m_model->analyse(madeFeatures(120), options, [&](LayerAnalysis&& layer) {
            QCOMPARE(layer.attentionProfiles.size(), std::size_t(4));
            for (const DiagonalProfile& profile : layer.attentionProfiles)
                QVERIFY(profile.empty());
            without.push_back(layer.contributionProfile);
        });
        QCOMPARE(without.size(), with.size());
        for (std::size_t layer = 0; layer < with.size(); ++layer)
            QCOMPARE(largestDifference(with[layer].sums(), without[layer].sums()), 0.0);
    }

    void checkedRowsAreDrawnFromTheSeed() {
        const auto rows = drawRows(200, 16, 7, 3);
        QCOMPARE(rows.size(), std::size_t(16));
        QCOMPARE(std::set<std::int64_t>(rows.begin(), rows.end()).size(), std::size_t(16));
        QCOMPARE(drawRows(200, 16, 7, 3), rows);
        QVERIFY(drawRows(200, 16, 8, 3) != rows);
        QCOMPARE(drawRows(3, 16, 7, 3), (std::vector<std::int64_t>{0, 1, 2}));
        QVERIFY(drawRows(10, 0, 7, 3).empty());
    }

    void aCancelledAnalysisStopsAtOnce() {
        CancelFlag cancel = false;
        int layers = 0;
        QVERIFY_EXCEPTION_THROWN(m_model->analyse(
                                     madeFeatures(200), {},
                                     [&](LayerAnalysis&&) {
                                         ++layers;
                                         cancel = true;
                                     },
                                     &cancel),
                                 Cancelled);
        QCOMPARE(layers, 1);
        QCOMPARE(m_model->encode(madeFeatures(100)).rows(), std::size_t(25)); // and the model goes on working
    }

    void longerThanTheLimitIsRefusedWithBothNumbers() {
        try {
            m_model->analyse(madeFeatures(6001), {}, [](LayerAnalysis&&) { QFAIL("started"); });
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.tooLong"));
            QVERIFY(error.values()["frames"] == 6001);
            QVERIFY(error.values()["limit"] == 6000);
            QVERIFY(std::string(error.what()).find("6,000 frames (60.02 s), but this recording has 6,001") !=
                    std::string::npos);
        }
    }

    void whatDoesNotFitIsRefusedWithBothNumbers() {
        const std::int64_t needed = analysisBytes(m_model->info().architecture, 6000, {});
        QVERIFY(needed > 4LL * 6 * 1500 * 1500); // four maps, the scores and C at least
        refuseWhatDoesNotFit(needed, needed, 60);
        refuseWhatDoesNotFit(needed, -1, 60);
        try {
            refuseWhatDoesNotFit(needed, needed - 1, 60);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.memory"));
            QVERIFY(error.values()["needed"] == needed);
            QVERIFY(error.values()["free"] == needed - 1);
        }
        QVERIFY(freeMemory() > 0);
        // What fits is said before, if it is worth it.
        QCOMPARE(memorySentence(3'100'000'000, 21'000'000'000, 600),
                 std::string("Analysing 600.000 s takes 3.10 GB of memory; 21.00 GB is free."));
        QCOMPARE(memorySentence(900'000'000, 21'000'000'000, 600), std::string());
        QCOMPARE(memorySentence(3'100'000'000, -1, 600), std::string());
    }

    void memoryEstimateHoldsForOtherFamilies_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"wav2vec2", "wav2vec2-adapters", "wavlm", "data2vec-audio",
                                   "wav2vec2-bert-small", "parakeet-small"})
            QTest::newRow(family) << family;
    }
    void memoryEstimateHoldsForOtherFamilies() {
        QFETCH(QString, family);
        const auto model =
            SpeechModel::open(repositoryGoldens() / "parity" / "encoders" / family.toStdString());
        const ModelInput input = model->info().architecture.frontEnd.input();
        std::vector<float> sound(16000 * 60);
        for (std::size_t i = 0; i < sound.size(); ++i)
            sound[i] = 0.3F * std::sin(0.1F * static_cast<float>(i % 4001));
        const auto part = [&](std::size_t samples) {
            return modelFeatures(std::span(sound).first(samples), input);
        };
        model->analyse(part(8000), {}, [](LayerAnalysis&&) {});
        const Matrix<float> features = part(sound.size());
        malloc_trim(0);
        const double before = residentBytes("VmRSS"), code = residentBytes("RssFile");
        if (!(std::ofstream("/proc/self/clear_refs") << "5" << std::flush))
            QSKIP("the peak of the resident set cannot be set back here");
        model->analyse(features, {}, [](LayerAnalysis&&) {});
        const double measured = residentBytes("VmHWM") - before - (residentBytes("RssFile") - code);
        const auto estimate = static_cast<double>(
            analysisBytes(model->info().architecture, static_cast<std::int64_t>(features.rows()), {}));
        const std::string numbers =
            std::to_string(measured / 1e6) + " of " + std::to_string(estimate / 1e6) + " MB";
        QVERIFY2(measured <= estimate, numbers.c_str());
        QVERIFY2(measured * 4 + 100e6 >= estimate, numbers.c_str());
    }

    void memoryEstimateHoldsAgainstMeasurement_data() {
        QTest::addColumn<int>("frames");
        QTest::addColumn<bool>("maps");
        QTest::addColumn<bool>("alone");
        QTest::newRow("15 s") << 1498 << false << false;
        QTest::newRow("60 s") << 6000 << false << false;
        QTest::newRow("60 s with maps") << 6000 << true << false;
        QTest::newRow("60 s, maps and states alone") << 6000 << true << true;
    }
    void memoryEstimateHoldsAgainstMeasurement() {
        QFETCH(int, frames);
        QFETCH(bool, maps);
        QFETCH(bool, alone);
        AnalysisOptions options;
        options.keepAttention = maps;
        options.keepStates = alone;
        options.explain = !alone;
        options.layers = {1, 2};
        const Matrix<float> features = madeFeatures(static_cast<std::size_t>(frames));
        malloc_trim(0); // freed pages that are still resident would hide the rise
        const double before = residentBytes("VmRSS");
        if (!(std::ofstream("/proc/self/clear_refs") << "5" << std::flush))
            QSKIP("the peak of the resident set cannot be set back here");
        m_model->analyse(features, options, [](LayerAnalysis&&) {});
        const double measured = residentBytes("VmHWM") - before;
        const auto estimate =
            static_cast<double>(analysisBytes(m_model->info().architecture, frames, options));
        const std::string numbers =
            std::to_string(measured / 1e6) + " of " + std::to_string(estimate / 1e6) + " MB";
        QVERIFY2(measured <= estimate, numbers.c_str());
        QVERIFY2(measured * 4 + 100e6 >= estimate, numbers.c_str());
    }

    void memoryEstimateHoldsForEveryKind_data() {
        QTest::addColumn<QString>("heads");
        QTest::addColumn<bool>("maps");
        const auto row = [](const char* heads, bool maps) {
            QTest::addRow("%s%s", heads, maps ? " with maps" : "") << QString(heads) << maps;
        };
        for (const char* heads : {"4 local 17", "4 local 64 block", "4 conv 5/2", "4 conv 31/2"})
            row(heads, false);
        row("1 full + 1 local 64 block + 2 conv 5/2", true);
        row("4 full relaxed 0.1 matched", true);
    }
    void memoryEstimateHoldsForEveryKind() {
        QFETCH(QString, heads);
        QFETCH(bool, maps);
        const QTemporaryDir folder;
        const testing::RandomModel made(folder.filePath("model").toStdString(),
                                        {heads.toStdString(), heads.toStdString()});
        const auto model = SpeechModel::open(made.folder());
        AnalysisOptions options;
        options.keepAttention = maps;
        // Pages of code and weights that are read for the first time are not the analysis's own.
        model->analyse(madeFeatures(100), options, [](LayerAnalysis&&) {});
        const Matrix<float> features = madeFeatures(4000); // 1,000 tokens
        malloc_trim(0);
        const double before = residentBytes("VmRSS"), code = residentBytes("RssFile");
        if (!(std::ofstream("/proc/self/clear_refs") << "5" << std::flush))
            QSKIP("the peak of the resident set cannot be set back here");
        model->analyse(features, options, [](LayerAnalysis&& layer) {
            QVERIFY(layer.rebuildError <= 1e-4F && layer.gramError <= 1e-5F);
        });
        // Nor is code that a long recording reaches first, or that a busy machine had dropped meanwhile.
        const double measured =
            residentBytes("VmHWM") - before - std::max(0.0, residentBytes("RssFile") - code);
        const auto estimate = static_cast<double>(analysisBytes(made.architecture(), 4000, options));
        const std::string numbers =
            std::to_string(measured / 1e6) + " of " + std::to_string(estimate / 1e6) + " MB";
        QVERIFY2(measured <= estimate, numbers.c_str());
        QVERIFY2(measured * 4 + 100e6 >= estimate, numbers.c_str());
    }

    void speechformersLayersAreAnalysedWithoutContributions() {
        const QTemporaryDir folder;
        const testing::RandomModel made(folder.filePath("model").toStdString(),
                                        {"2 full + 2 conv 8/4 speechformer", "4 full"});
        int reasons = 0;
        SpeechModel::open(made.folder())->analyse(madeFeatures(200), {}, [&](LayerAnalysis&& layer) {
            reasons += !layer.reason.empty();
            QCOMPARE(layer.contributions.empty(), layer.layer == 1);
        });
        QCOMPARE(reasons, 1);
    }

    void featuresThatAreNoneAreRefused() {
        Matrix<float> features = madeFeatures(50);
        QCOMPARE(codeOf([&] { m_model->encode(Matrix<float>()); }), std::string("model.badFeatures"));
        QCOMPARE(codeOf([&] { m_model->encode(Matrix<float>(10, 40)); }), std::string("model.badFeatures"));
        features(30, 2) = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(codeOf([&] { m_model->encode(features); }), std::string("model.badFeatures"));
    }
};

HEADROOM_TEST(AnalysisTest)

} // namespace headroom::testing::layer_analysis_test

#include "layer_analysis_test.moc"
