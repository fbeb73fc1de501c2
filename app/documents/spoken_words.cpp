// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/spoken_words.h"

#include <algorithm>

namespace headroom::app {

std::shared_ptr<const MaxPyramid> SpokenWords::map(int layer, int head, WordsBlock block) const {
    if (cross.empty())
        return ctc;
    if (layer < 1 || layer > layers() || head < kContributions || head > heads())
        return nullptr;
    const auto place = static_cast<std::size_t>(layer) - 1;
    const bool isSelf = block == WordsBlock::Self;
    if (head == kContributions)
        return (isSelf ? selfContributions : crossContributions)[place];
    if (head == 0)
        return (isSelf ? selfMeans : means)[place];
    const auto& maps = (isSelf ? self : cross)[place];
    return static_cast<std::size_t>(head) <= maps.size() ? maps[static_cast<std::size_t>(head) - 1] : nullptr;
}

bool SpokenWords::hasContributions(WordsBlock block) const {
    const auto& all = block == WordsBlock::Self ? selfContributions : crossContributions;
    return std::any_of(all.begin(), all.end(), [](const auto& map) { return map != nullptr; });
}

QStringList SpokenWords::inputs() const {
    QStringList labels;
    for (int token = 0; token < promptTokens; ++token)
        labels << QString();
    for (const Piece& piece : pieces)
        if (!piece.ends)
            labels << piece.text;
    return labels;
}

SpokenWords::Tier SpokenWords::tier(std::optional<Span> Word::*times) const {
    Tier found;
    for (std::size_t place = 0; place < words.size(); ++place)
        if (const auto& span = words[place].*times; span && span->end > span->start) {
            found.intervals.push_back({span->start, span->end, words[place].label.toStdString()});
            found.places.push_back(static_cast<int>(place));
        }
    return found;
}

std::size_t SpokenWords::bytes() const {
    const auto of = [](const std::shared_ptr<const MaxPyramid>& map) {
        return map ? map->rows() * map->columns() * sizeof(float) * 4 / 3 : 0;
    };
    std::size_t sum = of(ctc);
    for (const auto* block : {&cross, &self})
        for (const auto& layer : *block)
            for (const auto& head : layer)
                sum += of(head);
    for (const auto* maps : {&means, &selfMeans, &crossContributions, &selfContributions})
        for (const auto& map : *maps)
            sum += of(map);
    return sum;
}

} // namespace headroom::app
