// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/families/family.h"

#include <optional>

namespace headroom::models {

/// Reads the switches of a config.json. A key that is missing or null has the library's default, which is
/// reported in `assumed`. Errors as JsonFile.
class Switches {
public:
    Switches(const JsonFile& config, std::vector<std::string>& assumed)
        : m_config(config)
        , m_assumed(assumed) {}

    bool truth(const char* key, bool usual) const;
    std::string text(const char* key, const char* usual) const;
    int whole(const char* key, int usual, int most) const;
    double epsilon(const char* key, double usual = 1e-5) const;

private:
    bool has(const char* key) const { return m_config.has(key) && !m_config.value(key).is_null(); }
    template <class Value>
    Value assume(const char* key, Value usual) const;

    const JsonFile& m_config;
    std::vector<std::string>& m_assumed;
};

/// Returns the activation that the library calls `name`. Throws Error "model.unsupported", which names the
/// key.
Activation activationIn(const JsonFile& config, const char* key, const std::string& name);
/// Whether “architectures” names a class with a CTC output.
bool isCtcClass(const JsonFile& config);
/// Refuses a number of heads that does not divide the width, which stands under `widthKey`.
void checkHeads(const JsonFile& config, int heads, int width, const char* widthKey);
/// Reads the sizes of an encoder of full heads from the keys that the library's encoder-decoders share: “d_model”,
/// “encoder_ffn_dim”, “encoder_layers”, “encoder_attention_heads”, and the dropouts, reported in `assumed` if missing.
void readEncoderSizes(const JsonFile& config, Architecture::Encoder& encoder, std::vector<std::string>& assumed);
/// The same without dropouts, from the keys that the library's models without a decoder share: “hidden_size”, “intermediate_size”,
/// “num_hidden_layers”, “num_attention_heads”.
void readHiddenSizes(const JsonFile& config, Architecture::Encoder& encoder);
/// Returns a decoder of masked and full heads by “decoder_layers”, “decoder_ffn_dim” and “decoder_attention_heads”.
Architecture::Decoder decoderSizes(const JsonFile& config, int width);
/// Refuses a preprocessor whose `key` has another value than the model needs. Throws Error "model.frontEnd".
void requireSetting(const JsonFile& preprocessor, const char* key, const nlohmann::json& expected);
/// Finds what gives the labels of a CTC output their text: `tokenizer` in the folder, reported in `assumed` if it is
/// missing, and the blank in “pad_token_id”. Throws Error "model.noBlank" if that is no label of the output.
void describeLabels(const HuggingFaceFolder& folder, const char* tokenizer, ModelFolder& model);
/// Refuses a key that has another value than `expected`. Throws Error "model.unsupported".
void mustBe(const JsonFile& config, const char* key, const nlohmann::json& expected);
/// Refuses, with the name of the key, a value that this version does not run; `supported` is shown.
[[noreturn]] void refuseValue(const JsonFile& config, const char* key, const std::string& supported);
/// Returns preprocessor_config.json, or what processor_config.json holds of it; nullopt if there is neither.
std::optional<JsonFile> preprocessorOf(const HuggingFaceFolder& folder);

} // namespace headroom::models
