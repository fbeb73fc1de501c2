// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/probe/probe_tables.h"

#include "core/alignment/phone_order.h"
#include "core/errors/count_text.h"
#include "core/statistics/bootstrap.h"
#include "core/statistics/moments.h"
#include "training/studies/study_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::training {

namespace {

constexpr int kDraws = 2000;
StudyColumn percent(const char* key, const char* title) {
    return {key, title, "%", 1, false};
}

StudyColumn whole(const char* key, const char* title) {
    return {key, title, "", 0, false};
}

std::string phoneName(std::size_t phone) {
    return std::string(phoneClassName(static_cast<int>(phone)));
}

const char* normText(ProbeNorm norm) {
    switch (norm) {
    case ProbeNorm::Token:
        return "each token by its own mean and deviation";
    case ProbeNorm::Standard:
        return "each dimension by the training tokens' mean and deviation";
    default:
        return "as they are";
    }
}

std::vector<std::size_t> classesInOrder() {
    return {phoneOrderWithSilence().begin(), phoneOrderWithSilence().end()};
}

class ProbeTableMaker {
public:
    ProbeTableMaker(const Study& study, std::span<const ProbeFindings> findings, std::span<const ProbeSplit> splits,
           const ProbePlan& plan)
        : m_study(study)
        , m_findings(findings)
        , m_splits(splits)
        , m_plan(plan)
        , m_clusters(speakerClusters(study)) {}

    std::vector<StudyTable> all() {
        std::vector<StudyTable> tables{layers(), phones(), confusion()};
        if (m_findings.size() > 1)
            tables.push_back(comparison());
        return tables;
    }

private:
    std::string recipe() const {
        const ProbeRecipe& r = m_plan.recipe;
        return "Phone probe (Shim et al. 2022, Appendix A.5): one fully connected layer on the states after "
               "each layer (layer 0: the input of layer 1), 36 classes and silence; SGD, rate " +
               numberText(r.rate) + ", momentum " + numberText(r.momentum) + ", weight decay " +
               numberText(r.decay) + ", " + counted(r.epochs, "epoch") + ", × " + numberText(r.stepFactor) +
               " every " + std::to_string(r.stepEpochs) + ", batches of " + counted(r.batch, "token") +
               "; states " + normText(m_plan.norm) + ". ";
    }
    std::string who() const {
        std::string text;
        for (std::size_t m = 0; m < m_findings.size(); ++m) {
            const ProbeSplit& split = m_splits[m];
            const std::string unit = split.bySpeaker ? "speaker" : "utterance";
            const auto alone = [](std::int64_t count) {
                return count == 0 ? std::string()
                                  : " and " + counted(count, "utterance") + " without a known speaker";
            };
            text += (m == 0 ? "" : "; ") + modelText(m_study.models[m]) + ": trained on " +
                    counted(m_findings[m].trainTokens, "token") + " of " +
                    counted(split.trainSpeakers, unit) + alone(split.trainAlone) + ", tested on " +
                    grouped(m_findings[m].testTokens) + " of " +
                    counted(split.testSpeakers, "other " + unit) + alone(split.testAlone);
        }
        return text + "; " + sampleText(m_study) + " ";
    }

    /// Right guesses of all test tokens, utterances or speakers drawn again.
    Interval95 interval(const ProbeFindings& found, const ProbeSplit& split, std::size_t layer) const {
        std::vector<double> drawn;
        for (const std::vector<int>& counts : resampledCounts(split.test, m_clusters, m_study.seed, kDraws)) {
            double right = 0, tested = 0;
            for (std::size_t u = 0; u < counts.size(); ++u) {
                right += counts[u] * found.right[layer][u];
                tested += counts[u] * found.tested[u];
            }
            drawn.push_back(right / tested);
        }
        return interval95(std::move(drawn));
    }

    StudyTable layers() const {
        StudyTable table{"probe", "Phone probe", "", {}, {}};
        table.caption =
            recipe() + "Accuracy over all test tokens, mean and population deviation over " +
            counted(m_plan.seeds, "seed") +
            "; chance is one class of 37, majority the most frequent class of the training tokens. " + who() +
            "95 % intervals: bootstrap of the accuracy, 2,000 draws of test " + drawnUnits(m_clusters) + ".";
        table.columns = {
            textColumn("model", "Model"),      whole("layer", "Layer"),     percent("mean", "Accuracy"),
            percent("std", "σ of seeds"), percent("low", "95 % from"), percent("high", "to"),
            whole("n", "Test tokens"),    percent("chance", "Chance"), percent("majority", "Majority")};
        for (std::size_t m = 0; m < m_findings.size(); ++m)
            for (std::size_t layer = 0; layer < m_findings[m].accuracy.size(); ++layer) {
                const ProbeFindings& found = m_findings[m];
                const Interval95 range = interval(found, m_splits[m], layer);
                const Moments seeds(found.accuracy[layer]);
                table.rows.push_back({m_study.models[m].name, static_cast<double>(layer),
                                      100 * seeds.mean(), 100 * seeds.deviation(), cellOf(100 * range.low),
                                      cellOf(100 * range.high), static_cast<double>(found.testTokens),
                                      100.0 / kProbeClasses, 100 * found.majority});
            }
        return table;
    }

    /// All seeds are tested on the same tokens, so the share of their sum is the mean of their shares.
    std::string overSeeds() const {
        return m_plan.seeds > 1 ? ", mean over " + counted(m_plan.seeds, "seed") : "";
    }

    StudyTable phones() const {
        StudyTable table{"probe-phones",
                         "Phone probe by phone",
                         recipe() +
                             "Share of the test tokens of each phone that are classified correctly, and the "
                             "phone for which they are most often mistaken" +
                             overSeeds() + ". " + who(),
                         {textColumn("model", "Model"), whole("layer", "Layer"), textColumn("phone", "Phone"),
                          whole("tokens", "Test tokens"), percent("accuracy", "Right"),
                          textColumn("confused", "Taken for"), percent("confused_share", "Share")},
                         {}};
        for (std::size_t m = 0; m < m_findings.size(); ++m)
            for (std::size_t layer = 0; layer < m_findings[m].confusion.size(); ++layer)
                for (const std::size_t phone : classesInOrder()) {
                    const auto row = m_findings[m].confusion[layer].row(phone);
                    const double tokens = std::accumulate(row.begin(), row.end(), 0.0);
                    std::size_t other = phone == 0 ? 1 : 0;
                    for (std::size_t guess = 0; guess < kProbeClasses; ++guess)
                        if (guess != phone && row[guess] > row[other])
                            other = guess;
                    std::vector<StudyCell> cells{m_study.models[m].name, static_cast<double>(layer),
                                                 phoneName(phone), tokens / m_plan.seeds};
                    if (tokens > 0)
                        append(cells, {100 * row[phone] / tokens,
                                       row[other] > 0 ? StudyCell(phoneName(other)) : StudyCell(),
                                       row[other] > 0 ? StudyCell(100 * row[other] / tokens) : StudyCell()});
                    else
                        append(cells, {{}, {}, {}});
                    table.rows.push_back(std::move(cells));
                }
        return table;
    }

    std::size_t bestLayer(const ProbeFindings& found) const {
        const auto best = std::max_element(found.accuracy.begin(), found.accuracy.end(),
                                           [](const auto& a, const auto& b) { return Moments(a).mean() < Moments(b).mean(); });
        return static_cast<std::size_t>(best - found.accuracy.begin());
    }

    StudyTable confusion() const {
        StudyTable table{"probe-confusion",
                         "Confusion of phones",
                         recipe() +
                             "Test tokens at the layer with the highest accuracy: rows are true phones, "
                             "columns are predictions, in per cent of the row" +
                             overSeeds() + ". " + who(),
                         {textColumn("model", "Model"), whole("layer", "Layer"), textColumn("phone", "Phone")},
                         {}};
        for (const std::size_t phone : classesInOrder())
            table.columns.push_back({phoneName(phone), phoneName(phone), "%", 1, false});
        for (std::size_t m = 0; m < m_findings.size(); ++m) {
            const std::size_t layer = bestLayer(m_findings[m]);
            for (const std::size_t phone : classesInOrder()) {
                const auto row = m_findings[m].confusion[layer].row(phone);
                const double tokens = std::accumulate(row.begin(), row.end(), 0.0);
                std::vector<StudyCell> cells{m_study.models[m].name, static_cast<double>(layer),
                                             phoneName(phone)};
                for (const std::size_t guess : classesInOrder())
                    cells.push_back(cellOf(tokens > 0 ? 100 * row[guess] / tokens : std::nan("")));
                table.rows.push_back(std::move(cells));
            }
        }
        return table;
    }

    /// Per utterance, NaN where it is no test utterance.
    static std::vector<double> accuracies(const ProbeFindings& found, std::size_t layer) {
        std::vector<double> values;
        for (std::size_t u = 0; u < found.tested.size(); ++u)
            values.push_back(found.tested[u] > 0 ? found.right[layer][u] / found.tested[u] : std::nan(""));
        return values;
    }

    StudyTable comparison() const {
        StudyTable table{"probe-comparison",
                         "Phone probe: comparison with " + m_study.models[0].name,
                         "",
                         {textColumn("model", "Model"),
                          whole("layer", "Layer"),
                          percent("difference", "Difference"),
                          {"p", "p", "", 4, false},
                          whole("n", "Utterances"),
                          textColumn("test", "Test")},
                         {}};
        for (std::size_t m = 1; m < m_findings.size(); ++m) {
            const std::size_t layers = std::min(m_findings[0].accuracy.size(), m_findings[m].accuracy.size());
            for (std::size_t layer = 0; layer < layers; ++layer) {
                const PairedTest found =
                    pairedTest(accuracies(m_findings[m], layer), accuracies(m_findings[0], layer), m_clusters,
                               m_study.seed);
                table.rows.push_back({m_study.models[m].name, static_cast<double>(layer),
                                      cellOf(100 * found.difference), cellOf(found.p),
                                      static_cast<double>(found.n), found.name});
            }
        }
        table.caption =
            recipe() + "Difference of the accuracy of a test utterance to " + modelText(m_study.models[0]) +
            " at the same layer, by the test in its row; p is not corrected for many comparisons. " + who();
        return table;
    }

    const Study& m_study;
    std::span<const ProbeFindings> m_findings;
    std::span<const ProbeSplit> m_splits;
    const ProbePlan& m_plan;
    const std::vector<int> m_clusters;
};

} // namespace

std::vector<StudyTable> probeTables(const Study& study, std::span<const ProbeFindings> findings,
                                    std::span<const ProbeSplit> splits, const ProbePlan& plan) {
    return ProbeTableMaker(study, findings, splits, plan).all();
}

} // namespace headroom::training
