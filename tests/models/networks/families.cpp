// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/networks/families.h"

#include "tests/models/test_data.h"
#include "training/loop/initial_weights.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <stdexcept>

namespace headroom::testing {
namespace {

Architecture transformer(const std::vector<std::string>& heads) {
    Architecture result;
    result.name = "tiny";
    result.frontEnd.channels = 24;
    result.encoder.width = 32;
    result.encoder.feedForward = 40;
    for (const std::string& text : heads)
        result.encoder.layers.push_back({parseHeads(text)});
    result.decoder.emplace();
    result.decoder->layers = 2;
    result.decoder->width = 32;
    result.decoder->feedForward = 40;
    result.decoder->selfAttention = parseHeads("4 masked");
    result.decoder->crossAttention = parseHeads("4 full");
    result.vocabulary = 50;
    return result;
}

Architecture conformer(const std::vector<std::string>& heads) {
    Architecture result = transformer(heads);
    result.decoder.reset();
    result.vocabulary = 0;
    result.ctc = 50;
    result.frontEnd.channels = 24;
    result.frontEnd.kernels = {3, 3};
    result.frontEnd.activation = FrontEndActivation::Relu;
    result.frontEnd.norm = FrontEndNorm::Batch;
    result.encoder.kind = EncoderKind::Conformer;
    result.encoder.positions = Positions::Relative;
    result.encoder.activation = Activation::Swish;
    result.encoder.convolution = Architecture::Convolution{7, ConvolutionNorm::Batch, true};
    return result;
}

Architecture postNorm() {
    Architecture result = transformer({"4 full", "4 full"});
    result.encoder.norm = result.decoder->norm = NormPlace::Post;
    result.encoder.activation = Activation::Gelu;
    result.decoder->activation = Activation::Swish;
    result.decoder->tiedEmbeddings = true;
    return result;
}

Architecture multiformer(const std::vector<std::string>& heads) {
    Architecture result = transformer(heads);
    result.encoder.queryKeyValueBias = false;
    return result;
}

Architecture relaxed(const std::string& self, const std::string& cross) {
    Architecture result = transformer({self, self});
    result.frontEnd.kind = FrontEndKind::Conv2d;
    result.frontEnd.planes = {4, 4, 6, 6};
    result.frontEnd.kernels = {3, 3, 3, 3};
    result.frontEnd.strides = {1, 2, 1, 2};
    result.frontEnd.activation = FrontEndActivation::Relu;
    result.frontEnd.norm = FrontEndNorm::Batch;
    result.decoder->crossAttention = parseHeads(cross);
    return result;
}

Architecture layerNormConformer() { // fairseq's: no bias in the convolutions, a projection, rotary positions
    Architecture result = conformer({"4 full", "4 local 9"});
    result.frontEnd.activation = FrontEndActivation::Glu;
    result.frontEnd.norm = FrontEndNorm::None;
    result.frontEnd.projection = true;
    result.encoder.positions = Positions::Rotary;
    result.encoder.convolution = Architecture::Convolution{5, ConvolutionNorm::Layer, false};
    result.decoder = transformer({"4 full"}).decoder;
    result.decoder->width = 16; // narrower than the encoder
    result.vocabulary = 50;
    return result;
}

} // namespace

std::vector<Family> smallFamilies() {
    return {
        {"s2t", transformer({"4 full", "4 full"})},
        {"locality", transformer({"4 full", "4 local 5", "4 local 9"})},
        {"postNorm", postNorm()},
        {"multiformerLc", multiformer({"2 local 15 block + 2 conv 5/2", "2 local 15 block + 2 conv 5/2"})},
        {"multiformerV1", multiformer({"1 local 15 block + 3 conv 5/2", "2 local 15 block + 2 conv 5/2"})},
        {"convAttention", multiformer({"4 conv 5/2", "4 conv 5/2"})},
        {"conformer", conformer({"4 full suppressed 0.5", "4 full suppressed 0.5"})},
        {"conformerReuse", conformer({"4 full suppressed 0.5", "4 reuse 1", "4 full", "4 reuse 3"})},
        {"conformerLayerNorm", layerNormConformer()},
        {"relaxed", relaxed("4 full relaxed 0.1", "4 full relaxed 0.25")},
        {"relaxedMatched", relaxed("4 full relaxed 0.1 matched", "4 full smoothed")},
        {"relaxedFuzzy", relaxed("4 full relaxed 0.1 fuzzy 0.03", "4 full relaxed 0.25")},
    };
}

const Architecture& smallFamily(const std::string& name) {
    static const std::vector<Family> families = smallFamilies();
    for (const Family& family : families)
        if (family.name == name)
            return family.architecture;
    throw std::invalid_argument(name);
}

models::Parameters madeWeights(const Architecture& architecture, std::uint64_t seed) {
    const models::Parameters drawn = training::initialWeights(architecture, false, seed);
    at::Generator generator = at::detail::createCPUGenerator(seed);
    models::Parameters result = drawn; // the order and what are buffers
    drawn.forEach([&](const std::string& name, const at::Tensor& tensor) {
        at::Tensor values = tensor.detach().clone();
        const bool varies = name.find("norm") != std::string::npos || name.ends_with(".bias");
        if (name.ends_with("running_var"))
            values.uniform_(0.5, 2, generator);
        else if (varies)
            values.add_(values.clone().normal_(0, 0.2, generator));
        result.set(name, values);
    });
    return result;
}

at::Tensor madeBatch(const std::vector<std::int64_t>& frames, unsigned seed) {
    const std::int64_t longest = *std::max_element(frames.begin(), frames.end());
    at::Tensor batch = at::zeros({static_cast<std::int64_t>(frames.size()), longest, 80});
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Matrix<float> made =
            madeFeatures(static_cast<std::size_t>(frames[i]), seed + static_cast<unsigned>(i));
        auto* data = const_cast<float*>(made.values().data());
        batch[static_cast<std::int64_t>(i)]
            .narrow(0, 0, frames[i])
            .copy_(at::from_blob(data, {frames[i], 80}, at::kFloat));
    }
    return batch;
}

double largest(const at::Tensor& x) {
    return x.abs().max().item<double>();
}

} // namespace headroom::testing
