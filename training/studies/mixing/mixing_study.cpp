// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/settings.h"
#include "training/studies/mixing/mixing_measure.h"
#include "training/studies/study_text.h"

#include <functional>
#include <set>

namespace headroom::training {

namespace {

/// How much the measures of mixing agree, and how diagonal a layer is under each.
class MixingStudy final : public StudyWork {
public:
    explicit MixingStudy(const nlohmann::json& given)
        : m_settings(readStudySettings(StudyKind::Mixing, given))
        , m_plan(mixingPlan(m_settings)) {
        std::string names;
        for (const MixingMeasure& measure : m_plan.measures)
            names += (names.empty() ? "" : ",") + nameOf(measure);
        m_settings["measures"] = names;
    }

    nlohmann::json settings() const override { return m_settings; }
    bool needsWeights() const override { return true; }
    bool needsAlignment() const override { return m_plan.units != MixingPlan::Units::Tokens; }
    bool needsPhones() const override { return m_plan.units == MixingPlan::Units::Phones; }
    std::string measurementKey() const override {
        std::string key = "mixing/2";
        for (const char* setting : {"measures", "units", "pooling", "window"})
            key += std::string(" ") + setting + "=" + m_settings.at(setting).dump();
        return key;
    }
    Measurement measure(LayerSource& source, const StudyInput& input,
                        const models::CancelFlag& cancel) const override {
        return measureMixing(source, input, m_plan, cancel);
    }

    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                           std::span<const std::unique_ptr<LayerSource>>, const Progress&,
                           const models::CancelFlag&) const override {
        StudyResults results;
        const std::vector<int> clusters = speakerClusters(study);
        StudyTable diagonality = diagonalityTable(study, clusters), ranks = ranksTable(study, clusters);
        for (std::size_t m = 0; m < measured.size(); ++m) {
            const int layers = measured[m].model.layers;
            std::vector<UtteranceMixing> utterances;
            for (const Measurement& measurement : measured[m].utterances)
                utterances.push_back(readMixing(measurement, layers, m_plan.measures.size()));
            measured[m].utterances.clear();
            addModel(study, m, layers, utterances, clusters, diagonality, ranks, results);
        }
        results.tables = {std::move(ranks), std::move(diagonality)};
        return results;
    }

private:
    using Pick = std::function<double(const UtteranceMixing&)>;

    static std::vector<double> overUtterances(const std::vector<UtteranceMixing>& utterances, const Pick& pick) {
        std::vector<double> values;
        for (const UtteranceMixing& utterance : utterances)
            values.push_back(pick(utterance));
        return values;
    }

    std::string title(std::size_t measure) const {
        const MixingMeasure& one = m_plan.measures[measure];
        return (one.rollout ? "Rollout of " : "") + std::string(factsOf(one.kind).title);
    }

    void addModel(const Study& study, std::size_t model, int layerCount,
                  const std::vector<UtteranceMixing>& utterances, const std::vector<int>& clusters,
                  StudyTable& diagonality, StudyTable& ranks, StudyResults& results) const {
        const auto layers = static_cast<std::size_t>(layerCount);
        const std::size_t measures = m_plan.measures.size();
        const std::string name = study.models[model].name, prefix = std::to_string(model + 1) + ".";
        std::vector<double> ccd, diagonal, loss, rho;
        const auto append_ = [](std::vector<double>& all, const std::vector<double>& more) {
            all.insert(all.end(), more.begin(), more.end());
        };
        for (std::size_t l = 0; l < layers; ++l)
            for (std::size_t a = 0; a < measures; ++a) {
                const auto number = [&](auto member) {
                    return overUtterances(utterances,
                                          [&](const UtteranceMixing& one) { return (one.*member)[l][a]; });
                };
                std::vector<StudyCell> row{name, static_cast<double>(l + 1), title(a)};
                for (auto [member, all] : {std::pair(&UtteranceMixing::ccd, &ccd),
                                           std::pair(&UtteranceMixing::diagonal, &diagonal),
                                           std::pair(&UtteranceMixing::loss, &loss)}) {
                    const std::vector<double> values = number(member);
                    append_(*all, values);
                    append(row, estimateCells(estimateMean(values, clusters, study.seed)));
                }
                diagonality.rows.push_back(std::move(row));
                for (std::size_t b = 0; b < measures; ++b) {
                    const std::vector<double> values = overUtterances(
                        utterances, [&](const UtteranceMixing& one) { return one.rho[l][a][b]; });
                    append_(rho, values);
                    if (b <= a)
                        continue;
                    std::vector<StudyCell> pair{name, static_cast<double>(l + 1), title(a), title(b)};
                    append(pair, estimateCells(estimateMean(values, clusters, study.seed)));
                    ranks.rows.push_back(std::move(pair));
                }
            }
        const auto extent = [](std::size_t value) { return static_cast<std::int64_t>(value); };
        const std::vector<std::int64_t> shape{extent(layers), extent(measures), extent(utterances.size())};
        results.arrays.insert_or_assign(prefix + "ccd", numbersOf(shape, ccd));
        results.arrays.insert_or_assign(prefix + "diagonal_share", numbersOf(shape, diagonal));
        results.arrays.insert_or_assign(prefix + "loss", numbersOf(shape, loss));
        results.arrays.insert_or_assign(
            prefix + "rho",
            numbersOf({extent(layers), extent(measures), extent(measures), extent(utterances.size())}, rho));
        if (const std::string without = withoutRanksText(ccd, rho, measures, utterances.size()); !without.empty())
            ranks.caption += " " + (study.models.size() > 1 ? name + ": " : std::string()) + without;
        std::set<std::string> said;
        for (const UtteranceMixing& utterance : utterances)
            for (std::size_t l = 0; l < layers; ++l)
                if (!utterance.reasons[l].empty() &&
                    said.insert(std::to_string(l) + utterance.reasons[l]).second)
                    results.notes.push_back(name + ", layer " + std::to_string(l + 1) + ", " +
                                            utterance.reasons[l] + " Its cells are empty.");
    }

    std::string captionEnd(const Study& study, const std::vector<int>& clusters) const {
        std::string text = " Units: " + m_settings.at("units").get<std::string>();
        if (m_plan.units != MixingPlan::Units::Tokens)
            text += " and the silences between them, their rows pooled by the " + m_settings.at("pooling").get<std::string>();
        text += ". ";
        for (std::size_t m = 0; m < m_plan.measures.size(); ++m)
            text += title(m) + ": " + explained(m_plan.measures[m]) + ". ";
        for (const StudyModel& model : study.models)
            text += modelText(model) + "; ";
        return text + sampleText(study) + " " + intervalText(study, clusters);
    }

    StudyTable ranksTable(const Study& study, const std::vector<int>& clusters) const {
        StudyTable table{"mixing-ranks",
                         "Agreement of the measures",
                         "Spearman's ρ between two measures of mixing: rank correlation of each query's row, mean "
                         "over queries, then over utterances." +
                             captionEnd(study, clusters),
                         {{"model", "Model", "", 0, true},
                          {"layer", "Layer", "", 0, false},
                          {"first", "First", "", 0, true},
                          {"second", "Second", "", 0, true}},
                         {}};
        append(table.columns, estimateColumns("rho", "ρ", 3));
        return table;
    }

    StudyTable diagonalityTable(const Study& study, const std::vector<int>& clusters) const {
        StudyTable table{"mixing-diagonality",
                         "Diagonality under each measure",
                         "CCD, D(1) and CL of a window of " + std::to_string(m_plan.window) +
                             " units (Alastruey et al. 2022, Eq. 6–8) of each measure's map, rows summing to 1." +
                             captionEnd(study, clusters),
                         {{"model", "Model", "", 0, true},
                          {"layer", "Layer", "", 0, false},
                          {"measure", "Measure", "", 0, true}},
                         {}};
        append(table.columns, estimateColumns("ccd", "CCD", 3));
        append(table.columns, estimateColumns("diagonal", "D(1)", 3));
        append(table.columns, estimateColumns("loss", "CL", 3));
        return table;
    }

    nlohmann::json m_settings;
    MixingPlan m_plan;
};

} // namespace

std::unique_ptr<StudyWork> mixingStudy(const nlohmann::json& settings) {
    return std::make_unique<MixingStudy>(settings);
}

} // namespace headroom::training
