// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint of fairseq's speech-to-text or translation models: its training arguments become the architecture.
#include "core/architecture/language_layers.h"
#include "core/errors/display_name.h"
#include "models/checkpoints/fairseq_settings.h"
#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/multiformer_heads.h"
#include "models/checkpoints/weights.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace headroom::models {
namespace {

constexpr std::int64_t kLargestSetting = 1'000'000;

enum class FairseqFamily { Transformer, Multiformer, Conformer, Text };

/// Descriptions that the released architectures have where a checkpoint does not hold them itself. v2 is
/// written as its authors describe it: their own text lacks a “*”.
struct ReleasedHeads {
    std::string_view architecture, text;
};
constexpr std::array kReleased{
    ReleasedHeads{"s2t_multiformer_s_lc", "12 * ((('local', 2, 64), ('compressed', 2, 5, 2, 'depthwise')),)"},
    ReleasedHeads{"s2t_multiformer_s_v1", "6 * ((('local', 1, 64), ('compressed', 3, 5, 2, 'depthwise')),) + "
                                          "6 * ((('local', 2, 64), ('compressed', 2, 5, 2, 'depthwise')),)"},
    ReleasedHeads{"s2t_multiformer_s_v2", "3 * ((('local', 1, 64), ('compressed', 3, 5, 2, 'depthwise')),) + "
                                          "5 * ((('local', 3, 64), ('compressed', 1, 5, 2, 'depthwise')),) + "
                                          "4 * ((('local', 2, 64), ('compressed', 2, 5, 2, 'depthwise')),)"},
    ReleasedHeads{"s2t_conv_atention_s", "12 * ((('compressed', 4, 5, 2, 'depthwise'),),)"}, // sic
    ReleasedHeads{"s2t_local_attention_s", "12 * ((('local', 4, 64),),)"}};

class Description {
public:
    Description(const std::filesystem::path& file, const TorchCheckpoint& checkpoint)
        : m_settings(checkpoint, shown(file))
        , m_weights(checkpoint.tensors) {
        m_model.folder = file.parent_path();
        m_model.isFairseq = true;
        m_model.weights = m_model.config = file;
        m_architecture.name = nameOfModel(file);
        m_family = family();
        refuseWhatIsNotComputed();
        frontEnd();
        encoder();
        decoder();
        m_model.maxSourceFrames = m_settings.integer("max_source_positions", 1, 100'000'000);
        m_model.maxTargetTokens = m_settings.integer("max_target_positions", 1, 100'000'000);
        if (m_family == FairseqFamily::Text)
            findDictionaries(m_model, m_settings.text("source_lang", ""), m_settings.text("target_lang", ""));
        else {
            features();
            findTokenizer(m_model);
        }
    }

    ModelFolder take() { return std::move(m_model); }

private:
    int size(const char* key) const { return static_cast<int>(m_settings.integer(key, 1, kLargestSetting)); }
    void refuse(const std::string& key, const std::string& what) const {
        m_settings.refuse("model.unsupported", key, what);
    }

    FairseqFamily family() {
        m_arch = m_settings.text("arch", m_settings.text("_name", ""));
        if (m_arch.starts_with("s2t_transformer"))
            return FairseqFamily::Transformer;
        if (m_arch.starts_with("s2t_multiformer") || m_arch == "s2t_conv_atention_s" ||
            m_arch == "s2t_local_attention_s")
            return FairseqFamily::Multiformer;
        if (m_arch.starts_with("s2t_conformer"))
            return FairseqFamily::Conformer;
        if (m_arch.starts_with("transformer") && !m_arch.starts_with("transformer_lm"))
            return FairseqFamily::Text;
        refuse("arch", " is “" + validText(m_arch.substr(0, 60)) +
                           "”; s2t_transformer, s2t_multiformer, s2t_conformer and transformer (translation) are supported");
        return FairseqFamily::Transformer;
    }

    void refuseWhatIsNotComputed() const {
        for (const char* key : {"no_scale_embedding", "layernorm_embedding", "decoder_learned_pos", "encoder_learned_pos",
                                "no_token_positional_embeddings", "adaptive_input", "no_cross_attention",
                                "cross_self_attention", "no_decoder_final_norm"})
            if (m_settings.boolean(key, false))
                refuse(key, " is True, which this version does not support");
        if (m_settings.has("adaptive_softmax_cutoff"))
            refuse("adaptive_softmax_cutoff", " is set, which this version does not support");
        for (const char* key : {"decoder_input_dim", "decoder_output_dim"})
            if (m_settings.has(key) && m_settings.integer(key, 1, kLargestSetting) != size("decoder_embed_dim"))
                refuse(key, " is not decoder_embed_dim, which this version does not support");
    }

    Activation activation() const {
        const std::string name = m_settings.text("activation_fn", "relu");
        if (name != "relu" && name != "gelu" && name != "swish")
            refuse("activation_fn",
                   " is “" + validText(name.substr(0, 40)) + "”; relu, gelu and swish are supported");
        return choiceOf<Activation>(name);
    }
    NormPlace norm(const char* key) const {
        return m_settings.boolean(key) ? NormPlace::Pre : NormPlace::Post;
    }

    static std::vector<HeadGroup> heads(HeadKind kind, int count) {
        HeadGroup group;
        group.kind = kind;
        group.count = count;
        return {group};
    }

    void frontEnd() {
        Architecture::FrontEnd& front = m_architecture.frontEnd;
        if (m_family == FairseqFamily::Text)
            return textFront();
        if (m_family == FairseqFamily::Conformer &&
            m_settings.text("conv_version", "s2t_transformer") != "s2t_transformer")
            refuse("conv_version", " is a different front end than that of s2t_transformer");
        if (m_settings.has("input_channels") && m_settings.integer("input_channels", 1, kLargestSetting) != 1)
            refuse("input_channels", " is not 1");
        const std::string first = "encoder.subsample.conv_layers.0.weight";
        if (m_settings.has("input_feat_per_channel")) {
            front.features = static_cast<int>(m_settings.integer("input_feat_per_channel", 1, 1000));
        } else if (m_weights.contains(first) && m_weights.tensor(first).shape.size() == 3) {
            front.features = static_cast<int>(std::min<std::int64_t>(m_weights.tensor(first).shape[1], 1000));
            assume("input_feat_per_channel",
                   std::to_string(front.features) + " mel bins, as " + first + " has");
        } else {
            m_settings.integer("input_feat_per_channel", 1, 1000); // says that it is missing
        }
        front.channels = size("conv_channels");
        // Multiformer builds the front end of these two again over the other's.
        const bool own = m_family == FairseqFamily::Multiformer && m_settings.has("conv_ks");
        front.kernels = m_settings.integers(own ? "conv_ks" : "conv_kernel_sizes", 1, 99);
        front.strides.assign(front.kernels.size(), 2); // fairseq knows no other
        if (m_family == FairseqFamily::Multiformer && m_settings.has("conv_strides"))
            front.strides = m_settings.integers("conv_strides", 1, 99);
        if (front.strides.size() != front.kernels.size())
            m_settings.refuse("model.badConfig", "conv_strides",
                              " has " + std::to_string(front.strides.size()) + " numbers for " +
                                  std::to_string(front.kernels.size()) + " convolutions");
    }

    /// One dictionary and one table for both languages, or one of each for the source alone.
    void textFront() {
        m_architecture.frontEnd = textFrontEnd();
        if (!m_settings.boolean("share_all_embeddings", false)) // else the encoder's repeats the decoder's
            m_architecture.frontEnd.vocabulary = piecesOf("encoder.embed_tokens.weight");
    }

    /// The rows of an embedding: the size of its vocabulary.
    int piecesOf(const std::string& embedding) const {
        if (!m_weights.contains(embedding) || m_weights.tensor(embedding).shape.size() != 2)
            throw Error("model.missingTensor",
                        m_settings.name() + " has no tensor " + embedding + ", which gives the size of the vocabulary.",
                        {{"file", m_settings.name()}, {"tensor", embedding}});
        return static_cast<int>(std::min<std::int64_t>(m_weights.tensor(embedding).shape[0], 10 * kLargestSetting));
    }

    void encoder() {
        Architecture::Encoder& encoder = m_architecture.encoder;
        encoder.width = size("encoder_embed_dim");
        encoder.feedForward = size("encoder_ffn_embed_dim");
        encoder.dropout = m_settings.share("dropout");
        encoder.attentionDropout =
            m_settings.has("attention_dropout") ? m_settings.share("attention_dropout") : encoder.dropout;
        readActivationDropout();
        if (m_family == FairseqFamily::Conformer)
            return conformer();
        encoder.norm = norm("encoder_normalize_before");
        encoder.activation = activation();
        if (m_family == FairseqFamily::Multiformer)
            return multiformer();
        m_architecture.source = "fairseq " + m_arch;
        encoder.layers.assign(static_cast<std::size_t>(m_settings.integer("encoder_layers", 1, 1000)),
                              {heads(HeadKind::Full, size("encoder_attention_heads"))});
    }

    /// An old name counts where the new one is absent or 0.
    void readActivationDropout() {
        Architecture::Encoder& encoder = m_architecture.encoder;
        for (const char* key : {"activation_dropout", "relu_dropout"})
            if (m_settings.has(key) && encoder.activationDropout.value_or(0) == 0)
                encoder.activationDropout = m_settings.share(key);
        if (encoder.activationDropout == encoder.dropout)
            encoder.activationDropout.reset();
    }

    void multiformer() {
        Architecture::Encoder& encoder = m_architecture.encoder;
        m_architecture.source = "Sant et al. 2022, fairseq " + m_arch;
        encoder.queryKeyValueBias = m_weights.contains("encoder.transformer_layers.0.self_attn.wq.bias");
        if (m_settings.has("arg_supremo")) {
            encoder.layers =
                parseMultiformerHeads(m_settings.text("arg_supremo"), m_settings.place("arg_supremo"));
            return;
        }
        for (const ReleasedHeads& released : kReleased)
            if (released.architecture == m_arch) {
                encoder.layers = parseMultiformerHeads(released.text, m_arch);
                assume("arg_supremo", "the heads of " + m_arch + " as released");
                return;
            }
        m_settings.text("arg_supremo"); // says that it is missing
    }

    void conformer() {
        Architecture::Encoder& encoder = m_architecture.encoder;
        m_architecture.source = "Gulati et al. 2020, fairseq " + m_arch;
        m_architecture.frontEnd.projection = true;
        encoder.kind = EncoderKind::Conformer;
        encoder.activation = Activation::Swish; // fairseq's Conformer does not listen to activation_fn
        encoder.attentionDropout = encoder.dropout;
        encoder.activationDropout.reset();
        Architecture::Convolution convolution;
        convolution.kernel = static_cast<int>(m_settings.integer("depthwise_conv_kernel_size", 1, 999));
        convolution.norm = ConvolutionNorm::Batch;
        convolution.bias = false;
        encoder.convolution = convolution;
        const std::string attention = m_settings.text("attn_type", ""),
                          positions = m_settings.text("pos_enc_type", "abs");
        if (attention == "espnet" && positions == "rel_pos")
            encoder.positions = Positions::Relative;
        else if (positions == "rope")
            refuse(
                "pos_enc_type",
                " is “rope”, which fairseq rotates before the projections; this version does not support "
                "that");
        else if (positions != "abs")
            refuse("pos_enc_type", " is “" + validText(positions.substr(0, 40)) + "” with attn_type “" +
                                       validText(attention.substr(0, 40)) +
                                       "”, which this version does not support");
        encoder.layers.assign(static_cast<std::size_t>(m_settings.integer("encoder_layers", 1, 1000)),
                              {heads(HeadKind::Full, size("encoder_attention_heads"))});
    }

    void decoder() {
        Architecture::Decoder decoder;
        decoder.layers = static_cast<int>(m_settings.integer("decoder_layers", 1, 1000));
        decoder.width = size("decoder_embed_dim");
        decoder.feedForward = size("decoder_ffn_embed_dim");
        decoder.norm = norm("decoder_normalize_before");
        decoder.activation = activation();
        decoder.tiedEmbeddings = m_model.tied =
            m_settings.boolean("share_decoder_input_output_embed", false) ||
            (m_family == FairseqFamily::Text && m_settings.boolean("share_all_embeddings", false));
        decoder.selfAttention = heads(HeadKind::Masked, size("decoder_attention_heads"));
        decoder.crossAttention = heads(HeadKind::Full, size("decoder_attention_heads"));
        m_architecture.decoder = decoder;
        m_architecture.vocabulary = piecesOf("decoder.embed_tokens.weight");
        // The document's own rules: heads that divide the width, even channels …
        try {
            m_model.architecture = parseArchitecture(canonicalText(m_architecture), m_settings.name());
        } catch (const Error& error) {
            throw Error("model.badConfig", error.what(), error.values());
        }
    }

    /// Features are made by the task's YAML file, which is not in the checkpoint.
    void features() {
        const std::string name = m_settings.text("config_yaml", "config.yaml");
        const auto file = m_model.folder / std::filesystem::path(name).filename();
        std::ifstream stream(file);
        if (!stream) {
            m_model.assumed.push_back(
                shown(file) + " is missing; 16 kHz, log-mel filterbank and utterance CMVN were assumed.");
            return;
        }
        for (std::string line; std::getline(stream, line);) {
            line.resize(std::min(line.find('#'), line.size()));
            if (line.find("global_cmvn") != std::string::npos)
                throw Error("model.frontEnd",
                            shown(file) +
                                " requests features normalised by the corpus (global_cmvn); this version "
                                "normalises them by the utterance.",
                            {{"file", shown(file)}});
            if (line.find("prepend_tgt_lang_tag") != std::string::npos &&
                line.find("rue") != std::string::npos)
                m_model.assumed.push_back(shown(file) +
                                          " requests a language tag before every target "
                                          "(prepend_tgt_lang_tag), which this version does not support.");
        }
    }

    void assume(const std::string& key, const std::string& what) {
        m_model.assumed.push_back(m_settings.place(key) + " is missing: " + what + ", were assumed.");
    }

    FairseqSettings m_settings;
    const NamedTensors& m_weights;
    std::string m_arch;
    FairseqFamily m_family = FairseqFamily::Transformer;
    Architecture m_architecture;
    ModelFolder m_model;
};

} // namespace

ModelFolder describeFairseq(const std::filesystem::path& file) {
    const TorchCheckpoint checkpoint = openTorchCheckpoint(file);
    return Description(file, checkpoint).take();
}

} // namespace headroom::models
