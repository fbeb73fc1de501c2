// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/step_decoder.h"

#include "models/attention/attention_plan.h"
#include "models/kernels/row_attention.h"
#include "models/layers/autocast.h"
#include "models/layers/basic.h"
#include "models/networks/token_embedding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace headroom::models {
namespace {

/// A linear layer, or several of the same input side by side.
class PackedLinear {
public:
    PackedLinear(const Scope& scope, std::initializer_list<const char*> names) {
        std::int64_t out = 0, first = 0;
        for (const char* name : names)
            out += (scope / name)["weight"].size(0);
        m_bias.resize(static_cast<std::size_t>(out));
        for (const char* name : names) {
            const Scope one = scope / name;
            const at::Tensor weight = one["weight"].contiguous(); // [out, in]
            if (first == 0)
                m_matrix = PackedMatrix(out, weight.size(1));
            m_matrix.set(first, weight.size(0), weight.const_data_ptr<float>(), weight.size(1), 1);
            if (one.has("bias")) {
                const at::Tensor bias = one["bias"].contiguous();
                std::copy_n(bias.const_data_ptr<float>(), bias.numel(), m_bias.begin() + first);
            }
            first += weight.size(0);
        }
    }
    /// A weight [out, in] without a bias.
    explicit PackedLinear(const at::Tensor& given) {
        const at::Tensor weight = given.contiguous();
        m_matrix = PackedMatrix(weight.size(0), weight.size(1));
        m_matrix.set(0, weight.size(0), weight.const_data_ptr<float>(), weight.size(1), 1);
    }

    /// x [row, in] → [row, out].
    at::Tensor of(const at::Tensor& x, bool relu = false) const {
        at::Tensor y = at::empty({x.size(0), m_matrix.out()}, x.options());
        multiply(m_matrix, {x.const_data_ptr<float>(), x.stride(0), x.size(0), y.mutable_data_ptr<float>(),
                            y.stride(0), bias(), nullptr, relu});
        return y;
    }
    /// y += the layer of x.
    void addTo(at::Tensor& y, const at::Tensor& x) const {
        auto* rows = y.mutable_data_ptr<float>();
        multiply(m_matrix,
                 {x.const_data_ptr<float>(), x.stride(0), x.size(0), rows, y.stride(0), bias(), rows});
    }

private:
    const float* bias() const { return m_bias.empty() ? nullptr : m_bias.data(); }

    PackedMatrix m_matrix;
    std::vector<float> m_bias; ///< empty: none
};

std::vector<HeardTokens> heardTokens(const Scope& attention, const at::Tensor& memory,
                                     const std::vector<std::int64_t>& lengths, std::int64_t heads) {
    const at::Tensor keys = linear(attention / "k_proj", memory).contiguous(),
                     values = linear(attention / "v_proj", memory).contiguous(); // [batch, token, width]
    std::vector<HeardTokens> heard;
    for (std::int64_t recording = 0; recording < memory.size(0); ++recording) {
        const std::int64_t own =
            lengths.empty() ? memory.size(1) : lengths[static_cast<std::size_t>(recording)];
        heard.emplace_back(keys[recording].const_data_ptr<float>(), values[recording].const_data_ptr<float>(), own,
                           heads, keys.size(2) / heads);
    }
    return heard;
}

/// The cross-attention of a layer.
struct StepCross {
    PackedLinear queries, out;
    std::vector<HeardTokens> heard; ///< of each recording
};

struct StepLayer {
    Scope scope;
    PackedLinear heads, selfOut, fc1, fc2;
    std::vector<HeadGroup> groups;            ///< of the self-attention
    std::optional<StepCross> cross;           ///< a language model has none
    std::vector<std::vector<float>> fed = {}; ///< [step] → [row, key then value, width]
};

StepLayer stepLayer(const Scope& layer, const AttentionPlan& self, std::optional<StepCross> cross) {
    return {layer,
            {layer / "self_attn", {"q_proj", "k_proj", "v_proj"}},
            {layer / "self_attn", {"out_proj"}},
            {layer, {"fc1"}},
            {layer, {"fc2"}},
            self.groups,
            std::move(cross)};
}

bool isPlain(const std::vector<HeadGroup>& heads) {
    return std::none_of(heads.begin(), heads.end(), [](const HeadGroup& group) {
        return group.smoothed || group.suppressed || relaxesAtInference(group);
    });
}

bool allPlain(const Architecture::LanguageModel& model) {
    return isPlain(model.selfAttention) &&
           std::all_of(model.ownHeads.begin(), model.ownHeads.end(),
                       [](const Architecture::Layer& layer) { return isPlain(layer.heads); });
}

} // namespace

struct StepDecoder::Implementation {
    Scope scope; ///< of embedding, layers and last LayerNorm
    NormPlace norm;
    Activation activation;
    std::int64_t crossHeads;
    TokenEmbedding embedding;
    std::vector<StepLayer> layers;
    PackedLinear output;
    std::vector<std::int64_t> recordings;            ///< of each row
    std::vector<std::vector<std::int32_t>> ancestor; ///< [step] → [row] → row of that step

    bool postNorm() const { return norm == NormPlace::Post; }
    at::Tensor before(const Scope& layer, const char* name, const at::Tensor& x) const {
        return postNorm() ? x : layerNorm(layer / name, x);
    }
    at::Tensor after(const Scope& layer, const char* name, const at::Tensor& x) const {
        return postNorm() ? layerNorm(layer / name, x) : x;
    }

    /// The heads of the self-attention for the rows of a layer, whose keys and values are remembered.
    at::Tensor fedMix(StepLayer& layer, const at::Tensor& input) const {
        const at::Tensor heads = layer.heads.of(input); // [row, query then key then value, width]
        const std::int64_t rows = heads.size(0), width = heads.size(1) / 3;
        const auto* numbers = heads.const_data_ptr<float>();
        std::vector<float>& step = layer.fed.emplace_back(static_cast<std::size_t>(rows * 2 * width));
        for (std::int64_t row = 0; row < rows; ++row)
            std::copy_n(numbers + (row * 3 + 1) * width, 2 * width, step.begin() + row * 2 * width);
        std::vector<const float*> steps;
        std::vector<const std::int32_t*> rowsOfSteps;
        for (std::size_t number = 0; number < layer.fed.size(); ++number) {
            steps.push_back(layer.fed[number].data());
            rowsOfSteps.push_back(ancestor[number].data());
        }
        const auto count = static_cast<std::int64_t>(steps.size());
        std::vector<std::int64_t> firstSteps; // of each head
        for (const HeadGroup& group : layer.groups)
            firstSteps.insert(firstSteps.end(), static_cast<std::size_t>(group.count),
                              group.window == 0 ? 0
                                                : std::max<std::int64_t>(0, count - 1 - group.window / 2));
        const auto selfHeads = static_cast<std::int64_t>(firstSteps.size());
        at::Tensor mixed = at::empty({rows, width}, input.options());
        attendFed(
            {numbers, 3 * width, rows, selfHeads, width / selfHeads, mixed.mutable_data_ptr<float>(), width},
            {steps.data(), rowsOfSteps.data(), count, firstSteps.data()});
        return mixed;
    }

    at::Tensor heardMix(const StepCross& cross, const at::Tensor& input) const {
        const at::Tensor queries = cross.queries.of(input); // [row, width]
        const std::int64_t width = queries.size(1);
        at::Tensor mixed = at::empty(queries.sizes(), queries.options());
        attendHeard({queries.const_data_ptr<float>(), width, queries.size(0), crossHeads, width / crossHeads,
                     mixed.mutable_data_ptr<float>(), width},
                    cross.heard, recordings);
        return mixed;
    }

    at::Tensor through(StepLayer& layer, at::Tensor x) const { // [row, width]; overwritten
        layer.selfOut.addTo(x, fedMix(layer, before(layer.scope, "self_attn_layer_norm", x)));
        x = after(layer.scope, "self_attn_layer_norm", x);
        if (layer.cross) {
            layer.cross->out.addTo(x, heardMix(*layer.cross, before(layer.scope, "encoder_attn_layer_norm", x)));
            x = after(layer.scope, "encoder_attn_layer_norm", x);
        }
        const bool relu = activation == Activation::Relu;
        at::Tensor hidden = layer.fc1.of(before(layer.scope, "final_layer_norm", x), relu);
        if (!relu)
            hidden = activated(std::move(hidden), activation);
        layer.fc2.addTo(x, hidden);
        return after(layer.scope, "final_layer_norm", x);
    }
};

bool StepDecoder::fits(const Architecture& architecture, const at::Tensor& memory) {
    return architecture.decoder && isPlain(architecture.decoder->selfAttention) &&
           isPlain(architecture.decoder->crossAttention) && infersOnCpu(memory);
}

bool StepDecoder::fits(const Architecture& architecture, const Parameters& parameters) {
    return architecture.languageModel && architecture.languageModel->kind == LanguageModelKind::Transformer &&
           allPlain(*architecture.languageModel) && infersOnCpu(parameters.get("model.embed_tokens.weight"));
}

StepDecoder::StepDecoder(const Parameters& parameters, const Architecture& architecture, const at::Tensor& memory,
                         const std::vector<std::int64_t>& lengths) {
    const Architecture::Decoder& shape = architecture.decoder.value();
    const bool postNorm = shape.norm == NormPlace::Post;
    const AttentionPlan self = maskedAttentionPlan(shape.selfAttention, shape.width, postNorm, architecture.name),
                        cross = crossAttentionPlan(shape.crossAttention, shape.width, postNorm, architecture.name);
    const Scope decoder = Scope(parameters) / "model" / "decoder";
    m.reset(new Implementation{decoder,
                               shape.norm,
                               shape.activation,
                               cross.heads,
                               TokenEmbedding(memory.size(0),
                                              shape.positions == TextPositions::Learnt
                                                  ? TokenEmbedding::Positions::Learnt
                                                  : TokenEmbedding::Positions::Sinusoidal,
                                              shape.scaledEmbeddings),
                               {},
                               PackedLinear(outputWeight(parameters, decoder["embed_tokens.weight"])),
                               std::vector<std::int64_t>(static_cast<std::size_t>(memory.size(0))),
                               {}});
    std::iota(m->recordings.begin(), m->recordings.end(), 0);
    for (int number = 0; number < shape.layers; ++number) {
        const Scope layer = decoder / "layers" / number, attention = layer / "encoder_attn";
        m->layers.push_back(stepLayer(layer, self,
                                      StepCross{{attention, {"q_proj"}},
                                                {attention, {"out_proj"}},
                                                heardTokens(attention, memory, lengths, cross.heads)}));
    }
}

StepDecoder::StepDecoder(const Parameters& parameters, const Architecture& architecture, std::int64_t texts) {
    const Architecture::LanguageModel& shape = architecture.languageModel.value();
    const std::vector<AttentionPlan> plans = languageModelPlans(shape, architecture.name);
    const Scope model = Scope(parameters) / "model";
    m.reset(new Implementation{model,
                               shape.norm,
                               shape.activation,
                               0,
                               TokenEmbedding(texts, TokenEmbedding::Positions::Sinusoidal, true),
                               {},
                               PackedLinear(outputWeight(parameters, model["embed_tokens.weight"])),
                               std::vector<std::int64_t>(static_cast<std::size_t>(texts)),
                               {}});
    for (int number = 0; number < shape.layers; ++number)
        m->layers.push_back(
            stepLayer(model / "layers" / number, plans[static_cast<std::size_t>(number)], {}));
}

StepDecoder::~StepDecoder() = default;
StepDecoder::StepDecoder(StepDecoder&&) noexcept = default;

void StepDecoder::select(const std::vector<std::int64_t>& rows) {
    const auto follow = [&rows](auto& values) {
        auto before = std::move(values);
        values.clear();
        for (const std::int64_t row : rows)
            values.push_back(before.at(static_cast<std::size_t>(row)));
    };
    follow(m->recordings);
    for (auto& step : m->ancestor)
        follow(step);
    m->embedding.select(rows);
}

at::Tensor StepDecoder::feedBatch(const std::vector<std::vector<int>>& tokens) {
    const at::Tensor places =
        m->scope.has("embed_positions.weight") ? m->scope["embed_positions.weight"] : at::Tensor();
    m->ancestor.emplace_back(tokens.size());
    std::iota(m->ancestor.back().begin(), m->ancestor.back().end(), 0);
    at::Tensor x = m->embedding.of(tokens, m->scope["embed_tokens.weight"], places).squeeze(1); // [row, width]
    for (StepLayer& layer : m->layers)
        x = m->through(layer, std::move(x));
    if (!m->postNorm())
        x = layerNorm(m->scope / "layer_norm", x);
    return m->output.of(x).unsqueeze(1);
}

} // namespace headroom::models
