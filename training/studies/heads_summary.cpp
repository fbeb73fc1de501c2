// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/heads_summary.h"

#include "core/statistics/undefined.h"
#include "training/studies/study_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::training {

namespace {

/// The measurements of one model, turned round: per cell (layer and head) over utterances.
class HeadCells {
public:
    HeadCells(const ModelMeasurements& measured)
        : m_measured(measured)
        , m_layers(measured.model.layers)
        , m_heads(measured.model.heads)
        , m_utterances(measured.utterances.size()) {}

    std::size_t count() const { return static_cast<std::size_t>(m_layers * m_heads); }

    /// [L · H][U] of an array [L, H]; `part` of a last dimension of `parts`.
    std::vector<std::vector<double>> numbers(const std::string& name, std::size_t parts = 1,
                                             std::size_t part = 0) const {
        std::vector<std::vector<double>> cells(count(), std::vector<double>(m_utterances, kUndefined));
        for (std::size_t u = 0; u < m_utterances; ++u) {
            if (m_measured.utterances[u].empty())
                continue;
            const auto values = toDoubles(array(u, name, count() * parts).view());
            for (std::size_t cell = 0; cell < count(); ++cell)
                cells[cell][u] = values[cell * parts + part];
        }
        return cells;
    }

    /// D(r), mean over utterances, [L, H, R].
    std::vector<double> meanCurve() const {
        std::vector<double> sum(count() * kCurveNodes, 0), n(sum.size(), 0);
        for (std::size_t u = 0; u < m_utterances; ++u) {
            if (m_measured.utterances[u].empty())
                continue;
            const auto values = toDoubles(array(u, "curve", sum.size()).view());
            for (std::size_t i = 0; i < sum.size(); ++i)
                if (!std::isnan(values[i])) {
                    sum[i] += values[i];
                    ++n[i];
                }
        }
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] = n[i] > 0 ? sum[i] / n[i] : kUndefined;
        return sum;
    }

    /// Relevance of one layer, [tokens, heads that have one] per utterance; empty where it failed.
    std::vector<Matrix<float>> relevance(int layer) const {
        std::vector<Matrix<float>> result;
        for (const Measurement& measurement : m_measured.utterances)
            result.push_back(measurement.empty() ? Matrix<float>() : relevanceOf(measurement, layer));
        return result;
    }

private:
    const Tensor& array(std::size_t u, const std::string& name, std::size_t expected) const {
        return array(m_measured.utterances[u], name, expected);
    }
    /// `expected` numbers; 0: any.
    static const Tensor& array(const Measurement& measurement, const std::string& name,
                               std::size_t expected) {
        const auto found = measurement.find(name);
        if (found == measurement.end() ||
            (expected > 0 && found->second.view().elementCount() != static_cast<std::int64_t>(expected)))
            throw Error("study.badMeasurement",
                        "A cached measurement does not contain “" + name +
                            "” of its heads; delete the measurement cache and run "
                            "the study again.");
        return found->second;
    }
    Matrix<float> relevanceOf(const Measurement& measurement, int layer) const {
        const Tensor& tensor = array(measurement, "relevance", 0);
        if (tensor.shape.size() != 3 || tensor.shape[0] != m_layers || tensor.shape[2] != m_heads)
            array(measurement, "relevance of these layers", 0); // says so
        const auto tokens = static_cast<std::size_t>(tensor.shape[1]),
                   heads = static_cast<std::size_t>(m_heads);
        const auto values = toFloats(tensor.view());
        const auto first = static_cast<std::size_t>(layer) * tokens * heads;
        std::size_t have = 0; // heads of this layer stand first; a token without a norm has none
        for (std::size_t t = 0; t < tokens; ++t)
            for (std::size_t h = have; h < heads; ++h)
                if (!std::isnan(values[first + t * heads + h]))
                    have = h + 1;
        Matrix<float> result(tokens, have);
        for (std::size_t t = 0; t < tokens; ++t)
            for (std::size_t h = 0; h < have; ++h)
                result(t, h) = values[first + t * heads + h];
        return result;
    }

    const ModelMeasurements& m_measured;
    const std::int64_t m_layers, m_heads;
    const std::size_t m_utterances;
};

std::vector<double> flat(const std::vector<std::vector<double>>& cells) {
    std::vector<double> values;
    for (const auto& cell : cells)
        values.insert(values.end(), cell.begin(), cell.end());
    return values;
}

struct Relevance {
    std::vector<double> whole;                   ///< [L · H]
    std::vector<std::vector<double>> utterances; ///< [L · H][U]
};

Relevance relevanceOfModel(const HeadCells& cells, const StudyModel& model, std::size_t utterances,
                           RelevanceMode mode) {
    const auto heads = static_cast<std::size_t>(model.heads);
    Relevance result{
        std::vector<double>(cells.count(), kUndefined),
        std::vector<std::vector<double>>(cells.count(), std::vector<double>(utterances, kUndefined))};
    for (int layer = 0; layer < model.layers; ++layer) {
        const auto first = static_cast<std::size_t>(layer) * heads;
        auto all = cells.relevance(layer);
        for (std::size_t u = 0; u < all.size(); ++u) {
            if (all[u].empty())
                continue;
            const auto own = headRelevance({&all[u], 1}, mode);
            for (std::size_t head = 0; head < own.size(); ++head)
                result.utterances[first + head][u] = own[head];
        }
        std::erase_if(all, [](const Matrix<float>& one) { return one.empty(); });
        if (all.empty())
            continue;
        const auto whole = headRelevance(all, mode);
        std::copy(whole.begin(), whole.end(), result.whole.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return result;
}

std::string modeText(const HeadsSummary& how) {
    return std::string(
               how.mode == RelevanceMode::Pooled
                   ? "Relevance: L2 norm of a head's output, divided by their sum at each token, median over "
                     "all tokens (Sant et al. 2022, Eq. 4), the lower of two middle values"
                   : "Relevance, notebook mode: L1 norm of a head's output, divided by their sum at each "
                     "token, median over utterances of each one's median (the code of Sant et al. 2022), the "
                     "lower of two middle values") +
           (how.augmented ? ", features with SpecAugment" : "") + ".";
}

std::string cadText(const HeadsSummary& how) {
    return std::string("CAD = 1 − E|i − j|/(T − 1), exact (Shim et al. 2022, Eq. 3), of ") +
           (how.silenceRemoved ? "maps without silence, rows normalised again"
                               : "whole maps, silence included") +
           "; below " + numberText(how.split) + " a head is phonetic, else linguistic.";
}

StudyTable emptyTable(const Study& study, std::size_t m, const std::string& name, const std::string& title,
                      const std::string& caption) {
    const std::string suffix = study.models.size() == 1 ? "" : "-" + std::to_string(m + 1);
    return {name + suffix,
            title + " of " + study.models[m].name,
            caption,
            {{"layer", "Layer", "", 0, false}, {"head", "Head", "", 0, false}},
            {}};
}

void offerPlaces(const StudyModel& model, const HeadCells& cells, const std::vector<std::vector<double>>& cad,
                 PlaceSet& places) {
    const auto query = cells.numbers("pair", 3, 0), key = cells.numbers("pair", 3, 1);
    const auto seconds = [clock = model.clock()](double token) {
        return clock.cellCentre(Tokens(static_cast<std::int64_t>(token))).value();
    };
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
        const auto heads = static_cast<std::size_t>(model.heads);
        const std::array<std::int64_t, 2> index{static_cast<std::int64_t>(cell / heads),
                                                static_cast<std::int64_t>(cell % heads)};
        for (std::size_t u = 0; u < cad[cell].size(); ++u)
            if (!std::isnan(cad[cell][u]) && !std::isnan(query[cell][u]))
                places.offer(index,
                             {static_cast<int>(u), seconds(query[cell][u]), seconds(key[cell][u]), 1 - cad[cell][u]});
    }
}

/// Which heads of which layers have no CAD in any utterance, in one sentence; empty where all have.
std::string noteAbout(const StudyModel& model, const std::vector<std::vector<double>>& cad,
                      const std::vector<std::vector<double>>& entropy) {
    std::string names;
    for (std::size_t cell = 0; cell < cad.size(); ++cell) {
        const auto isKnown = [](double value) { return !std::isnan(value); };
        if (std::any_of(cad[cell].begin(), cad[cell].end(), isKnown) ||
            std::none_of(entropy[cell].begin(), entropy[cell].end(), isKnown))
            continue;
        const auto heads = static_cast<std::size_t>(model.heads);
        names += (names.empty() ? "" : ", ") + std::to_string(cell / heads + 1) + "." +
                 std::to_string(cell % heads + 1);
    }
    return names.empty() ? names
                         : model.name + ": heads " + names +
                               " (layer.head) attend to keys that are not tokens, so they have no CAD and no "
                               "distance; entropy and maximum are those of their own maps.";
}

} // namespace

std::vector<std::vector<double>> summariseHeads(const Study& study, std::size_t m,
                                                const ModelMeasurements& measured, const HeadsSummary& how,
                                                StudyResults& results) {
    const StudyModel& model = measured.model;
    const HeadCells cells(measured);
    const auto utterances = static_cast<std::int64_t>(measured.utterances.size());
    const std::int64_t layers = model.layers, heads = model.heads;
    const std::string prefix = std::to_string(m + 1) + ".";
    const auto keep = [&](const char* name, const std::vector<std::vector<double>>& values) {
        results.arrays.insert_or_assign(prefix + name, numbersOf({layers, heads, utterances}, flat(values)));
    };
    const auto cad = cells.numbers("cad"), entropy = cells.numbers("entropy");
    const auto distance = cells.numbers("mean_distance"), maximum = cells.numbers("maximum");
    const auto silence = cells.numbers("silence_share");
    const Relevance relevance = relevanceOfModel(cells, model, measured.utterances.size(), how.mode);
    keep("cad", cad);
    keep("entropy", entropy);
    keep("mean_distance", distance);
    keep("maximum", maximum);
    keep("silence_share", silence);
    keep("relevance_utterance", relevance.utterances);
    results.arrays.insert_or_assign(prefix + "relevance", numbersOf({layers, heads}, relevance.whole));
    std::vector<double> grid;
    for (int node = 0; node < kCurveNodes; ++node)
        grid.push_back(static_cast<double>(node) / (kCurveNodes - 1));
    results.arrays.insert_or_assign(prefix + "cad_grid", numbersOf({kCurveNodes}, grid));
    results.arrays.insert_or_assign(prefix + "cad_curve",
                                    numbersOf({layers, heads, kCurveNodes}, cells.meanCurve()));
    PlaceSet places({layers, heads}, utterances);
    offerPlaces(model, cells, cad, places);
    places.store(prefix + "head", results.places);

    const std::string who =
        " " + modelText(model) + ", " + sampleText(study) + " " + intervalText(study, how.clusters);
    StudyTable table = emptyTable(study, m, "heads", "Heads", cadText(how) + " " + modeText(how) + who);
    append(table.columns, estimateColumns("cad", "CAD", 3));
    table.columns.push_back({"side", "Side", "", 0, true});
    table.columns.push_back({"relevance", "Relevance", "", 3, false});
    append(table.columns, estimateColumns("relevance", "Mean of utterances", 3));
    StudyTable statistics =
        emptyTable(study, m, "head-statistics", "Attention statistics",
                   "Means over the rows of a map, then over utterances: entropy in nats, "
                   "distance |i − j| in tokens, the largest weight, and the share on silent "
                   "tokens, of whole maps." +
                       who);
    append(statistics.columns, estimateColumns("entropy", "Entropy", 3, "nats"));
    append(statistics.columns, estimateColumns("distance", "Distance", 2, "tokens"));
    append(statistics.columns, estimateColumns("maximum", "Maximum", 3));
    append(statistics.columns, estimateColumns("silence", "On silence", 3));
    const auto estimated = [&](const std::vector<double>& values) {
        return estimateMean(values, how.clusters, study.seed);
    };
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
        const auto isKnown = [](double value) { return !std::isnan(value); };
        if (std::none_of(entropy[cell].begin(), entropy[cell].end(), isKnown))
            continue; // this layer has fewer heads
        const double layer = static_cast<double>(cell / static_cast<std::size_t>(heads) + 1);
        const double head = static_cast<double>(cell % static_cast<std::size_t>(heads) + 1);
        const MeanEstimate mean = estimated(cad[cell]);
        std::vector<StudyCell> row{layer, head};
        append(row, estimateCells(mean));
        row.emplace_back(mean.n == 0             ? std::string()
                         : mean.mean < how.split ? std::string("phonetic")
                                                 : std::string("linguistic"));
        row.emplace_back(relevance.whole[cell]);
        append(row, estimateCells(estimated(relevance.utterances[cell])));
        table.rows.push_back(std::move(row));
        std::vector<StudyCell> more{layer, head};
        for (const auto* values : {&entropy, &distance, &maximum, &silence})
            append(more, estimateCells(estimated((*values)[cell])));
        statistics.rows.push_back(std::move(more));
    }
    results.tables.push_back(std::move(table));
    results.tables.push_back(std::move(statistics));
    if (const auto note = noteAbout(model, cad, entropy); !note.empty())
        results.notes.push_back(note);
    return cad;
}

} // namespace headroom::training
