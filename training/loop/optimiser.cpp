// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/optimiser.h"

#include "training/loop/freezing.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <vector>

namespace headroom::training {

void adamStep(const AdamStep& step, const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& mean,
              const at::Tensor& variance) {
    adamStep(step, parameter, gradient, mean, variance, {});
}

void adamStep(const AdamStep& step, const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& mean,
              const at::Tensor& variance, const at::Tensor& factor) {
    const at::NoGradGuard constant;
    const double correction1 = 1 - std::pow(step.beta1, static_cast<double>(step.step));
    const double root = std::sqrt(1 - std::pow(step.beta2, static_cast<double>(step.step)));
    const at::Tensor g = factor.defined() ? gradient.mul(factor).mul_(step.gradientFactor) : gradient.mul(step.gradientFactor);
    mean.mul_(step.beta1).add_(g, 1 - step.beta1);
    variance.mul_(step.beta2).addcmul_(g, g, 1 - step.beta2);
    const at::Tensor size = variance.sqrt().mul_(step.epsilonFirst ? 1 : 1 / root).add_(step.epsilon);
    const double length = step.learningRate / correction1 * (step.epsilonFirst ? root : 1);
    parameter.mul_(1 - step.learningRate * step.weightDecay).addcdiv_(mean, size, -length);
}

struct Adam::Implementation {
    Recipe::Optimiser recipe;
    std::vector<at::Tensor> parameters, meanList, varianceList;
    std::vector<std::int64_t> firstUpdate; ///< updates before a parameter began to learn
    models::Parameters means, variances;
};

Adam::Adam(const models::Parameters& parameters, const Recipe::Optimiser& recipe)
    : m(std::make_unique<Implementation>()) {
    m->recipe = recipe;
    parameters.forEach([&](const std::string& name, const at::Tensor& parameter) {
        if (!parameter.requires_grad())
            return;
        m->parameters.push_back(parameter);
        m->firstUpdate.push_back(isOfEncoder(name) ? recipe.freezeEncoderUpdates : 0);
        m->meanList.push_back(at::zeros_like(parameter.detach()));
        m->varianceList.push_back(at::zeros_like(parameter.detach()));
        m->means.set(name, m->meanList.back());
        m->variances.set(name, m->varianceList.back());
    });
}

Adam::~Adam() = default;

double Adam::gradientNorm() const {
    std::vector<at::Tensor> norms;
    for (const at::Tensor& parameter : m->parameters)
        if (parameter.grad().defined())
            norms.push_back(at::linalg_vector_norm(parameter.grad()));
    if (norms.empty())
        return 0;
    const at::Tensor read = at::stack(norms).to(at::kDouble).cpu(); // one wait for the device
    double squares = 0; // one after the other, in double: the order never changes
    for (std::size_t i = 0; i < norms.size(); ++i)
        squares += read.const_data_ptr<double>()[i] * read.const_data_ptr<double>()[i];
    return std::sqrt(squares);
}

at::Tensor Adam::gradientNormThere() const {
    std::vector<at::Tensor> norms;
    for (const at::Tensor& parameter : m->parameters)
        if (parameter.grad().defined())
            norms.push_back(at::linalg_vector_norm(parameter.grad()));
    if (norms.empty())
        return at::zeros({}, m->parameters.front().options().dtype(at::kDouble));
    return at::stack(norms).to(at::kDouble).square().sum().sqrt();
}

AdamStep Adam::stepOf(std::size_t parameter, std::int64_t update, double learningRate, double factor) const {
    const Recipe::Optimiser& recipe = m->recipe;
    return {learningRate,
            recipe.beta1,
            recipe.beta2,
            recipe.epsilon,
            recipe.weightDecay,
            update - m->firstUpdate[parameter],
            recipe.kind == "adam-fairseq",
            factor};
}

void Adam::apply(std::int64_t update, double learningRate, const at::Tensor& factor) {
    for (std::size_t i = 0; i < m->parameters.size(); ++i)
        if (const at::Tensor& parameter = m->parameters[i]; parameter.grad().defined())
            adamStep(stepOf(i, update, learningRate, 1), parameter, parameter.grad(), m->meanList[i], m->varianceList[i],
                     factor);
    zeroGradients();
}

void Adam::apply(std::int64_t update, double learningRate, double factor) {
    constexpr std::int64_t kGrain = 32768;
    for (std::size_t i = 0; i < m->parameters.size(); ++i) {
        const at::Tensor& parameter = m->parameters[i];
        if (!parameter.grad().defined())
            continue;
        const AdamStep step = stepOf(i, update, learningRate, factor);
        if (!parameter.is_cpu()) {
            adamStep(step, parameter, parameter.grad(), m->meanList[i], m->varianceList[i]);
            continue;
        }
        const at::Tensor gradient = parameter.grad().contiguous();
        auto* values = static_cast<float*>(parameter.mutable_data_ptr());
        const auto* slopes = gradient.const_data_ptr<float>();
        auto* mean = m->meanList[i].mutable_data_ptr<float>();
        auto* variance = m->varianceList[i].mutable_data_ptr<float>();
        at::parallel_for(0, parameter.numel(), kGrain, [&](std::int64_t first, std::int64_t last) {
            adamStep(step, values + first, slopes + first, mean + first, variance + first, last - first);
        });
    }
    zeroGradients();
}

void Adam::zeroGradients() {
    for (at::Tensor& parameter : m->parameters)
        parameter.mutable_grad().reset();
}

const std::vector<at::Tensor>& Adam::parameters() const {
    return m->parameters;
}
const models::Parameters& Adam::means() const {
    return m->means;
}
const models::Parameters& Adam::variances() const {
    return m->variances;
}

} // namespace headroom::training
