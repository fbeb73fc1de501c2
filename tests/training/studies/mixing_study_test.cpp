// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/text_grid.h"
#include "core/analysis/diagonality.h"
#include "core/statistics/ranks.h"
#include "models/networks/speech_model.h"
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/figures/study_figures.h"
#include "training/studies/mixing/mixing_measure.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace headroom::testing::mixing_study_test {

namespace fs = std::filesystem;

using namespace headroom::training;

class MixingStudyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsAreComparedByTheirRanks() {
        const Matrix<float> a(2, 3, {0.1F, 0.2F, 0.7F, 0.5F, 0.3F, 0.2F});
        const Matrix<float> b(2, 3, {0.2F, 0.3F, 0.5F, 0.1F, 0.2F, 0.7F}); // the same order, the opposite one
        const auto rho = rankCorrelations({a, b, {}});
        QCOMPARE(rho[0][1], 0.0);
        QCOMPARE(rho[1][0], 0.0);
        QCOMPARE(rho[0][0], 1.0);
        QVERIFY(std::isnan(rho[2][2]) && std::isnan(rho[0][2]));
    }

    void theNumbersAreThoseOfTheMaps() {
        const StudyFixture fixture(3, {"2 full", "1 full + 1 conv 5/2"});
        auto request = fixture.request("study", StudyKind::Mixing);
        request.settings = {{"measures", "attention,alti,value-zeroing"}, {"window", 5}};
        const Study study = runStudy(request);
        const auto arrays = readStudyArrays(request.out);
        QCOMPARE(arrays.at("1.rho").shape, (std::vector<std::int64_t>{2, 3, 3, 3}));
        const auto rho = toDoubles(arrays.at("1.rho").view()), ccd = toDoubles(arrays.at("1.ccd").view()),
                   loss = toDoubles(arrays.at("1.loss").view()),
                   diagonal = toDoubles(arrays.at("1.diagonal_share").view());
        const auto model = models::SpeechModel::open(fixture.model());
        models::AnalysisOptions options;
        options.explain = false;
        options.mixing.measures = mixingMeasures("attention,alti,value-zeroing");
        for (std::size_t u = 0; u < 3; ++u) {
            const auto features = featuresOf(study.utterances[u].audio);
            model->analyse(features.view(), options, [&](models::LayerAnalysis&& layer) {
                const auto l = static_cast<std::size_t>(layer.layer - 1);
                const bool convolved = l == 1;
                for (std::size_t m = 0; m < 3; ++m) {
                    const std::size_t at = (l * 3 + m) * 3 + u;
                    if (convolved && m == 0) { // no attention of tokens
                        QVERIFY(std::isnan(ccd[at]) && std::isnan(rho[((l * 3) * 3 + 1) * 3 + u]));
                        continue;
                    }
                    const DiagonalProfile profile(layer.mixing[m].map.view());
                    QVERIFY(std::abs(ccd[at] - cumulativeContributionDiagonality(profile)) <= 1e-9);
                    QVERIFY(std::abs(diagonal[at] - diagonality(profile, 1)) <= 1e-9);
                    QVERIFY(std::abs(loss[at] - contributionLoss(profile, 5)) <= 1e-9);
                }
                const Matrix<float>&a = layer.mixing[1].map, &z = layer.mixing[2].map;
                double mean = 0;
                for (std::size_t i = 0; i < a.rows(); ++i)
                    mean += spearman(std::vector<double>(a.row(i).begin(), a.row(i).end()),
                                     std::vector<double>(z.row(i).begin(), z.row(i).end())) /
                            static_cast<double>(a.rows());
                QVERIFY(std::abs(rho[((l * 3 + 1) * 3 + 2) * 3 + u] - mean) <= 1e-9);
            });
        }
        QCOMPARE(study.tables.size(), std::size_t(2));
        QCOMPARE(study.tables[0].rows.size(), std::size_t(6)); // two layers, three pairs
        const auto cell = [&](std::size_t table, std::size_t row, std::size_t column) { return std::get<std::string>(study.tables[table].rows[row][column]); };
        const std::array<std::string, 3> titles{"Attention", "ALTI", "Value zeroing"}; // the window finds a measure by its place
        for (std::size_t row = 0; row < 6; ++row) {
            QCOMPARE(cell(0, row, 2), titles[row % 3 == 2 ? 1 : 0]);
            QCOMPARE(cell(0, row, 3), titles[row % 3 == 0 ? 1 : 2]);
            QCOMPARE(cell(1, row, 2), titles[row % 3]);
        }
        QVERIFY(!study.notes.empty() && study.notes.front().find("attention") != std::string::npos);
        const auto figures = figures::studyFigures(study, arrays, {});
        QCOMPARE(figures.size(), std::size_t(2));
        QCOMPARE(figures[0].values->rows.size(), std::size_t(4)); // two measures with value zeroing
    }

    void unitsArePooledAsInAnAnalysis_data() {
        QTest::addColumn<QString>("units");
        QTest::addColumn<QString>("pooling");
        QTest::newRow("words") << "words" << "mean";
        QTest::newRow("phones, maximum") << "phones" << "maximum";
    }
    void unitsArePooledAsInAnAnalysis() {
        QFETCH(QString, units);
        QFETCH(QString, pooling);
        const StudyFixture fixture(2);
        for (int i = 0; i < 2; ++i)
            fixture.align(i, 0.4 + 0.17 * i);
        auto request = fixture.request("study", StudyKind::Mixing);
        request.settings = {{"measures", "alti,value-zeroing"}, {"units", units.toStdString()}, {"pooling", pooling.toStdString()}};
        const Study study = runStudy(request);
        QCOMPARE(study.utterances.size(), std::size_t(2));
        const auto arrays = readStudyArrays(request.out);
        const auto rho = toDoubles(arrays.at("1.rho").view()), ccd = toDoubles(arrays.at("1.ccd").view());
        const auto model = models::SpeechModel::open(fixture.model());
        for (std::size_t u = 0; u < 2; ++u) {
            const fs::path audio = study.utterances[u].audio;
            const Alignment alignment =
                alignmentFrom(readTextGrid(fs::path(audio).replace_extension("TextGrid")), Seconds(10), audio.stem().string());
            models::AnalysisOptions options;
            options.explain = false;
            options.mixing.measures = mixingMeasures("alti,value-zeroing");
            options.mixing.pooling = pooling == "maximum" ? UnitPooling::Maximum : UnitPooling::Mean;
            options.mixing.units = [&](std::int64_t tokens) {
                return tokenUnits(units == "words" ? alignment.words : alignment.phones, model->info().clock, tokens);
            };
            model->analyse(featuresOf(audio).view(), options, [&](models::LayerAnalysis&& layer) {
                const auto l = static_cast<std::size_t>(layer.layer - 1);
                QVERIFY(layer.mixing[0].map.rows() < 10); // units, not tokens
                const auto found = rankCorrelations({layer.mixing[0].map, layer.mixing[1].map})[0][1];
                const double measured = rho[((l * 2 + 0) * 2 + 1) * 2 + u];
                QVERIFY(std::isnan(found) ? std::isnan(measured) : std::abs(measured - found) <= 1e-9);
                const DiagonalProfile profile(layer.mixing[1].map.view());
                QVERIFY(std::abs(ccd[(l * 2 + 1) * 2 + u] - cumulativeContributionDiagonality(profile)) <= 1e-9);
            });
        }
    }

    /// The caption said "n = 3 of 3 utterances" above rows of n = 2.
    void anUtteranceOfOneTokenHasNoRanksAndTheCaptionsSaySo() {
        const StudyFixture fixture(2);
        fixture.record(9, 0.03); // one token
        auto request = fixture.request("study", StudyKind::Mixing);
        request.settings = {{"measures", "attention,alti"}};
        const Study study = runStudy(request);
        const StudyTable& ranks = study.tables.at(0);
        QCOMPARE(std::get<double>(ranks.rows.at(0).back()), 2.0); // n
        QVERIFY2(ranks.caption.find("ρ is undefined in 1 utterance, which n does not count") != std::string::npos, ranks.caption.c_str());
        QVERIFY(study.tables.at(1).caption.find("undefined") == std::string::npos); // CCD is known
        const auto figures = figures::studyFigures(study, readStudyArrays(request.out), {}, 0);
        QVERIFY(figures.at(0).caption.find("ρ is undefined in 1 utterance") != std::string::npos);
        QVERIFY(figures.at(1).caption.find("ρ is undefined") == std::string::npos);
    }

    void anUtteranceWithoutItsUnitsIsLeftOut() {
        const StudyFixture fixture(2);
        fixture.align(0, 0.4);
        auto request = fixture.request("study", StudyKind::Mixing);
        request.settings = {{"measures", "alti"}, {"units", "words"}};
        Heard heard;
        const Study study = runStudy(request, &heard);
        const auto ccd = toDoubles(readStudyArrays(request.out).at("1.ccd").view());
        const auto known = std::count_if(ccd.begin(), ccd.end(), [](double value) { return std::isfinite(value); });
        QCOMPARE(known, 2); // of one utterance, in two layers
        const std::string said = heard.problems.empty() ? std::string() : heard.problems.front();
        QVERIFY2(said.find("alignment") != std::string::npos || study.utterances.size() == 1, said.c_str());
    }

    void settingsNameTheMeasures() {
        const auto work = mixingStudy({{"measures", "quick"}});
        QCOMPARE(work->settings().at("measures").get<std::string>(),
                 std::string("attention,attention-norm,contributions,alti"));
        QVERIFY(!work->needsAlignment());
        QVERIFY(mixingStudy({{"units", "words"}})->needsAlignment());
        QVERIFY(work->measurementKey() != mixingStudy({{"window", 9}})->measurementKey());
        QCOMPARE(codeOf([] { mixingStudy({{"measures", "alti,norm"}}); }), std::string("mixing.unknown"));
    }
};

HEADROOM_TEST(MixingStudyTest)

} // namespace headroom::testing::mixing_study_test

#include "mixing_study_test.moc"
