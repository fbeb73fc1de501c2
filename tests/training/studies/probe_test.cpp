// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/studies/made_source.h"
#include "core/alignment/phone_order.h"
#include "training/studies/phone_labels.h"
#include "training/studies/probe/probe_runs.h"
#include "training/studies/probe/probe_tables.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

namespace headroom::testing::probe_test {

using namespace headroom::training;

namespace {

struct MadeTokens {
    Matrix<float> states;
    std::vector<int> classes;
};

/// Tokens around one centre per class, `apart` deviations from each other; 0: classes say nothing.
MadeTokens madeTokens(std::size_t count, double apart, unsigned seed) {
    constexpr std::size_t kWidth = 40;
    std::mt19937 centres(7), generator(seed);
    std::normal_distribution<double> normal;
    Matrix<double> middle(kProbeClasses, kWidth);
    for (double& value : middle.values())
        value = apart * normal(centres);
    MadeTokens made{Matrix<float>(count, kWidth), {}};
    for (std::size_t t = 0; t < count; ++t) {
        made.classes.push_back(static_cast<int>(generator() % kProbeClasses));
        for (std::size_t d = 0; d < kWidth; ++d)
            made.states(t, d) = static_cast<float>(middle(static_cast<std::size_t>(made.classes.back()), d) +
                                                   0.1 * normal(generator));
    }
    return made;
}

double accuracy(const ProbeWeights& weights, const MadeTokens& tokens) {
    const Matrix<float> found = probeProbabilities(weights, tokens.states);
    double right = 0;
    for (std::size_t t = 0; t < tokens.classes.size(); ++t) {
        const auto row = found.row(t);
        right += std::max_element(row.begin(), row.end()) - row.begin() == tokens.classes[t] ? 1 : 0;
    }
    return right / static_cast<double>(tokens.classes.size());
}

std::vector<StudyUtterance> spokenBy(const std::vector<std::string>& speakers) {
    std::vector<StudyUtterance> utterances(speakers.size());
    for (std::size_t u = 0; u < speakers.size(); ++u)
        utterances[u].speaker = speakers[u];
    return utterances;
}

/// Ten utterances of five speakers; at layer 1 the state is its phone, elsewhere it is noise.
struct MadeStudy {
    Study study;
    std::vector<Measurement> utterances;
    StudyModel model;

    MadeStudy() {
        const PhoneMap map = phoneMapOf("arpabet");
        for (unsigned u = 0; u < 10; ++u) {
            MadeSource::Options options;
            options.seed = u + 1;
            options.tokens = 60;
            options.width = 48;
            MadeSource source(options);
            const MadeUtterance utterance(madeLabels(60, u));
            const std::vector<int> classes =
                phoneLabels(utterance.input, map, source.clock(), options.tokens).classes;
            for (std::size_t t = 0; t < classes.size(); ++t)
                for (std::size_t d = 0; d < 48; ++d)
                    source.state(1)(t, d) = static_cast<int>(d) == classes[t] ? 3.0F : 0.0F;
            utterances.push_back(measureStates(source, utterance.input, map, nullptr));
            model = source.model();
            StudyUtterance document;
            document.id = "u" + std::to_string(u);
            document.speaker = "s" + std::to_string(u / 2);
            study.utterances.push_back(document);
        }
        study.models = {model};
    }
    ProbeSplit split(std::uint64_t seed = 1) const {
        std::vector<std::int64_t> tokens;
        for (const Measurement& utterance : utterances)
            tokens.push_back(labelledTokens(utterance));
        return splitForProbe(study.utterances, tokens, 0.3, seed);
    }
};

} // namespace

class ProbeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theGradientIsTheSlopeOfTheLoss() {
        const at::Tensor x = at::randn({13, 5}, at::kDouble);
        const at::Tensor labels = at::randint(4, {13}, at::kLong);
        at::Tensor weight = at::randn({4, 5}, at::kDouble), bias = at::randn({4}, at::kDouble);
        at::Tensor weightGradient, biasGradient, ignored;
        probeGradient(x, labels, weight, bias, weightGradient, biasGradient);
        constexpr double kStep = 1e-6;
        const auto slope = [&](at::Tensor& parameter, std::int64_t at) {
            auto* value = parameter.mutable_data_ptr<double>() + at;
            const double before = *value;
            *value = before + kStep;
            const double above = probeGradient(x, labels, weight, bias, ignored, ignored);
            *value = before - kStep;
            const double below = probeGradient(x, labels, weight, bias, ignored, ignored);
            *value = before;
            return (above - below) / (2 * kStep);
        };
        for (std::int64_t i = 0; i < weight.numel(); ++i)
            QVERIFY(std::abs(slope(weight, i) - weightGradient.contiguous().const_data_ptr<double>()[i]) <
                    1e-8);
        for (std::int64_t i = 0; i < bias.numel(); ++i)
            QVERIFY(std::abs(slope(bias, i) - biasGradient.const_data_ptr<double>()[i]) < 1e-8);
    }

    void separableClassesAreAllFound() {
        const MadeTokens train = madeTokens(3000, 1, 1), test = madeTokens(1000, 1, 2);
        QCOMPARE(accuracy(trainProbe(train.states, train.classes, {}), test), 1.0);
    }

    void labelsThatMeanNothingGiveChance() {
        const MadeTokens train = madeTokens(3000, 0, 1), test = madeTokens(3000, 0, 2);
        const double found = accuracy(trainProbe(train.states, train.classes, {}), test);
        // 1/37 = 0.027; four deviations of a binomial of 3,000
        QVERIFY2(std::abs(found - 1.0 / 37) < 4 * std::sqrt(1.0 / 37 / 3000), std::to_string(found).c_str());
    }

    void aSeedSaysEverything() {
        const MadeTokens train = madeTokens(500, 0.1, 1);
        ProbeRecipe recipe;
        recipe.epochs = 2;
        const ProbeWeights first = trainProbe(train.states, train.classes, recipe);
        QCOMPARE(trainProbe(train.states, train.classes, recipe).weight.values(), first.weight.values());
        recipe.seed = 2;
        QVERIFY(trainProbe(train.states, train.classes, recipe).weight.values() != first.weight.values());
    }

    void trainingStopsWhenAsked() {
        const MadeTokens train = madeTokens(500, 1, 1);
        const models::CancelFlag cancel = true;
        QVERIFY_EXCEPTION_THROWN(trainProbe(train.states, train.classes, {}, &cancel), models::Cancelled);
    }

    void statesAreNormalisedByTheTrainingTokens() {
        MadeTokens train = madeTokens(200, 1, 1), test = madeTokens(100, 1, 2);
        Matrix<float> a = train.states, b = test.states;
        normaliseStates(a, b, ProbeNorm::None);
        QCOMPARE(a.values(), train.states.values());
        normaliseStates(a, b, ProbeNorm::Standard);
        double sum = 0, squares = 0;
        for (std::size_t t = 0; t < a.rows(); ++t) {
            sum += static_cast<double>(a(t, 3));
            squares += static_cast<double>(a(t, 3)) * static_cast<double>(a(t, 3));
        }
        QVERIFY(std::abs(sum) < 1e-2 && std::abs(squares / 200 - 1) < 1e-3);
        // The same line for both sides.
        const float slope = (a(1, 3) - a(0, 3)) / (train.states(1, 3) - train.states(0, 3));
        QVERIFY(std::abs((b(1, 3) - b(0, 3)) / (test.states(1, 3) - test.states(0, 3)) - slope) <
                1e-2F * slope);
        normaliseStates(train.states, test.states, ProbeNorm::Token);
        for (const float value : {train.states.row(5)[0], test.states.row(5)[0]})
            QVERIFY(std::isfinite(value));
    }

    void speakersStandOnOneSideOnly() {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            std::mt19937_64 generator(seed);
            std::vector<std::string> speakers;
            std::vector<std::int64_t> tokens;
            for (std::size_t u = 0; u < 2 + seed % 30; ++u) {
                speakers.push_back("s" + std::to_string(generator() % 5));
                tokens.push_back(generator() % 7 == 0 ? 0 : static_cast<std::int64_t>(1 + generator() % 90));
            }
            if (std::count_if(tokens.begin(), tokens.end(), [](auto n) { return n > 0; }) < 2)
                continue;
            const ProbeSplit split = splitForProbe(spokenBy(speakers), tokens, 0.25, seed);
            std::set<std::string> heard;
            for (std::size_t u = 0; u < speakers.size(); ++u)
                if (tokens[u] > 0)
                    heard.insert(speakers[u]);
            QCOMPARE(split.bySpeaker, heard.size() > 1);
            std::set<std::string> train, test;
            bool one = false, other = false;
            for (std::size_t u = 0; u < speakers.size(); ++u) {
                QVERIFY(!(split.train[u] && split.test[u]));
                QCOMPARE(split.train[u] || split.test[u], tokens[u] > 0);
                one = one || split.train[u];
                other = other || split.test[u];
                if (split.train[u])
                    train.insert(speakers[u]);
                if (split.test[u])
                    test.insert(speakers[u]);
            }
            QVERIFY(one && other);
            for (const std::string& speaker : test)
                QVERIFY(!split.bySpeaker || !train.count(speaker));
        }
    }

    void withoutSpeakersUtterancesAreSplit() {
        const std::vector<std::int64_t> tokens{10, 10, 0, 10, 10};
        const ProbeSplit split = splitForProbe(spokenBy({"", "", "", "", ""}), tokens, 0.25, 1);
        QVERIFY(!split.bySpeaker);
        QCOMPARE(std::count(split.test.begin(), split.test.end(), true), 1);
        QCOMPARE(std::count(split.train.begin(), split.train.end(), true), 3);
        QVERIFY(!splitForProbe(spokenBy({"a", "a", "a", "a", "a"}), tokens, 0.25, 1).bySpeaker);
        QVERIFY_EXCEPTION_THROWN(
            splitForProbe(spokenBy({"a", "b"}), std::vector<std::int64_t>{10, 0}, 0.25, 1), Error);
    }

    void theLayerThatKnowsThePhonesIsFound() {
        const MadeStudy made;
        const ProbeSplit split = made.split();
        QVERIFY(split.bySpeaker);
        ProbePlan plan;
        plan.recipe.batch = 32;
        plan.recipe.stepEpochs = 10;
        plan.threads = 2;
        const models::CancelFlag cancel = false;
        std::int64_t told = 0;
        const ProbeFindings found = trainProbes(
            made.model, made.utterances, split, plan, [&](std::int64_t n) { told = n; }, cancel);
        QVERIFY(told <= 9);
        QCOMPARE(found.accuracy.size(), std::size_t(3));
        QCOMPARE(found.accuracy[1], (std::vector<double>{1, 1, 1}));
        for (const std::size_t layer : {0, 2})
            for (const double value : found.accuracy[layer])
                QVERIFY2(value < 0.5, std::to_string(value).c_str());
        double confused = 0, right = 0;
        for (std::size_t p = 0; p < kProbeClasses; ++p)
            for (std::size_t q = 0; q < kProbeClasses; ++q)
                (p == q ? right : confused) += found.confusion[1](p, q);
        QCOMPARE(confused, 0.0);
        QCOMPARE(right, 3.0 * static_cast<double>(found.testTokens));

        // The places of a cell lie in test utterances, and are tokens of the phone.
        const std::vector<int> sCells{static_cast<int>(*phoneClass("S"))};
        const std::array<std::int64_t, 3> index{1, sCells[0], sCells[0]};
        const std::vector<StudyPlace> places = found.confused.at(index);
        QVERIFY(!places.empty());
        for (const StudyPlace& place : places) {
            QVERIFY(split.test[static_cast<std::size_t>(place.utterance)]);
            QCOMPARE(place.query, place.key);
            QVERIFY(place.value > 0.5 && place.value <= 1);
            const auto token = static_cast<std::size_t>(std::lround((place.query - 0.02) / 0.04));
            const auto classes =
                toDoubles(made.utterances[static_cast<std::size_t>(place.utterance)].at("classes").view());
            QCOMPARE(static_cast<int>(classes[token]), sCells[0]);
        }

        plan.threads = 1;
        const ProbeFindings alone = trainProbes(
            made.model, made.utterances, split, plan, [](std::int64_t) {}, cancel);
        QCOMPARE(alone.accuracy, found.accuracy);

        Study study = made.study;
        study.models.push_back(made.model);
        const std::vector<ProbeFindings> both{found, found};
        const std::vector<ProbeSplit> splits{split, split};
        const std::vector<StudyTable> tables = probeTables(study, both, splits, plan);
        QCOMPARE(tables.size(), std::size_t(4));
        for (const StudyTable& table : tables)
            for (const auto& row : table.rows)
                QCOMPARE(row.size(), table.columns.size());
        QVERIFY(tables[0].caption.find("layer 0: the input of layer 1") != std::string::npos); // as in the figures
        // Phones stand in the order of the maps, silence last, and each share under its own phone.
        const StudyTable& confusion = tables[2];
        QCOMPARE(confusion.name, std::string("probe-confusion"));
        for (std::size_t place = 0; place < kProbeClasses; ++place) {
            const std::string phone(phoneClassName(place < phoneOrder().size() ? phoneOrder()[place] : kSilenceClass));
            QCOMPARE(confusion.columns[3 + place].key, phone);
            QCOMPARE(std::get<std::string>(confusion.rows[place][2]), phone);
            QCOMPARE(std::get<std::string>(tables[1].rows[place][2]), phone);
            if (const auto* share = std::get_if<double>(&confusion.rows[place][3 + place]))
                QCOMPARE(*share, 100.0);
        }
        for (const int table : {1, 2})
            QVERIFY2(tables[std::size_t(table)].caption.find(", mean over 3 seeds. ") != std::string::npos, tables[std::size_t(table)].caption.c_str());
        QCOMPARE(tables[0].rows.size(), std::size_t(6));
        QCOMPARE(std::get<double>(tables[0].rows[1][2]), 100.0);
        QCOMPARE(std::get<double>(tables[3].rows[0][2]), 0.0); // a model does not differ from itself
    }

    void aCancelledStudyTrainsNoMore() {
        const MadeStudy made;
        const models::CancelFlag cancel = true;
        ProbePlan plan;
        plan.recipe.epochs = 1000;
        QVERIFY_EXCEPTION_THROWN(
            trainProbes(
                made.model, made.utterances, made.split(), plan, [](std::int64_t) {}, cancel),
            models::Cancelled);
    }

    void statesBeyondHalfPrecisionAreRefused() {
        MadeSource::Options options;
        options.stateScale = 1e6F;
        MadeSource source(options);
        const MadeUtterance utterance(madeLabels(20, 1));
        QVERIFY_EXCEPTION_THROWN(measureStates(source, utterance.input, phoneMapOf("arpabet"), nullptr),
                                 Error);
    }
};

HEADROOM_TEST(ProbeTest)

} // namespace headroom::testing::probe_test

#include "probe_test.moc"
