// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "core/analysis/windows.h"
#include "models/networks/speech_model.h"
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/studies/profiles.h"
#include "training/studies/sources.h"
#include "training/studies/study_text.h"
#include "training/studies/study_work.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::study_kinds_test {

using namespace headroom::training;
namespace fs = std::filesystem;

namespace {

/// A profile of N tokens whose band of half-width `reach` is above the threshold and nothing else is (O7).
Measurement bandOf(std::int64_t tokens, std::int64_t reach) {
    std::vector<double> sums;
    for (std::int64_t k = -(tokens - 1); k < tokens; ++k)
        sums.push_back(std::abs(k) <= reach ? 0.02 * static_cast<double>(tokens - std::abs(k)) : 0);
    return {{"profile", Tensor::of<double>({1, 2 * tokens - 1}, sums)},
            {"far", Tensor::of<double>({0, 5}, std::vector<double>())}};
}

std::size_t columnOf(const StudyTable& table, const std::string& key) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].key == key)
            return i;
    throw std::out_of_range(key);
}

double cell(const StudyTable& table, std::size_t row, const std::string& key) {
    return std::get<double>(table.rows.at(row).at(columnOf(table, key)));
}

} // namespace

class StudyKindsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sentencesHaveTheMinusOfAllNumbers() {
        QCOMPARE(QString::fromStdString(numberText(0.75)), QStringLiteral("0.75"));
        QCOMPARE(QString::fromStdString(numberText(-0.5)), QStringLiteral("−0.5"));
        QCOMPARE(QString::fromStdString(numberText(1e-5)), QStringLiteral("1e−5"));
        QCOMPARE(QString::fromStdString(numberText(1e-10)), QStringLiteral("1e−10"));
    }

    void windowsFollowFromMeanAndDeviationOfTheStatistic() {
        // Half of the utterances reach 1 token, half 4: statistics 2 and 8, μ 5, σ 3, w = 9 (odd ⌈8⌉).
        for (const bool printed : {false, true}) {
            const auto work = windowsStudy({{"statistic", printed ? "as-printed" : "table-compatible"}});
            Study study;
            study.models.push_back({"made", "", "0123456789", "", 1, 1, false, 0.0125, 0.04});
            std::vector<ModelMeasurements> measured(1);
            measured[0].model = study.models[0];
            for (int u = 0; u < 40; ++u) {
                study.utterances.emplace_back().id = std::to_string(u);
                measured[0].utterances.push_back(bandOf(60, u % 2 ? 1 : 4));
            }
            const auto suggestion = [](const StudyResults& results) {
                const StudyTable& table = results.tables.front();
                return std::get<std::string>(table.rows.at(0).at(columnOf(table, "suggestion")));
            };
            const models::CancelFlag cancel{false};
            // Nothing is between the window of the statistic and the one that the model itself has.
            const StudyFixture local(1, {"2 local 7"});
            std::vector<std::unique_ptr<LayerSource>> sources;
            sources.push_back(openModelSource(local.model()));
            QCOMPARE(suggestion(work->summarise(study, std::vector(measured), sources, {}, cancel)), std::string("local 7"));
            const StudyResults results = work->summarise(study, std::move(measured), {}, {}, cancel);
            QCOMPARE(suggestion(results), std::string("local 9"));
            const StudyTable& table = results.tables.front();
            QCOMPARE(cell(table, 0, "mean"), printed ? 6.0 : 5.0);
            QCOMPARE(cell(table, 0, "std"), 3.0);
            QCOMPARE(cell(table, 0, "window"), 9.0);
            QCOMPARE(columnOf(table, "suggestion"), columnOf(table, "window") + 1); // behind CL it was out of sight beside two maps
            QVERIFY(std::abs(cell(table, 0, "loss_mean")) < 1e-12);
            QCOMPARE(toDoubles(results.arrays.at("1.statistic").view())[1], printed ? 3.0 : 2.0);
        }
    }

    void theNumbersAreThoseOfTheAnalysis() {
        const StudyFixture fixture(3);
        const auto request = fixture.request("study");
        const Study study = runStudy(request);
        const auto arrays = readStudyArrays(request.out);
        const auto statistic = toDoubles(arrays.at("1.statistic").view());
        const auto curve = toDoubles(arrays.at("1.diagonality").view());
        const auto grid = toDoubles(arrays.at("1.window_grid").view());
        const auto source = models::SpeechModel::open(fixture.model());
        std::vector<std::vector<DiagonalProfile>> profiles(2);
        for (const StudyUtterance& utterance : study.utterances) {
            auto features = featuresOf(utterance.audio);
            source->analyse(features.view(), {}, [&](models::LayerAnalysis&& layer) {
                profiles[static_cast<std::size_t>(layer.layer - 1)].push_back(layer.contributionProfile);
            });
        }
        for (std::size_t layer = 0; layer < 2; ++layer) {
            for (std::size_t u = 0; u < 3; ++u)
                QCOMPARE(statistic[layer * 3 + u], static_cast<double>(windowStatistic(profiles[layer][u])));
            for (std::size_t k = 0; k < grid.size(); ++k) {
                double mean = 0;
                for (const DiagonalProfile& profile : profiles[layer])
                    mean += diagonality(profile, static_cast<std::int64_t>(grid[k])) / 3;
                QVERIFY(std::abs(curve[layer * grid.size() + k] - mean) < 1e-9);
            }
        }
    }

    /// One recording of a word changed the window of every layer, and it was the example of all figures.
    void tooShortUtterancesAreLeftOutOfWindows() {
        const StudyFixture fixture(6); // of 0.4, 0.57 … 1.25 s
        auto request = fixture.request("all");
        request.settings["example"] = "";
        Heard all;
        const Study whole = runStudy(request, all.listener());
        QCOMPARE(measuredUtterances(whole), std::int64_t(6)); // as published, without a limit
        QCOMPARE(whole.settings.at("example"), nlohmann::json("r2"));
        QVERIFY2(whole.tables.front().caption.find("of at least") == std::string::npos, whole.tables.front().caption.c_str());
        request = fixture.request("long");
        request.settings["shortest"] = 0.9;
        Heard heard;
        const Study study = runStudy(request, heard.listener()); // from the cache
        QCOMPARE(measuredUtterances(study), std::int64_t(3));
        QCOMPARE(study.utterances[2].error, std::string("r2.wav (0.74 s) is shorter than 0.9 s."));
        QVERIFY(heard.problems.empty()); // nothing is wrong with them
        QCOMPARE(study.settings.at("example"), nlohmann::json("r4"));
        const std::string& caption = study.tables.front().caption;
        QVERIFY2(caption.find("n = 3 of 6 utterances (data, all). Only utterances of at least 0.9 s count. ") != std::string::npos, caption.c_str());
        QVERIFY(std::find(study.notes.begin(), study.notes.end(), "3 of 6 utterances were left out, because they are shorter than 0.9 s.") !=
                study.notes.end());
        const auto some = toDoubles(readStudyArrays(request.out).at("1.statistic").view()),
                   every = toDoubles(readStudyArrays(fixture.folder() / "all").at("1.statistic").view());
        for (std::size_t u = 0; u < 6; ++u)
            QVERIFY(u < 3 ? std::isnan(some[u]) && !std::isnan(every[u]) : some[u] == every[u]);
        // Measured afresh they are the same.
        request.out = fixture.folder() / "fresh";
        request.cache = fixture.folder() / "other";
        QCOMPARE(measuredUtterances(runStudy(request)), std::int64_t(3));
        request.out = fixture.folder() / "none";
        request.settings["shortest"] = 60;
        const auto sentence = [&] {
            try {
                runStudy(request);
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string();
        }();
        QVERIFY2(sentence.ends_with("is shorter than 60 s."), sentence.c_str());
    }

    void farPairsAnswerEveryWindow() {
        std::mt19937 generator(5);
        std::exponential_distribution<float> weight;
        for (int repeat = 0; repeat < 300; ++repeat) {
            const std::size_t size = 1 + generator() % 12;
            Matrix<float> map(size, size);
            for (float& value : map.values())
                value = weight(generator);
            const auto pairs = farPairs(map.view());
            for (std::int64_t window = 1; window <= 2 * static_cast<std::int64_t>(size) + 1; window += 2) {
                double strongest = 0;
                for (std::size_t i = 0; i < size; ++i)
                    for (std::size_t j = 0; j < size; ++j)
                        if (std::abs(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j)) >
                            window / 2)
                            strongest = std::max(strongest, static_cast<double>(map(i, j)));
                const FarPair* found = strongestOutside(pairs, window);
                QCOMPARE(found ? found->value : 0, strongest);
                if (found)
                    QCOMPARE(static_cast<double>(map(static_cast<std::size_t>(found->query),
                                                     static_cast<std::size_t>(found->key))),
                             strongest);
            }
        }
    }

    void layersWithoutContributionsAreNotANumberAndSaid() {
        const StudyFixture fixture(2, {"2 full", "2 conv 5/2 speechformer", "1 full + 1 conv 5/2"});
        const Study windows = runStudy(fixture.request("windows"));
        QVERIFY(std::any_of(windows.notes.begin(), windows.notes.end(), [](const std::string& note) {
            return note.find("layer 2") != std::string::npos;
        }));
        const auto statistic =
            toDoubles(readStudyArrays(fixture.folder() / "windows").at("1.statistic").view());
        QVERIFY(!std::isnan(statistic[0]) && std::isnan(statistic[2]) && !std::isnan(statistic[4]));

        const Study heads = runStudy(fixture.request("heads", StudyKind::Heads));
        QVERIFY(std::any_of(heads.notes.begin(), heads.notes.end(), [](const std::string& note) {
            return note.find("2.1, 2.2, 3.2") != std::string::npos;
        }));
        const auto arrays = readStudyArrays(fixture.folder() / "heads");
        const auto cad = toDoubles(arrays.at("1.cad").view());
        const auto entropy = toDoubles(arrays.at("1.entropy").view());
        QVERIFY(!std::isnan(cad[0]) && std::isnan(cad[4]) && !std::isnan(cad[8]) && std::isnan(cad[10]));
        QVERIFY(!std::isnan(entropy[4]) && !std::isnan(entropy[10]));
        for (const double share : toDoubles(arrays.at("1.relevance").view()))
            QVERIFY(share > 0 && share < 1);
    }

    /// The window says "–" for such a layer; the study's table said "local 1".
    void layersWhoseHeadsTakeNoWindowGetNone() {
        const StudyFixture fixture(2, {"2 full", "2 reuse 1"});
        const Study study = runStudy(fixture.request("windows"));
        const auto& rows = study.tables.at(0).rows;
        QCOMPARE(study.tables.at(0).columns.at(6).key, std::string("suggestion"));
        QVERIFY(!std::get<std::string>(rows.at(0).at(6)).empty());
        QCOMPARE(std::get<std::string>(rows.at(1).at(6)), std::string());
        QVERIFY(std::holds_alternative<double>(rows.at(1).at(1))); // its map has a mean all the same
        QVERIFY(std::ranges::any_of(study.notes, [](const std::string& note) { return note.find("layer 2: no window is suggested") != std::string::npos; }));
    }

    void relevanceOfTheNotebookIsAnotherNumber() {
        const StudyFixture fixture(3);
        auto request = fixture.request("pooled", StudyKind::Heads);
        runStudy(request);
        request.out = fixture.folder() / "notebook";
        request.settings = {{"relevance", "notebook"}, {"augment", false}};
        runStudy(request);
        const auto pooled = toDoubles(readStudyArrays(fixture.folder() / "pooled").at("1.relevance").view());
        const auto notebook =
            toDoubles(readStudyArrays(fixture.folder() / "notebook").at("1.relevance").view());
        double difference = 0;
        for (std::size_t i = 0; i < pooled.size(); ++i)
            difference = std::max(difference, std::abs(pooled[i] - notebook[i]));
        QVERIFY(difference > 1e-5 && difference < 0.3);
    }

    void mapsFromElsewhereGiveWhatTheModelGives() {
        const StudyFixture fixture(3);
        fs::create_directory(fixture.folder() / "maps");
        const auto model = models::SpeechModel::open(fixture.model());
        for (int i = 0; i < 3; ++i) {
            const std::string stem = "r" + std::to_string(i);
            const auto features = featuresOf(fixture.data() / (stem + ".wav"));
            NpzWriter writer(fixture.folder() / "maps" / (stem + ".npz"));
            const auto whole = model->analyse(features.view(), {}, [&](models::LayerAnalysis&& layer) {
                const auto size = static_cast<std::int64_t>(layer.contributions.rows());
                writer.add("layer." + std::to_string(layer.layer) + ".contributions",
                           Tensor::of<float>({size, size}, layer.contributions.values()).view());
            });
            std::vector<double> centres;
            for (std::int64_t token = 0; token < whole.tokens; ++token)
                centres.push_back(model->info().clock.centre(Tokens(token)).value());
            writer.add("token_seconds", Tensor::of<double>({whole.tokens}, centres).view());
            writer.close();
        }
        runStudy(fixture.request("direct"));
        auto request = fixture.request("maps-study");
        request.models.clear();
        request.maps = fixture.folder() / "maps";
        request.settings["source"] = "contributions";
        Study study;
        try {
            study = runStudy(request);
        } catch (const Error& error) {
            QFAIL(error.what());
        }
        QVERIFY(study.models[0].maps && study.models[0].weightsHash.empty());
        const auto own = readStudyArrays(fixture.folder() / "direct"), theirs = readStudyArrays(request.out);
        QCOMPARE(toDoubles(theirs.at("1.statistic").view()), toDoubles(own.at("1.statistic").view()));
        const auto a = toDoubles(own.at("1.loss").view()), b = toDoubles(theirs.at("1.loss").view());
        for (std::size_t i = 0; i < a.size(); ++i)
            QVERIFY(std::abs(a[i] - b[i]) < 1e-5);
        request.kind = StudyKind::Probe;
        request.settings = nlohmann::json::object();
        request.out = fixture.folder() / "probe";
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.needsWeights"));
        request.kind = StudyKind::Heads; // their relevance is of L2 norms, and there are no features to mask
        for (const auto& settings : {nlohmann::json{{"relevance", "notebook"}, {"augment", false}},
                                     nlohmann::json{{"augment", true}}}) {
            request.settings = settings;
            request.out = fixture.folder() / settings.dump();
            QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.setting"));
        }
    }

    void onlyTheMapsOfTheStudyAreReadAndABadOneIsLeftOut() {
        const StudyFixture fixture(3);
        fs::create_directory(fixture.folder() / "maps");
        const auto write = [&](const std::string& stem, float sum, double step = 0.04) {
            constexpr std::int64_t kTokens = 10;
            NpzWriter writer(fixture.folder() / "maps" / (stem + ".npz"));
            writer.add("layer.1.attention",
                       Tensor::of<float>({1, kTokens, kTokens}, std::vector<float>(100, sum / 10)).view());
            std::vector<double> centres;
            for (int token = 0; token < kTokens; ++token)
                centres.push_back(0.02 + step * token);
            writer.add("token_seconds", Tensor::of<double>({kTokens}, centres).view());
            writer.close();
        };
        write("another", 1.1F); // of no recording of the study, and the first of the folder
        write("r0", 1.1F);
        write("r1", 1);
        write("r2", 1);
        auto request = fixture.request("left-out");
        request.models.clear();
        request.data.clear();
        request.maps = fixture.folder() / "maps";
        request.settings["source"] = "attention";
        for (const char* name : {"r0.wav", "r1.wav", "r2.wav"})
            request.audio.push_back(fixture.data() / name);
        Heard heard;
        try {
            const Study study = runStudy(request, &heard);
            QVERIFY(study.state == RunState::Finished);
            QVERIFY(study.utterances[0].error.find("r0.npz holds no shares in layer 1") != std::string::npos);
            QVERIFY(study.utterances[1].error.empty() && study.utterances[2].error.empty());
        } catch (const Error& error) {
            QFAIL(error.what());
        }
        QCOMPARE(heard.problems.size(), std::size_t(1));
        request.audio = {fixture.data() / "r0.wav"};
        request.out = fixture.folder() / "bad";
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("maps.row"));
        // Times that run past the end of the recordings are told, once.
        write("r1", 1, 40);
        write("r2", 1, 40);
        request.audio = {fixture.data() / "r1.wav", fixture.data() / "r2.wav"};
        request.out = fixture.folder() / "late";
        const auto notes = runStudy(request).notes;
        QCOMPARE(std::ranges::count_if(notes, [](const std::string& note) {
                     return note.find("r1.npz: 9 of 10 tokens lie after the end of the recording") != std::string::npos &&
                            note.find("The same is true of 1 other utterance.") != std::string::npos;
                 }), 1);
    }

    void aTokenWithoutRelevanceIsSkipped() {
        const auto work = headsStudy(nlohmann::json::object());
        Study study;
        study.models.push_back({"made", "", "0123456789", "", 1, 2, false, 0.0125, 0.04});
        std::vector<ModelMeasurements> measured(1);
        measured[0].model = study.models[0];
        for (const bool first : {false, true}) { // a row of NaN, as of a token whose output is all zeros
            study.utterances.emplace_back().id = first ? "first" : "second";
            const double half = 0.5, none = std::nan("");
            const auto numbers = [](double value) {
                return Tensor::of<double>({1, 2}, std::vector<double>{value, value});
            };
            Measurement one;
            for (const char* name : {"cad", "entropy", "mean_distance", "maximum", "silence_share"})
                one[name] = numbers(half);
            one["curve"] = Tensor::of<double>({1, 2, 101}, std::vector<double>(202, half));
            one["pair"] = Tensor::of<double>({1, 2, 3}, std::vector<double>(6, none));
            const float bad = first ? std::nanf("") : 0.25F;
            one["relevance"] = Tensor::of<float>(
                {1, 3, 2}, std::vector<float>{bad, first ? bad : 0.75F, 0.25F, 0.75F, 0.25F, 0.75F});
            measured[0].utterances.push_back(std::move(one));
        }
        const models::CancelFlag cancel{false};
        const StudyResults results = work->summarise(
            study, std::move(measured), {}, [](auto, auto, const auto&, auto) {}, cancel);
        const auto relevance = toDoubles(results.arrays.at("1.relevance").view());
        QVERIFY(std::abs(relevance[0] - 0.25) < 1e-6 && std::abs(relevance[1] - 0.75) < 1e-6);
    }
};

HEADROOM_TEST(StudyKindsTest)

} // namespace headroom::testing::study_kinds_test

#include "study_kinds_test.moc"
