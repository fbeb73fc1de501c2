// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/experiment_work.h"

#include "core/corpus/corpus.h"
#include "core/experiments/scale.h"

namespace headroom {

namespace {

using Kind = ExperimentStep::Kind;

/// The extents of the corpora in the data folder, or the published ones.
class TrainingExtents {
public:
    TrainingExtents(const ExperimentPlan& plan, const ExperimentCorpora* corpora)
        : m_plan(plan)
        , m_corpora(corpora) {}

    std::optional<CorpusExtent> of(const PlannedStep& training) {
        const ExperimentCorpus& corpus = *m_plan.experiment.corpus(training.step.corpus);
        const auto published = [&] { return publishedExtent(corpus, training.step, m_plan.scale); };
        if (!m_corpora || corpus.isText || training.step.isLanguageModel())
            return published();
        const std::string task = m_corpora->task(training.step),
                          split = m_corpora->trainingSplit(training.step);
        auto& lengths = m_lengths[training.step.corpus + "\t" + task];
        if (lengths.empty()) {
            const Corpus opened = Corpus::open(m_corpora->folder(training.step)); // which holds the utterances
            for (const Utterance& utterance : opened.utterances(split, task))
                if (utterance.frames)
                    lengths.push_back(utterance.frames->value());
        }
        CorpusExtent extent = extentOf(lengths, training.recipe);
        if (extent.utterances == 0) // the table has no lengths
            return published();
        const double mean = extent.meanFrames();
        extent.utterances = scaledUtterances(extent.utterances, m_plan.scale, true);
        extent.frames = mean * static_cast<double>(extent.utterances);
        return extent;
    }

private:
    const ExperimentPlan& m_plan;
    const ExperimentCorpora* m_corpora;
    std::map<std::string, std::vector<std::int64_t>> m_lengths;
};

} // namespace

ExperimentWork workOf(const ExperimentPlan& plan, const ExperimentCorpora* corpora) {
    if (corpora && !corpora->hasAny())
        corpora = nullptr;
    ExperimentWork all;
    if (corpora)
        all.leftOut = corpora->leftOut();
    TrainingExtents extents(plan, corpora);
    for (const PlannedStep& planned : plan.steps) {
        if (all.leftOut.contains(planned.id))
            continue;
        ++all.steps;
        all.studies += planned.step.kind == Kind::Study;
        all.decodings += planned.step.kind == Kind::Decode;
        if (planned.step.kind != Kind::Train)
            continue;
        const auto extent = extents.of(planned);
        const TrainingWork work = workOf(planned.recipe, extent);
        all.trainings.push_back({&planned, extent, work});
        all.frames += work.frames;
        all.atMost = all.atMost || work.atMost;
    }
    return all;
}

} // namespace headroom
