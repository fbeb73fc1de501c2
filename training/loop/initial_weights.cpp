// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/initial_weights.h"

#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/tensor_names.h"
#include "models/layers/positions.h"
#include "training/data/random.h"

#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>

#include <cmath>

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

class Drawing {
public:
    explicit Drawing(std::uint64_t seed)
        : m_generator(at::detail::createCPUGenerator(randomFor(seed, Purpose::Weights).next())) {}

    void fill(const std::string& name, at::Tensor& tensor) {
        const std::string& weight = name;
        if (name.find("layer_norm") != std::string::npos) {
            tensor.fill_(endsWith(name, ".weight") ? 1 : 0);
        } else if (endsWith(weight, "embed_tokens.weight") || weight == "lm_head.weight") {
            tensor.normal_(0, 1 / std::sqrt(static_cast<double>(tensor.size(1))), m_generator);
            if (endsWith(weight, "embed_tokens.weight"))
                tensor.select(0, models::kPaddingIndex).zero_();
        } else if (endsWith(name, "out_proj.bias")) {
            tensor.zero_();
        } else if (endsWith(name, ".bias")) {
            uniform(tensor, m_lastBound); // follows its weight
        } else if (name.find("_attn.") != std::string::npos) {
            const double gain = endsWith(name, "out_proj.weight") ? 1 : 1 / std::sqrt(2.0);
            uniform(tensor, gain * std::sqrt(6.0 / static_cast<double>(tensor.size(0) + tensor.size(1))));
            m_lastBound = 1 / std::sqrt(static_cast<double>(tensor.size(1)));
        } else {
            m_lastBound = 1 / std::sqrt(static_cast<double>(fanIn(tensor.sizes().vec())));
            uniform(tensor, m_lastBound);
        }
    }

private:
    void uniform(at::Tensor& tensor, double bound) { tensor.uniform_(-bound, bound, m_generator); }

    at::Generator m_generator;
    double m_lastBound = 0;
};

std::vector<ExpectedTensor> trainedTensors(const Architecture& architecture, bool withCtc) {
    auto tensors = models::expectedTensors(architecture, false);
    if (withCtc) {
        tensors.push_back({"ctc.weight", {architecture.vocabulary, architecture.encoder.width}});
        tensors.push_back({"ctc.bias", {architecture.vocabulary}});
    }
    return tensors;
}

std::string shapeText(at::IntArrayRef shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text;
}

} // namespace

models::Parameters initialWeights(const Architecture& architecture, bool withCtc, std::uint64_t seed) {
    Drawing drawing(seed);
    models::Parameters parameters;
    for (const ExpectedTensor& expected : trainedTensors(architecture, withCtc)) {
        at::Tensor tensor = at::empty(expected.shape, at::kFloat);
        drawing.fill(expected.name, tensor);
        tensor.set_requires_grad(true);
        parameters.set(expected.name, tensor);
    }
    return parameters;
}

StartFrom StartFrom::parse(const std::string& text) {
    constexpr std::string_view kEncoder = ":encoder";
    if (text.ends_with(kEncoder) && !std::filesystem::exists(text))
        return {text.substr(0, text.size() - kEncoder.size()), true};
    return {text, false};
}

void takeWeights(const StartFrom& from, const Architecture& architecture,
                 const models::Parameters& parameters) {
    const models::Checkpoint checkpoint = models::readCheckpoint(from.model);
    const std::string output = "lm_head.weight", table = "model.decoder.embed_tokens.weight";
    std::vector<std::string> wrong;
    std::vector<std::pair<at::Tensor, at::Tensor>> copies;
    parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        if (name.rfind("ctc.", 0) == 0 || (from.encoderOnly && name.rfind("model.encoder.", 0) != 0))
            return;
        // A tied model's output projection is its embedding.
        const std::string& source = name == output && !checkpoint.parameters.contains(name) ? table : name;
        if (!checkpoint.parameters.contains(source))
            wrong.push_back(name + " (not there)");
        else if (const at::Tensor& found = checkpoint.parameters.get(source); found.sizes() != tensor.sizes())
            wrong.push_back(name + " (" + shapeText(found.sizes()) + ", not " + shapeText(tensor.sizes()) +
                            ")");
        else
            copies.emplace_back(tensor, found);
    });
    if (!wrong.empty()) {
        std::string list;
        for (const std::string& one : wrong)
            list += (list.empty() ? "" : "; ") + one;
        throw Error("train.startFrom",
                    from.model.string() + " does not fit the architecture “" + architecture.name + "”, in " +
                        std::to_string(wrong.size()) + " tensor" + (wrong.size() == 1 ? "" : "s") + ": " +
                        list + ".",
                    {{"model", from.model.string()}, {"tensors", wrong}});
    }
    for (auto& [target, source] : copies)
        target.detach().copy_(source);
}

void checkTrainable(const Architecture& architecture, const std::string& file) {
    models::ModelFolder model;
    model.architecture = architecture;
    model.config = file;
    models::checkRunnable(model);
    if (!architecture.decoder)
        throw Error("model.unsupported",
                    file + ": it has no decoder; this version trains encoder and decoder.", {{"file", file}});
}

} // namespace headroom::training
