// SPDX-License-Identifier: GPL-3.0-or-later
// The training folder of an ESPnet 2 recipe: config.yaml and *.pth. Keys, defaults and names are those of
// espnet2/asr/encoder/{conformer,branchformer,e_branchformer}_encoder.py and espnet2/asr/frontend/default.py.
#include "core/errors/display_name.h"
#include "models/attention/relative.h"
#include "core/tensors/npy.h"
#include "core/text/largest_vocabulary.h"
#include "core/text/token_list.h"
#include "models/checkpoints/families/espnet_folder.h"
#include "models/checkpoints/families/switches.h"
#include "models/checkpoints/weights.h"

#include <algorithm>
#include <cmath>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::int64_t kEspnetLongestSamples = 600 * 16'000; // memory is checked for every recording anyway

/// The value of a key, or ESPnet's default.
json valueOr(const JsonFile& config, const char* key, const json& usual) {
    return config.has(key) && !config.value(key).is_null() ? config.value(key) : usual;
}

/// Refuses a key whose value, or ESPnet's default if there is none, is not one of those that this version runs.
void requireEspnet(const JsonFile& config, const char* key, const json& usual, const std::vector<json>& supported) {
    const json found = valueOr(config, key, usual);
    if (std::find(supported.begin(), supported.end(), found) != supported.end())
        return;
    const bool given = found != usual || (config.has(key) && !config.value(key).is_null());
    config.refuse("model.unsupported",
                  ": “" + std::string(key) + "” is " + found.dump().substr(0, 60) +
                      (given ? "" : ", ESPnet's default") + "; this version runs " + supported.front().dump() + " only",
                  {{"key", key}});
}

/// A part that may be missing or null where nothing differs from the defaults.
JsonFile confOf(const JsonFile& config, const char* key) {
    if (config.has(key) && !config.value(key).is_null())
        return config.part(key);
    return {config.name() + ", “" + key + "”", json::object()};
}

/// conv2d and its relatives: kernels and strides of unpadded convolutions with ReLU.
struct EspnetInputLayer {
    const char* name;
    std::vector<int> kernels, strides;
};
const std::vector<EspnetInputLayer>& inputLayers() {
    static const std::vector<EspnetInputLayer> kLayers{{"conv2d", {3, 3}, {2, 2}},
                                                       {"conv2d1", {3, 3}, {1, 1}},
                                                       {"conv2d2", {3, 3}, {2, 1}},
                                                       {"conv2d6", {3, 5}, {2, 3}},
                                                       {"conv2d8", {3, 3, 3}, {2, 2, 2}}};
    return kLayers;
}

int sampleRateOf(const JsonFile& frontEnd) {
    const json rate = valueOr(frontEnd, "fs", 16000);
    if (rate.is_number_integer())
        return rate.get<int>();
    return rate == "16k" || rate == "16000" ? 16000 : 0;
}

class EspnetDescription {
public:
    EspnetDescription(const fs::path& folder, const fs::path& weights)
        : m_config(shown(folder / "config.yaml"), readEspnetConfig(folder)) {
        m_model.folder = folder;
        m_model.family = "ESPnet";
        m_model.config = folder / "config.yaml";
        m_model.weights = weights;
        m_architecture.name = nameOfModel(folder);
        for (const char* key : {"preencoder", "postencoder"})
            if (m_config.has(key) && !m_config.value(key).is_null())
                refuseValue(m_config, key, "null");
        const std::string kind = m_config.text("encoder");
        if (kind != "conformer" && kind != "branchformer" && kind != "e_branchformer")
            m_config.refuse("model.unsupported",
                            ": “encoder” is “" + validText(kind.substr(0, 60)) +
                                "”; of ESPnet's encoders this version opens conformer, branchformer and e_branchformer",
                            {{"key", "encoder"}});
        m_architecture.source = "ESPnet " + kind;
        readEncoder(kind);
        readInputLayer();
        readFeatures();
        readOutput();
        m_model.names = names();
        readNormalisation();
        try { // the document's own rules: heads that divide the width, odd kernels …
            m_model.architecture = parseArchitecture(canonicalText(m_architecture), m_config.name());
        } catch (const Error& error) {
            throw Error("model.badConfig", error.what(), error.values());
        }
    }

    ModelFolder take() { return std::move(m_model); }

private:
    void readEncoder(const std::string& kind) {
        const JsonFile conf = confOf(m_config, "encoder_conf");
        const Switches switches(conf, m_model.assumed);
        const bool conformer = kind == "conformer";
        requireEspnet(conf, "zero_triu", false, {false});
        requireEspnet(conf, "interctc_use_conditioning", false, {false});
        if (kind != "branchformer")
            requireEspnet(conf, "positionwise_layer_type", "linear", {"linear"});
        Architecture::Encoder& encoder = m_architecture.encoder;
        encoder.width = switches.whole("output_size", 256, 65'536);
        encoder.positions = positionsIn(conf, conformer);
        encoder.normEpsilon = 1e-12; // espnet/nets/pytorch_backend/transformer/layer_norm.py
        encoder.outputNorm = true;
        encoder.dropout = dropoutOf(conf, "dropout_rate", m_model.assumed);
        encoder.attentionDropout = conf.has("attention_dropout_rate") ? conf.share("attention_dropout_rate") : 0;
        const int heads = switches.whole("attention_heads", 4, 1024);
        encoder.layers.assign(static_cast<std::size_t>(switches.whole("num_blocks", conformer ? 6 : 12, 1000)),
                              Architecture::Layer{headsOf(HeadKind::Full, heads)});
        conformer ? readConformer(conf, switches) : readBranchformer(conf, switches, kind == "e_branchformer");
    }

    /// rel_pos_type “legacy” turns both layer types into their old forms, as ESPnet's constructors do.
    static Positions positionsIn(const JsonFile& conf, bool conformer) {
        const char* attention = conformer ? "selfattention_layer_type" : "attention_layer_type";
        requireEspnet(conf, "pos_enc_layer_type", "rel_pos", {"rel_pos", "abs_pos", "legacy_rel_pos"});
        const json positions = valueOr(conf, "pos_enc_layer_type", "rel_pos");
        if (positions == "abs_pos") {
            requireEspnet(conf, attention, "rel_selfattn", {"selfattn"});
            return Positions::Interleaved;
        }
        requireEspnet(conf, "rel_pos_type", conformer ? "legacy" : "latest", {"latest", "legacy"});
        const bool legacy = valueOr(conf, "rel_pos_type", conformer ? "legacy" : "latest") == "legacy";
        if (!legacy) {
            requireEspnet(conf, "pos_enc_layer_type", "rel_pos", {"rel_pos"});
            requireEspnet(conf, attention, "rel_selfattn", {"rel_selfattn"});
            return Positions::Relative;
        }
        requireEspnet(conf, attention, "rel_selfattn", {"rel_selfattn", "legacy_rel_selfattn"});
        requireEspnet(conf, "max_pos_emb_len", kLegacyTable, {kLegacyTable});
        return Positions::RelativeLegacy;
    }

    void readConformer(const JsonFile& conf, const Switches& switches) {
        requireEspnet(conf, "macaron_style", false, {true});
        requireEspnet(conf, "use_cnn_module", true, {true});
        requireEspnet(conf, "normalize_before", true, {true});
        requireEspnet(conf, "concat_after", false, {false});
        Architecture::Encoder& encoder = m_architecture.encoder;
        encoder.kind = EncoderKind::Conformer;
        encoder.feedForward = switches.whole("linear_units", 2048, 1'000'000);
        encoder.activation = activationIn(conf, "activation_type", switches.text("activation_type", "swish"));
        Architecture::Convolution convolution;
        convolution.kernel = switches.whole("cnn_module_kernel", 31, 999);
        convolution.norm = ConvolutionNorm::Batch;
        convolution.bias = convolution.depthwiseBias = true;
        convolution.activation = encoder.activation;
        encoder.convolution = convolution;
    }

    void readBranchformer(const JsonFile& conf, const Switches& switches, bool merges) {
        requireEspnet(conf, "use_linear_after_conv", false, {false});
        requireEspnet(conf, "gate_activation", "identity", {"identity"});
        Architecture::Encoder& encoder = m_architecture.encoder;
        encoder.kind = EncoderKind::Branchformer;
        encoder.feedForward = 0;
        encoder.activation = Activation::Swish;
        Architecture::GatedBranch branch;
        branch.units = switches.whole("cgmlp_linear_units", 2048, 1'000'000);
        branch.kernel = switches.whole("cgmlp_conv_kernel", 31, 999);
        branch.mergeKernel = merges ? switches.whole("merge_conv_kernel", 3, 999) : 0;
        encoder.branch = branch;
        if (!merges) {
            requireEspnet(conf, "merge_method", "concat", {"concat"});
            requireEspnet(conf, "use_attn", true, {true});
            requireEspnet(conf, "use_cgmlp", true, {true});
        } else if (valueOr(conf, "use_ffn", false) == true) {
            requireEspnet(conf, "macaron_ffn", false, {true});
            encoder.feedForward = switches.whole("linear_units", 2048, 1'000'000);
            encoder.activation = activationIn(conf, "ffn_activation_type", switches.text("ffn_activation_type", "swish"));
        }
    }

    void readInputLayer() {
        const JsonFile conf = confOf(m_config, "encoder_conf");
        const json name = valueOr(conf, "input_layer", "conv2d");
        const auto& known = inputLayers();
        const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return name == one.name; });
        if (found == known.end())
            refuseValue(conf, "input_layer", "conv2d, conv2d1, conv2d2, conv2d6 and conv2d8");
        Architecture::FrontEnd& frontEnd = m_architecture.frontEnd;
        frontEnd.kind = FrontEndKind::Conv2d;
        frontEnd.activation = FrontEndActivation::Relu;
        frontEnd.kernels = found->kernels;
        frontEnd.strides = found->strides;
        frontEnd.planes.assign(found->kernels.size(), m_architecture.encoder.width);
        frontEnd.padded = false;
        frontEnd.scaled = true;
        m_projection = name == "conv2d8" ? "encoder.embed.out." : "encoder.embed.out.0.";
    }

    void readFeatures() {
        const json kind = valueOr(m_config, "frontend", nullptr);
        if (kind != "default")
            m_config.refuse("model.frontEnd",
                            ": “frontend” is " + kind.dump().substr(0, 60) +
                                "; this version computes the features of ESPnet's “default” only",
                            {{"key", "frontend"}});
        const JsonFile conf = confOf(m_config, "frontend_conf");
        const Switches switches(conf, m_model.assumed);
        if (sampleRateOf(conf) != 16000)
            refuseValue(conf, "fs", "16k");
        requireEspnet(conf, "window", "hann", {"hann"});
        requireEspnet(conf, "center", true, {true});
        requireEspnet(conf, "normalized", false, {false});
        requireEspnet(conf, "onesided", true, {true});
        requireEspnet(conf, "apply_stft", true, {true});
        requireEspnet(conf, "htk", false, {false});
        requireEspnet(conf, "fmin", 0, {0});
        requireEspnet(conf, "fmax", 8000, {8000});
        if (conf.has("frontend_conf") && conf.value("frontend_conf").is_object())
            for (const char* key : {"use_wpe", "use_beamformer"})
                requireEspnet(conf.part("frontend_conf"), key, false, {false});
        Architecture::FrontEnd& frontEnd = m_architecture.frontEnd;
        frontEnd.reads = InputKind::EspnetLogMel;
        frontEnd.features = switches.whole("n_mels", 80, 1000);
        constexpr int kLongestTransform = 16'384;
        frontEnd.frames.transform = switches.whole("n_fft", 512, kLongestTransform);
        frontEnd.frames.hop = switches.whole("hop_length", 128, kLongestTransform);
        frontEnd.frames.window = conf.has("win_length") && !conf.value("win_length").is_null()
                                     ? static_cast<int>(conf.integer("win_length", 2, kLongestTransform))
                                     : frontEnd.frames.transform;
        m_model.maxSourceFrames = kEspnetLongestSamples / frontEnd.frames.hop + 1;
    }

    void readOutput() {
        const NamedTensors weights = openWeights(m_model.weights);
        const std::string output = "ctc.ctc_lo.weight", file = shown(m_model.weights);
        if (!weights.contains(output)) {
            m_model.assumed.push_back(file + " has no CTC output; the encoder is opened alone.");
            return;
        }
        const auto shape = weights.tensor(output).shape;
        const bool listed = m_config.has("token_list") && m_config.value("token_list").is_array();
        m_architecture.ctc = static_cast<int>(
            listed ? m_config.value("token_list").size() : shape.empty() ? 1 : std::min<std::int64_t>(shape.front(), kLargestVocabulary));
        readTokens(listed);
    }

    /// “token_list” gives the labels their text, where “token_type” says how tokens are joined.
    void readTokens(bool listed) {
        const json type = valueOr(m_config, "token_type", "bpe"), pieces = valueOr(m_config, "bpemodel", "");
        if (!listed) {
            m_model.assumed.push_back(m_config.name() + " lists no tokens (“token_list”), so labels have no text.");
            return;
        }
        if (!type.is_string() || !TokenList::writes(type)) {
            m_model.assumed.push_back("The tokens in " + m_config.name() + " are of the type " + type.dump().substr(0, 40) +
                                      "; text is made of char, word and bpe, so labels have no text.");
            return;
        }
        m_model.tokenizer = m_model.config;
        if (type == "bpe" && TokenList::pieceModel(m_model.config, pieces.is_string() ? pieces.get<std::string>() : "").empty())
            m_model.assumed.push_back("The SentencePiece model of " + m_config.name() + " (“bpemodel”) is missing. Labels have "
                                      "their text, but text cannot be cut into labels: put it beside the file as bpe.model.");
    }

    /// Global statistics are in the file of weights; older recipes keep them beside it only.
    void readNormalisation() {
        const json how = valueOr(m_config, "normalize", m_config.has("normalize") ? json() : json("utterance_mvn"));
        const JsonFile conf = confOf(m_config, "normalize_conf");
        Architecture::FrontEnd& frontEnd = m_architecture.frontEnd;
        const auto bins = static_cast<std::size_t>(frontEnd.features);
        if (how.is_null()) {
            frontEnd.cmvn = GlobalCmvn{std::vector<double>(bins, 0), std::vector<double>(bins, 1)};
        } else if (how == "utterance_mvn") {
            requireEspnet(conf, "norm_means", true, {true});
            frontEnd.normalised = valueOr(conf, "norm_vars", false) == true;
        } else if (how == "global_mvn") {
            GlobalCmvn cmvn = globalStatistics(conf);
            if (cmvn.mean.size() != bins || cmvn.deviation.size() != bins)
                m_config.refuse("model.badConfig", ": the statistics of “global_mvn” have " +
                                                       std::to_string(cmvn.mean.size()) + " numbers, and “n_mels” is " +
                                                       std::to_string(bins));
            if (valueOr(conf, "norm_means", true) == false)
                cmvn.mean.assign(bins, 0);
            if (valueOr(conf, "norm_vars", true) == false)
                cmvn.deviation.assign(bins, 1);
            frontEnd.cmvn = std::move(cmvn);
        } else {
            refuseValue(m_config, "normalize", "global_mvn, utterance_mvn and null");
        }
    }

    /// Beside the weights, or where a recipe has it: named from the folder in which exp/ lies.
    fs::path statisticsFile(const fs::path& stored) const {
        const fs::path beside = m_model.folder / stored.filename();
        const bool leaves = stored.is_absolute() || std::ranges::find(stored, fs::path("..")) != stored.end();
        if (!fs::exists(beside) && !leaves)
            for (const fs::path& place : {m_model.folder / stored, m_model.folder / ".." / ".." / stored})
                if (fs::is_regular_file(place))
                    return place;
        return beside;
    }

    GlobalCmvn globalStatistics(const JsonFile& conf) const {
        const NamedTensors weights = openWeights(m_model.weights);
        if (weights.contains("normalize.mean") && weights.contains("normalize.std"))
            return {toDoubles(weights.tensor("normalize.mean")), toDoubles(weights.tensor("normalize.std"))};
        const std::string stored = conf.has("stats_file") && conf.value("stats_file").is_string() ? conf.text("stats_file")
                                                                                                  : "feats_stats.npz";
        const fs::path file = statisticsFile(stored);
        if (!fs::exists(file))
            throw Error("model.missingFile",
                        shown(file) + " is missing: " + m_config.name() + " normalises the features by the statistics in it.",
                        {{"file", file.string()}});
        return withModelCodes([&] {
            const NpzReader arrays(file);
            for (const char* name : {"count", "sum", "sum_square"})
                if (!arrays.has(name))
                    throw Error("model.badConfig", shown(file) + " has no array “" + name + "”.", {{"file", file.string()}});
            const auto count = toDoubles(arrays.read("count").view()), sum = toDoubles(arrays.read("sum").view()),
                       squares = toDoubles(arrays.read("sum_square").view());
            GlobalCmvn cmvn;
            for (std::size_t bin = 0; bin < std::min(sum.size(), squares.size()) && !count.empty(); ++bin) {
                cmvn.mean.push_back(sum[bin] / count.front());
                const double variance = squares[bin] / count.front() - cmvn.mean.back() * cmvn.mean.back();
                cmvn.deviation.push_back(std::sqrt(std::max(variance, 1e-20)));
            }
            return cmvn;
        });
    }

    NameRules names() const {
        const bool branches = m_architecture.encoder.branch.has_value();
        NameRules rules;
        const auto add = [&](const std::string& ours, const std::string& theirs) {
            rules.replacements.emplace_back(ours, theirs);
        };
        for (std::size_t i = 0; i < m_architecture.frontEnd.kernels.size(); ++i) // an activation stands between two
            add("model.encoder.conv.conv_layers." + std::to_string(i) + ".",
                "encoder.embed.conv." + std::to_string(2 * i) + ".");
        add("model.encoder.conv.projection.", m_projection);
        add("model.encoder.layer_norm.", "encoder.after_norm.");
        add("model.encoder.layers.", "encoder.encoders.");
        add(".ffn1_layer_norm.", ".norm_ff_macaron.");
        add(".ffn2_layer_norm.", ".norm_ff.");
        add(".ffn1.fc", ".feed_forward_macaron.w_");
        add(".ffn2.fc", ".feed_forward.w_");
        add(".self_attn_layer_norm.", ".norm_mha.");
        for (const std::string which : {"q", "k", "v", "out"})
            add(".self_attn." + which + "_proj.", ".self_attn.linear_" + which + ".");
        add(".final_layer_norm.", ".norm_final.");
        if (branches) {
            add(".self_attn.", ".attn.");
            add(".gated_layer_norm.", ".norm_mlp.");
            add(".gated.linear_1.", ".cgmlp.channel_proj1.0.");
            add(".gated.gate_norm.", ".cgmlp.csgu.norm.");
            add(".gated.gate_conv.", ".cgmlp.csgu.conv.");
            add(".gated.linear_2.", ".cgmlp.channel_proj2.");
            add(".merge.conv.", ".depthwise_conv_fusion.");
            add(".merge.proj.", ".merge_proj.");
        } else {
            add(".conv_module.layer_norm.", ".norm_conv.");
            add(".conv_module.batch_norm.", ".conv_module.norm.");
        }
        add("ctc.", "ctc.ctc_lo.");
        // What computes the features, and a decoder.
        rules.leftOut = {"frontend.", "normalize.", "decoder.", "joint_network.", "criterion_", "lm."};
        rules.leftOutEndings = {".num_batches_tracked"};
        return rules;
    }

    JsonFile m_config;
    ModelFolder m_model;
    Architecture m_architecture;
    std::string m_projection;
};

} // namespace

ModelFolder describeEspnet(const fs::path& folder, const fs::path& weights) {
    return EspnetDescription(folder, weights.empty() ? espnetWeights(folder) : weights).take();
}

} // namespace headroom::models
