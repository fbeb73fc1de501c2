// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/switches.h"

#include "models/checkpoints/library_activations.h"
#include "models/checkpoints/weights.h"

namespace headroom::models {

template <class Value>
Value Switches::assume(const char* key, Value usual) const {
    m_assumed.push_back(m_config.name() + " does not define “" + key + "”; the library's default, " +
                        nlohmann::json(usual).dump() + ", was assumed.");
    return usual;
}

bool Switches::truth(const char* key, bool usual) const {
    return has(key) ? m_config.boolean(key) : assume(key, usual);
}

std::string Switches::text(const char* key, const char* usual) const {
    return has(key) ? m_config.text(key) : assume(key, std::string(usual));
}

int Switches::whole(const char* key, int usual, int most) const {
    return has(key) ? static_cast<int>(m_config.integer(key, 1, most)) : assume(key, usual);
}

double Switches::epsilon(const char* key, double usual) const {
    return has(key) ? m_config.share(key) : assume(key, usual);
}

void checkHeads(const JsonFile& config, int heads, int width, const char* widthKey) {
    if (width % heads != 0)
        config.refuse("model.badConfig", ": " + std::to_string(heads) + " heads do not divide “" + widthKey + "” " +
                                             std::to_string(width));
}

namespace {

struct SizeKeys {
    const char *width, *feedForward, *layers, *heads;
};

void readSizes(const JsonFile& config, const SizeKeys& keys, Architecture::Encoder& encoder) {
    encoder.width = sizeIn(config, keys.width);
    encoder.feedForward = sizeIn(config, keys.feedForward);
    const int heads = sizeIn(config, keys.heads);
    checkHeads(config, heads, encoder.width, keys.width);
    encoder.layers.assign(static_cast<std::size_t>(config.integer(keys.layers, 1, 1000)),
                          Architecture::Layer{headsOf(HeadKind::Full, heads)});
}

} // namespace

void readHiddenSizes(const JsonFile& config, Architecture::Encoder& encoder) {
    readSizes(config, {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads"}, encoder);
}

void readEncoderSizes(const JsonFile& config, Architecture::Encoder& encoder, std::vector<std::string>& assumed) {
    readSizes(config, {"d_model", "encoder_ffn_dim", "encoder_layers", "encoder_attention_heads"}, encoder);
    encoder.dropout = dropoutOf(config, "dropout", assumed);
    encoder.attentionDropout = dropoutOf(config, "attention_dropout", assumed);
    encoder.activationDropout = activationDropoutOf(config, encoder.dropout);
}

Architecture::Decoder decoderSizes(const JsonFile& config, int width) {
    Architecture::Decoder decoder;
    decoder.layers = static_cast<int>(config.integer("decoder_layers", 1, 1000));
    decoder.width = width;
    decoder.feedForward = sizeIn(config, "decoder_ffn_dim");
    const int heads = sizeIn(config, "decoder_attention_heads");
    checkHeads(config, heads, width, "d_model");
    decoder.selfAttention = headsOf(HeadKind::Masked, heads);
    decoder.crossAttention = headsOf(HeadKind::Full, heads);
    return decoder;
}

void requireSetting(const JsonFile& preprocessor, const char* key, const nlohmann::json& expected) {
    if (preprocessor.value(key) != expected)
        preprocessor.refuse("model.frontEnd",
                            ": “" + std::string(key) + "” is " + preprocessor.value(key).dump().substr(0, 40) +
                                ", but this model needs " + expected.dump(),
                            {{"key", key}});
}

void describeLabels(const HuggingFaceFolder& folder, const char* tokenizer, ModelFolder& model) {
    const int labels = static_cast<int>(*model.architecture.ctc);
    const JsonFile& config = folder.config;
    const nlohmann::json blank = config.has("pad_token_id") ? config.value("pad_token_id") : nlohmann::json();
    if (!blank.is_number_integer() || blank < 0 || blank >= labels)
        config.refuse("model.noBlank",
                      ": “pad_token_id” is " + blank.dump().substr(0, 20) +
                          ", and the CTC output needs the id of its blank, from 0 to " +
                          std::to_string(labels - 1),
                      {{"key", "pad_token_id"}});
    model.architecture.ctcBlank = blank.get<int>();
    const std::filesystem::path file = folder.path / tokenizer;
    if (std::filesystem::exists(file))
        model.tokenizer = file;
    else
        model.assumed.push_back(shown(file) + " is missing, so the labels of the CTC output have no text.");
}

Activation activationIn(const JsonFile& config, const char* key, const std::string& name) {
    if (const auto activation = activationOfLibrary(name))
        return *activation;
    config.refuse("model.unsupported",
                  ": “" + std::string(key) + "” is “" + name.substr(0, 40) +
                      "”; this version runs gelu, gelu_new, relu and swish",
                  {{"key", key}});
}

bool isCtcClass(const JsonFile& config) {
    if (!config.has("architectures") || !config.value("architectures").is_array())
        return false;
    for (const nlohmann::json& name : config.value("architectures"))
        if (name.is_string() && name.get<std::string>().ends_with("ForCTC"))
            return true;
    return false;
}

void refuseValue(const JsonFile& config, const char* key, const std::string& supported) {
    config.refuse("model.unsupported",
                  ": “" + std::string(key) + "” is " + config.value(key).dump().substr(0, 60) +
                      "; this version runs " + supported + " only",
                  {{"key", key}});
}

std::optional<JsonFile> preprocessorOf(const HuggingFaceFolder& folder) {
    const auto own = folder.path / "preprocessor_config.json", both = folder.path / "processor_config.json";
    if (std::filesystem::exists(own))
        return JsonFile(own);
    if (!std::filesystem::exists(both))
        return std::nullopt;
    const JsonFile processor(both);
    if (!processor.has("feature_extractor"))
        return std::nullopt;
    return processor.part("feature_extractor");
}

void mustBe(const JsonFile& config, const char* key, const nlohmann::json& expected) {
    const nlohmann::json& found = config.value(key);
    if (found != expected)
        config.refuse("model.unsupported",
                      ": “" + std::string(key) + "” is " + found.dump().substr(0, 60) +
                          "; this version runs " + expected.dump() + " only",
                      {{"key", key}});
}

} // namespace headroom::models
