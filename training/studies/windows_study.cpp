// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/bounding_window.h"
#include "core/analysis/diagonality.h"
#include "core/analysis/windows.h"
#include "core/architecture/edits.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/statistics/undefined.h"
#include "core/studies/least_length.h"
#include "core/text/text_words.h"
#include "core/time/seconds_text.h"
#include "training/studies/comparison.h"
#include "training/studies/profile_study.h"
#include "training/studies/study_text.h"

#include <algorithm>

namespace headroom::training {

namespace {

/// Windows of every layer from Algorithm 1 over utterances. Alastruey et al. 2022, §4.1, Tables 1, 3, 4.
class WindowsStudy final : public ProfileStudy {
public:
    explicit WindowsStudy(const nlohmann::json& given) : ProfileStudy(StudyKind::Windows, given) {
        const nlohmann::json set = settings();
        m_search.statistic = set.at("statistic") == "as-printed" ? WindowStatistic::AsPrinted
                                                                 : WindowStatistic::TableCompatible;
        m_search.threshold = set.at("threshold").get<double>();
        m_search.patienceShare = set.at("patience").get<double>();
    }

    std::string whyTooShort(const StudyUtterance& utterance) const override {
        if (!isTooShort(settings(), utterance))
            return {};
        const bool isText = !utterance.text.empty();
        return (isText ? utterance.id + " (" + counted(wordCount(utterance.text), "word")
                       : displayName(utterance.audio) + " (" + secondsText(Seconds(utterance.seconds))) +
               ") is shorter than " + leastLength(settings(), isText) + ".";
    }

    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                           std::span<const std::unique_ptr<LayerSource>> sources, const Progress&,
                           const models::CancelFlag&) const override {
        StudyResults results;
        const std::vector<int> clusters = speakerClusters(study);
        std::vector<std::vector<std::vector<double>>> statistics; // [model][layer][utterance]
        for (std::size_t m = 0; m < measured.size(); ++m)
            statistics.push_back(
                summariseModel(study, m, measured[m],
                               limitsOf(measured[m].model, m < sources.size() ? sources[m].get() : nullptr),
                               clusters, results));
        const auto compare = [&](const char* name, const char* title, const std::vector<Comparison>& pairs) {
            if (!pairs.empty())
                results.tables.push_back(
                    comparisonTable(name, title, "statistic of Algorithm 1", pairs, clusters, study.seed));
        };
        compare("windows-models", "Models compared", modelsWithFirst(study, statistics));
        compare("windows-layers", "Neighbouring layers compared", layersWithNext(study, statistics));
        if (const auto left = tooShortCount(study); left > 0)
            results.notes.push_back(grouped(left) + " of " + counted(static_cast<std::int64_t>(study.utterances.size()), "utterance") +
                                    (left == 1 ? " was" : " were") + " left out, because " + (left == 1 ? "it is" : "they are") +
                                    " shorter than " + leastLength(study.settings, isOfTexts(study)) + ".");
        return results;
    }

private:
    struct Limit {
        int own = 0;             ///< window that bounds the layer in the model itself; 0: nothing does
        bool takesWindow = true; ///< some head is full or local
    };

    /// " Only utterances of at least 1 s count."; empty where all do.
    static std::string lengthText(const Study& study) {
        const std::string least = leastLength(study.settings, isOfTexts(study));
        return least.empty() ? std::string() : " Only utterances of at least " + least + " count.";
    }

    std::string caption(const Study& study, const StudyModel& model, const std::vector<int>& clusters) const {
        const bool attention = which() == ProfileSource::Attention;
        return std::string("Window w = ⌈μ + σ⌉, made odd, of the statistic of Algorithm 1 (Alastruey et al. "
                           "2022), recorded as ") +
               (m_search.statistic == WindowStatistic::AsPrinted ? "2i + 1, as printed"
                                                                 : "2i, as their tables are") +
               "; threshold t = " + numberText(m_search.threshold) + ", patience " +
               numberText(m_search.patienceShare) + " N; σ over utterances. CL = 1 − D(w), of " +
               (attention ? "the mean of the heads' attention maps"
                          : "contributions with rows that sum to 1") +
               "; above " + numberText(kFullAboveLoss) +
               " a layer stays full. A layer that is local in the model never gets a wider window. " +
               modelText(model) + ", " + sampleText(study) + lengthText(study) + " " + intervalText(study, clusters);
    }

    StudyTable emptyTable(const Study& study, std::size_t m, const std::vector<int>& clusters) const {
        const StudyModel& model = study.models[m];
        StudyTable table{study.models.size() == 1 ? "windows" : "windows-" + std::to_string(m + 1),
                         "Windows of " + model.name,
                         caption(study, model, clusters),
                         {{"layer", "Layer", "", 0, false},
                          {"mean", "μ", "", 2, false},
                          {"mean_low", "95 % from", "", 2, false},
                          {"mean_high", "to", "", 2, false},
                          {"std", "σ", "", 2, false},
                          {"window", "w", "", 0, false},
                          {"suggestion", "Suggested", "", 0, true}}, // beside w: a local layer keeps its own window where that is narrower
                         {}};
        append(table.columns, estimateColumns("loss", "CL", 3));
        return table;
    }

    std::vector<std::vector<double>> summariseModel(const Study& study, std::size_t m,
                                                    const ModelMeasurements& measured,
                                                    const std::vector<Limit>& limits,
                                                    const std::vector<int>& clusters,
                                                    StudyResults& results) const {
        const int layers = measured.model.layers;
        std::vector<UtteranceProfiles> utterances;
        for (const Measurement& measurement : measured.utterances)
            utterances.push_back(readProfiles(measurement, layers));
        const auto count = static_cast<std::int64_t>(utterances.size());
        StudyTable table = emptyTable(study, m, clusters);
        PlaceSet places({layers}, count);
        std::vector<std::vector<double>> statistics(static_cast<std::size_t>(layers));
        std::vector<double> flatStatistics, losses;
        std::string fixed;
        for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers); ++layer) {
            std::vector<double>& statistic = statistics[layer];
            for (const UtteranceProfiles& utterance : utterances)
                statistic.push_back(
                    utterance.layers.empty() || utterance.layers[layer].empty()
                        ? kUndefined
                        : static_cast<double>(windowStatistic(utterance.layers[layer], m_search)));
            const MeanEstimate mean = estimateMean(statistic, clusters, study.seed);
            const std::int64_t window = mean.n > 0 ? windowFromStatistic(mean.mean, mean.deviation) : 0;
            std::vector<double> loss;
            for (const UtteranceProfiles& utterance : utterances)
                loss.push_back(window == 0 || utterance.layers.empty() || utterance.layers[layer].empty()
                                   ? kUndefined
                                   : contributionLoss(utterance.layers[layer], window));
            table.rows.push_back(row(static_cast<int>(layer + 1), mean, window, limits[layer],
                                     estimateMean(loss, clusters, study.seed)));
            if (mean.n > 0 && !limits[layer].takesWindow)
                fixed += (fixed.empty() ? "" : ", ") + std::to_string(layer + 1);
            offerPlaces(measured.model, utterances, layer, window, places);
            flatStatistics.insert(flatStatistics.end(), statistic.begin(), statistic.end());
            losses.insert(losses.end(), loss.begin(), loss.end());
        }
        const std::string model = std::to_string(m + 1) + ".";
        results.arrays.insert_or_assign(model + "statistic", numbersOf({layers, count}, flatStatistics));
        results.arrays.insert_or_assign(model + "loss", numbersOf({layers, count}, losses));
        storeCurves(diagonalityCurves(utterances, layers), model, results.arrays);
        places.store(model + "layer", results.places);
        for (std::string& note : reasonNotes(measured.model, utterances, "Its row is empty."))
            results.notes.push_back(std::move(note));
        if (!fixed.empty())
            results.notes.push_back(measured.model.name + ", layer " + fixed + ": no window is suggested where no head is full or local.");
        results.tables.push_back(std::move(table));
        return statistics;
    }

    static std::vector<Limit> limitsOf(const StudyModel& document, LayerSource* source) {
        std::vector<Limit> limits(static_cast<std::size_t>(document.layers));
        if (const models::SpeechModel* model = source ? source->speechModel() : nullptr) {
            const auto& encoder = model->info().architecture.encoder;
            for (std::size_t layer = 0; layer < limits.size(); ++layer)
                limits[layer] = {boundingWindow(encoder, static_cast<int>(layer + 1)), layer >= encoder.layers.size() || takesWindow(encoder.layers[layer].heads)};
        }
        return limits;
    }

    static std::vector<StudyCell> row(int layer, const MeanEstimate& mean, std::int64_t window, Limit limit,
                                      const MeanEstimate& loss) {
        std::vector<StudyCell> cells{static_cast<double>(layer)};
        if (mean.n > 0)
            append(cells, {mean.mean, mean.low, mean.high, mean.deviation, static_cast<double>(window)});
        else
            append(cells, {{}, {}, {}, {}, {}});
        cells.emplace_back(mean.n == 0 || !limit.takesWindow ? std::string()
                           : loss.mean > kFullAboveLoss
                               ? std::string("full")
                               : "local " +
                                     std::to_string(limit.own > 0 ? std::min<std::int64_t>(window, limit.own) : window));
        append(cells, estimateCells(loss));
        return cells;
    }

    static void offerPlaces(const StudyModel& model, const std::vector<UtteranceProfiles>& utterances,
                            std::size_t layer, std::int64_t window, PlaceSet& places) {
        const std::int64_t index = static_cast<std::int64_t>(layer);
        const TokenClock clock = model.clock();
        for (std::size_t u = 0; u < utterances.size(); ++u) {
            if (utterances[u].far.empty())
                continue;
            if (const FarPair* pair = strongestOutside(utterances[u].far[layer], window))
                places.offer({&index, 1}, {static_cast<int>(u), clock.cellCentre(Tokens(pair->query)).value(),
                                           clock.cellCentre(Tokens(pair->key)).value(), pair->value});
        }
    }

    WindowSearchSettings m_search;
};

} // namespace

std::unique_ptr<StudyWork> windowsStudy(const nlohmann::json& settings) {
    return std::make_unique<WindowsStudy>(settings);
}

} // namespace headroom::training
