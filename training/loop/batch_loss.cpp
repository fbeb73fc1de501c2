// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/batch_loss.h"

#include "core/time/clocks.h"
#include "models/layers/batch_norm.h"
#include "models/layers/device.h"
#include "models/layers/numbers.h"
#include "models/layers/positions.h"
#include "models/networks/ctc.h"
#include "models/networks/language_model.h"
#include "models/networks/model_scorers.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/s2t_encoder.h"
#include "training/loop/losses/consistency_loss.h"
#include "training/loop/pending_loss.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <optional>

namespace headroom::training {

namespace {

using models::kPaddingIndex;

at::Tensor featuresOf(const Batch& batch) { // [batch, frame, feature]
    // from_blob has no const form; encodeBatch copies before it writes.
    auto* data = const_cast<float*>(batch.features.data());
    return at::from_blob(data, {static_cast<std::int64_t>(batch.frames.size()), batch.longest, batch.bins},
                         at::kFloat);
}

/// The same on the device of the parameters.
at::Tensor featuresOf(const Batch& batch, const models::Parameters& parameters) {
    c10::Device device = c10::kCPU;
    parameters.forEach([&](const std::string&, const at::Tensor& tensor) { device = tensor.device(); });
    return models::sentAside(featuresOf(batch), device);
}

std::vector<std::int64_t> tokensOf(const Architecture& architecture, const Batch& batch) {
    std::vector<std::int64_t> tokens;
    for (const std::int64_t frames : batch.frames)
        tokens.push_back(models::subsampledLength(models::subsamplerShape(architecture), frames));
    return tokens;
}

models::Dropout dropoutOf(const Architecture& architecture, bool on) {
    if (!on)
        return {};
    if (const auto& language = architecture.languageModel)
        return {language->dropout, language->attentionDropout, true, nullptr};
    const auto& encoder = architecture.encoder;
    return {encoder.dropout, encoder.attentionDropout, true, nullptr, nullptr, encoder.activationDropout};
}

/// What the decoder of a batch is fed and shall say, padded to the longest text.
struct DecoderText {
    std::vector<std::vector<int>> inputs;
    at::Tensor labels; // [batch, target]
};

DecoderText decoderText(const Batch& batch) {
    const TextForm& form = *batch.form;
    std::size_t longest = 0;
    for (const auto& target : batch.targets)
        longest = std::max(longest, form.prompt.size() + target.size());
    std::vector<std::vector<int>> inputs;
    std::vector<std::int64_t> labels;
    for (const auto& target : batch.targets) {
        std::vector<int> row = form.prompt;
        row.insert(row.end(), target.begin(), target.end());
        labels.insert(labels.end(), form.prompt.size() - 1, form.padding); // the prompt is given, not learnt
        labels.insert(labels.end(), target.begin(), target.end());
        labels.push_back(form.rules.end);
        labels.insert(labels.end(), longest - row.size(), form.padding);
        row.resize(longest, form.padding);
        inputs.push_back(std::move(row));
    }
    const auto texts = static_cast<std::int64_t>(inputs.size());
    return {std::move(inputs), at::tensor(labels, at::kLong).view({texts, static_cast<std::int64_t>(longest)})};
}

/// A second pass over the batch with other dropout, and of a text with some tokens cut: its label-smoothed cross entropy
/// and the weighted divergence from the logits of the first, summed.
at::Tensor consistencyLoss(const models::Parameters& parameters, const Architecture& architecture,
                           const Recipe::Loss& recipe, const Batch& batch, const DecoderText& text,
                           const at::Tensor& firstLogits, const models::Dropout& dropout,
                           const PassOptions& options) {
    at::Tensor features = featuresOf(batch);
    DecoderText cut = text;
    if (recipe.tokenCutoff > 0) {
        features = features.clone();
        for (std::size_t i = 0; i < batch.frames.size(); ++i) {
            float* row = features.mutable_data_ptr<float>() + static_cast<std::int64_t>(i) * batch.longest;
            std::vector<int> ids(row, row + batch.frames[i]);
            cutTokens(ids, recipe.tokenCutoff);
            std::copy(ids.begin(), ids.end(), row);
            cutTokens(cut.inputs[i], recipe.tokenCutoff);
        }
    }
    const at::Tensor memory = models::encodeBatch(parameters, architecture, models::sentAside(features, firstLogits.device()),
                                                  batch.frames, models::Padding::Safe, {}, dropout, {}, nullptr,
                                                  options.secondLayers);
    const at::Tensor logits = models::S2tDecoder(parameters, architecture, memory, tokensOf(architecture, batch),
                                                 dropout, options.secondLayers)
                                  .feedBatch(cut.inputs);
    at::Tensor nll;
    std::int64_t count = 0;
    const at::Tensor entropy =
        labelSmoothedLoss(logits, text.labels, recipe.labelSmoothing, nll, count, batch.form->padding, options.unigram);
    return recipe.tokenCutoff > 0
               ? entropy.add(cutoffDivergence(firstLogits, logits, text.labels, batch.form->padding).mul(recipe.cutoffWeight))
               : entropy.add(rDropDivergence(firstLogits, logits, text.labels, batch.form->padding).mul(recipe.rDrop));
}

/// Label-smoothed cross entropy of every token against the label of the frame at its centre, summed.
at::Tensor frameLoss(const Architecture& architecture, double labelSmoothing, const Batch& batch,
                     const at::Tensor& logits, const std::vector<std::int64_t>& tokens,
                     PendingLoss& pending) {
    const TokenClock clock = architecture.frontEnd.clock();
    const std::int64_t longest = logits.size(1);
    std::vector<std::int64_t> labels(batch.targets.size() * static_cast<std::size_t>(longest), kPaddingIndex);
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
        const Frames labelled(static_cast<std::int64_t>(batch.targets[i].size())); // two more may be heard
        for (std::int64_t token = 0; token < tokens[i]; ++token) {
            const auto frame = FrameClock().frameAt(clock.centre(Tokens(token)), labelled);
            labels[i * static_cast<std::size_t>(longest) + static_cast<std::size_t>(token)] =
                batch.targets[i].at(static_cast<std::size_t>(frame.value()));
        }
    }
    const at::Tensor wanted = at::tensor(labels, at::kLong).view({logits.size(0), longest});
    return labelSmoothedLoss(logits, wanted, labelSmoothing, pending.nll, pending.tokens);
}

/// The best label of the token that each frame belongs to, of every recording.
std::vector<std::vector<int>> bestFrameLabels(const Architecture& architecture, const Batch& batch,
                                              const at::Tensor& logits,
                                              const std::vector<std::int64_t>& tokens) {
    const TokenClock clock = architecture.frontEnd.clock();
    const at::Tensor best = logits.argmax(-1).cpu().contiguous(); // [batch, token]
    const auto* ids = best.const_data_ptr<std::int64_t>();
    std::vector<std::vector<int>> result(batch.frames.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        for (std::int64_t frame = 0; frame < batch.frames[i]; ++frame) {
            const auto token = clock.tokenAt(FrameClock().centre(Frames(frame)), Tokens(tokens[i]));
            result[i].push_back(
                static_cast<int>(ids[static_cast<std::int64_t>(i) * best.size(1) + token.value()]));
        }
    return result;
}

void passBack(const at::Tensor& loss, const PassOptions& options) {
    (options.beforeBackward ? options.beforeBackward(loss) : loss).backward();
}

/// The logits without the tokens that may not follow each text.
at::Tensor closed(const at::Tensor& logits, const TokenRules& rules, const std::vector<std::vector<int>>& texts) {
    const at::Tensor open = logits.cpu().to(at::kFloat).contiguous().clone(); // [batch, vocabulary]
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const at::Tensor row = open.select(0, static_cast<std::int64_t>(i));
        rules.close(texts[i], false, {row.mutable_data_ptr<float>(), static_cast<std::size_t>(row.numel())});
    }
    return open;
}

} // namespace

PrecisionScope::PrecisionScope(const std::string& precision)
    : m_scope(precision == "bf16", models::usedDevice().type()) {}

void BatchLoss::add(const BatchLoss& other) {
    crossEntropy.lossSum += other.crossEntropy.lossSum;
    crossEntropy.nllSum += other.crossEntropy.nllSum;
    crossEntropy.tokens += other.crossEntropy.tokens;
    ctc += other.ctc;
    consistency += other.consistency;
    fuzzyGammas.insert(fuzzyGammas.end(), other.fuzzyGammas.begin(), other.fuzzyGammas.end());
}

at::Tensor PendingLoss::numbers() const { // double holds every float
    const auto number = [](const at::Tensor& sum) { return sum.to(at::kDouble); };
    const at::Tensor none = at::zeros({}, loss.options().dtype(at::kDouble));
    return at::stack({number(loss), number(nll), ctc.defined() ? number(ctc) : none,
                      consistency.defined() ? number(consistency) : none});
}

BatchLoss PendingLoss::read() const {
    return from(numbers().cpu().const_data_ptr<double>()); // one copy, and so one wait
}

BatchLoss PendingLoss::from(const double* values) const {
    BatchLoss result;
    result.crossEntropy = {values[0], values[1], tokens};
    result.ctc = values[2];
    result.consistency = values[3];
    result.fuzzyGammas = fuzzyGammas;
    return result;
}

BatchLoss batchLoss(const models::Parameters& parameters, const Architecture& architecture,
                    const Recipe::Loss& recipe, const Batch& batch, bool dropout, bool backward,
                    const PassOptions& options) {
    return pendingLoss(parameters, architecture, recipe, batch, dropout, backward, options).read();
}

PendingLoss pendingLoss(const models::Parameters& parameters, const Architecture& architecture,
                        const Recipe::Loss& recipe, const Batch& batch, bool dropout, bool backward,
                        const PassOptions& options) {
    const at::AutoGradMode gradients(backward);
    PendingLoss result;
    models::Dropout shares = dropoutOf(architecture, dropout);
    shares.drawn = &result.fuzzyGammas;
    shares.statistics = options.statistics;
    shares.relaxation = options.relaxation;
    const models::LayerFactors* layers = dropout ? options.layers : nullptr;
    if (architecture.languageModel) {
        const DecoderText text = decoderText(batch);
        const auto texts = static_cast<std::int64_t>(text.inputs.size());
        const at::Tensor logits = models::LanguageModel(parameters, architecture, texts, shares, layers)
                                      .feedBatch(text.inputs); // [batch, target, vocabulary]
        const at::Tensor loss = labelSmoothedLoss(logits, text.labels, recipe.labelSmoothing, result.nll, result.tokens,
                                                  batch.form->padding, options.unigram);
        result.loss = loss.detach();
        result.nll = result.nll.detach();
        if (backward)
            passBack(loss, options);
        return result;
    }
    const at::Tensor memory = models::encodeBatch(parameters, architecture, featuresOf(batch, parameters), batch.frames,
                                                  models::Padding::Safe, {}, shares, {}, nullptr, layers);
    const std::vector<std::int64_t> tokens = tokensOf(architecture, batch);
    const auto ctcSum = [&] {
        return ctcLoss(models::ctcLogits(parameters, architecture, memory, tokens),
                       models::ctcLengths(architecture, tokens), batch.targets, architecture.ctcBlank);
    };

    at::Tensor total;
    if (architecture.decoder) {
        const DecoderText text = decoderText(batch);
        at::Tensor sampled; // instead of text.inputs; undefined: these
        if (dropout && options.sampling.truth < 1) {
            models::Dropout predicting = shares;
            predicting.drawn = nullptr;
            models::S2tDecoder decoder(parameters, architecture, memory.detach(), tokens, predicting, layers);
            sampled = sampledInputs(text.inputs, batch, decoder, options.sampling, memory.device());
        }
        const at::Tensor logits = models::S2tDecoder(parameters, architecture, memory, tokens, shares, layers)
                                      .feedBatch(text.inputs, sampled); // [batch, target, vocabulary]
        total = labelSmoothedLoss(logits, text.labels, recipe.labelSmoothing, result.nll, result.tokens,
                                  batch.form->padding, options.unigram);
        result.loss = total.detach();
        if (dropout && (recipe.tokenCutoff > 0 || recipe.rDrop > 0)) {
            const at::Tensor second =
                consistencyLoss(parameters, architecture, recipe, batch, text, logits, shares, options);
            result.consistency = second.detach();
            total = total.add(second);
        }
        if (recipe.ctcWeight > 0) {
            const at::Tensor ctc = ctcSum();
            result.ctc = ctc.detach();
            total = total.add(ctc.mul(recipe.ctcWeight));
        }
    } else if (batch.perFrame) {
        total = frameLoss(architecture, recipe.labelSmoothing, batch,
                          models::ctcLogits(parameters, architecture, memory, tokens), tokens, result);
        result.loss = total.detach();
    } else { // CTC is all there is
        total = ctcSum();
        result.loss = result.nll = total.detach();
        for (const auto& target : batch.targets)
            result.tokens += static_cast<std::int64_t>(target.size());
    }
    result.nll = result.nll.detach();
    if (options.statistics && !options.statistics->counts)
        total = total.mul(0);
    if (backward)
        passBack(total, options);
    return result;
}

namespace {

std::vector<TextHypothesis> withoutScores(std::vector<std::vector<int>> texts) {
    std::vector<TextHypothesis> found;
    for (std::vector<int>& ids : texts)
        found.push_back({std::move(ids)});
    return found;
}

} // namespace

std::vector<std::vector<int>> greedyBatch(const models::Parameters& parameters,
                                          const Architecture& architecture, const Batch& batch,
                                          std::int64_t maximum) {
    std::vector<std::vector<int>> texts;
    for (TextHypothesis& text : greedyTexts(parameters, architecture, batch, maximum, false)) {
        if (architecture.decoder && !text.ids.empty() && text.ids.back() == batch.form->rules.end)
            text.ids.pop_back();
        texts.push_back(std::move(text.ids));
    }
    return texts;
}

std::vector<TextHypothesis> greedyTexts(const models::Parameters& parameters, const Architecture& architecture,
                                        const Batch& batch, std::int64_t maximum, bool scores) {
    const c10::InferenceMode inference;
    const at::Tensor memory = models::encodeBatch(parameters, architecture, featuresOf(batch, parameters), batch.frames);
    const std::vector<std::int64_t> tokens = tokensOf(architecture, batch);
    if (!architecture.decoder) {
        const at::Tensor logits = models::ctcLogits(parameters, architecture, memory, tokens);
        if (batch.perFrame)
            return withoutScores(bestFrameLabels(architecture, batch, logits, tokens));
        const std::vector<std::int64_t> lengths = models::ctcLengths(architecture, tokens);
        if (!scores)
            return withoutScores(models::ctcGreedy(logits, lengths, architecture.ctcBlank));
        std::vector<TextHypothesis> paths;
        for (models::BestPath& path : models::ctcBestPaths(logits, lengths, architecture.ctcBlank))
            paths.push_back({std::move(path.ids), path.sum, std::move(path.logProbabilities)});
        return paths;
    }
    const TextForm& form = *batch.form;
    models::S2tDecoder decoder(parameters, architecture, memory, tokens);
    std::vector<TextHypothesis> texts(batch.frames.size());
    std::vector<std::vector<int>> written(batch.frames.size()); // without </s>
    std::vector<std::vector<int>> next(batch.frames.size(), form.prompt);
    std::vector<bool> ended(batch.frames.size());
    for (std::int64_t step = 0; step < std::min(maximum, form.longest + 1); ++step) {
        at::Tensor logits = decoder.feedBatch(next).select(1, -1); // [batch, vocabulary]
        if (form.closes())
            logits = closed(logits, form.rules, written);
        const at::Tensor best = logits.argmax(-1).cpu(); // [batch]
        const auto* ids = best.const_data_ptr<std::int64_t>();
        const at::Tensor logP = scores ? at::log_softmax(logits.cpu(), -1, at::kDouble) : at::Tensor(); // [batch, vocabulary]
        bool allEnded = true;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const int id = static_cast<int>(ids[i]);
            if (!ended[i]) {
                texts[i].ids.push_back(id);
                if (scores) {
                    texts[i].tokenScores.push_back(logP[static_cast<std::int64_t>(i)][id].item<double>());
                    texts[i].score += texts[i].tokenScores.back();
                }
            }
            ended[i] = ended[i] || id == form.rules.end;
            if (!ended[i])
                written[i].push_back(id);
            next[i] = {id};
            allEnded = allEnded && ended[i];
        }
        if (allEnded)
            break;
    }
    return texts;
}

std::vector<std::vector<TextHypothesis>> decodeBatch(const models::Parameters& parameters,
                                                     const Architecture& architecture, const Batch& batch,
                                                     const TextDecoder& decoder,
                                                     const std::atomic<bool>* cancel) {
    const c10::InferenceMode inference;
    const at::Tensor memory = models::encodeBatch(parameters, architecture, featuresOf(batch, parameters), batch.frames);
    const std::vector<std::int64_t> tokens = tokensOf(architecture, batch);
    const BeamSettings& beam = decoder.settings().beam;
    DecodingSource source;
    source.recordings = memory.size(0);
    for (const std::int64_t frames : batch.frames)
        source.lengths.push_back(sourceLength(architecture.frontEnd.input(), frames));
    std::int64_t longest = beam.maxNewTokens;
    if (beam.tokensPerFrame > 0)
        longest = std::min(longestText(beam, *std::max_element(source.lengths.begin(), source.lengths.end())),
                           batch.form->longest + 1);
    source.decoder = [&] { return models::decoderScorer(parameters, architecture, memory, tokens, longest); };
    source.internalLanguageModel = [&] {
        return models::internalScorer(parameters, architecture, memory.size(0), longest);
    };
    source.ctc = [&](std::int64_t recording) {
        const std::int64_t own = tokens[static_cast<std::size_t>(recording)];
        const at::Tensor rows = at::log_softmax(
            models::ctcLogits(parameters, architecture, memory.narrow(0, recording, 1).narrow(1, 0, own), {own})
                .squeeze(0),
            -1);
        return models::matrixOf(rows); // [token, label]
    };
    return decoder.decode(source, cancel);
}

} // namespace headroom::training
