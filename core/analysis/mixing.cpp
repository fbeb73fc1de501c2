// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/mixing.h"

#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/statistics/moments.h"
#include "core/statistics/ranks.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace headroom {

namespace {

constexpr std::string_view kRollout = "rollout-";

constexpr std::array<MixingFacts, 5> kMixingFacts{{
    {Mixing::Attention, "attention", "Attention", "A", "A_ij = mean over the heads h of α^h_ij",
     "Vaswani et al. 2017", false},
    {Mixing::AttentionNorm, "attention-norm", "Attention × norm", "N",
     "N_ij = ‖Σ_h α^h_ij f^h(x_j)‖₂, f^h(x) = (z W_V^h + b_V^h) W_O^h, z = LN(x) in pre-norm layers and x in post-norm ones; rows sum to 1",
     "Kobayashi et al. 2020", false},
    {Mixing::Contributions, "contributions", "Contributions", "C",
     "C_ij = ‖T_ij‖₂, T_ij = Σ_h α^h_ij f^h(x_j) + δ_ij x_i, in post-norm layers through the LayerNorm after it; rows sum to 1",
     "Kobayashi et al. 2021; Alastruey et al. 2022", true},
    {Mixing::Alti, "alti", "ALTI", "M",
     "M_ij = max(0, ‖y_i‖₁ − ‖y_i − T_ij‖₁), y the output of the attention block; rows sum to 1",
     "Ferrando et al. 2022", true},
    {Mixing::ValueZeroing, "value-zeroing", "Value zeroing", "Z",
     "Z_ij = 1 − cos(y_i, y_i without v_j), y the output of the whole layer; rows sum to 1",
     "Mohebbi et al. 2023; of speech Mohebbi et al. 2023b", true},
}};

/// Divides each row by its sum; a row of zeros stays.
void normaliseRows(Matrix<float>& map) {
    for (std::size_t i = 0; i < map.rows(); ++i) {
        double sum = 0;
        for (const float value : map.row(i))
            sum += static_cast<double>(value);
        if (sum == 0)
            continue;
        for (float& value : map.row(i))
            value = static_cast<float>(static_cast<double>(value) / sum);
    }
}

/// The ranks of every row of a map; a row in which all are equal is empty.
std::vector<std::vector<double>> rankedRows(const Matrix<float>& map) {
    std::vector<std::vector<double>> ranks;
    for (std::size_t i = 0; i < map.rows(); ++i) {
        const auto row = map.row(i);
        ranks.push_back(averageRanks(std::vector<double>(row.begin(), row.end())));
    }
    return ranks;
}

} // namespace

std::span<const MixingFacts> mixingFacts() {
    return kMixingFacts;
}

const MixingFacts& factsOf(Mixing kind) {
    return kMixingFacts.at(static_cast<std::size_t>(kind));
}

std::string nameOf(const MixingMeasure& measure) {
    return std::string(measure.rollout ? kRollout : std::string_view()) + std::string(factsOf(measure.kind).name);
}

MixingMeasure mixingMeasure(std::string_view name) {
    const bool rollout = name.starts_with(kRollout);
    const std::string_view base = rollout ? name.substr(kRollout.size()) : name;
    for (const MixingFacts& facts : kMixingFacts)
        if (facts.name == base)
            return {facts.kind, rollout};
    std::string known;
    for (const MixingFacts& facts : kMixingFacts)
        known += (known.empty() ? "" : ", ") + std::string(facts.name);
    throw Error("mixing.unknown",
                "“" + std::string(name) + "” is not a measure of mixing. Use one of " + known +
                    ", or one of them with “rollout-” in front.",
                {{"name", std::string(name)}});
}

std::vector<MixingMeasure> mixingMeasures(std::string_view names) {
    std::vector<MixingMeasure> measures;
    for (std::size_t from = 0; from <= names.size();) {
        const std::size_t comma = std::min(names.find(',', from), names.size());
        const MixingMeasure measure = mixingMeasure(names.substr(from, comma - from));
        if (std::find(measures.begin(), measures.end(), measure) == measures.end())
            measures.push_back(measure);
        from = comma + 1;
    }
    return measures;
}

std::string explained(const MixingMeasure& measure) {
    const MixingFacts& facts = factsOf(measure.kind);
    const std::string own = std::string(facts.formula) + " (" + std::string(facts.paper) + ")";
    if (!measure.rollout)
        return own;
    return std::string("R_l = Â_l R_(l−1), R_1 = Â_1, with ") +
           (facts.hasResidual ? "Â = the map" : "Â = ½ (the map + I)") +
           " (Abnar & Zuidema 2020); the map: " + own;
}

std::vector<TokenUnit> tokenUnits(std::span<const Interval> intervals, const TokenClock& clock,
                                  std::int64_t tokens) {
    std::vector<TokenUnit> units;
    std::size_t next = 0; // of the intervals that do not end before the token
    const Interval* before = nullptr;
    for (std::int64_t token = 0; token < tokens; ++token) {
        const Seconds centre = clock.centre(Tokens(token));
        while (next < intervals.size() && intervals[next].end <= centre)
            ++next;
        const Interval* own =
            next < intervals.size() && intervals[next].start <= centre ? &intervals[next] : nullptr;
        if (units.empty() || own != before)
            units.push_back({token, token, own ? own->label : std::string()});
        units.back().end = token + 1;
        before = own;
    }
    return units;
}

std::vector<TokenUnit> singleTokens(std::int64_t tokens) {
    std::vector<TokenUnit> units;
    units.reserve(static_cast<std::size_t>(tokens));
    for (std::int64_t token = 0; token < tokens; ++token)
        units.push_back({token, token + 1, {}});
    return units;
}

Matrix<float> pooledByUnits(MatrixView<const float> map, std::span<const TokenUnit> units, UnitPooling pooling) {
    Matrix<float> pooled(units.size(), units.size());
    const auto side = static_cast<std::int64_t>(std::min(map.rows(), map.columns()));
    for (const TokenUnit& unit : units)
        if (unit.first < 0 || unit.first >= unit.end || unit.end > side)
            throw std::invalid_argument("pooledByUnits: a unit outside the map");
    for (std::size_t u = 0; u < units.size(); ++u)
        for (std::size_t v = 0; v < units.size(); ++v) {
            double mean = 0, most = 0;
            for (std::int64_t i = units[u].first; i < units[u].end; ++i) {
                double sum = 0;
                for (std::int64_t j = units[v].first; j < units[v].end; ++j)
                    sum += static_cast<double>(map(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
                mean += sum / static_cast<double>(units[u].end - units[u].first);
                most = std::max(most, sum);
            }
            pooled(u, v) = static_cast<float>(pooling == UnitPooling::Mean ? mean : most);
        }
    if (pooling == UnitPooling::Maximum)
        normaliseRows(pooled);
    return pooled;
}

Matrix<float> spreadOverTokens(MatrixView<const float> map, std::span<const TokenUnit> units) {
    std::vector<std::size_t> unitOf;
    for (std::size_t u = 0; u < units.size(); ++u) {
        if (units[u].first != static_cast<std::int64_t>(unitOf.size()) || units[u].end <= units[u].first)
            throw std::invalid_argument("spreadOverTokens: units that do not cover the tokens in order");
        unitOf.resize(static_cast<std::size_t>(units[u].end), u);
    }
    if (map.rows() != units.size() || map.columns() != units.size())
        throw std::invalid_argument("spreadOverTokens: a map of other units");
    Matrix<float> spread(unitOf.size(), unitOf.size());
    for (std::size_t i = 0; i < unitOf.size(); ++i)
        for (std::size_t j = 0; j < unitOf.size(); ++j) {
            const TokenUnit& key = units[unitOf[j]];
            spread(i, j) = map(unitOf[i], unitOf[j]) / static_cast<float>(key.end - key.first);
        }
    return spread;
}

std::vector<std::vector<double>> rankCorrelations(const std::vector<Matrix<float>>& maps) {
    std::vector<std::vector<std::vector<double>>> ranks; // [map][row]
    for (const Matrix<float>& map : maps)
        ranks.push_back(rankedRows(map));
    std::vector<std::vector<double>> rho(maps.size(), std::vector<double>(maps.size(), kUndefined));
    for (std::size_t a = 0; a < maps.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            Moments rows; // leaves out rows without an order
            for (std::size_t i = 0; i < std::min(ranks[a].size(), ranks[b].size()); ++i)
                rows.add(correlation(ranks[a][i], ranks[b][i]));
            rho[a][b] = rho[b][a] = rows.mean();
        }
    for (std::size_t a = 0; a < maps.size(); ++a)
        rho[a][a] = maps[a].empty() ? kUndefined : 1.0;
    return rho;
}

std::string withoutRanksText(std::span<const double> ccd, std::span<const double> rho, std::size_t measures, std::size_t utterances) {
    std::vector<bool> hasMap(utterances), hasRanks(utterances);
    for (std::size_t i = 0; i < ccd.size(); ++i)
        hasMap[i % utterances] = hasMap[i % utterances] || std::isfinite(ccd[i]);
    for (std::size_t i = 0; i < rho.size(); ++i) { // that of a map with itself is always 1
        const std::size_t pair = i / utterances % (measures * measures);
        if (pair / measures != pair % measures && std::isfinite(rho[i]))
            hasRanks[i % utterances] = true;
    }
    std::int64_t without = 0;
    for (std::size_t u = 0; u < utterances; ++u)
        without += hasMap[u] && !hasRanks[u] ? 1 : 0;
    if (without == 0 || measures < 2)
        return {};
    return "ρ is undefined in " + counted(without, "utterance") + (without == 1 ? ", which n does not count: no row of its maps"
                                                                               : ", which n does not count: no row of their maps") +
           " has an order, as when there is only one token or unit.";
}

} // namespace headroom
