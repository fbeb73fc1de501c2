// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/studies/settings.h"
#include "training/studies/phone_labels.h"
#include "training/studies/probe/probe_tables.h"
#include "training/studies/study_text.h"
#include "training/studies/study_work.h"

#include <ATen/Parallel.h>

#include <cmath>

namespace headroom::training {

namespace {

/// Phone probe, Shim et al. 2022, Appendix A.5.
class ProbeStudy final : public StudyWork {
public:
    explicit ProbeStudy(const nlohmann::json& given)
        : m_settings(readStudySettings(StudyKind::Probe, given))
        , m_map(m_settings) {
        const auto& set = m_settings;
        m_plan.seeds = set.at("seeds").get<int>();
        m_plan.places = set.at("places").get<std::int64_t>();
        m_testShare = set.at("testShare").get<double>();
        const auto norm = set.at("normalise").get<std::string>();
        m_plan.norm = norm == "none"    ? ProbeNorm::None
                      : norm == "token" ? ProbeNorm::Token
                                        : ProbeNorm::Standard;
        ProbeRecipe& recipe = m_plan.recipe;
        recipe.epochs = set.at("epochs").get<int>();
        recipe.rate = set.at("rate").get<double>();
        recipe.momentum = set.at("momentum").get<double>();
        recipe.decay = set.at("decay").get<double>();
        recipe.stepEpochs = set.at("stepEpochs").get<int>();
        recipe.stepFactor = set.at("stepFactor").get<double>();
        recipe.batch = set.at("batch").get<std::int64_t>();
        m_map.keepIn(m_settings);
    }

    nlohmann::json settings() const override { return m_settings; }
    std::string measurementKey() const override { return "states/1 map=" + fingerprint(m_map.map()); }
    bool needsAlignment() const override { return true; }
    bool needsWeights() const override { return true; }

    void prepare(const Study& study) override {
        m_map.decide(study);
        m_map.keepIn(m_settings);
    }
    Measurement measure(LayerSource& source, const StudyInput& input,
                        const models::CancelFlag& cancel) const override {
        return measureStates(source, input, m_map.map(), &cancel);
    }

    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                           std::span<const std::unique_ptr<LayerSource>>, const Progress& progress,
                           const models::CancelFlag& cancel) const override {
        StudyResults results;
        std::int64_t total = 0, before = 0;
        for (const ModelMeasurements& one : measured)
            total += (one.model.layers + 1) * m_plan.seeds;
        ProbePlan plan = m_plan;
        plan.recipe.seed = study.seed;
        plan.threads = at::get_num_threads();
        std::vector<ProbeFindings> findings;
        std::vector<ProbeSplit> splits;
        for (std::size_t m = 0; m < measured.size(); ++m) {
            ModelMeasurements& one = measured[m];
            std::vector<std::int64_t> tokens;
            for (const Measurement& utterance : one.utterances)
                tokens.push_back(labelledTokens(utterance));
            splits.push_back(splitForProbe(study.utterances, tokens, m_testShare, study.seed));
            findings.push_back(trainProbes(
                one.model, one.utterances, splits.back(), plan,
                [&](std::int64_t trained) {
                    progress(before + trained, total, "Training the probes of " + one.model.name, StepsLeft::Alike);
                },
                cancel));
            before += (one.model.layers + 1) * m_plan.seeds;
            for (std::string& remark : remarksOn(one.utterances, one.model.clockStep))
                results.notes.push_back(one.model.name + ": " + std::move(remark));
            one.utterances.clear();
            one.utterances.shrink_to_fit(); // hundreds of megabytes
            store(std::to_string(m + 1) + ".", findings.back(), splits.back(), results);
        }
        results.arrays["phones"] = phoneNames(static_cast<int>(kProbeClasses));
        results.tables = probeTables(study, findings, splits, plan);
        for (const std::string& doubt : doubtsOf(splits.front())) {
            results.notes.push_back(doubt);
            results.tables.front().caption += " " + doubt; // goes into papers alone
        }
        return results;
    }

private:
    /// Why the accuracy may be too high for new voices.
    static std::vector<std::string> doubtsOf(const ProbeSplit& split) {
        std::vector<std::string> doubts;
        if (!split.bySpeaker)
            doubts.emplace_back("At most one speaker is known, so train and test are split by utterance. A "
                                "voice may be in both, and the accuracy is too high for new speakers.");
        if (const std::int64_t alone = split.trainAlone + split.testAlone; alone > 0)
            doubts.push_back(counted(alone, "utterance") + (alone == 1 ? " does" : " do") + " not say who speaks, and " +
                             (alone == 1 ? "was" : "each was") + " put on a side by itself: a voice may be in both, and the accuracy "
                             "too high for a new one.");
        return doubts;
    }

    void store(const std::string& name, const ProbeFindings& found, const ProbeSplit& split,
               StudyResults& results) const {
        const auto layers = static_cast<std::int64_t>(found.accuracy.size());
        std::vector<double> accuracy, confusion;
        for (const std::vector<double>& seeds : found.accuracy)
            accuracy.insert(accuracy.end(), seeds.begin(), seeds.end());
        for (const Matrix<double>& matrix : found.confusion)
            confusion.insert(confusion.end(), matrix.values().begin(), matrix.values().end());
        std::vector<std::int32_t> sides;
        for (std::size_t u = 0; u < split.test.size(); ++u)
            sides.push_back(split.test[u] ? 1 : split.train[u] ? 0 : -1);
        StudyArrays& arrays = results.arrays;
        arrays[name + "accuracy"] = numbersOf({layers, m_plan.seeds}, accuracy);
        arrays[name + "confusion"] = numbersOf({layers, kProbeClasses, kProbeClasses}, confusion);
        std::vector<double> byUtterance;
        for (const std::vector<double>& right : found.right)
            for (std::size_t u = 0; u < right.size(); ++u)
                byUtterance.push_back(found.tested[u] > 0 ? right[u] / found.tested[u] : std::nan(""));
        arrays[name + "utterance_accuracy"] =
            numbersOf({layers, static_cast<std::int64_t>(found.tested.size())}, byUtterance);
        arrays[name + "majority"] = numbersOf({1}, {found.majority});
        arrays[name + "test"] = Tensor::of<std::int32_t>({static_cast<std::int64_t>(sides.size())}, sides);
        if (m_plan.places > 0)
            found.confused.store(name + "confused", results.places);
    }

    nlohmann::json m_settings;
    ProbePlan m_plan;
    double m_testShare = 0.25;
    StudyPhoneMap m_map;
};

} // namespace

std::unique_ptr<StudyWork> probeStudy(const nlohmann::json& settings) {
    return std::make_unique<ProbeStudy>(settings);
}

} // namespace headroom::training
