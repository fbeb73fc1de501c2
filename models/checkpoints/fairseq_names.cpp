// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/fairseq_names.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::models {
namespace {

struct Renaming {
    std::string_view from, to;
};

/// At the beginning of a name; the first that fits.
constexpr std::array kBeginnings{Renaming{"encoder.subsample.", "model.encoder.conv."},
                                 Renaming{"encoder.transformer_layers.", "model.encoder.layers."},
                                 Renaming{"encoder.conformer_layers.", "model.encoder.layers."},
                                 Renaming{"encoder.linear.", "model.encoder.conv.projection."},
                                 Renaming{"decoder.output_projection.", "lm_head."},
                                 Renaming{"encoder.", "model.encoder."},
                                 Renaming{"decoder.", "model.decoder."}};

/// Inside: Multiformer's, then those of fairseq's Conformer, with ESPnet's attention.
constexpr std::array kParts{Renaming{".self_attn.wq.", ".self_attn.q_proj."},
                            Renaming{".self_attn.wk.", ".self_attn.k_proj."},
                            Renaming{".self_attn.wv.", ".self_attn.v_proj."},
                            Renaming{".self_attn.wo.", ".self_attn.out_proj."},
                            Renaming{".self_attn.attentions.", ".self_attn.groups."},
                            Renaming{".ffn1.layer_norm.", ".ffn1_layer_norm."},
                            Renaming{".ffn2.layer_norm.", ".ffn2_layer_norm."},
                            Renaming{".w_1.", ".fc1."},
                            Renaming{".w_2.", ".fc2."},
                            Renaming{".self_attn.linear_q.", ".self_attn.q_proj."},
                            Renaming{".self_attn.linear_k.", ".self_attn.k_proj."},
                            Renaming{".self_attn.linear_v.", ".self_attn.v_proj."},
                            Renaming{".self_attn.linear_out.", ".self_attn.out_proj."},
                            Renaming{".ffn1.layer_norm.", ".ffn1_layer_norm."},
                            Renaming{".ffn2.layer_norm.", ".ffn2_layer_norm."},
                            Renaming{".w_1.", ".fc1."},
                            Renaming{".w_2.", ".fc2."}};

bool isLearnt(const std::string& name) {
    for (const std::string_view end :
         {"._float_tensor", ".num_batches_tracked", ".embed_positions.weights", ".embed_positions.pe"})
        if (name.ends_with(end))
            return false;
    return name != "encoder.version" && name != "decoder.version";
}

} // namespace

std::optional<std::string> fromFairseqName(const std::string& given) {
    if (!isLearnt(given))
        return std::nullopt;
    std::string name = given;
    for (const Renaming& renaming : kBeginnings)
        if (name.starts_with(renaming.from)) {
            name.replace(0, renaming.from.size(), renaming.to);
            break;
        }
    for (const Renaming& renaming : kParts)
        if (const auto at = name.find(renaming.from); at != std::string::npos)
            name.replace(at, renaming.from.size(), renaming.to);
    return name;
}

NamedTensors fromFairseqNames(const NamedTensors& weights, const std::vector<std::string>& repeated, const std::string& file) {
    NamedTensors renamed(weights.owner(), weights.format());
    for (const std::string& given : weights.names()) {
        const auto name = fromFairseqName(given);
        if (!name || std::find(repeated.begin(), repeated.end(), *name) != repeated.end())
            continue;
        if (!renamed.add(*name, weights.tensor(given)))
            throw Error("model.duplicateName",
                        file + " contains the tensor " + validText(*name) + " under two of fairseq's names.",
                        {{"file", file}, {"tensor", validText(*name)}});
    }
    return renamed;
}

} // namespace headroom::models
