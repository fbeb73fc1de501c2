// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/probe/probe_data.h"

#include "core/errors/display_name.h"
#include "core/tensors/half.h"
#include "training/data/random.h"
#include "training/studies/phone_labels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace headroom::training {

namespace {

constexpr std::uint64_t kSplit = 205; // a purpose of Random
constexpr std::uint16_t kHalfInfinity = 0x7c00, kHalfMagnitude = 0x7fff;

void appendHalves(const Matrix<float>& states, const std::string& name, std::vector<std::uint16_t>& halves) {
    for (const float value : states.values()) {
        const std::uint16_t half = halfFromFloat(value);
        if ((half & kHalfMagnitude) >= kHalfInfinity)
            throw Error("study.range",
                        "A state of " + name +
                            " is beyond half precision, in which states are kept: a probe cannot "
                            "read this model.");
        halves.push_back(half);
    }
}

std::vector<int> classesOf(const Measurement& measurement) {
    const std::vector<double> values = toDoubles(measurement.at("classes").view());
    return {values.begin(), values.end()};
}

} // namespace

Measurement measureStates(LayerSource& source, const StudyInput& input, const PhoneMap& map,
                          const models::CancelFlag* cancel) {
    models::AnalysisOptions options;
    options.keepContributions = options.explain = options.headProfiles = false;
    options.keepStates = true;
    options.checkedRows = 0;
    const std::string name = validText(input.document->id);
    std::vector<std::uint16_t> layers, halves;
    std::int64_t count = 1;
    const models::EncoderAnalysis whole = source.analyse(
        input, options,
        [&](models::LayerAnalysis&& layer) {
            appendHalves(layer.state, name, layers);
            ++count;
        },
        cancel);
    appendHalves(whole.input, name, halves);
    halves.insert(halves.end(), layers.begin(), layers.end());

    const PhoneLabels labels = phoneLabels(input, map, source.clock(), whole.tokens);
    Measurement measurement;
    Tensor& states = measurement["states"];
    states.dtype = DType::F16;
    states.shape = {count, whole.tokens, static_cast<std::int64_t>(whole.input.columns())};
    const auto bytes = std::as_bytes(std::span(halves));
    states.bytes.assign(bytes.begin(), bytes.end());
    measurement["classes"] = Tensor::of<std::int32_t>({whole.tokens}, labels.classes);
    storeRemarks(labels, measurement);
    return measurement;
}

std::int64_t labelledTokens(const Measurement& measurement) {
    if (measurement.empty())
        return 0;
    const std::vector<int> classes = classesOf(measurement);
    return std::count_if(classes.begin(), classes.end(), [](int phone) { return phone >= 0; });
}

ProbeSplit splitForProbe(std::span<const StudyUtterance> utterances, std::span<const std::int64_t> tokens,
                         double testShare, std::uint64_t seed) {
    ProbeSplit split;
    split.train.assign(utterances.size(), false);
    split.test = split.train;
    std::map<std::string, std::vector<std::size_t>> speakers;
    std::vector<std::vector<std::size_t>> units; // what stays on one side
    std::int64_t all = 0;
    for (std::size_t u = 0; u < utterances.size(); ++u) {
        all += tokens[u];
        if (tokens[u] > 0 && !utterances[u].speaker.empty())
            speakers[utterances[u].speaker].push_back(u);
    }
    split.bySpeaker = speakers.size() >= 2;
    for (const auto& [speaker, members] : speakers)
        if (split.bySpeaker)
            units.push_back(members);
    for (std::size_t u = 0; u < utterances.size(); ++u)
        if (tokens[u] > 0 && (!split.bySpeaker || utterances[u].speaker.empty()))
            units.push_back({u});
    if (units.size() < 2)
        throw Error("study.tooFew",
                    "A probe needs two utterances with phones at least, one to train on and one "
                    "to be tested on.");

    Random random({seed, kSplit});
    for (std::size_t i = units.size(); i > 1; --i)
        std::swap(units[i - 1], units[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
    const auto sizeOf = [&](const std::vector<std::size_t>& unit) {
        std::int64_t sum = 0;
        for (const std::size_t u : unit)
            sum += tokens[u];
        return static_cast<double>(sum);
    };
    const double wanted = testShare * static_cast<double>(all);
    double tested = 0;
    std::vector<bool> isTest(units.size(), false);
    for (std::size_t i = 0; i < units.size(); ++i) {
        const double size = sizeOf(units[i]);
        isTest[i] = std::abs(tested + size - wanted) < std::abs(tested - wanted);
        tested += isTest[i] ? size : 0;
    }
    const auto smaller = [&](const auto& a, const auto& b) { return sizeOf(a) < sizeOf(b); };
    if (std::count(isTest.begin(), isTest.end(), true) == 0)
        isTest[static_cast<std::size_t>(std::min_element(units.begin(), units.end(), smaller) -
                                        units.begin())] = true;
    if (std::count(isTest.begin(), isTest.end(), false) == 0)
        isTest[static_cast<std::size_t>(std::max_element(units.begin(), units.end(), smaller) -
                                        units.begin())] = false;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (split.bySpeaker && utterances[units[i].front()].speaker.empty())
            (isTest[i] ? split.testAlone : split.trainAlone) += 1;
        else
            (isTest[i] ? split.testSpeakers : split.trainSpeakers) += 1;
        for (const std::size_t u : units[i])
            (isTest[i] ? split.test : split.train)[u] = true;
    }
    return split;
}

ProbeTokens tokensAt(std::int64_t layer, const std::vector<Measurement>& utterances,
                     const std::vector<bool>& chosen) {
    ProbeTokens result;
    std::size_t width = 0;
    std::vector<float> values;
    for (std::size_t u = 0; u < utterances.size(); ++u) {
        if (!chosen[u] || utterances[u].empty())
            continue;
        const Tensor& states = utterances[u].at("states");
        const auto tokens = static_cast<std::size_t>(states.shape.at(1));
        width = static_cast<std::size_t>(states.shape.at(2));
        const std::vector<int> classes = classesOf(utterances[u]);
        const std::byte* first = states.bytes.data() + static_cast<std::size_t>(layer) * tokens * width * 2;
        for (std::size_t t = 0; t < tokens; ++t) {
            if (classes[t] < 0)
                continue;
            for (std::size_t d = 0; d < width; ++d) {
                std::uint16_t half = 0;
                std::memcpy(&half, first + (t * width + d) * 2, sizeof half);
                values.push_back(floatFromHalf(half));
            }
            result.classes.push_back(classes[t]);
            result.utterances.push_back(static_cast<int>(u));
            result.tokens.push_back(static_cast<int>(t));
        }
    }
    result.states = {result.classes.size(), width, std::move(values)};
    return result;
}

} // namespace headroom::training
