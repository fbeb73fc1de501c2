// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"
#include "models/networks/speech_model.h"
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/figures/study_figures.h"
#include "training/studies/mixing/similarity.h"
#include "training/studies/study_work.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::similarity_study_test {

namespace {

/// The input of layer 1 and the states of the layers, of what this model reads.
std::vector<Matrix<float>> statesOf(models::SpeechModel& model, const std::filesystem::path& audio) {
    models::AnalysisOptions options;
    options.keepStates = true;
    std::vector<Matrix<float>> states(model.info().architecture.encoder.layers.size() + 1);
    const Matrix<float> features =
        modelFeatures(loadRecording(audio).samples, model.info().architecture.frontEnd.input());
    const auto whole = model.analyse(features.view(), options, [&](models::LayerAnalysis&& layer) {
        states[static_cast<std::size_t>(layer.layer)] = layer.state;
    });
    states[0] = whole.input;
    return states;
}

/// The means of the states over the tokens whose centre lies in each phone or word: [layer][interval][d]; no numbers where
/// there is no such token.
using Means = std::vector<std::vector<std::vector<float>>>;
Means meansOf(models::SpeechModel& model, const Study& study, bool words) {
    Means means;
    for (const StudyUtterance& utterance : study.utterances) {
        const std::vector<Matrix<float>> states = statesOf(model, utterance.audio);
        means.resize(states.size());
        const std::filesystem::path audio = utterance.audio;
        const Alignment alignment = alignmentFrom(readTextGrid(std::filesystem::path(audio).replace_extension("TextGrid")),
                                                  Seconds(10), audio.stem().string());
        for (const Interval& interval : words ? alignment.words : alignment.phones) {
            if (isSilence(interval.label))
                continue;
            std::vector<std::size_t> own; // tokens whose centre lies in it
            for (std::size_t token = 0; token < states[0].rows(); ++token) {
                const Seconds centre = model.info().clock.centre(Tokens(static_cast<std::int64_t>(token)));
                if (centre >= interval.start && centre < interval.end)
                    own.push_back(token);
            }
            for (std::size_t layer = 0; layer < states.size(); ++layer) {
                means[layer].emplace_back();
                for (std::size_t d = 0; !own.empty() && d < states[layer].columns(); ++d) {
                    double sum = 0;
                    for (std::size_t token : own)
                        sum += static_cast<double>(states[layer](token, d));
                    means[layer].back().push_back(static_cast<float>(sum / static_cast<double>(own.size())));
                }
            }
        }
    }
    return means;
}

/// Of the places that have numbers in both.
std::vector<training::Representation> layersAt(const Means& means, const Means& other) {
    std::vector<training::Representation> layers;
    for (const auto& places : means) {
        std::vector<float> rows;
        std::size_t count = 0, width = 0;
        for (std::size_t place = 0; place < places.size(); ++place) {
            if (places[place].empty() || other[0][place].empty())
                continue;
            rows.insert(rows.end(), places[place].begin(), places[place].end());
            width = places[place].size();
            ++count;
        }
        layers.emplace_back(Matrix<float>(count, width, rows).view());
    }
    return layers;
}

} // namespace

class SimilarityStudyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void layersAreComparedAtTheSamePlaces() {
        const StudyFixture fixture(4);
        auto request = fixture.request("study", StudyKind::Similarity);
        request.settings = {{"perUtterance", 5}};
        const Study study = runStudy(request);
        const auto arrays = readStudyArrays(request.out);
        QCOMPARE(arrays.at("1.1.cka").shape, (std::vector<std::int64_t>{3, 3}));
        const auto cka = toDoubles(arrays.at("1.1.cka").view()), pwcca = toDoubles(arrays.at("1.1.pwcca").view());
        // The same from the model's own states: five tokens of each utterance, evenly spread.
        const auto model = models::SpeechModel::open(fixture.model());
        std::vector<std::vector<float>> rows(3);
        std::size_t width = 0, count = 0;
        for (const StudyUtterance& utterance : study.utterances) {
            const std::vector<Matrix<float>> states = statesOf(*model, utterance.audio);
            width = states[0].columns();
            for (std::size_t i = 0; i < 5; ++i, ++count) {
                const std::size_t token = (2 * i + 1) * states[0].rows() / 10;
                for (std::size_t layer = 0; layer < 3; ++layer) {
                    const auto row = states[layer].row(token);
                    rows[layer].insert(rows[layer].end(), row.begin(), row.end());
                }
            }
        }
        std::vector<training::Representation> layers;
        for (const auto& values : rows)
            layers.emplace_back(Matrix<float>(count, width, values).view());
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) {
                QVERIFY(std::abs(cka[a * 3 + b] - training::linearCka(layers[a], layers[b])) <= 1e-9);
                QVERIFY(std::abs(pwcca[a * 3 + b] - training::projectionWeightedCca(layers[a], layers[b])) <= 1e-9);
                if (a == b)
                    QVERIFY(std::abs(cka[a * 3 + b] - 1) <= 1e-6);
            }
        QVERIFY(cka[1] < 1);
        QCOMPARE(study.tables.front().rows.size(), std::size_t(9));
        QVERIFY(!study.notes.empty()); // so few places say little
    }

    void phonesAndWordsAreMeansOfTheirTokens_data() {
        QTest::addColumn<QString>("places");
        QTest::newRow("words") << "words";
        QTest::newRow("phones") << "phones";
    }
    void phonesAndWordsAreMeansOfTheirTokens() {
        QFETCH(QString, places);
        const StudyFixture fixture(4);
        for (int i = 0; i < 4; ++i)
            fixture.align(i, 0.4 + 0.17 * i);
        auto request = fixture.request("study", StudyKind::Similarity);
        request.settings = {{"places", places.toStdString()}};
        const Study study = runStudy(request);
        const auto cka = toDoubles(readStudyArrays(request.out).at("1.1.cka").view());
        const auto model = models::SpeechModel::open(fixture.model());
        const Means means = meansOf(*model, study, places == "words");
        QVERIFY(means[0].size() > 8);
        const std::vector<training::Representation> layers = layersAt(means, means);
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
                QVERIFY(std::abs(cka[a * 3 + b] - training::linearCka(layers[a], layers[b])) <= 1e-9);
    }

    /// The first model read log-mel, so the second one got it too, whatever it reads.
    void everyModelReadsItsOwnFeatures_data() {
        QTest::addColumn<QString>("family");
        QTest::newRow("samples") << "wav2vec2";
        QTest::newRow("log-mel of another kind") << "parakeet-small";
    }
    void everyModelReadsItsOwnFeatures() {
        QFETCH(QString, family);
        const StudyFixture fixture(4);
        for (int i = 0; i < 4; ++i)
            fixture.align(i, 0.4 + 0.17 * i);
        const std::filesystem::path other = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/encoders" / family.toStdString();
        auto request = fixture.request("study", StudyKind::Similarity);
        request.settings = {{"places", "words"}};
        request.models.push_back(other);
        const Study study = runStudy(request);
        const auto cka = toDoubles(readStudyArrays(request.out).at("1.2.cka").view());
        const auto ours = models::SpeechModel::open(fixture.model()), theirs = models::SpeechModel::open(other);
        const Means here = meansOf(*ours, study, true), there = meansOf(*theirs, study, true);
        const auto rows = layersAt(here, there), columns = layersAt(there, here);
        QVERIFY(rows[0].places() > 4);
        QCOMPARE(cka.size(), rows.size() * columns.size());
        for (std::size_t a = 0; a < rows.size(); ++a)
            for (std::size_t b = 0; b < columns.size(); ++b)
                QVERIFY(std::abs(cka[a * columns.size() + b] - training::linearCka(rows[a], columns[b])) <= 1e-9);
        // At tokens they are no places of both, and the sentence says what to do.
        request = fixture.request("tokens", StudyKind::Similarity);
        request.models.push_back(other);
        try {
            runStudy(request);
            QFAIL("tokens of two front ends were compared");
        } catch (const Error& error) {
            QCOMPARE(error.code(), "study.frontEnds");
            QVERIFY2(std::string(error.what()).find("at phones or words") != std::string::npos, error.what());
        }
    }

    /// Phones in which one model has no token were left out, and nothing said how many.
    void placesThatAModelHasNoTokenInAreCounted() {
        const StudyFixture fixture(4);
        for (int i = 0; i < 4; ++i)
            fixture.align(i, 0.4 + 0.17 * i);
        const std::filesystem::path other = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/encoders/parakeet-small";
        auto request = fixture.request("study", StudyKind::Similarity);
        request.settings = {{"places", "phones"}};
        request.models.push_back(other);
        const Study study = runStudy(request);
        const auto ours = models::SpeechModel::open(fixture.model()), theirs = models::SpeechModel::open(other);
        const Means here = meansOf(*ours, study, false), there = meansOf(*theirs, study, false);
        const auto all = static_cast<std::int64_t>(here[0].size()), used = layersAt(here, there)[0].places();
        QVERIFY(used < all);
        const std::string begin = std::to_string(all - used) + (all - used == 1 ? " phone of " : " phones of ") + std::to_string(all);
        const auto note = std::find_if(study.notes.begin(), study.notes.end(), [&](const std::string& one) { return one.starts_with(begin); });
        QVERIFY(note != study.notes.end());
        // Who has the table or a figure alone reads it too.
        QVERIFY2(study.tables.front().caption.find(*note) != std::string::npos, study.tables.front().caption.c_str());
        for (const figures::Figure& figure : figures::studyFigures(study, readStudyArrays(request.out), {}))
            QVERIFY2(figure.caption.find(*note) != std::string::npos, figure.caption.c_str());
        // The figure of a model with itself spoke of the other one, too.
        int told = 0;
        for (std::size_t model = 0; model < study.models.size(); ++model) {
            const std::string start = study.models[model].name + ": PWCCA is ";
            const auto about = std::find_if(study.notes.begin(), study.notes.end(), [&](const std::string& one) { return one.starts_with(start); });
            if (about == study.notes.end())
                continue;
            ++told;
            for (const figures::Figure& figure : figures::studyFigures(study, readStudyArrays(request.out), {}))
                if (figure.name != "pwcca-1-2") // which says once what holds for both
                    QCOMPARE(figure.caption.find(*about) != std::string::npos, figure.name == "pwcca-" + std::to_string(model + 1));
        }
        QVERIFY(told > 0);
    }
    /// 24 places, of states of 96 dimensions, were said to have 23.
    void fewPlacesAreComparedWithAllDimensionsOfTheStates() {
        const StudyFixture fixture(2);
        auto request = fixture.request("few", StudyKind::Similarity);
        request.settings = {{"perUtterance", 3}};
        const Study study = runStudy(request);
        const auto model = models::SpeechModel::open(fixture.model());
        const std::string expected = study.models.front().name + ": PWCCA is always 1, because there are only 6 places for states of " +
                                     std::to_string(model->info().architecture.encoder.width) + " dimensions.";
        QVERIFY2(std::count(study.notes.begin(), study.notes.end(), expected) == 1, study.notes.front().c_str());
        QVERIFY2(study.tables.front().caption.find(expected) != std::string::npos, study.tables.front().caption.c_str());
        for (const double one : toDoubles(readStudyArrays(request.out).at("1.1.pwcca").view()))
            QVERIFY(std::abs(one - 1) < 1e-9);
    }

    /// Labelled pauses were counted among the phones, those without a label were not.
    void silencesAreNoPhones_data() { phonesAndWordsAreMeansOfTheirTokens_data(); }
    void silencesAreNoPhones() {
        QFETCH(QString, places);
        const StudyFixture fixture(4);
        const auto similarity = [&](const char* out, const std::string& silence) {
            for (int i = 0; i < 4; ++i) {
                fixture.align(i, 0.4 + 0.17 * i);
                const auto file = fixture.data() / ("r" + std::to_string(i) + ".TextGrid");
                TextGrid grid = readTextGrid(file);
                for (Tier& tier : grid.tiers)
                    tier.intervals.front().label = silence;
                writeTextGrid(file, grid);
            }
            auto request = fixture.request(out, StudyKind::Similarity);
            request.settings = {{"places", places.toStdString()}};
            const Study study = runStudy(request);
            return std::pair(toDoubles(readStudyArrays(request.out).at("1.1.cka").view()), study.tables.front().caption);
        };
        const auto [without, caption] = similarity("without", "");
        const auto [labelled, same] = similarity("labelled", "sil");
        QCOMPARE(labelled, without);
        QCOMPARE(same, caption);
        QVERIFY2(caption.find("silence") != std::string::npos, caption.c_str());
    }

    void anotherModelIsComparedToo() {
        const StudyFixture fixture(3);
        const RandomModel other(fixture.folder() / "other", {"2 full"}, 8);
        auto request = fixture.request("study", StudyKind::Similarity);
        request.models.push_back(other.folder());
        const Study study = runStudy(request);
        const auto arrays = readStudyArrays(request.out);
        QCOMPARE(arrays.at("1.2.cka").shape, (std::vector<std::int64_t>{3, 2}));
        const auto there = toDoubles(arrays.at("1.2.cka").view()), back = toDoubles(arrays.at("2.1.cka").view());
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 2; ++b)
                QVERIFY(std::abs(there[a * 2 + b] - back[b * 3 + a]) <= 1e-12);
        QVERIFY(training::similarityStudy({{"places", "words"}})->needsAlignment());
        QVERIFY(training::similarityStudy({{"places", "words"}})->mixesFrontEnds());
    }
};

HEADROOM_TEST(SimilarityStudyTest)

} // namespace headroom::testing::similarity_study_test

#include "similarity_study_test.moc"
