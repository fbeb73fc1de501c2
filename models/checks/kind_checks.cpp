// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/weight_shapes.h"
#include "models/attention/attention_block.h"
#include "models/checks/check_parts.h"
#include "models/checks/kinds_reference.h"
#include "models/layers/autocast.h"
#include "models/layers/gradients.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>

#include <cmath>

namespace headroom::models {
namespace {

using Lengths = std::vector<std::int64_t>;

/// A layer of the kinds to be checked, or two of which the second reuses the first one's maps.
struct KindCase {
    Positions positions;
    std::vector<const char*> layers;
    bool inBfloat16 = true; ///< false where a threshold makes it a matter of chance
    NormPlace norm = NormPlace::Pre;
    bool training = true; ///< false: as at inference, where only some heads are relaxed
};

const std::vector<KindCase>& cases() {
    static const std::vector<KindCase> list{
        {Positions::None, {"4 full"}},
        {Positions::Relative, {"4 full"}},
        {Positions::RelativeLegacy, {"4 full"}},
        {Positions::Rotary, {"4 full"}},
        {Positions::None, {"4 full"}, true, NormPlace::Post},
        {Positions::None, {"4 masked"}},
        {Positions::None, {"4 masked 21"}},
        {Positions::None, {"4 masked 121"}}, // wider than a band is worth
        {Positions::Relative, {"4 masked 21"}},
        {Positions::Rotary, {"4 masked 21"}},
        {Positions::None, {"4 local 21"}},
        {Positions::Relative, {"4 local 21"}},
        {Positions::RelativeLegacy, {"4 local 21"}},
        {Positions::Rotary, {"4 local 21"}},
        {Positions::None, {"4 local 21 block"}},
        {Positions::None, {"4 conv 5/2"}},
        {Positions::None, {"4 conv 5/2 separable"}},
        {Positions::None, {"4 conv 5/2 normal"}},
        {Positions::None, {"4 conv 8/4 speechformer"}},
        {Positions::None, {"4 full relaxed 0.25"}},
        {Positions::None, {"4 local 17 relaxed 0.1"}},
        {Positions::None, {"4 full relaxed 0.25 matched"}, true, NormPlace::Pre, false},
        {Positions::None, {"4 full relaxed 0.25 fuzzy 0.1"}},
        {Positions::None, {"4 local 21 block relaxed 0.3"}},
        {Positions::None, {"4 conv 5/2 relaxed 0.3"}},
        {Positions::None, {"4 local 21 block smoothed"}},
        {Positions::None, {"4 full smoothed"}},
        {Positions::None, {"4 local 17 smoothed"}},
        {Positions::None, {"4 full suppressed 0.5"}, false},
        {Positions::None, {"4 local 17 suppressed 0.5"}, false},
        {Positions::None, {"4 masked suppressed 0.5"}, false},
        {Positions::None, {"4 masked 21 suppressed 0.5"}, false},
        {Positions::None, {"4 masked 21 smoothed"}},
        {Positions::None, {"4 local 21 block suppressed 0.5"}, false},
        {Positions::Relative, {"4 full", "4 reuse 1"}},
        {Positions::None, {"2 local 9 + 2 full", "4 reuse 1"}},
        {Positions::None, {"2 masked 9 + 2 masked", "4 reuse 1"}},
        {Positions::None, {"1 local 64 block + 3 conv 5/2"}},
        {Positions::None, {"1 local 5 + 1 conv 5/2 + 2 full relaxed 0.2"}},
    };
    return list;
}

constexpr std::int64_t kTokens = 97, kWidth = 64;

/// Weights of ordinary size for the layers, float32, learnt ones marked.
Parameters draw(const Architecture::Encoder& encoder, const at::Generator& generator) {
    Parameters parameters;
    const auto add = [&](const std::string& name, at::IntArrayRef shape, double mean, double spread) {
        parameters.set(name, at::randn(shape, generator, at::kFloat).mul_(spread).add_(mean));
    };
    for (int number = 1; number <= static_cast<int>(encoder.layers.size()); ++number) {
        const std::string layer = "layers." + std::to_string(number - 1) + ".";
        add(layer + "self_attn_layer_norm.weight", {kWidth}, 1, 0.1);
        add(layer + "self_attn_layer_norm.bias", {kWidth}, 0, 0.1);
        for (const WeightShape& tensor : attentionShapes(encoder, number)) {
            std::int64_t inputs = 1;
            for (std::size_t axis = 1; axis < tensor.shape.size(); ++axis)
                inputs *= tensor.shape[axis];
            add(layer + tensor.name, tensor.shape, 0,
                inputs > 1 ? 0.7 / std::sqrt(static_cast<double>(inputs)) : 0.1);
        }
    }
    return parameters;
}

/// Weights that want a gradient, and in which order.
std::vector<at::Tensor> learnt(const Parameters& parameters) {
    std::vector<at::Tensor> list;
    parameters.forEach([&](const std::string&, const at::Tensor& tensor) { list.push_back(tensor); });
    for (at::Tensor& tensor : list)
        tensor.requires_grad_();
    return list;
}

/// Copies on `device`; on the CPU the tensors themselves.
Parameters copiedTo(const Parameters& parameters, c10::Device device) {
    Parameters result;
    parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        result.set(name, device.is_cpu() ? tensor : tensor.detach().to(device));
    });
    return result;
}

struct Result {
    at::Tensor out;
    std::vector<at::Tensor> gradients;
};

/// `forward` from x; gradients of x and of the weights of what `gradOut` asks.
template <class Forward>
Result differentiated(const at::Tensor& x, const Parameters& parameters, const at::Tensor& gradOut,
                      const Forward& forward) {
    std::vector<at::Tensor> inputs = learnt(parameters);
    inputs.push_back(x.detach().clone().requires_grad_());
    Result result;
    result.out = forward(inputs.back());
    result.gradients = gradients(result.out, inputs, gradOut.to(result.out.scalar_type()));
    return result;
}

std::string nameOf(const KindCase& wanted) {
    std::string name = wanted.layers.front();
    for (std::size_t layer = 1; layer < wanted.layers.size(); ++layer)
        name += std::string(", then ") + wanted.layers[layer];
    if (wanted.positions != Positions::None)
        name += ", " + wordOf(wanted.positions) + " positions";
    return name + (wanted.norm == NormPlace::Post ? ", post-norm" : "") + (wanted.training ? "" : ", at inference");
}

/// What is drawn in a pass is the same in every one.
AttentionContext contextOf(const KindCase& wanted, const Lengths& lengths, c10::Device device) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(6);
    AttentionContext::Options options;
    options.training = wanted.training;
    options.device = device;
    return AttentionContext(lengths, kTokens, options);
}

/// The same layers with the γ that a pass draws, for the reference, which draws none.
std::vector<AttentionPlan> drawnPlans(std::vector<AttentionPlan> plans, const KindCase& wanted, const Lengths& lengths) {
    AttentionContext context = contextOf(wanted, lengths, c10::kCPU);
    for (AttentionPlan& plan : plans)
        for (HeadGroup& group : plan.groups)
            if (group.relaxedFuzzy) {
                group.relaxed = context.relaxation(group);
                group.relaxedFuzzy.reset();
            }
    return plans;
}

void checkKind(const KindCase& wanted, c10::Device device, const CheckRows& rows) {
    Architecture::Encoder encoder;
    encoder.width = kWidth;
    encoder.positions = wanted.positions;
    encoder.norm = wanted.norm;
    for (const char* heads : wanted.layers)
        encoder.layers.push_back({parseHeads(heads)});
    const auto plans = attentionPlans(encoder, "check");
    const auto generator = at::detail::createCPUGenerator(20);
    const Parameters inFloat = draw(encoder, generator), inDouble = inFloat.inDouble();
    const Lengths lengths{kTokens, 41};
    const at::Tensor x = at::randn({2, kTokens, kWidth}, generator, at::kFloat);
    at::Tensor gradOut = at::randn({2, kTokens, kWidth}, generator, at::kDouble);
    gradOut[1].narrow(0, lengths[1], kTokens - lengths[1]).zero_(); // nobody reads a padded query
    const at::Tensor read = gradOut.ne(0);

    const auto drawn = drawnPlans(plans, wanted, lengths);
    const auto expectedWith = [&](bool placesInDouble) {
        return differentiated(x.to(at::kDouble), inDouble, gradOut, [&](at::Tensor y) {
            std::vector<at::Tensor> kept;
            for (std::size_t n = 0; n < plans.size(); ++n)
                y = KindsReference{Scope(inDouble) / "layers" / static_cast<int>(n), drawn[n], lengths, wanted.training,
                                   placesInDouble}
                        .block(y, kept);
            return y;
        });
    };
    const Result inDoubleThroughout = expectedWith(true);
    // Legacy positions stand near 5,000, where float32 rounds an angle by up to 2.4e-4. ESPnet's models were trained with
    // that table, so it is an input like the weights; the bound is for what is computed from it.
    const Result fromFloatTable =
        wanted.positions == Positions::RelativeLegacy ? expectedWith(false) : inDoubleThroughout;
    struct Precision {
        const char* name;
        const Parameters& parameters;
        at::ScalarType type;
        bool autocast;
        double bound;
    };
    for (const Precision& precision : {Precision{"float32", inFloat, at::kFloat, false, 1e-5},
                                       Precision{"float64", inDouble, at::kDouble, false, 1e-11},
                                       Precision{"bfloat16", inFloat, at::kFloat, true, 3e-2}}) {
        if (precision.autocast && !wanted.inBfloat16)
            continue;
        const Result& expected = precision.type == at::kDouble ? inDoubleThroughout : fromFloatTable;
        rows(checkRow(nameOf(wanted) + ", forward and backward", precision.name, precision.bound, [&] {
            const Parameters parameters = copiedTo(precision.parameters, device);
            const Bfloat16Scope autocast(precision.autocast, device.type());
            const auto found =
                differentiated(x.to(device, precision.type), parameters, gradOut.to(device), [&](at::Tensor y) {
                    AttentionContext context = contextOf(wanted, lengths, device);
                    for (std::size_t n = 0; n < plans.size(); ++n)
                        y = selfAttentionBlock(Scope(parameters) / "layers" / static_cast<int>(n), y, plans[n], context);
                    return y;
                });
            double worst = 0;
            widenDifference(worst, found.out.cpu().masked_select(read), expected.out.masked_select(read));
            for (std::size_t k = 0; k < expected.gradients.size(); ++k)
                widenDifference(worst, found.gradients[k], expected.gradients[k]);
            return worst;
        }));
    }
}

} // namespace

void checkKinds(c10::Device device, const CheckRows& rows) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const at::Tensor before = generator.get_state(); // as in checkDropout
    for (const KindCase& wanted : cases())
        checkKind(wanted, device, rows);
    generator.set_state(before);
}

} // namespace headroom::models
