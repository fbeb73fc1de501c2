// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/hugging_face_export.h"

#include "core/text/tokenizer.h"
#include "models/checkpoints/weights.h"

namespace headroom::models {
namespace {

using Json = nlohmann::ordered_json;

/// The only group of so many heads of this kind, without anything else.
bool isPlain(const std::vector<HeadGroup>& groups, HeadKind kind, int count) {
    HeadGroup plain;
    plain.kind = kind;
    plain.count = count;
    return groups == std::vector{plain};
}

void refuseWhatHasNoWord(const ModelFolder& model) {
    const Architecture& architecture = model.architecture;
    const auto refuse = [&](const std::string& what) {
        throw Error("model.notSpeech2Text",
                    shown(model.config) + " has " + what +
                        ", which Hugging Face's Speech2Text format cannot describe.",
                    {{"file", shown(model.config)}, {"reason", what}});
    };
    const Architecture::FrontEnd& front = architecture.frontEnd;
    if (front.kind != FrontEndKind::Conv1d || front.activation != FrontEndActivation::Glu ||
        front.norm != FrontEndNorm::None || front.projection)
        refuse("a front end other than convolutions along time with GLU");
    if (front.cmvn)
        refuse("global CMVN");
    for (const int stride : front.strides)
        if (stride != 2)
            refuse("a convolution with stride " + std::to_string(stride));
    const Architecture::Encoder& encoder = architecture.encoder;
    if (architecture.languageModel || encoder.kind != EncoderKind::Transformer)
        refuse("no Transformer encoder");
    if (encoder.norm != NormPlace::Pre || encoder.positions != Positions::Sinusoidal ||
        encoder.activation != Activation::Relu)
        refuse("norm “" + wordOf(encoder.norm) + "”, positions “" + wordOf(encoder.positions) +
               "”, activation “" + wordOf(encoder.activation) + "”");
    if (!encoder.queryKeyValueBias)
        refuse("projections without bias");
    const int heads = encoder.layers.front().headCount();
    for (std::size_t l = 0; l < encoder.layers.size(); ++l)
        if (!isPlain(encoder.layers[l].heads, HeadKind::Full, heads))
            refuse("“" + toText(encoder.layers[l].heads) + "” in layer " + std::to_string(l + 1));
    if (architecture.ctc)
        refuse("a CTC output");
    if (!architecture.decoder)
        refuse("no decoder");
    const Architecture::Decoder& decoder = *architecture.decoder;
    const int decoderHeads = headCount(decoder.selfAttention);
    if (decoder.width != encoder.width || decoder.norm != NormPlace::Pre ||
        decoder.activation != Activation::Relu ||
        !isPlain(decoder.selfAttention, HeadKind::Masked, decoderHeads) ||
        !isPlain(decoder.crossAttention, HeadKind::Full, decoderHeads))
        refuse("a decoder of another form");
}

Json configOf(const ModelFolder& model) {
    const Architecture& architecture = model.architecture;
    const Architecture::Encoder& encoder = architecture.encoder;
    const Architecture::Decoder& decoder = *architecture.decoder;
    Json config;
    config["architectures"] = {"Speech2TextForConditionalGeneration"};
    config["model_type"] = "speech_to_text";
    config["is_encoder_decoder"] = true;
    config["d_model"] = encoder.width;
    config["encoder_layers"] = encoder.layers.size();
    config["encoder_attention_heads"] = encoder.layers.front().headCount();
    config["encoder_ffn_dim"] = encoder.feedForward;
    config["decoder_layers"] = decoder.layers;
    config["decoder_attention_heads"] = headCount(decoder.selfAttention);
    config["decoder_ffn_dim"] = decoder.feedForward;
    config["num_hidden_layers"] = encoder.layers.size();
    config["input_channels"] = 1;
    config["input_feat_per_channel"] = architecture.frontEnd.features;
    config["num_conv_layers"] = architecture.frontEnd.kernels.size();
    config["conv_kernel_sizes"] = architecture.frontEnd.kernels;
    config["conv_channels"] = architecture.frontEnd.channels;
    config["activation_function"] = "relu";
    config["dropout"] = encoder.dropout;
    config["attention_dropout"] = encoder.attentionDropout;
    config["activation_dropout"] = encoder.activationDropout.value_or(encoder.dropout);
    config["encoder_layerdrop"] = 0.0;
    config["decoder_layerdrop"] = 0.0;
    config["init_std"] = 0.02;
    config["scale_embedding"] = true;
    config["tie_word_embeddings"] = model.tied;
    config["vocab_size"] = architecture.vocabulary;
    config["max_source_positions"] = model.maxSourceFrames;
    config["max_target_positions"] = model.maxTargetTokens;
    config["bos_token_id"] = 0;
    config["pad_token_id"] = 1;
    config["eos_token_id"] = 2;
    config["decoder_start_token_id"] = 2;
    config["use_cache"] = true;
    return config;
}

Json generationOf(const ModelFolder& model) {
    return {{"bos_token_id", 0},
            {"pad_token_id", 1},
            {"eos_token_id", 2},
            {"decoder_start_token_id", 2},
            {"num_beams", 5},
            {"early_stopping", true},
            {"max_length", std::min<std::int64_t>(200, model.maxTargetTokens)}};
}

Json preprocessorOf(const ModelFolder& model) {
    const int bins = model.architecture.frontEnd.features;
    return {{"feature_extractor_type", "Speech2TextFeatureExtractor"},
            {"processor_class", "Speech2TextProcessor"},
            {"feature_size", bins},
            {"num_mel_bins", bins},
            {"sampling_rate", 16000},
            {"dither", 0.0},
            {"do_ceptral_normalize", true}, // the library's own spelling
            {"normalize_means", true},
            {"normalize_vars", true},
            {"padding_side", "right"},
            {"padding_value", 0.0},
            {"return_attention_mask", true}};
}

void writeTokenizer(const std::filesystem::path& model, UnfinishedFolder& out) {
    const Tokenizer tokenizer(model);
    Json vocabulary = Json::object();
    for (int id = 0; id < tokenizer.size(); ++id)
        vocabulary[tokenizer.piece(id)] = id;
    const Json special = {
        {"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}};
    Json config = special;
    config["tokenizer_class"] = "Speech2TextTokenizer";
    config["processor_class"] = "Speech2TextProcessor";
    config["do_upper_case"] = false;
    config["do_lower_case"] = false;
    config["tgt_lang"] = nullptr;
    config["lang_codes"] = nullptr;
    config["sp_model_kwargs"] = Json::object();
    out.copy(kNumberedPieces, model);
    out.write("vocab.json", vocabulary.dump(1) + "\n");
    out.write("tokenizer_config.json", config.dump(2) + "\n");
    out.write("special_tokens_map.json", special.dump(2) + "\n");
}

} // namespace

void writeSpeech2Text(const Checkpoint& model, UnfinishedFolder& out) {
    refuseWhatHasNoWord(model.folder);
    out.write("config.json", configOf(model.folder).dump(2) + "\n");
    out.write("generation_config.json", generationOf(model.folder).dump(2) + "\n");
    out.write("preprocessor_config.json", preprocessorOf(model.folder).dump(2) + "\n");
    if (!model.info.tokenizer.empty())
        writeTokenizer(model.info.tokenizer, out);
}

} // namespace headroom::models
