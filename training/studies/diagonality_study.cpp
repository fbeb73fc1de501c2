// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "core/statistics/undefined.h"
#include "training/studies/comparison.h"
#include "training/studies/profile_study.h"
#include "training/studies/study_text.h"


namespace headroom::training {

namespace {

/// D(w), CCD and the diagonal's share of every layer, of several models on the same axes. Alastruey et al.
/// 2022, §3, Figures 2 and 3.
class DiagonalityStudy final : public ProfileStudy {
public:
    explicit DiagonalityStudy(const nlohmann::json& given) : ProfileStudy(StudyKind::Diagonality, given) {}

    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                           std::span<const std::unique_ptr<LayerSource>>, const Progress&,
                           const models::CancelFlag&) const override {
        StudyResults results;
        const std::vector<int> clusters = speakerClusters(study);
        StudyTable table = emptyTable(study, clusters);
        std::vector<std::vector<std::vector<double>>> ccd, share; // [model][layer][utterance]
        for (std::size_t m = 0; m < measured.size(); ++m) {
            const int layers = measured[m].model.layers;
            std::vector<UtteranceProfiles> utterances;
            for (const Measurement& measurement : measured[m].utterances)
                utterances.push_back(readProfiles(measurement, layers));
            measured[m].utterances.clear();
            ccd.push_back(perLayer(utterances, layers, cumulativeContributionDiagonality));
            share.push_back(perLayer(utterances, layers,
                                     [](const DiagonalProfile& profile) { return diagonality(profile, 1); }));
            const std::string model = std::to_string(m + 1) + ".";
            results.arrays.insert_or_assign(model + "ccd", flat(ccd.back(), utterances.size()));
            results.arrays.insert_or_assign(model + "diagonal_share", flat(share.back(), utterances.size()));
            storeCurves(diagonalityCurves(utterances, layers), model, results.arrays);
            for (std::size_t layer = 0; layer < ccd.back().size(); ++layer) {
                std::vector<StudyCell> row{study.models[m].name, static_cast<double>(layer + 1)};
                append(row, estimateCells(estimateMean(ccd.back()[layer], clusters, study.seed)));
                append(row, estimateCells(estimateMean(share.back()[layer], clusters, study.seed)));
                table.rows.push_back(std::move(row));
            }
            for (std::string& note : reasonNotes(measured[m].model, utterances, "Its rows are empty."))
                results.notes.push_back(std::move(note));
        }
        results.tables.push_back(std::move(table));
        addComparisons(study, ccd, share, clusters, results);
        return results;
    }

private:
    template <class Measure>
    static std::vector<std::vector<double>> perLayer(const std::vector<UtteranceProfiles>& utterances,
                                                     int layers, Measure measure) {
        std::vector<std::vector<double>> values(static_cast<std::size_t>(layers));
        for (std::size_t layer = 0; layer < values.size(); ++layer)
            for (const UtteranceProfiles& utterance : utterances)
                values[layer].push_back(utterance.layers.empty() || utterance.layers[layer].empty()
                                            ? kUndefined
                                            : measure(utterance.layers[layer]));
        return values;
    }

    static Tensor flat(const std::vector<std::vector<double>>& rows, std::size_t columns) {
        std::vector<double> values;
        for (const auto& row : rows)
            values.insert(values.end(), row.begin(), row.end());
        return numbersOf({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns)},
                         values);
    }

    StudyTable emptyTable(const Study& study, const std::vector<int>& clusters) const {
        std::string models;
        for (const StudyModel& model : study.models)
            models += (models.empty() ? "" : "; ") + modelText(model);
        StudyTable table{
            "diagonality",
            "Diagonality",
            std::string(
                "CCD, the mean of D(w) over w = 1 … 2N, and D(1), the diagonal's share (Alastruey et al. "
                "2022, Eq. 6–8), of ") +
                (which() == ProfileSource::Attention ? "the mean of the heads' attention maps"
                                                     : "contributions with rows that sum to 1") +
                ". " + models + ", " + sampleText(study) + " " + intervalText(study, clusters),
            {{"model", "Model", "", 0, true}, {"layer", "Layer", "", 0, false}},
            {}};
        append(table.columns, estimateColumns("ccd", "CCD", 3));
        append(table.columns, estimateColumns("diagonal", "D(1)", 3));
        return table;
    }

    static void addComparisons(const Study& study, const std::vector<std::vector<std::vector<double>>>& ccd,
                               const std::vector<std::vector<std::vector<double>>>& share,
                               const std::vector<int>& clusters, StudyResults& results) {
        const auto add = [&](const char* name, const char* title, const char* quantity,
                             const std::vector<Comparison>& pairs) {
            if (!pairs.empty())
                results.tables.push_back(comparisonTable(name, title, quantity, pairs, clusters, study.seed));
        };
        add("diagonality-models", "CCD of models compared", "CCD", modelsWithFirst(study, ccd));
        add("diagonal-models", "Diagonals of models compared", "D(1)", modelsWithFirst(study, share));
        add("diagonality-layers", "CCD of neighbouring layers compared", "CCD", layersWithNext(study, ccd));
    }
};

} // namespace

std::unique_ptr<StudyWork> diagonalityStudy(const nlohmann::json& settings) {
    return std::make_unique<DiagonalityStudy>(settings);
}

} // namespace headroom::training
