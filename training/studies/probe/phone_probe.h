// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "models/networks/speech_model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::training {

/// The 36 classes of phones and silence.
inline constexpr int kProbeClasses = 37;

/// Shim et al. 2022, Appendix A.5: one fully connected layer, SGD. The paper does not state batch size and
/// initial weights.
struct ProbeRecipe {
    int epochs = 15;
    double rate = 0.1, momentum = 0.9, decay = 1e-3; ///< decay: L2, also of the bias
    int stepEpochs = 3;                              ///< after this many epochs the rate is …
    double stepFactor = 0.1;                         ///< … multiplied by this
    std::int64_t batch = 256;                        ///< tokens
    std::uint64_t seed = 1;                          ///< samples initial weights and the order of tokens
};

/// W [classes, d] and b [classes].
struct ProbeWeights {
    Matrix<float> weight;
    std::vector<float> bias;
};

/// Trains on the rows of `states` with classes `labels`, 0 … kProbeClasses − 1. Deterministic for a seed: one
/// thread. Polls `cancel` between batches and throws models::Cancelled.
ProbeWeights trainProbe(MatrixView<const float> states, std::span<const int> labels,
                        const ProbeRecipe& recipe, const models::CancelFlag* cancel = nullptr);

/// softmax(W x + b), [rows, classes].
Matrix<float> probeProbabilities(const ProbeWeights& weights, MatrixView<const float> states);

/// Returns the mean cross entropy in nats of `x` [row, d], `labels` [row] (i64), with its gradients by W
/// [class, d] and b [class]; any floating type.
double probeGradient(const at::Tensor& x, const at::Tensor& labels, const at::Tensor& weight,
                     const at::Tensor& bias, at::Tensor& weightGradient, at::Tensor& biasGradient);

/// Normalisation of the states before the probe; the paper does not say.
enum class ProbeNorm {
    None,
    Token,   ///< each token by its own mean and deviation, a LayerNorm without weights
    Standard ///< each dimension by the mean and deviation of the training tokens
};
/// Normalises both in place; with Standard, `test` by the statistics of `train`.
void normaliseStates(Matrix<float>& train, Matrix<float>& test, ProbeNorm norm);

} // namespace headroom::training
