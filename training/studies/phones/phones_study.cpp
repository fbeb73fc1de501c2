// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phone_order.h"
#include "core/errors/count_text.h"
#include "core/statistics/undefined.h"
#include "core/studies/settings.h"
#include "training/studies/phone_labels.h"
#include "training/studies/phones/phones_tables.h"
#include "training/studies/study_text.h"
#include "training/studies/study_work.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace headroom::training {

namespace {

constexpr int kCoverageDraws = 500;

std::vector<double> undefined(std::int64_t count) {
    return std::vector<double>(static_cast<std::size_t>(count), kUndefined);
}

std::vector<float> floatsOf(const Matrix<double>& map) {
    return {map.values().begin(), map.values().end()};
}

/// PAR, Shim et al. 2022, §4.
class PhonesStudy final : public StudyWork {
public:
    explicit PhonesStudy(const nlohmann::json& given)
        : m_settings(readStudySettings(StudyKind::Phones, given))
        , m_map(m_settings) {
        m_mode = m_settings.at("mode") == "mean" ? PhoneMode::Mean : PhoneMode::Pooled;
        m_reference.reference = m_settings.at("reference").get<std::string>();
        m_reference.model = m_settings.at("referenceModel").get<std::int64_t>();
        m_reference.layers = m_settings.at("referenceLayers").get<std::int64_t>();
        m_reference.allowSame = m_settings.at("allowSame").get<bool>();
        m_largest = m_settings.at("largest").get<int>();
        m_places = m_settings.at("places").get<std::int64_t>();
        m_map.keepIn(m_settings);
        m_reference.mode = m_settings.at("mode").get<std::string>();
        m_reference.phoneMap = fingerprint(m_map.map());
        if (!m_reference.reference.empty() && m_reference.reference.rfind("model ", 0) != 0) {
            m_reference.reference =
                std::filesystem::absolute(m_reference.reference).lexically_normal().string();
            m_settings["reference"] = m_reference.reference;
        }
    }

    nlohmann::json settings() const override { return m_settings; }
    std::string measurementKey() const override { return "phones/1 map=" + fingerprint(m_map.map()); }
    bool needsAlignment() const override { return true; }

    void prepare(const Study& study) override {
        m_map.decide(study);
        m_map.keepIn(m_settings);
        m_reference.phoneMap = fingerprint(m_map.map());
        checkReference(m_reference, study.models);
    }

    Measurement measure(LayerSource& source, const StudyInput& input,
                        const models::CancelFlag& cancel) const override {
        return measurePhones(source, input, m_map.map(), &cancel);
    }

    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                           std::span<const std::unique_ptr<LayerSource>> sources, const Progress& progress,
                           const models::CancelFlag& cancel) const override {
        static_cast<void>(sources);
        StudyResults results;
        std::vector<PhoneSummary> summaries;
        const auto total = static_cast<std::int64_t>(2 * measured.size());
        std::int64_t done = 0;
        for (ModelMeasurements& one : measured) {
            progress(done++, total, "Averaging the maps of " + one.model.name, StepsLeft::Unlike);
            PhoneSummary& summary =
                summaries.emplace_back(one.model, m_mode, one.utterances.size(), m_places);
            for (std::size_t u = 0; u < one.utterances.size(); ++u) {
                if (cancel)
                    throw models::Cancelled();
                if (!one.utterances[u].empty())
                    summary.add(static_cast<int>(u), one.utterances[u]);
            }
            if (m_map.map().title() != PhoneMap().title() && results.notes.empty())
                results.notes.push_back("Phone map: " + m_map.map().title() + ".");
            for (std::string& remark : remarksOn(one.utterances, one.model.clockStep))
                results.notes.push_back(one.model.name + ": " + std::move(remark));
            one.utterances.clear();
            noteUndefinedHeads(one.model, summary, results.notes);
        }

        const std::optional<PhoneReference> reference = phoneReference(m_reference, study, summaries);
        if (!reference)
            results.notes.emplace_back("PAR coverage was not measured: no reference was chosen.");
        std::vector<std::optional<PhoneSummary::Coverage>> coverage;
        for (std::size_t m = 0; m < summaries.size(); ++m) {
            if (cancel)
                throw models::Cancelled();
            progress(done++, total, "Coverage of " + study.models[m].name, StepsLeft::Alike);
            coverage.push_back(coverageOf(study, m, summaries[m], reference, results.notes));
            store(m, summaries[m], coverage.back(), results);
        }
        results.arrays["phones"] = phoneNames(kPhoneClassCount);
        results.tables =
            phoneTables({study, summaries, coverage, reference, m_mode, m_largest, kCoverageDraws});
        return results;
    }

private:
    std::optional<PhoneSummary::Coverage> coverageOf(const Study& study, std::size_t m,
                                                     const PhoneSummary& summary,
                                                     const std::optional<PhoneReference>& reference,
                                                     std::vector<std::string>& notes) const {
        if (!reference)
            return {};
        const StudyModel& model = study.models[m];
        const bool same = reference->model == static_cast<int>(m) + 1 ||
                          (!model.weightsHash.empty() && model.weightsHash == reference->weightsHash);
        if (same && !m_reference.allowSame) {
            notes.push_back("The coverage of " + modelText(model) +
                            " was left out: it is the reference, which always covers itself.");
            return {};
        }
        if (!same && (model.weightsHash.empty() || reference->weightsHash.empty()))
            notes.push_back("Whether the reference differs from " + modelText(model) +
                            " is unknown: imported maps have no weights to compare.");
        return summary.coverage(
            reference->map, m_largest,
            resampledCounts(summary.present(), speakerClusters(study), study.seed, kCoverageDraws));
    }

    void store(std::size_t m, const PhoneSummary& summary,
               const std::optional<PhoneSummary::Coverage>& coverage, StudyResults& results) const {
        const std::string name = std::to_string(m + 1) + ".";
        const std::int64_t layers = summary.layers(), heads = summary.heads();
        const auto side = static_cast<std::int64_t>(kPhones);
        std::vector<float> par, byLayer, halves;
        const auto append = [](std::vector<float>& to, const Matrix<double>& map) {
            const std::vector<float> values = floatsOf(map);
            to.insert(to.end(), values.begin(), values.end());
        };
        std::vector<double> same;
        for (std::int64_t l = 0; l < layers; ++l) {
            append(byLayer, summary.layer(l));
            for (std::int64_t h = 0; h < heads; ++h) {
                append(par, summary.head(l, h));
                const std::vector<double> ofHead = summary.samePhone(l, h);
                same.insert(same.end(), ofHead.begin(), ofHead.end());
            }
        }
        append(halves, summary.layersTogether(0, summary.lastOfLowerHalf()));
        append(halves, summary.layersTogether(summary.lastOfLowerHalf() + 1, layers - 1));
        StudyArrays& arrays = results.arrays;
        arrays[name + "par"] = Tensor::of<float>({layers, heads, side, side}, par);
        arrays[name + "par_layer"] = Tensor::of<float>({layers, side, side}, byLayer);
        arrays[name + "par_half"] = Tensor::of<float>({2, side, side}, halves);
        arrays[name + "par_count"] = Tensor::of<std::int32_t>({side, side}, summary.counts().values());
        arrays[name + "same_phone"] =
            numbersOf({layers, heads, static_cast<std::int64_t>(summary.present().size())}, same);
        arrays[name + "coverage"] = numbersOf({layers}, coverage ? coverage->own : undefined(layers));
        arrays[name + "accumulated_coverage"] =
            numbersOf({layers}, coverage ? coverage->accumulated : undefined(layers));
        const auto intervals = [&](const std::vector<Interval95>* of) {
            std::vector<double> ends = undefined(2 * layers);
            for (std::size_t l = 0; of && l < of->size(); ++l) {
                ends[2 * l] = (*of)[l].low;
                ends[2 * l + 1] = (*of)[l].high;
            }
            return numbersOf({layers, 2}, ends);
        };
        arrays[name + "coverage_interval"] = intervals(coverage ? &coverage->ownInterval : nullptr);
        arrays[name + "accumulated_coverage_interval"] =
            intervals(coverage ? &coverage->accumulatedInterval : nullptr);
        if (m_places > 0)
            summary.places().store(name + "cell", results.places);
    }

    static void noteUndefinedHeads(const StudyModel& model, const PhoneSummary& summary,
                                   std::vector<std::string>& notes) {
        std::int64_t without = 0;
        for (std::int64_t l = 0; l < summary.layers(); ++l)
            for (std::int64_t h = 0; h < summary.heads(); ++h) {
                const Matrix<double> map = summary.head(l, h);
                const auto isDefined = [](double value) { return !std::isnan(value); };
                without += std::none_of(map.values().begin(), map.values().end(), isDefined) ? 1 : 0;
            }
        if (without > 0 && without < summary.layers() * summary.heads())
            notes.push_back(
                model.name + ": " + counted(without, "head") + " of " +
                grouped(summary.layers() * summary.heads()) + (without == 1 ? " has" : " have") +
                " no map of tokens by tokens (keys that a convolution shortened, or fewer heads in "
                "the layer), so no PAR.");
    }

    PhoneMode m_mode = PhoneMode::Mean;
    nlohmann::json m_settings;
    StudyPhoneMap m_map;
    ReferenceChoice m_reference;
    int m_largest = 10;
    std::int64_t m_places = 8;
};

} // namespace

std::unique_ptr<StudyWork> phonesStudy(const nlohmann::json& settings) {
    return std::make_unique<PhonesStudy>(settings);
}

} // namespace headroom::training
