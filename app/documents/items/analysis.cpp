// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/analysis.h"

#include <algorithm>

namespace headroom::app {

namespace {

std::size_t bytesOf(const MaxPyramid& pyramid) {
    std::size_t cells = 0;
    for (std::size_t level = 0; level < pyramid.levelCount(); ++level)
        cells += pyramid.level(level).values().size();
    return cells * sizeof(float);
}

} // namespace

namespace {

constexpr std::pair<MixingUnits, const char*> kUnitNames[] = {{MixingUnits::Words, " of words"},
                                                              {MixingUnits::Phones, " of phones"}};

} // namespace

std::string nameOf(const MixingChoice& choice) {
    std::string name = nameOf(static_cast<const MixingMeasure&>(choice));
    for (const auto& [units, suffix] : kUnitNames)
        if (choice.units == units)
            name += suffix;
    return name;
}

MixingChoice mixingChoice(const std::string& name) {
    for (const auto& [units, suffix] : kUnitNames)
        if (name.ends_with(suffix))
            return {mixingMeasure(name.substr(0, name.size() - std::string_view(suffix).size())), units};
    return mixingMeasure(name);
}

std::string sourceText(const MapSource& source) {
    switch (source.kind) {
    case MapSource::Kind::Contributions:
        return "contributions";
    case MapSource::Kind::HeadMean:
        return "mean";
    case MapSource::Kind::Head:
        return "head " + std::to_string(source.head) + (source.raw ? " raw" : "");
    case MapSource::Kind::Mixing:
        return "mixing " + nameOf(source.mixing);
    }
    return "contributions";
}

std::optional<MapSource> mapSourceOf(const std::string& text) {
    if (text == "contributions")
        return MapSource();
    if (text == "mean")
        return MapSource{MapSource::Kind::HeadMean, 1};
    if (text.starts_with("mixing "))
        try {
            return MapSource::of(mixingChoice(text.substr(7)));
        } catch (const Error&) {
            return std::nullopt;
        }
    const bool raw = text.ends_with(" raw"); // before relaxation
    const std::string head = raw ? text.substr(0, text.size() - 4) : text;
    if (head.starts_with("head ") && head.size() > 5 && head.size() <= 8 &&
        head.find_first_not_of("0123456789", 5) == std::string::npos && head[5] != '0')
        return MapSource{MapSource::Kind::Head, std::stoi(head.substr(5)), raw};
    return std::nullopt;
}

const std::vector<MixingChoice>& offeredMixing() {
    static const std::vector<MixingChoice> kOffered = [] {
        std::vector<MixingChoice> measures;
        for (const bool rollout : {false, true})
            for (const MixingFacts& facts : mixingFacts())
                // The mean of the heads and the contributions have entries of their own.
                if (rollout || (facts.kind != Mixing::Attention && facts.kind != Mixing::Contributions))
                    measures.emplace_back(facts.kind, rollout);
        // Their units are zeroed together; the other measures would only be added up.
        const auto zeroing = std::ranges::find(measures, MixingChoice(Mixing::ValueZeroing, false));
        measures.insert(zeroing + 1, {{Mixing::ValueZeroing, false, MixingUnits::Words},
                                      {Mixing::ValueZeroing, false, MixingUnits::Phones}});
        return measures;
    }();
    return kOffered;
}

const MixedMap* LayerResult::mixed(const MixingChoice& choice) const {
    const auto found = mixing.find(nameOf(choice));
    return found == mixing.end() ? nullptr : &found->second;
}

const MaxPyramid* LayerResult::map(MapSource source) const {
    if (source.isMixing()) {
        const MixedMap* found = mixed(source.mixing);
        return found ? found->map.get() : nullptr;
    }
    if (source.kind == MapSource::Kind::Contributions)
        return contributions.get();
    if (!attention)
        return source.kind == MapSource::Kind::HeadMean ? mean.get() : nullptr;
    if (source.kind == MapSource::Kind::HeadMean)
        return attention->mean.empty() ? nullptr : &attention->mean;
    const std::vector<MaxPyramid>& heads = source.raw ? attention->raw : attention->heads;
    if (source.head < 1 || static_cast<std::size_t>(source.head) > heads.size())
        return nullptr;
    const MaxPyramid& map = heads[static_cast<std::size_t>(source.head) - 1];
    return map.empty() ? nullptr : &map;
}

std::shared_ptr<const MaxPyramid> LayerResult::sharedMap(MapSource source) const {
    const MaxPyramid* found = map(source);
    if (!found)
        return nullptr;
    if (found == mean.get())
        return mean;
    if (source.isMixing())
        return mixed(source.mixing)->map;
    return source.needsAttention() ? std::shared_ptr<const MaxPyramid>(attention, found) : contributions;
}

std::shared_ptr<const MaxPyramid> LayerResult::picture(MapSource source) const {
    auto whole = sharedMap(source);
    return !whole && source.isContributions() ? thumbnail : whole;
}

std::optional<DiagonalProfile> LayerResult::profileOf(MapSource source) const {
    if (!isReady())
        return std::nullopt;
    if (source.kind == MapSource::Kind::Contributions)
        return profile.empty() || (foreign && !contributions) ? std::nullopt : std::optional(profile);
    if (source.isMixing()) {
        const MixedMap* found = mixed(source.mixing);
        return found && !found->profile.empty() ? std::optional(found->profile) : std::nullopt;
    }
    if (source.raw)
        return std::nullopt; // the worker measures maps as applied
    if (source.kind == MapSource::Kind::Head) {
        if (source.head < 1 || static_cast<std::size_t>(source.head) > attentionProfiles.size())
            return std::nullopt;
        const auto& found = attentionProfiles[static_cast<std::size_t>(source.head) - 1];
        return found.empty() ? std::nullopt : std::optional(found);
    }
    // The profile is linear in the map: the mean of the profiles is the profile of the mean.
    std::vector<double> sums;
    for (const DiagonalProfile& head : attentionProfiles) {
        if (head.empty())
            return std::nullopt;
        sums.resize(head.sums().size(), 0.0);
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += head.sums()[k] / static_cast<double>(attentionProfiles.size());
    }
    return sums.empty() ? std::nullopt : std::optional(DiagonalProfile(std::move(sums)));
}

std::vector<Interval> AnalysisResult::sourceIntervals() const {
    std::vector<Interval> intervals;
    for (qsizetype token = 0; token < sourcePieces.size(); ++token) {
        const Seconds start = clock.cellStart(Tokens(token));
        intervals.push_back({start, start + clock.cellStep(), pieceLabel(sourcePieces[token]).toStdString()});
    }
    return intervals;
}

int AnalysisResult::readyLayers() const {
    return static_cast<int>(std::count_if(layers.begin(), layers.end(), [](const LayerResult& layer) {
        return layer.isReady() && !layer.stale;
    }));
}

const LayerResult* AnalysisResult::layer(int number) const {
    if (number < 1 || static_cast<std::size_t>(number) > layers.size())
        return nullptr;
    return &layers[static_cast<std::size_t>(number) - 1];
}

std::size_t AnalysisResult::bytes() const {
    std::size_t total = sizeof(AnalysisResult);
    for (const LayerResult& layer : layers) {
        total += sizeof(LayerResult) + layer.headRelevance.values().size() * sizeof(float);
        total += layer.profile.sums().size() * sizeof(double) * (1 + layer.attentionProfiles.size());
        for (const auto& map : {layer.contributions, layer.thumbnail, layer.mean})
            if (map)
                total += bytesOf(*map);
        for (const auto& [name, mixed] : layer.mixing)
            if (mixed.map)
                total += bytesOf(*mixed.map) + mixed.profile.sums().size() * sizeof(double);
        if (layer.attention) {
            total += bytesOf(layer.attention->mean);
            for (const auto* heads : {&layer.attention->heads, &layer.attention->raw})
                for (const MaxPyramid& head : *heads)
                    total += bytesOf(head);
        }
    }
    for (const WordsState* known : {&heard, &given, &best}) {
        total += known->words ? known->words->bytes() : 0;
        for (const auto& [number, layer] : known->layers)
            for (const auto& [name, measured] : layer.measures)
                total += measured.map ? bytesOf(*measured.map) : 0;
    }
    return total;
}

} // namespace headroom::app
