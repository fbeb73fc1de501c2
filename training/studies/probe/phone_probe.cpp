// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/probe/phone_probe.h"

#include "training/data/random.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace headroom::training {

namespace {

constexpr std::uint64_t kFirstWeights = 203, kOrder = 204; // purposes of Random

std::int64_t signedOf(std::size_t value) {
    return static_cast<std::int64_t>(value);
}

/// Borrowed, read only.
at::Tensor tensorOf(MatrixView<const float> matrix) {
    return at::from_blob(const_cast<float*>(matrix.data()),
                         {signedOf(matrix.rows()), signedOf(matrix.columns())}, at::kFloat);
}

at::Tensor copied(std::span<const float> values, at::IntArrayRef shape) {
    at::Tensor tensor = at::empty(shape, at::kFloat);
    std::memcpy(tensor.mutable_data_ptr(), values.data(), values.size_bytes());
    return tensor;
}

/// Uniform within ±1/√d, as the usual libraries begin a linear layer.
std::vector<float> firstWeights(std::size_t count, std::size_t width, Random& random) {
    const double bound = 1 / std::sqrt(static_cast<double>(width));
    std::vector<float> values(count);
    for (float& value : values) {
        constexpr std::int64_t kSteps = 1 << 24;
        value = static_cast<float>(
            bound * (2 * static_cast<double>(random.below(kSteps)) / static_cast<double>(kSteps) - 1));
    }
    return values;
}

/// One step of SGD with momentum.
void step(at::Tensor& weight, at::Tensor& gradient, at::Tensor& velocity, const ProbeRecipe& recipe,
          double rate) {
    gradient.add_(weight, recipe.decay);
    velocity.mul_(recipe.momentum).add_(gradient);
    weight.sub_(velocity, rate);
}

} // namespace

double probeGradient(const at::Tensor& x, const at::Tensor& labels, const at::Tensor& weight,
                     const at::Tensor& bias, at::Tensor& weightGradient, at::Tensor& biasGradient) {
    const at::Tensor logits = at::mm(x, weight.t()).add_(bias);     // [row, class]
    const at::Tensor logProbabilities = at::log_softmax(logits, 1); // [row, class]
    const at::Tensor own = labels.unsqueeze(1);                     // [row, 1]
    const double rows = static_cast<double>(x.size(0));
    const double loss = -logProbabilities.gather(1, own).sum().item<double>() / rows;
    at::Tensor error = logProbabilities.exp(); // [row, class]
    error.scatter_add_(1, own, at::empty({x.size(0), 1}, error.options()).fill_(-1));
    error.div_(rows);
    weightGradient = at::mm(error.t(), x); // [class, d]
    biasGradient = error.sum(0);           // [class]
    return loss;
}

ProbeWeights trainProbe(MatrixView<const float> states, std::span<const int> labels,
                        const ProbeRecipe& recipe, const models::CancelFlag* cancel) {
    const c10::InferenceMode inference;
    at::set_num_threads(1); // of this thread; so small products are slower on several, and sums differ
    const std::size_t rows = states.rows(), width = states.columns();
    const std::int64_t classes = kProbeClasses;
    Random first({recipe.seed, kFirstWeights});
    at::Tensor weight = copied(firstWeights(static_cast<std::size_t>(classes) * width, width, first),
                               {classes, signedOf(width)});
    at::Tensor bias = copied(firstWeights(static_cast<std::size_t>(classes), width, first), {classes});
    at::Tensor weightVelocity = at::zeros_like(weight), biasVelocity = at::zeros_like(bias);
    at::Tensor weightGradient, biasGradient;

    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t(0));
    double rate = recipe.rate;
    for (int epoch = 0; epoch < recipe.epochs; ++epoch) {
        if (epoch > 0 && recipe.stepEpochs > 0 && epoch % recipe.stepEpochs == 0)
            rate *= recipe.stepFactor;
        Random random({recipe.seed, kOrder, static_cast<std::uint64_t>(epoch)});
        for (std::size_t i = rows; i > 1; --i)
            std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(signedOf(i)))]);
        for (std::size_t at = 0; at < rows; at += static_cast<std::size_t>(recipe.batch)) {
            if (cancel && cancel->load(std::memory_order_relaxed))
                throw models::Cancelled();
            const std::size_t count = std::min(static_cast<std::size_t>(recipe.batch), rows - at);
            at::Tensor x = at::empty({signedOf(count), signedOf(width)}, at::kFloat);
            at::Tensor y = at::empty({signedOf(count)}, at::kLong);
            auto* data = x.mutable_data_ptr<float>();
            auto* wanted = y.mutable_data_ptr<std::int64_t>();
            for (std::size_t i = 0; i < count; ++i) {
                const auto row = states.row(order[at + i]);
                std::copy(row.begin(), row.end(), data + i * width);
                wanted[i] = labels[order[at + i]];
            }
            probeGradient(x, y, weight, bias, weightGradient, biasGradient);
            step(weight, weightGradient, weightVelocity, recipe, rate);
            step(bias, biasGradient, biasVelocity, recipe, rate);
        }
    }
    ProbeWeights result;
    const auto* learnt = weight.const_data_ptr<float>();
    result.weight = {static_cast<std::size_t>(classes), width,
                     std::vector<float>(learnt, learnt + weight.numel())};
    const auto* offsets = bias.const_data_ptr<float>();
    result.bias.assign(offsets, offsets + classes);
    return result;
}

Matrix<float> probeProbabilities(const ProbeWeights& weights, MatrixView<const float> states) {
    const c10::InferenceMode inference;
    const at::Tensor bias = copied(weights.bias, {signedOf(weights.bias.size())});
    const at::Tensor logits =
        at::mm(tensorOf(states), tensorOf(weights.weight.view()).t()).add_(bias); // [row, class]
    const at::Tensor found = at::softmax(logits, 1).contiguous();
    const auto* data = found.const_data_ptr<float>();
    return {states.rows(), weights.bias.size(), std::vector<float>(data, data + found.numel())};
}

namespace {

constexpr double kSmallestVariance = 1e-10;

void normaliseTokens(Matrix<float>& states) {
    for (std::size_t r = 0; r < states.rows(); ++r) {
        const auto row = states.row(r);
        double sum = 0, squares = 0;
        for (const float value : row)
            sum += static_cast<double>(value);
        const double mean = sum / static_cast<double>(row.size());
        for (const float value : row)
            squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
        const double scale =
            1 / std::sqrt(std::max(squares / static_cast<double>(row.size()), kSmallestVariance));
        for (float& value : row)
            value = static_cast<float>((static_cast<double>(value) - mean) * scale);
    }
}

} // namespace

void normaliseStates(Matrix<float>& train, Matrix<float>& test, ProbeNorm norm) {
    if (norm == ProbeNorm::Token) {
        normaliseTokens(train);
        normaliseTokens(test);
    }
    if (norm != ProbeNorm::Standard)
        return;
    const std::size_t width = train.columns();
    std::vector<double> mean(width), deviation(width);
    for (std::size_t r = 0; r < train.rows(); ++r)
        for (std::size_t d = 0; d < width; ++d)
            mean[d] += static_cast<double>(train(r, d));
    for (double& value : mean)
        value /= static_cast<double>(train.rows());
    for (std::size_t r = 0; r < train.rows(); ++r)
        for (std::size_t d = 0; d < width; ++d) {
            const double distance = static_cast<double>(train(r, d)) - mean[d];
            deviation[d] += distance * distance;
        }
    for (double& value : deviation)
        value = std::sqrt(std::max(value / static_cast<double>(train.rows()), kSmallestVariance));
    for (Matrix<float>* states : {&train, &test})
        for (std::size_t r = 0; r < states->rows(); ++r)
            for (std::size_t d = 0; d < width; ++d)
                (*states)(r, d) =
                    static_cast<float>((static_cast<double>((*states)(r, d)) - mean[d]) / deviation[d]);
}

} // namespace headroom::training
