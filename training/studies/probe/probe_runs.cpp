// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/probe/probe_runs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

namespace headroom::training {

namespace {

/// One layer's probes; every layer writes into places of its own.
class LayerProbes {
public:
    LayerProbes(const StudyModel& model, const std::vector<Measurement>& utterances, const ProbeSplit& split,
                const ProbePlan& plan, ProbeFindings& findings)
        : m_model(model)
        , m_utterances(utterances)
        , m_split(split)
        , m_plan(plan)
        , m_findings(findings) {}

    void train(std::size_t layer, const models::CancelFlag& cancel, const std::function<void()>& trained) {
        ProbeTokens train = tokensAt(static_cast<std::int64_t>(layer), m_utterances, m_split.train);
        ProbeTokens test = tokensAt(static_cast<std::int64_t>(layer), m_utterances, m_split.test);
        std::vector<std::map<std::size_t, double>> guesses(test.classes.size());
        normaliseStates(train.states, test.states, m_plan.norm);
        for (int seed = 0; seed < m_plan.seeds; ++seed) {
            ProbeRecipe recipe = m_plan.recipe;
            recipe.seed += static_cast<std::uint64_t>(seed);
            const ProbeWeights weights = trainProbe(train.states, train.classes, recipe, &cancel);
            count(layer, seed, test, probeProbabilities(weights, test.states), guesses);
            trained();
        }
        offerPlaces(layer, test, guesses);
    }

private:
    /// `guesses`: of each token, what some seed took it for, with the probability of the surest.
    void count(std::size_t layer, int seed, const ProbeTokens& test, const Matrix<float>& probabilities,
               std::vector<std::map<std::size_t, double>>& guesses) {
        std::int64_t right = 0;
        for (std::size_t t = 0; t < test.classes.size(); ++t) {
            const auto row = probabilities.row(t);
            const auto guess =
                static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
            const auto truth = static_cast<std::size_t>(test.classes[t]);
            m_findings.confusion[layer](truth, guess) += 1;
            if (guess == truth) {
                ++right;
                m_findings.right[layer][static_cast<std::size_t>(test.utterances[t])] += 1.0 / m_plan.seeds;
            }
            double& surest = guesses[t][guess];
            surest = std::max(surest, static_cast<double>(row[guess]));
        }
        m_findings.accuracy[layer][static_cast<std::size_t>(seed)] =
            static_cast<double>(right) / static_cast<double>(test.classes.size());
    }

    /// A token stands in a cell once, however many seeds put it there.
    void offerPlaces(std::size_t layer, const ProbeTokens& test,
                     const std::vector<std::map<std::size_t, double>>& guesses) {
        if (m_plan.places == 0)
            return;
        const TokenClock clock = m_model.clock();
        for (std::size_t t = 0; t < test.classes.size(); ++t) {
            const double time = clock.cellCentre(Tokens(test.tokens[t])).value();
            for (const auto& [guess, probability] : guesses[t]) {
                const std::array<std::int64_t, 3> index{static_cast<std::int64_t>(layer), test.classes[t],
                                                        static_cast<std::int64_t>(guess)};
                m_findings.confused.offer(index, {test.utterances[t], time, time, probability});
            }
        }
    }

    const StudyModel& m_model;
    const std::vector<Measurement>& m_utterances;
    const ProbeSplit& m_split;
    const ProbePlan& m_plan;
    ProbeFindings& m_findings;
};

/// Counts of what is trained on and tested, which no layer changes.
void describe(const std::vector<Measurement>& utterances, const ProbeSplit& split, ProbeFindings& findings) {
    std::array<double, kProbeClasses> train{}, test{};
    findings.tested.assign(utterances.size(), 0);
    for (std::size_t u = 0; u < utterances.size(); ++u) {
        if (utterances[u].empty())
            continue;
        for (const double phone : toDoubles(utterances[u].at("classes").view())) {
            if (phone < 0)
                continue;
            (split.test[u] ? test : train)[static_cast<std::size_t>(phone)] += 1;
            (split.test[u] ? findings.testTokens : findings.trainTokens) += 1;
            findings.tested[u] += split.test[u] ? 1 : 0;
        }
    }
    const auto frequent = std::max_element(train.begin(), train.end()) - train.begin();
    findings.majority = test[static_cast<std::size_t>(frequent)] /
                        static_cast<double>(std::max<std::int64_t>(1, findings.testTokens));
}

} // namespace

ProbeFindings trainProbes(const StudyModel& model, const std::vector<Measurement>& utterances,
                          const ProbeSplit& split, const ProbePlan& plan,
                          const std::function<void(std::int64_t)>& onProgress, const models::CancelFlag& cancel) {
    ProbeFindings findings;
    describe(utterances, split, findings);
    const auto layers = static_cast<std::size_t>(model.layers) + 1;
    findings.accuracy.assign(layers, std::vector<double>(static_cast<std::size_t>(plan.seeds)));
    findings.confusion.assign(layers, Matrix<double>(kProbeClasses, kProbeClasses));
    findings.right.assign(layers, std::vector<double>(utterances.size()));
    findings.confused =
        PlaceSet({static_cast<std::int64_t>(layers), kProbeClasses, kProbeClasses}, plan.places);

    LayerProbes probes(model, utterances, split, plan, findings);
    std::atomic<std::size_t> next = 0;
    std::atomic<std::int64_t> trained = 0;
    std::atomic<std::size_t> working = 0;
    models::CancelFlag stop = false; // somebody asked, or a layer failed
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            for (std::size_t layer = next++; layer < layers; layer = next++)
                probes.train(layer, stop, [&] { ++trained; });
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::current_exception();
            stop = true;
        }
        --working;
    };
    std::vector<std::thread> pool;
    const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(plan.threads), 1, layers);
    working = count;
    for (std::size_t i = 0; i < count; ++i)
        pool.emplace_back(work);
    while (working > 0) {
        if (cancel)
            stop = true;
        onProgress(trained);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (std::thread& thread : pool)
        thread.join();
    if (failure)
        std::rethrow_exception(failure);
    return findings;
}

} // namespace headroom::training
