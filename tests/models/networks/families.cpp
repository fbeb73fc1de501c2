// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/networks/families.h"

#include "core/architecture/cost_shapes.h"
#include "tests/models/test_data.h"
#include "tests/support/small_architectures.h"
#include "training/loop/initial_weights.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <stdexcept>

namespace headroom::testing {
namespace {

Architecture postNorm() {
    Architecture result = smallTransformer({"4 full", "4 full"});
    result.encoder.norm = result.decoder->norm = NormPlace::Post;
    result.encoder.activation = Activation::Gelu;
    result.decoder->activation = Activation::Swish;
    result.decoder->tiedEmbeddings = true;
    return result;
}

Architecture locality() { // windows in both stacks
    Architecture result = smallTransformer({"4 full", "4 local 5", "4 local 9"});
    result.decoder->selfAttention = parseHeads("3 masked 5 + 1 masked");
    return result;
}

/// Reads samples: post-norm with GroupNorm and weight norm, as wav2vec 2.0 base.
Architecture wav2vec2() {
    Architecture result = smallConformer({"4 full", "4 local 9"});
    result.encoder.kind = EncoderKind::Transformer;
    result.encoder.convolution.reset();
    result.frontEnd.kind = FrontEndKind::Waveform;
    result.frontEnd.reads = InputKind::Waveform;
    result.frontEnd.features = 1;
    result.frontEnd.planes = {10, 12};
    result.frontEnd.kernels = {3, 1};
    result.frontEnd.strides = {2, 1};
    result.frontEnd.activation = FrontEndActivation::Gelu;
    result.frontEnd.norm = FrontEndNorm::Group;
    result.frontEnd.bias = false;
    result.encoder.norm = NormPlace::Post;
    result.encoder.inputNorm = true;
    result.encoder.activation = Activation::Gelu;
    result.encoder.positions = Positions::Convolutional;
    result.encoder.positionalConvolution = Architecture::PositionalConvolution{6, 4};
    return result;
}

/// Pre-norm with LayerNorm, several positional convolutions, a gated relative bias and adapters.
Architecture wavlm() {
    Architecture result = wav2vec2();
    result.encoder.layers = {{parseHeads("4 full")}, {parseHeads("2 local 9 + 2 full")},
                             {parseHeads("4 local 8 block")}};
    result.frontEnd.norm = FrontEndNorm::Layer;
    result.frontEnd.bias = true;
    result.encoder.norm = NormPlace::Pre;
    result.encoder.inputNorm = false;
    result.encoder.activation = Activation::GeluTanh;
    result.encoder.positionalConvolution =
        Architecture::PositionalConvolution{5, 2, 2, false, PositionalNorm::Layer};
    result.encoder.relativeBias = Architecture::RelativeBias{8, 20};
    result.encoder.adapters = 6;
    return result;
}

Architecture relaxed(const std::string& self, const std::string& cross) {
    Architecture result = smallRelaxed(self, cross, {4, 4, 6, 6});
    result.frontEnd.strides = {1, 2, 1, 2};
    return result;
}

Architecture layerNormConformer() { // fairseq's: no bias in the convolutions, a projection, rotary positions
    Architecture result = smallConformer({"4 full", "4 local 9"});
    result.frontEnd.activation = FrontEndActivation::Glu;
    result.frontEnd.norm = FrontEndNorm::None;
    result.frontEnd.projection = true;
    result.encoder.positions = Positions::Rotary;
    result.encoder.convolution = Architecture::Convolution{5, ConvolutionNorm::Layer, false};
    result.decoder = smallTransformer({"4 full"}).decoder;
    result.decoder->width = 16; // narrower than the encoder
    result.vocabulary = 50;
    return result;
}

Architecture placed(Positions positions) { // as older recipes of ESPnet
    Architecture result = smallConformer({"4 full", positions == Positions::Interleaved ? "4 local 9 block" : "4 local 9"});
    result.encoder.positions = positions;
    return result;
}

Architecture branchformer(int mergeKernel) { // with the half feed-forwards and the last norm of an E-Branchformer, if any
    Architecture result = smallConformer({"4 full", "4 local 9"});
    result.encoder.kind = EncoderKind::Branchformer;
    result.encoder.convolution.reset();
    result.encoder.branch = Architecture::GatedBranch{24, 5, mergeKernel};
    result.encoder.outputNorm = mergeKernel > 0;
    if (mergeKernel == 0)
        result.encoder.feedForward = 0;
    return result;
}

/// Patches of a window of 210 frames: 28 columns of 3 bands, and two class tokens.
Architecture ast() {
    Architecture result = wav2vec2();
    result.frontEnd = {};
    result.frontEnd.kind = FrontEndKind::Patches;
    result.frontEnd.reads = InputKind::AstLogMel;
    result.frontEnd.features = 20;
    result.frontEnd.windowFrames = 210;
    result.frontEnd.kernels = {8};
    result.frontEnd.strides = {7};
    result.frontEnd.frequencyStride = 6;
    result.frontEnd.classTokens = 2;
    result.frontEnd.activation = FrontEndActivation::Relu;
    result.frontEnd.scaled = false;
    result.encoder.norm = NormPlace::Pre;
    result.encoder.inputNorm = false;
    result.encoder.positions = Positions::Learnt;
    result.encoder.positionalConvolution.reset();
    result.ctc.reset();
    return result;
}

} // namespace

std::vector<Family> smallFamilies() {
    return {
        {"s2t", smallTransformer({"4 full", "4 full"})},
        {"locality", locality()},
        {"postNorm", postNorm()},
        {"multiformerLc",
         smallMultiformer({"2 local 15 block + 2 conv 5/2", "2 local 15 block + 2 conv 5/2"})},
        {"multiformerV1",
         smallMultiformer({"1 local 15 block + 3 conv 5/2", "2 local 15 block + 2 conv 5/2"})},
        {"convAttention", smallMultiformer({"4 conv 5/2", "4 conv 5/2"})},
        {"conformer", smallConformer({"4 full suppressed 0.5", "4 full suppressed 0.5"})},
        {"conformerReuse", smallConformer({"4 full suppressed 0.5", "4 reuse 1", "4 full", "4 reuse 3"})},
        {"conformerLegacy", placed(Positions::RelativeLegacy)},
        {"conformerAbsolute", placed(Positions::Interleaved)},
        {"conformerLayerNorm", layerNormConformer()},
        {"branchformer", branchformer(0)},
        {"eBranchformer", branchformer(3)},
        {"relaxed", relaxed("4 full relaxed 0.1", "4 full relaxed 0.25")},
        {"wav2vec2", wav2vec2()},
        {"wavlm", wavlm()},
        {"ast", ast()},
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
        else if (name.ends_with("gate_conv.weight")) // drawn next to 0
            values.uniform_(-0.4, 0.4, generator);
        else if (varies)
            values.add_(values.clone().normal_(0, 0.2, generator));
        result.set(name, values);
    });
    return result;
}

at::Tensor madeBatch(const std::vector<std::int64_t>& frames, unsigned seed, std::int64_t columns) {
    const std::int64_t longest = *std::max_element(frames.begin(), frames.end());
    at::Tensor batch = at::zeros({static_cast<std::int64_t>(frames.size()), longest, columns});
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Matrix<float> made =
            madeFeatures(static_cast<std::size_t>(frames[i]), seed + static_cast<unsigned>(i));
        auto* data = const_cast<float*>(made.values().data());
        batch[static_cast<std::int64_t>(i)]
            .narrow(0, 0, frames[i])
            .copy_(at::from_blob(data, {frames[i], 80}, at::kFloat).narrow(1, 0, columns));
    }
    return batch;
}

double largest(const at::Tensor& x) {
    return x.abs().max().item<double>();
}

bool sameAsObserved(const Architecture& architecture, const at::Tensor& observed, const at::Tensor& alone) {
    const auto& layers = architecture.encoder.layers;
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (const HeadGroup& group : layers[layer].heads)
            if (fusesMap(architecture.encoder, layer, group, alone.size(1), false))
                return observed.sizes() == alone.sizes() &&
                       largest(observed.sub(alone)) <= 1e-5 * largest(observed);
    return observed.equal(alone);
}

} // namespace headroom::testing
