// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/initial_weights.h"

#include "core/architecture/layer_rules.h"
#include "core/architecture/start_note.h"
#include "core/architecture/trained_architecture.h"
#include "core/architecture/weight_shapes.h"
#include "core/runs/loss_fit.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/tensor_names.h"
#include "models/layers/batch_norm.h"
#include "models/layers/positions.h"
#include "training/data/random.h"

#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::training {

using models::ExpectedTensor;

namespace {

bool endsWith(const std::string& name, const char* end) {
    return name.ends_with(end);
}

std::int64_t fanIn(const std::vector<std::int64_t>& shape) {
    std::int64_t product = 1;
    for (std::size_t i = 1; i < shape.size(); ++i)
        product *= shape[i];
    return product;
}

/// Is it one of a block's projections to queries, keys and values?
bool isInput(const std::string& name) {
    return name.find(".q_proj.") != std::string::npos || name.find(".k_proj.") != std::string::npos ||
           name.find(".v_proj.") != std::string::npos;
}

/// The layer of "model.encoder.layers.L.self_attn.…", from 0; nothing elsewhere.
std::optional<std::size_t> encoderLayerOf(const std::string& name) {
    constexpr std::string_view kLayers = "model.encoder.layers.", kAttention = ".self_attn.";
    const std::size_t end = name.find(kAttention);
    if (name.rfind(kLayers, 0) != 0 || end == std::string::npos)
        return std::nullopt;
    return std::stoul(name.substr(kLayers.size(), end - kLayers.size()));
}

/// How the projections of a self-attention block are drawn: which code its papers used.
enum class Projections { Fairseq, MultiformerMixed, MultiformerLocal };

/// Positions p as Whisper stores them, sines before cosines: sin(p r_k), then cos(p r_k), r_k = 10,000^(−k /
/// (width/2 − 1)); [tokens, width].
at::Tensor halvedSinusoids(std::int64_t tokens, std::int64_t width) {
    const std::int64_t half = width / 2;
    const double step = std::log(10000.0) / static_cast<double>(std::max<std::int64_t>(half - 1, 1));
    const at::Tensor angles = at::outer(at::arange(tokens, at::kDouble), at::arange(half, at::kDouble).mul(-step).exp());
    return at::cat({angles.sin(), angles.cos()}, 1);
}

class Drawing {
public:
    Drawing(const Architecture& architecture, std::uint64_t seed)
        : m_architecture(architecture)
        , m_generator(at::detail::createCPUGenerator(randomFor(seed, Purpose::Weights).next())) {}

    void fill(const std::string& name, at::Tensor& tensor) {
        if (endsWith(name, "running_var")) {
            tensor.fill_(1);
        } else if (endsWith(name, "running_mean")) {
            tensor.zero_();
        } else if (name.find(".gate_conv.") != std::string::npos) { // the gate begins as 1 (Peng et al. 2022, §3.4)
            if (endsWith(name, ".bias"))
                tensor.fill_(1);
            else
                tensor.normal_(0, 1e-6, m_generator);
        } else if (endsWith(name, "weight_g")) { // weight norm begins with the weight as it is drawn
            tensor.copy_(m_lastNorms);
        } else if (endsWith(name, "gru_rel_pos_const")) {
            tensor.fill_(1);
        } else if (name == "model.encoder.embed_positions.weight") {
            tensor.copy_(halvedSinusoids(tensor.size(0), tensor.size(1)));
        } else if (name == "model.encoder.patch_positions" || name.find(".class_tokens.") != std::string::npos) {
            tensor.normal_(0, 0.02, m_generator); // Gong et al. 2021
        } else if (name.find("norm") != std::string::npos) {
            tensor.fill_(endsWith(name, ".weight") ? 1 : 0);
        } else if (endsWith(name, "embed_tokens.weight") || name == "lm_head.weight") {
            tensor.normal_(0, 1 / std::sqrt(static_cast<double>(tensor.size(1))), m_generator);
            if (endsWith(name, "embed_tokens.weight"))
                tensor.select(0, models::kPaddingIndex).zero_();
        } else if (name.find(".lstm.") != std::string::npos) {
            uniform(tensor, 0.1);
        } else if (endsWith(name, "out_proj.bias") && projectionsOf(name) != Projections::MultiformerMixed) {
            tensor.zero_();
        } else if (endsWith(name, ".bias")) {
            uniform(tensor, m_lastBound); // follows its weight
        } else if (endsWith(name, "pos_bias_u") || endsWith(name, "pos_bias_v")) {
            xavier(tensor, 1);
        } else if (isInput(name) || endsWith(name, "out_proj.weight")) {
            m_lastBound = 1 / std::sqrt(static_cast<double>(tensor.size(1)));
            const Projections kind = projectionsOf(name);
            if (kind == Projections::MultiformerMixed)
                uniform(tensor, m_lastBound);
            else
                xavier(tensor, kind == Projections::Fairseq && isInput(name) ? 1 / std::sqrt(2.0) : 1);
        } else if (name.find(".groups.") != std::string::npos && name.find(".conv.") != std::string::npos) {
            m_lastBound = bound(tensor);
            xavier(tensor, 1 / std::sqrt(2.0)); // Speechformer's
        } else {
            m_lastBound = bound(tensor);
            uniform(tensor, m_lastBound);
            if (endsWith(name, "weight_v"))
                m_lastNorms = tensor.square().sum(at::IntArrayRef({0, 1}), true).sqrt();
        }
    }

private:
    Projections projectionsOf(const std::string& name) const {
        const Architecture::Encoder& encoder = m_architecture.encoder;
        const auto layer = encoderLayerOf(name);
        if (!layer || encoder.queryKeyValueBias)
            return Projections::Fairseq;
        const auto& heads = encoder.layers[*layer].heads;
        const bool local = std::all_of(heads.begin(), heads.end(), [](const HeadGroup& group) {
            return group.kind == HeadKind::LocalBlock;
        });
        return local ? Projections::MultiformerLocal : Projections::MultiformerMixed;
    }
    static double bound(const at::Tensor& tensor) {
        return 1 / std::sqrt(static_cast<double>(fanIn(tensor.sizes().vec())));
    }
    void xavier(at::Tensor& tensor, double gain) {
        const double receptive = tensor.dim() > 2 ? static_cast<double>(tensor[0][0].numel()) : 1;
        const double fans = receptive * static_cast<double>(tensor.size(0) + tensor.size(1));
        uniform(tensor, gain * std::sqrt(6.0 / fans));
    }
    void uniform(at::Tensor& tensor, double bound) { tensor.uniform_(-bound, bound, m_generator); }

    const Architecture& m_architecture;
    at::Generator m_generator;
    double m_lastBound = 0;
    at::Tensor m_lastNorms; ///< of the last weight_v, per place of its kernel
};

std::string shapeText(at::IntArrayRef shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text;
}

} // namespace

models::Parameters initialWeights(const Architecture& architecture, bool withCtc, std::uint64_t seed) {
    Drawing drawing(architecture, seed);
    models::Parameters parameters;
    for (const ExpectedTensor& expected : models::expectedTensors(trainedArchitecture(architecture, withCtc), false)) {
        at::Tensor tensor = at::empty(expected.shape, at::kFloat);
        drawing.fill(expected.name, tensor);
        if (expected.buffer)
            parameters.setBuffer(expected.name, tensor);
        else
            parameters.set(expected.name, tensor.set_requires_grad(true));
        constexpr std::string_view kVariance = "running_var";
        if (expected.buffer && expected.name.ends_with(kVariance)) {
            const auto norm = expected.name.substr(0, expected.name.size() - kVariance.size());
            parameters.setBuffer(norm + models::kBatchesSeen, at::zeros({1}, at::kFloat));
        }
    }
    return parameters;
}

std::string takeWeights(const StartFrom& from, const Architecture& architecture,
                        const models::Parameters& parameters) {
    const models::Checkpoint checkpoint = models::readCheckpoint(from.model);
    std::vector<std::string> wrong;
    std::vector<std::pair<at::Tensor, at::Tensor>> copies;
    parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        if (endsWith(name, models::kBatchesSeen)) { // statistics that are taken over are not forgotten
            copies.emplace_back(tensor, at::full({1}, std::ceil(1 / models::kBatchNormMomentum)));
            return;
        }
        const auto source = startingWeight(name, from.encoderOnly, [&](const std::string& one) { return checkpoint.parameters.contains(one); });
        if (!source)
            return;
        if (!checkpoint.parameters.contains(*source))
            wrong.push_back(name + " (not there)");
        else if (const at::Tensor& found = checkpoint.parameters.get(*source); found.sizes() != tensor.sizes())
            wrong.push_back(name + " (" + shapeText(found.sizes()) + ", not " + shapeText(tensor.sizes()) +
                            ")");
        else
            copies.emplace_back(tensor, found);
    });
    if (!wrong.empty()) {
        std::string list;
        for (const std::string& one : wrong)
            list += (list.empty() ? "" : "; ") + one;
        // Where only heads differ, their place says more than the names of tensors.
        const auto& theirs = checkpoint.folder.architecture.encoder.layers;
        const bool ofHeads = theirs.size() >= architecture.encoder.layers.size() &&
                             std::all_of(wrong.begin(), wrong.end(), [](const std::string& name) { return encoderLayerOf(name).has_value(); });
        if (const std::string heads = headsWithoutWeights(theirs, architecture.encoder.layers); ofHeads && !heads.empty())
            throw Error("train.startFrom", from.model.string() + ": the weights do not fit, because " + heads + ".",
                        {{"model", from.model.string()}, {"tensors", wrong}});
        throw Error("train.startFrom",
                    from.model.string() + " does not fit the architecture “" + architecture.name + "”, in " +
                        std::to_string(wrong.size()) + " tensor" + (wrong.size() == 1 ? "" : "s") + ": " +
                        list + ".",
                    {{"model", from.model.string()}, {"tensors", wrong}});
    }
    for (auto& [target, source] : copies)
        target.detach().copy_(source);
    return noteOnStart(checkpoint.folder.architecture, trainedArchitecture(architecture, parameters.contains("ctc.weight")), from.encoderOnly);
}

void checkTrainable(const Architecture& architecture, const Recipe::Loss& loss, const std::string& file) {
    models::ModelFolder model;
    model.architecture = architecture;
    model.config = file;
    models::checkRunnable(model);
    if (const auto wrong = lossMistake(architecture, loss, file))
        throw Error(wrong->code, wrong->sentence, {{"file", file}});
}

} // namespace headroom::training
