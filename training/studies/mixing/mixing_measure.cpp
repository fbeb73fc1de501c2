// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/mixing/mixing_measure.h"

#include "core/analysis/diagonality.h"
#include "core/matrix/diagonal_profile.h"
#include "core/statistics/moments.h"
#include "core/statistics/undefined.h"
#include "training/studies/study_text.h"

namespace headroom::training {

namespace {

constexpr std::size_t kDiagonalNumbers = 3; // CCD, D(1), CL

std::vector<Interval> intervalsOf(const StudyInput& input, MixingPlan::Units units) {
    const bool phones = units == MixingPlan::Units::Phones;
    if (!input.alignment)
        throw Error("study.alignment", "The utterance has no alignment.");
    const std::vector<Interval>& intervals = phones ? input.alignment->phones : input.alignment->words;
    if (intervals.empty())
        throw Error("study.alignment", std::string("Its alignment has no ") + (phones ? "phones." : "words."));
    return intervals;
}

Tensor sentenceBytes(const std::string& text) {
    return Tensor::of<std::uint8_t>({static_cast<std::int64_t>(text.size())},
                                    std::vector<std::uint8_t>(text.begin(), text.end()));
}

[[noreturn]] void refuseMixing() {
    throw Error("study.badMeasurement", "A cached measurement does not contain the measures of mixing; delete the "
                                        "measurement cache and run the study again.");
}

} // namespace

MixingPlan mixingPlan(const nlohmann::json& settings) {
    MixingPlan plan;
    const std::string names = settings.at("measures").get<std::string>();
    if (names == "quick" || names == "all") {
        for (const MixingFacts& facts : mixingFacts())
            if (names == "all" || facts.kind != Mixing::ValueZeroing)
                plan.measures.push_back({facts.kind, false});
    } else {
        plan.measures = mixingMeasures(names);
    }
    const std::string units = settings.at("units").get<std::string>();
    plan.units = units == "tokens"   ? MixingPlan::Units::Tokens
                 : units == "phones" ? MixingPlan::Units::Phones
                                     : MixingPlan::Units::Words;
    plan.pooling = settings.at("pooling") == "maximum" ? UnitPooling::Maximum : UnitPooling::Mean;
    plan.window = settings.at("window").get<std::int64_t>();
    return plan;
}

Measurement measureMixing(LayerSource& source, const StudyInput& input, const MixingPlan& plan,
                          const models::CancelFlag& cancel) {
    models::AnalysisOptions options;
    options.explain = options.headProfiles = false;
    options.mixing.measures = plan.measures;
    options.mixing.pooling = plan.pooling;
    if (plan.units != MixingPlan::Units::Tokens)
        options.mixing.units = [intervals = intervalsOf(input, plan.units),
                                clock = source.clock()](std::int64_t tokens) {
            return tokenUnits(intervals, clock, tokens);
        };
    const auto layers = static_cast<std::size_t>(source.model().layers);
    const std::size_t count = plan.measures.size();
    std::vector<double> diagonality_(layers * count * kDiagonalNumbers, kUndefined),
        rho(layers * count * count, kUndefined);
    Measurement measurement;
    const auto onLayer = [&](models::LayerAnalysis&& layer) {
        const auto l = static_cast<std::size_t>(layer.layer - 1);
        std::vector<Matrix<float>> maps;
        std::string reasons;
        for (MixingMap& mixing : layer.mixing) {
            if (!mixing.reason.empty())
                reasons += (reasons.empty() ? "" : " ") + nameOf(mixing.measure) + ": " + mixing.reason;
            maps.push_back(std::move(mixing.map));
        }
        if (!reasons.empty())
            measurement.insert_or_assign("reason." + std::to_string(layer.layer), sentenceBytes(reasons));
        for (std::size_t m = 0; m < maps.size() && m < count; ++m) {
            if (maps[m].empty())
                continue;
            const DiagonalProfile profile(maps[m].view());
            double* place = diagonality_.data() + (l * count + m) * kDiagonalNumbers;
            place[0] = cumulativeContributionDiagonality(profile);
            place[1] = diagonality(profile, 1);
            place[2] = contributionLoss(profile, plan.window);
        }
        const auto found = rankCorrelations(maps);
        for (std::size_t a = 0; a < found.size() && a < count; ++a)
            std::copy(found[a].begin(), found[a].end(),
                      rho.begin() + static_cast<std::ptrdiff_t>((l * count + a) * count));
    };
    source.analyse(input, options, onLayer, &cancel);
    const auto l = static_cast<std::int64_t>(layers), m = static_cast<std::int64_t>(count);
    measurement.insert_or_assign("diagonality",
                                 numbersOf({l, m, static_cast<std::int64_t>(kDiagonalNumbers)}, diagonality_));
    measurement.insert_or_assign("rho", numbersOf({l, m, m}, rho));
    return measurement;
}

UtteranceMixing readMixing(const Measurement& measurement, int layers, std::size_t measures) {
    const auto count = static_cast<std::size_t>(layers);
    const std::vector<std::vector<double>> none(count, std::vector<double>(measures, kUndefined));
    UtteranceMixing result{none, none, none,
                           std::vector<std::vector<std::vector<double>>>(
                               count, std::vector<std::vector<double>>(
                                          measures, std::vector<double>(measures, kUndefined))),
                           std::vector<std::string>(count)};
    if (measurement.empty())
        return result;
    const auto diagonal = measurement.find("diagonality"), ranks = measurement.find("rho");
    const auto m = static_cast<std::int64_t>(measures);
    if (diagonal == measurement.end() || ranks == measurement.end() ||
        diagonal->second.shape != std::vector<std::int64_t>{layers, m, kDiagonalNumbers} ||
        ranks->second.shape != std::vector<std::int64_t>{layers, m, m})
        refuseMixing();
    const std::vector<double> numbers = toDoubles(diagonal->second.view()), rho = toDoubles(ranks->second.view());
    for (std::size_t l = 0; l < count; ++l) {
        for (std::size_t a = 0; a < measures; ++a) {
            const double* place = numbers.data() + (l * measures + a) * kDiagonalNumbers;
            result.ccd[l][a] = place[0];
            result.diagonal[l][a] = place[1];
            result.loss[l][a] = place[2];
            for (std::size_t b = 0; b < measures; ++b)
                result.rho[l][a][b] = rho[(l * measures + a) * measures + b];
        }
        if (const auto why = measurement.find("reason." + std::to_string(l + 1)); why != measurement.end())
            result.reasons[l] = {reinterpret_cast<const char*>(why->second.bytes.data()),
                                 why->second.bytes.size()};
    }
    return result;
}

} // namespace headroom::training
