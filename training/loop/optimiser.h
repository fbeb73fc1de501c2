// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/recipe.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headroom::training {

/// One element-wise step of Adam; plain C++, so that it can be compared with references in double.
struct AdamStep {
    double learningRate, beta1, beta2, epsilon, weightDecay;
    std::int64_t step;     ///< from 1
    bool epsilonFirst;     ///< ε before the bias correction, as in fairseq; otherwise after it, as in PyTorch
    double gradientFactor; ///< factor of every gradient: division by tokens, clipping
};
template <class T>
void adamStep(const AdamStep& step, T* parameter, const T* gradient, T* mean, T* variance,
              std::int64_t count);

/// The same out of ATen's operations, in place, for tensors of any device.
void adamStep(const AdamStep& step, const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& mean,
              const at::Tensor& variance);
/// The same with a factor beside step.gradientFactor that lies on their device.
void adamStep(const AdamStep& step, const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& mean,
              const at::Tensor& variance, const at::Tensor& factor);

/// adamStep() without `epsilonFirst` of many tensors in a few kernels, ATen's fused AdamW, which gives the same numbers to
/// rounding. Tensors of one device, each with its number of steps; the other numbers are those of `step`. `factor`: as
/// above. Changes the gradients.
void fusedAdamStep(const AdamStep& step, const std::vector<std::int64_t>& steps, std::vector<at::Tensor>& parameters,
                   std::vector<at::Tensor>& gradients, std::vector<at::Tensor>& means, std::vector<at::Tensor>& variances,
                   const at::Tensor& factor);

/// Adam over all parameters that require a gradient; holds their first and second moments. One thread; the
/// work is spread over torch's pool, with the same result for any number of threads.
class Adam {
public:
    Adam(const models::Parameters& parameters, const Recipe::Optimiser& recipe);
    ~Adam();

    /// L2 norm of all gradients together.
    double gradientNorm() const;
    /// The same on the device of the gradients, in double; waits for nothing.
    at::Tensor gradientNormThere() const;
    /// Performs update number `update` (from 1) with gradients times `factor`, and zeroes the gradients. A
    /// parameter without a gradient keeps its value and moments.
    void apply(std::int64_t update, double learningRate, double factor);
    /// The same with a factor that lies on the device of the parameters, which is not the CPU; waits for nothing.
    void apply(std::int64_t update, double learningRate, const at::Tensor& factor);
    void zeroGradients();

    /// What learns, in the order of the parameters.
    const std::vector<at::Tensor>& parameters() const;

    /// The moments by parameter name, for writing and reading checkpoints.
    const models::Parameters& means() const;
    const models::Parameters& variances() const;

private:
    AdamStep stepOf(std::size_t parameter, std::int64_t update, double learningRate, double factor) const;
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::training
