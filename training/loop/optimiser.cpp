// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/optimiser.h"

#include "core/architecture/weight_shapes.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <map>
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

void fusedAdamStep(const AdamStep& step, const std::vector<std::int64_t>& steps, std::vector<at::Tensor>& parameters,
                   std::vector<at::Tensor>& gradients, std::vector<at::Tensor>& means, std::vector<at::Tensor>& variances,
                   const at::Tensor& factor) {
    const at::NoGradGuard constant;
    std::map<std::int64_t, at::Tensor> counts; // one tensor for all with as many steps: it is only read
    std::vector<at::Tensor> counted;
    for (const std::int64_t count : steps) {
        at::Tensor& shared = counts[count];
        if (!shared.defined())
            shared = at::full({}, static_cast<double>(count), parameters.front().options().dtype(at::kFloat).requires_grad(false));
        counted.push_back(shared);
    }
    const at::Tensor divisor = factor.mul(step.gradientFactor).reciprocal().to(at::kFloat);
    at::_fused_adamw_(parameters, gradients, means, variances, {}, counted, step.learningRate, step.beta1, step.beta2,
                      step.weightDecay, step.epsilon, false, false, divisor);
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
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : m->parameters)
        if (parameter.grad().defined())
            gradients.push_back(parameter.grad());
    if (gradients.empty())
        return at::zeros({}, m->parameters.front().options().dtype(at::kDouble));
    return at::stack(at::_foreach_norm(gradients)).to(at::kDouble).square().sum().sqrt(); // few kernels
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
    const AdamStep common = stepOf(0, update, learningRate, 1);
    std::vector<std::int64_t> steps;
    std::vector<at::Tensor> parameters, gradients, means, variances;
    for (std::size_t i = 0; i < m->parameters.size(); ++i) {
        const at::Tensor& parameter = m->parameters[i];
        if (!parameter.grad().defined())
            continue;
        if (common.epsilonFirst) { // ATen's adds it last
            adamStep(stepOf(i, update, learningRate, 1), parameter, parameter.grad(), m->meanList[i], m->varianceList[i],
                     factor);
            continue;
        }
        steps.push_back(stepOf(i, update, learningRate, 1).step);
        parameters.push_back(parameter);
        gradients.push_back(parameter.grad().contiguous());
        means.push_back(m->meanList[i]);
        variances.push_back(m->varianceList[i]);
    }
    if (!parameters.empty())
        fusedAdamStep(common, steps, parameters, gradients, means, variances, factor);
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
