// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/change_name.h"

#include <algorithm>
#include <vector>

namespace headroom {

namespace {

constexpr std::size_t kMostListed = 3;

/// "29", "full", "conv 5/2": heads that are all alike without their count; otherwise the whole text.
std::string shortHeads(const std::vector<HeadGroup>& heads) {
    const std::string text = toText(heads);
    if (heads.size() != 1)
        return text;
    const std::string kind = text.substr(std::min(text.find(' ') + 1, text.size()));
    const std::string local = "local ";
    const bool isWindow = kind.starts_with(local) &&
                          kind.find_first_not_of("0123456789", local.size()) == std::string::npos;
    return isWindow ? kind.substr(local.size()) : kind;
}

struct Change {
    std::size_t first = 0, last = 0; ///< layers from 1
    std::string what;
};

/// Neighbouring layers that change alike are one change.
std::vector<Change> layerChanges(const Architecture& from, const Architecture& to) {
    std::vector<Change> changes;
    const std::size_t layers = std::min(from.encoder.layers.size(), to.encoder.layers.size());
    for (std::size_t i = 0; i < layers; ++i) {
        const auto &before = from.encoder.layers[i].heads, &after = to.encoder.layers[i].heads;
        if (before == after)
            continue;
        std::string what = shortHeads(before) + " → " + shortHeads(after);
        if (!changes.empty() && changes.back().last == i && changes.back().what == what)
            ++changes.back().last;
        else
            changes.push_back({i + 1, i + 1, std::move(what)});
    }
    return changes;
}

} // namespace

std::string changeName(const Architecture& from, const Architecture& to) {
    const std::vector<Change> changes = layerChanges(from, to);
    std::string name;
    const auto add = [&](const std::string& part) { name += (name.empty() ? "" : ", ") + part; };
    if (changes.size() > kMostListed) {
        std::size_t layers = 0;
        for (const Change& change : changes)
            layers += change.last - change.first + 1;
        const std::size_t first = changes.front().first, last = changes.back().last;
        // Never a bare count, which would read as the depth of the model.
        add(last - first + 1 == layers ? "layers " + std::to_string(first) + "–" + std::to_string(last) + " changed"
                                       : std::to_string(layers) + " layers changed");
    } else {
        for (const Change& change : changes)
            add((change.first == change.last
                     ? "layer " + std::to_string(change.first)
                     : "layers " + std::to_string(change.first) + "–" + std::to_string(change.last)) +
                ": " + change.what);
    }
    const std::size_t before = from.encoder.layers.size(), after = to.encoder.layers.size();
    if (before != after)
        add(std::to_string(before) + " → " + std::to_string(after) + " layers");
    Architecture::Encoder same = to.encoder;
    if (same.positions != from.encoder.positions) {
        add("positions: " + wordOf(from.encoder.positions) + " → " + wordOf(same.positions));
        same.positions = from.encoder.positions;
        same.positionalConvolution = from.encoder.positionalConvolution;
        same.relativeKey = from.encoder.relativeKey;
    }
    same.layers = from.encoder.layers;
    if (!(same == from.encoder))
        add("encoder");
    if (!(to.frontEnd == from.frontEnd))
        add("front end");
    auto decoder = to.decoder;
    if (decoder && from.decoder && decoder->crossAttention != from.decoder->crossAttention) {
        add("cross-attention: " + shortHeads(from.decoder->crossAttention) + " → " + shortHeads(decoder->crossAttention));
        decoder->crossAttention = from.decoder->crossAttention;
    }
    if (!(decoder == from.decoder))
        add("decoder");
    return name;
}

} // namespace headroom
