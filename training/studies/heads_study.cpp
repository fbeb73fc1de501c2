// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attention_statistics.h"
#include "core/analysis/receptive_field.h"
#include "core/errors/count_text.h"
#include "core/studies/notes.h"
#include "core/studies/settings.h"
#include "training/studies/comparison.h"
#include "training/studies/heads_summary.h"
#include "training/studies/input.h"
#include "training/studies/phone_labels.h"
#include "training/studies/study_text.h"

#include <algorithm>

namespace headroom::training {

namespace {

/// What each head is (HeadKind, of the layer whose map it applies), [L, H]; −1: there is no such head.
Tensor headKinds(const Architecture::Encoder& encoder, const StudyModel& model) {
    std::vector<std::int32_t> kinds(static_cast<std::size_t>(model.layers * model.heads), -1);
    for (int layer = 0; layer < model.layers; ++layer) {
        std::size_t at = static_cast<std::size_t>(layer * model.heads);
        const std::size_t end = at + static_cast<std::size_t>(model.heads);
        for (const HeadGroup& group : appliedHeads(encoder, layer + 1))
            for (int head = 0; head < group.count && at < end; ++head)
                kinds[at++] = static_cast<std::int32_t>(group.kind);
    }
    return Tensor::of<std::int32_t>({model.layers, model.heads}, kinds);
}

/// CAD, relevance and statistics of every head. Shim et al. 2022, §3.2; Sant et al. 2022, Eq. 4.
class HeadsStudy final : public StudyWork {
public:
    explicit HeadsStudy(const nlohmann::json& given)
        : m_settings(readStudySettings(StudyKind::Heads, given))
        , m_phones(m_settings) {
        m_summary.split = m_settings.at("split").get<double>();
        const bool notebook = m_settings.at("relevance") == "notebook";
        m_summary.mode = notebook ? RelevanceMode::Notebook : RelevanceMode::Pooled;
        m_how.relevanceNorm = notebook ? 1 : 2;
        m_how.augment = m_settings.at("augment").get<bool>();
        m_silence = m_settings.at("silence").get<std::string>();
        m_phones.keepIn(m_settings);
        decide();
    }

    nlohmann::json settings() const override { return m_settings; }
    void prepare(const Study& study) override {
        refuseForMaps(study);
        if (m_silence == "auto")
            m_silence = allHavePhones(study) ? "remove" : "keep";
        m_settings["silence"] = m_silence;
        m_phones.decide(study);
        m_phones.keepIn(m_settings);
        decide();
    }
    bool needsAlignment() const override { return m_how.removeSilence; }
    bool usesAlignment() const override { return true; } // the share on silence
    std::string measurementKey() const override {
        return std::string("heads/2 silence=") + (m_how.removeSilence ? "remove " : "keep ") +
               fingerprint(m_how.phones) + " norm=" + std::to_string(m_how.relevanceNorm) +
               (m_how.augment ? " augment" : "");
    }
    Measurement measure(LayerSource& source, const StudyInput& input,
                        const models::CancelFlag& cancel) const override {
        return measureHeads(source, input, m_how, cancel);
    }
    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                           std::span<const std::unique_ptr<LayerSource>> sources, const Progress& progress,
                           const models::CancelFlag& cancel) const override {
        StudyResults results;
        HeadsSummary summary = m_summary;
        summary.silenceRemoved = m_how.removeSilence;
        summary.augmented = m_how.augment;
        summary.clusters = speakerClusters(study);
        const std::int64_t withPhones = withSilenceKnown(measured.front());
        std::vector<std::vector<std::vector<double>>> cads; // [model][head][utterance]
        for (std::size_t m = 0; m < measured.size(); ++m) {
            progress(static_cast<std::int64_t>(m), static_cast<std::int64_t>(measured.size()), "Summing up", StepsLeft::Alike);
            if (cancel)
                throw models::Cancelled();
            cads.push_back(summariseHeads(study, m, measured[m], summary, results));
            measured[m].utterances.clear();
            if (models::SpeechModel* model = m < sources.size() ? sources[m]->speechModel() : nullptr)
                results.arrays[std::to_string(m + 1) + ".head_kind"] =
                    headKinds(model->info().architecture.encoder, study.models[m]);
        }
        compareModels(study, cads, summary.clusters, results);
        if (!m_how.removeSilence) {
            results.notes.push_back(std::string(kAboutCad) + "of the whole maps, with silence, because " +
                                    (allHavePhones(study) ? "the settings keep it." : "not every utterance has an alignment with phones."));
            results.notes.push_back(std::string(kAboutSilence) +
                                    (withPhones == 0 ? "unknown, because no alignment has phones."
                                                     : "over " + counted(withPhones, "utterance") + " with phones in the alignment."));
        }
        return results;
    }

private:
    void decide() {
        m_how.removeSilence = m_silence == "remove";
        m_how.phones = m_phones.map();
    }

    /// Maps from elsewhere come with the norms and the features that they were made with.
    void refuseForMaps(const Study& study) const {
        for (const StudyModel& model : study.models) {
            if (model.maps && m_how.relevanceNorm == 1)
                throw Error(
                    "study.setting",
                    "The setting “relevance” of heads must be “pooled” for imported maps: their head "
                    "relevance uses L2 norms, and “notebook” needs L1 norms.",
                    {{"key", "relevance"}});
            if (model.maps && m_how.augment)
                throw Error("study.setting",
                            "The setting “augment” of heads must be false for imported maps: there are no "
                            "features to mask.",
                            {{"key", "augment"}});
        }
    }

    /// An alignment that cannot be read is said when its utterance is left out; it decides nothing. One that is gone is none.
    static bool allHavePhones(const Study& study) {
        bool any = false;
        for (const StudyUtterance& utterance : study.utterances) {
            if (utterance.alignment.empty() || hasLostAlignment(utterance))
                return false;
            const auto written = alignmentAsWritten(utterance);
            if (written && !hasPhones(*written))
                return false;
            any = any || written;
        }
        return any;
    }

    static std::int64_t withSilenceKnown(const ModelMeasurements& measured) {
        return std::count_if(
            measured.utterances.begin(), measured.utterances.end(), [](const Measurement& one) {
                const auto found = one.find("silence_share");
                if (found == one.end())
                    return false;
                const auto shares = toDoubles(found->second.view());
                return std::any_of(shares.begin(), shares.end(), [](double share) { return share >= 0; });
            });
    }

    static void compareModels(const Study& study, const std::vector<std::vector<std::vector<double>>>& cads,
                              const std::vector<int>& clusters, StudyResults& results) {
        std::vector<Comparison> pairs;
        const StudyModel& first = study.models.front();
        for (std::size_t m = 1; m < cads.size(); ++m) {
            const StudyModel& other = study.models[m];
            for (int layer = 0; layer < std::min(first.layers, other.layers); ++layer)
                for (int head = 0; head < std::min(first.heads, other.heads); ++head)
                    pairs.push_back({first.name, other.name,
                                     std::to_string(layer + 1) + ", head " + std::to_string(head + 1),
                                     cads[0][static_cast<std::size_t>(layer * first.heads + head)],
                                     cads[m][static_cast<std::size_t>(layer * other.heads + head)]});
        }
        if (!pairs.empty())
            results.tables.push_back(comparisonTable("heads-models", "CAD of models compared", "CAD", pairs,
                                                     clusters, study.seed));
    }

    nlohmann::json m_settings;
    HeadsSummary m_summary;
    HeadsMeasuring m_how;
    StudyPhoneMap m_phones;
    std::string m_silence;
};

} // namespace

std::unique_ptr<StudyWork> headsStudy(const nlohmann::json& settings) {
    return std::make_unique<HeadsStudy>(settings);
}

} // namespace headroom::training
