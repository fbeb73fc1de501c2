// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/latency_timing.h"

#include "core/errors/count_text.h"
#include "training/data/random.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

namespace headroom::training {

namespace {

constexpr std::uint64_t kFeatures = 202; // a purpose of Random

class Threads {
public:
    explicit Threads(int count) : m_before(at::get_num_threads()) { at::set_num_threads(count); }
    ~Threads() { at::set_num_threads(m_before); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

private:
    int m_before;
};

/// As spread as features are after CMVN; of a model that reads text, any pieces but the first four, which are
/// no words.
Matrix<float> madeFeatures(std::int64_t frames, const Architecture& architecture, std::uint64_t seed) {
    Random random({seed, kFeatures, static_cast<std::uint64_t>(frames)});
    const bool isText = architecture.frontEnd.reads == InputKind::Text;
    const std::int64_t columns = isText ? 1 : architecture.frontEnd.features;
    const std::int64_t pieces = architecture.sourceVocabulary(),
                       first = std::min<std::int64_t>(4, pieces - 1);
    Matrix<float> features(static_cast<std::size_t>(frames), static_cast<std::size_t>(columns));
    for (float& value : features.values()) {
        if (isText) {
            value = static_cast<float>(first + random.below(pieces - first));
            continue;
        }
        double sum = 0; // of four uniform numbers: variance 1/3
        for (int i = 0; i < 4; ++i)
            sum += static_cast<double>(random.below(1 << 20)) / (1 << 20) - 0.5;
        value = static_cast<float>(sum * std::sqrt(3.0));
    }
    return features;
}

} // namespace

std::int64_t framesFor(const models::SpeechModel& model, std::int64_t tokens) {
    const models::ModelInfo& info = model.info();
    std::int64_t frames = tokens;
    while (info.clock.tokenCount(Frames(frames)).value() < tokens)
        ++frames;
    if (frames > info.maxSourceFrames) {
        const std::int64_t longest = info.clock.tokenCount(Frames(info.maxSourceFrames)).value();
        throw Error("study.setting",
                    info.name + " accepts at most " + counted(longest, "token") +
                        ", but one of the lengths is " + grouped(tokens) + ". Set shorter lengths.",
                    {{"tokens", tokens}, {"limit", longest}});
    }
    return frames;
}

void timeEncoders(std::span<models::SpeechModel* const> models, const LatencyPlan& plan,
                  const std::function<void(std::int64_t, std::int64_t)>& onProgress, const models::CancelFlag* cancel,
                  std::vector<LatencyTimes>& times, const std::function<void()>& onRound) {
    std::vector<std::vector<Matrix<float>>> features; // [length][model]
    for (const std::int64_t length : plan.lengths) {
        std::vector<Matrix<float>>& row = features.emplace_back();
        for (const models::SpeechModel* model : models)
            row.push_back(madeFeatures(framesFor(*model, length), model->info().architecture, plan.seed));
    }
    const Threads threads(plan.threads);
    if (times.empty())
        times.assign(models.size(), LatencyTimes(plan.lengths.size()));
    const auto before = static_cast<int>(times.front().front().size());
    const int rounds = before < plan.repeats ? plan.warmUp + plan.repeats - before : 0;
    const auto total = static_cast<std::int64_t>(static_cast<std::size_t>(plan.warmUp + plan.repeats) * plan.lengths.size());
    std::int64_t done = total - static_cast<std::int64_t>(static_cast<std::size_t>(rounds) * plan.lengths.size());
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::vector<models::EncoderTimes>> found(models.size()); // [model][length]
        for (std::size_t l = 0; l < plan.lengths.size(); ++l) {
            onProgress(done++, total);
            for (std::size_t m = 0; m < models.size(); ++m) {
                if (cancel && cancel->load(std::memory_order_relaxed))
                    throw models::Cancelled();
                found[m].push_back(models[m]->timeEncoder(features[l][m]));
            }
        }
        if (round < plan.warmUp)
            continue;
        for (std::size_t m = 0; m < models.size(); ++m)
            for (std::size_t l = 0; l < plan.lengths.size(); ++l)
                times[m][l].push_back(std::move(found[m][l]));
        if (onRound)
            onRound();
    }
}

} // namespace headroom::training
