// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/text_writer.h"

#include "core/analysis/token_times.h"
#include "models/contributions/block_weights.h"
#include "models/layers/numbers.h"
#include "models/networks/s2t_decoder.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace headroom::models {
namespace {

/// [target, vocabulary] → the logits behind the last target.
std::vector<float> lastRow(const at::Tensor& logits) {
    return floatsOf(logits.select(0, logits.size(0) - 1));
}

/// ln of the softmax at `id`.
double logProbabilityOf(const std::vector<float>& logits, std::size_t id) {
    const auto largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - largest);
    return static_cast<double>(logits[id]) - largest - std::log(sum);
}

} // namespace

std::size_t promptTokens(const TokenRules& rules, std::span<const int> inputs) {
    std::size_t count = std::min<std::size_t>(1, inputs.size());
    const auto isOneOf = [&](const std::map<std::string, int>& tokens) {
        return count < inputs.size() &&
               std::any_of(tokens.begin(), tokens.end(), [&](const auto& one) { return one.second == inputs[count]; });
    };
    count += isOneOf(rules.languages) ? 1 : 0;
    count += isOneOf(rules.tasks) ? 1 : 0;
    return count + (rules.noTimes && count < inputs.size() && inputs[count] == *rules.noTimes ? 1 : 0);
}

double logProbabilityBehind(const TokenRules& rules, std::span<const int> text, bool times, std::vector<float> logits,
                            int next) {
    const auto id = static_cast<std::size_t>(next);
    const float own = logits[id];
    rules.close(text, times, logits);
    logits[id] = own;
    return logProbabilityOf(logits, id);
}

WrittenText writeText(const Parameters& parameters, const ModelInfo& info, const at::Tensor& memory,
                      const TextRequest& request, const CancelFlag* cancel) {
    TokenRules rules = info.tokens;
    if (!request.task.empty())
        rules.task = request.task;
    if (!request.language.empty())
        rules.language = request.language;
    WrittenText text;
    text.language = rules.language;
    if (rules.language.empty() && !rules.languages.empty()) {
        S2tDecoder listener(parameters, info.architecture, memory);
        text.language = rules.bestLanguage(lastRow(listener.feed({rules.start})));
    }
    text.prompt = rules.prompt(text.language, request.times, info.architecture.vocabulary);
    const auto limit =
        std::min<std::int64_t>(request.maximumTokens,
                               info.maxTargetTokens - static_cast<std::int64_t>(text.prompt.size()) + 1);
    S2tDecoder decoder(parameters, info.architecture, memory);
    std::vector<int> next = text.prompt;
    while (static_cast<std::int64_t>(text.ids.size()) < limit) {
        if (cancel && cancel->load(std::memory_order_relaxed))
            throw Cancelled();
        std::vector<float> logits = lastRow(decoder.feed(next));
        rules.close(text.ids, request.times, logits);
        next = {static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin())};
        text.ids.push_back(next.front());
        text.logProbabilities.push_back(logProbabilityOf(logits, static_cast<std::size_t>(next.front())));
        if (next.front() == rules.end)
            break;
    }
    return text;
}

std::vector<double> startsOfTokens(const Parameters& parameters, const ModelInfo& info, const at::Tensor& memory,
                                   const WrittenText& text, std::int64_t keys) {
    std::vector<Matrix<float>> maps;
    if (text.ids.size() < 2 || info.tokens.alignmentHeads.empty())
        return {};
    const auto prompt = static_cast<std::int64_t>(text.prompt.size()),
               rows = static_cast<std::int64_t>(text.ids.size()) - 1;
    keys = std::max<std::int64_t>(keys, 1);
    S2tDecoder decoder(parameters, info.architecture, memory);
    decoder.observe([&](int layer) -> DecoderLayerObservers {
        return {{}, [&, layer](const AttentionStep& step) {
                    const at::Tensor weights = denseMap(step.groups.front().applied); // [head, target, token]
                    for (const auto& [alignedLayer, head] : info.tokens.alignmentHeads) {
                        if (alignedLayer != layer - 1)
                            continue;
                        maps.push_back(
                            matrixOf(weights.select(0, head).narrow(0, prompt, rows).narrow(1, 0, keys)));
                    }
                }};
    });
    std::vector<int> inputs = text.prompt;
    inputs.insert(inputs.end(), text.ids.begin(), text.ids.end() - 1);
    decoder.feed(inputs);
    std::vector<double> seconds;
    for (const std::int64_t key : firstKeysOfRows(maps))
        seconds.push_back(info.clock.centre(Tokens(key)).value());
    return seconds;
}

} // namespace headroom::models
