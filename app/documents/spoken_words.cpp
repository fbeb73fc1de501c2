// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/spoken_words.h"

namespace headroom::app {

std::shared_ptr<const MaxPyramid> SpokenWords::map(int layer, int head) const {
    if (cross.empty())
        return ctc;
    if (layer < 1 || layer > layers() || head < 0 || head > heads())
        return nullptr;
    const auto place = static_cast<std::size_t>(layer) - 1;
    return head == 0 ? means[place] : cross[place][static_cast<std::size_t>(head) - 1];
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
    for (const auto& layer : cross)
        for (const auto& head : layer)
            sum += of(head);
    for (const auto& mean : means)
        sum += of(mean);
    return sum;
}

const DecoderLayerState* WordsState::layer(int number) const {
    const auto found = layers.find(number);
    return found == layers.end() ? nullptr : &found->second;
}

const MeasuredWords* WordsState::measured(int number, const std::string& name) const {
    const DecoderLayerState* of = layer(number);
    if (!of)
        return nullptr;
    const auto found = of->measures.find(name);
    return found == of->measures.end() ? nullptr : &found->second;
}

} // namespace headroom::app
