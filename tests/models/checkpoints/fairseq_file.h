// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/models/model_folders.h"
#include "tests/support/pickle_writer.h"

#include <map>
#include <string>
#include <variant>

namespace headroom::testing {

/// fairseq's arguments by name; nullptr is None.
using FairseqArgs = std::map<std::string, std::variant<std::nullptr_t, bool, int, double, std::string>>;

/// Where the arguments stand in the file.
enum class ArgsForm {
    Namespace,      ///< "args": argparse.Namespace, until 2020
    ConfigOfDicts,  ///< "cfg": {"model": Namespace}, as later trainers save it
    ConfigOfObjects ///< "cfg": omegaconf objects with nodes that point back to their parents
};

inline void writeValue(PickleWriter& pickle, const FairseqArgs::mapped_type& value) {
    if (const auto* truth = std::get_if<bool>(&value))
        pickle.boolean(*truth);
    else if (const auto* number = std::get_if<int>(&value))
        pickle.integer(*number);
    else if (const auto* real = std::get_if<double>(&value))
        pickle.real(*real);
    else if (const auto* text = std::get_if<std::string>(&value))
        pickle.text(*text);
    else
        pickle.none();
}

inline void writeNamespace(PickleWriter& pickle, const FairseqArgs& args) {
    pickle.global("argparse", "Namespace").emptyTuple().newObject().emptyDict().mark();
    for (const auto& [name, value] : args)
        writeValue(pickle.text(name), value);
    pickle.setItems().build();
}

/// omegaconf.dictconfig.DictConfig, each value in an AnyNode whose `_parent` is the DictConfig.
inline void writeDictConfig(PickleWriter& pickle, const FairseqArgs& args) {
    constexpr std::uint8_t kParent = 200;
    pickle.global("omegaconf.dictconfig", "DictConfig").emptyTuple().newObject().remember(kParent);
    pickle.emptyDict()
        .mark()
        .text("_metadata")
        .global("omegaconf.base", "ContainerMetadata")
        .emptyTuple()
        .newObject();
    pickle.emptyDict().mark().text("ref_type").global("typing", "Any").setItems().build();
    pickle.text("_parent").none().text("_content").emptyDict().mark();
    for (const auto& [name, value] : args) {
        pickle.text(name).global("omegaconf.nodes", "AnyNode").emptyTuple().newObject().emptyDict().mark();
        writeValue(pickle.text("_parent").recall(kParent).text("_val"), value);
        pickle.setItems().build();
    }
    pickle.setItems().setItems().build();
}

/// The bytes of a checkpoint: arguments, state dict under fairseq's names, and what else a trainer saves.
inline std::string fairseqFile(const FairseqArgs& args, const Named& tensors,
                               ArgsForm form = ArgsForm::Namespace, bool legacy = false) {
    TorchSaver saver(legacy);
    PickleWriter pickle;
    pickle.emptyDict().mark().text("args");
    if (form == ArgsForm::Namespace)
        writeNamespace(pickle, args);
    else
        pickle.none();
    pickle.text("cfg");
    if (form == ArgsForm::Namespace) {
        pickle.none();
    } else {
        pickle.emptyDict().mark().text("model");
        if (form == ArgsForm::ConfigOfDicts)
            writeNamespace(pickle, args);
        else
            writeDictConfig(pickle, args);
        pickle.text("ddp").global("fairseq.dataclass.constants", "DDP_BACKEND_CHOICES").mark().text("c10d");
        pickle.tuple().reduce().setItems();
    }
    pickle.text("model");
    saver.stateDict(pickle, tensors);
    pickle.text("optimizer_history").emptyList().text("last_optimizer_state").none();
    return saver.file(pickle.setItems(), "checkpoint_best");
}

inline std::string toFairseqName(std::string name) {
    const std::pair<std::string, std::string> renamings[]{
        {"model.encoder.conv.", "encoder.subsample."},
        {"model.encoder.layers.", "encoder.transformer_layers."},
        {"model.encoder.", "encoder."},
        {"model.decoder.", "decoder."},
        {"lm_head.", "decoder.output_projection."}};
    for (const auto& [ours, theirs] : renamings)
        if (name.starts_with(ours))
            return theirs + name.substr(ours.size());
    return name;
}

/// What fairseq's trainer would have said about an S2T Transformer.
inline FairseqArgs argsOf(const Architecture& architecture) {
    const auto& encoder = architecture.encoder;
    const auto& decoder = *architecture.decoder;
    std::string kernels;
    for (const int kernel : architecture.frontEnd.kernels)
        kernels += (kernels.empty() ? "" : ",") + std::to_string(kernel);
    return {{"arch", "s2t_transformer_s"},
            {"activation_fn", "relu"},
            {"dropout", encoder.dropout},
            {"attention_dropout", encoder.attentionDropout},
            {"conv_channels", architecture.frontEnd.channels},
            {"conv_kernel_sizes", kernels},
            {"input_channels", 1},
            {"input_feat_per_channel", architecture.frontEnd.features},
            {"encoder_embed_dim", encoder.width},
            {"encoder_ffn_embed_dim", encoder.feedForward},
            {"encoder_layers", static_cast<int>(encoder.layers.size())},
            {"encoder_attention_heads", encoder.layers.front().headCount()},
            {"encoder_normalize_before", true},
            {"decoder_embed_dim", decoder.width},
            {"decoder_ffn_embed_dim", decoder.feedForward},
            {"decoder_layers", decoder.layers},
            {"decoder_attention_heads", headCount(decoder.selfAttention)},
            {"decoder_normalize_before", true},
            {"decoder_input_dim", decoder.width},
            {"decoder_output_dim", decoder.width},
            {"share_decoder_input_output_embed", false},
            {"no_scale_embedding", false},
            {"adaptive_softmax_cutoff", nullptr},
            {"max_source_positions", 6000},
            {"max_target_positions", 1024}};
}

/// Our tensors under fairseq's names, with the ones that hold nothing learnt.
inline Named fairseqTensors(const Named& ours) {
    Named theirs;
    for (const auto& [name, tensor] : ours)
        theirs.emplace_back(toFairseqName(name), tensor);
    const std::vector<float> one{1};
    for (const char* name : {"encoder.embed_positions._float_tensor", "decoder.embed_positions._float_tensor",
                             "decoder.version"})
        theirs.emplace_back(name, Tensor::of<float>({1}, one));
    return theirs;
}

} // namespace headroom::testing
