// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/optimiser.h"

#include <cmath>

namespace headroom::training {

template <class T>
void adamStep(const AdamStep& step, T* parameter, const T* gradient, T* mean, T* variance,
              std::int64_t count) {
    const double correction1 = 1 - std::pow(step.beta1, static_cast<double>(step.step));
    const double correction2 = 1 - std::pow(step.beta2, static_cast<double>(step.step));
    const auto keep1 = static_cast<T>(step.beta1), keep2 = static_cast<T>(step.beta2);
    const auto add1 = static_cast<T>(1 - step.beta1), add2 = static_cast<T>(1 - step.beta2);
    const auto factor = static_cast<T>(step.gradientFactor);
    const auto decay = static_cast<T>(1 - step.learningRate * step.weightDecay);
    const auto epsilon = static_cast<T>(step.epsilon);
    // √(v / c₂) + ε against √v + ε, the correction then in the step.
    const auto root = static_cast<T>(step.epsilonFirst ? 1 : 1 / std::sqrt(correction2));
    const auto length =
        static_cast<T>(step.learningRate / correction1 * (step.epsilonFirst ? std::sqrt(correction2) : 1));
    for (std::int64_t i = 0; i < count; ++i) {
        const T g = gradient[i] * factor;
        mean[i] = mean[i] * keep1 + g * add1;
        variance[i] = variance[i] * keep2 + g * g * add2;
        parameter[i] = parameter[i] * decay - length * mean[i] / (std::sqrt(variance[i]) * root + epsilon);
    }
}

template void adamStep<float>(const AdamStep&, float*, const float*, float*, float*, std::int64_t);
template void adamStep<double>(const AdamStep&, double*, const double*, double*, double*, std::int64_t);

} // namespace headroom::training
