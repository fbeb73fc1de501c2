// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/word_measures.h"

#include "app/documents/items/map_names.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

const std::vector<MixingMeasure>& wordMeasures() {
    static const std::vector<MixingMeasure> measures{{Mixing::Attention, false},     {Mixing::AttentionNorm, false},
                                                     {Mixing::Contributions, false}, {Mixing::Alti, false},
                                                     {Mixing::ValueZeroing, false},  {Mixing::Attention, true}};
    return measures;
}

std::vector<std::string> quickWordMeasures() {
    std::vector<std::string> names;
    for (const MixingMeasure& measure : wordMeasures())
        if (!measure.rollout && measure.kind != Mixing::ValueZeroing)
            names.push_back(nameOf(measure));
    return names;
}

QString wordMeasureTitle(const MixingMeasure& measure) {
    return measure.rollout ? tr("Rollout") : mapTitle(MapSource::of(measure));
}

QString wordMeasureToolTip(const MixingMeasure& measure) {
    if (measure.rollout)
        return tr("How much of the sound reaches the output through all layers of decoder and encoder: R_l = "
                  "C_l E + r_l ∘ (S_l R_(l−1)), with half of each layer from its residual. Abnar & Zuidema "
                  "2020; Ferrando et al. 2022b.");
    QString text = mapFormula(MapSource::of(measure));
    if (factsOf(measure.kind).hasResidual && measure.kind != Mixing::ValueZeroing)
        text += QStringLiteral(". ") + tr("In cross-attention, the residual is not a token and is left out.");
    return text;
}

QStringList wordsWithoutToken(const SpokenWords& words) {
    QStringList without;
    for (const SpokenWords::Word& word : words.words)
        if (const auto time = words.timeOf(word); time && time->end <= time->start)
            without << word.label;
    return without;
}

double shareOfWordsFound(const SpokenWords& words, const WordReferences& references, const MaxPyramid& map,
                         Seconds within) {
    int found = 0, known = 0;
    for (std::size_t place = 0; place < words.words.size() && place < references.size(); ++place) {
        if (!references[place])
            continue;
        double mass = 0, moment = 0;
        const auto last = std::min(static_cast<std::size_t>(words.words[place].end), map.rows());
        for (auto row = static_cast<std::size_t>(words.words[place].first); row < last; ++row) {
            const auto weights = map.level(0).row(row);
            for (std::size_t token = 0; token < weights.size(); ++token) {
                const auto weight = static_cast<double>(weights[token]);
                mass += weight;
                moment += weight * words.clock.centre(Tokens(static_cast<std::int64_t>(token))).value();
            }
        }
        if (!(mass > 0))
            continue;
        ++known;
        const Seconds centre(moment / mass);
        found += centre >= references[place]->start - within && centre <= references[place]->end + within;
    }
    return known > 0 ? static_cast<double>(found) / known : NAN;
}

double rankCorrelationOf(const MaxPyramid& a, const MaxPyramid& b) {
    if (a.rows() != b.rows() || a.columns() != b.columns())
        return NAN;
    return rankCorrelations({a.level(0), b.level(0)})[0][1];
}

} // namespace headroom::app
