// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/bench_mixing.h"

#include "models/attention/multi_head.h"
#include "models/checkpoints/tensor_names.h"
#include "models/layers/basic.h"
#include "models/mixing/value_zeroing.h"
#include "models/networks/s2t_encoder.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace headroom::benchmarks {
namespace {

using namespace headroom::models;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kWords = 30, kMixedTokens = 500, kMixedHeads = 12;

Architecture baseSized(int layers) {
    Architecture architecture;
    architecture.name = "base";
    architecture.frontEnd.channels = 2 * 768;
    architecture.frontEnd.kernels = {5};
    architecture.frontEnd.strides = {2};
    architecture.encoder.width = 768;
    architecture.encoder.feedForward = 3072;
    architecture.encoder.activation = Activation::Gelu;
    for (int layer = 0; layer < layers; ++layer)
        architecture.encoder.layers.push_back({parseHeads("12 full")});
    return architecture;
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The layer from its input on, with the values of one word zero.
at::Tensor plainLayer(const Scope& layer, const at::Tensor& x, const TokenUnit& word) {
    const Scope attention = layer / "self_attn";
    const at::Tensor normed = layerNorm(layer / "self_attn_layer_norm", x);
    const auto heads = [&](const char* name) { return splitHeads(linear(attention / name, normed), kMixedHeads); };
    at::Tensor values = linear(attention / "v_proj", normed);
    values.narrow(1, word.first, word.end - word.first).zero_();
    const at::Tensor mixed =
        at::scaled_dot_product_attention(heads("q_proj"), heads("k_proj"), splitHeads(values, kMixedHeads));
    const at::Tensor attended = linear(attention / "out_proj", joinHeads(mixed)).add_(x);
    return feedForwardBlock(layer, attended, false, Activation::Gelu, {});
}

at::Tensor cosineDistances(const at::Tensor& a, const at::Tensor& b) {
    const auto direction = [](const at::Tensor& y) { return y.div(y.norm(2, -1, true)); };
    return direction(a).sub(direction(b)).square().sum(-1).mul(0.5).squeeze(0);
}

} // namespace

void benchmarkMixing(bool quick, const std::function<void(const BenchmarkRow&)>& report) {
    const c10::InferenceMode inference;
    const int before = at::get_num_threads();
    at::set_num_threads(2);
    const int layers = quick ? 3 : 13; // one more than is measured: see below
    const Architecture architecture = baseSized(layers);
    Parameters parameters;
    for (const ExpectedTensor& tensor : expectedTensors(architecture, false))
        parameters.set(tensor.name, tensor.name.ends_with("norm.weight") ? at::ones(tensor.shape)
                                                                         : at::randn(tensor.shape).mul_(0.03));
    std::vector<TokenUnit> words;
    for (std::int64_t word = 0; word < kWords; ++word)
        words.push_back({word * kMixedTokens / kWords, (word + 1) * kMixedTokens / kWords, {}});
    double ours = 0, plain = 0, worst = 0;
    const Scope encoder = Scope(parameters) / "model" / "encoder" / "layers";
    encodeBatch(parameters, architecture, at::randn({1, 2 * kMixedTokens, 80}), {2 * kMixedTokens}, Padding::Safe,
                [&](int number) {
                    return [&, number](const AttentionStep& step) {
                        if (number == layers)
                            return; // the final LayerNorm is no part of the plain layer below
                        const Scope layer = encoder / (number - 1);
                        const auto start = Clock::now();
                        const BlockTerms terms =
                            blockTerms(blockWeights(layer, "self_attn", "self_attn_layer_norm", NormPlace::Pre),
                                       step.groups, step.input);
                        const at::Tensor found =
                            valueZeroingDistances(terms, step.output.squeeze(0), step.rest, words);
                        ours += secondsSince(start);
                        const auto again = Clock::now();
                        const at::Tensor truth = plainLayer(layer, step.input, {0, 0, {}});
                        for (std::size_t word = 0; word < words.size(); ++word) {
                            const at::Tensor apart =
                                cosineDistances(plainLayer(layer, step.input, words[word]), truth);
                            worst = std::max(worst, apart.sub(found.select(1, static_cast<std::int64_t>(word)))
                                                        .abs()
                                                        .max()
                                                        .item<double>());
                        }
                        plain += secondsSince(again);
                    };
                });
    at::set_num_threads(before);
    char name[96], note[96];
    std::snprintf(name, sizeof name, "value zeroing, %d layers, 500 tokens, 30 words", layers - 1);
    std::snprintf(note, sizeof note, "largest difference %.1e; wanted: 1.5 times", worst);
    report({name, ours, plain, "s", "a whole layer for every word", plain / ours, note});
}

} // namespace headroom::benchmarks
