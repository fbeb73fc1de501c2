// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model_folders/model_kind.h"

#include "core/model_folders/language_adapter.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace headroom {

namespace fs = std::filesystem;

const std::vector<ModelFamily>& modelFamilies() {
    static const std::vector<ModelFamily> kFamilies{
        {"Speech2Text", {"speech_to_text"}},
        {"wav2vec 2.0", {"wav2vec2"}},
        {"HuBERT", {"hubert"}},
        {"WavLM", {"wavlm"}},
        {"data2vec-audio", {"data2vec-audio"}},
        {"wav2vec2-BERT", {"wav2vec2-bert"}},
        {"Parakeet", {"parakeet_ctc", "parakeet_encoder", "parakeet_tdt", "parakeet_rnnt"}},
        {"Whisper", {"whisper"}},
        {"AST", {"audio-spectrogram-transformer"}},
        {"FSMT", {"fsmt"}, true},
    };
    return kFamilies;
}

namespace {

/// Speech models that are not opened, and the part that Headroom lacks.
const std::map<std::string, std::string>& unopenedSpeech() {
    static const std::map<std::string, std::string> kNeeds{
        {"clap", "the shifted windows of patches of CLAP"},
        {"granite_speech", "a language model behind a speech encoder"},
        {"mctct", "the convolutions and the relative positions of M-CTC-T"},
        {"moonshine", "the convolutions of Moonshine and rotary positions on a part of each head"},
        {"qwen2_audio", "a language model behind a speech encoder"},
        {"seamless_m4t", "the chunked Conformer and the text decoders of SeamlessM4T"},
        {"seamless_m4t_v2", "the chunked Conformer and the text decoders of SeamlessM4T"},
        {"sew", "layers over squeezed tokens"},
        {"sew-d", "layers over squeezed tokens and disentangled attention"},
        {"speecht5", "the relative positions and the text decoder of SpeechT5"},
        {"speech-encoder-decoder", "an encoder and a decoder with a configuration each"},
        {"unispeech", "the names of UniSpeech's tensors"},
        {"unispeech-sat", "the names of UniSpeech-SAT's tensors"},
        {"voxtral", "a language model behind a speech encoder"},
        {"wav2vec2-conformer", "Conformer layers after the convolutions of wav2vec 2.0"},
    };
    return kNeeds;
}

const std::vector<std::pair<ModelKind::Reads, std::vector<std::string>>>& otherTypes() {
    static const std::vector<std::pair<ModelKind::Reads, std::vector<std::string>>> kTypes{
        {ModelKind::Reads::Text,
         {"albert", "bart",    "bert",    "bloom", "camembert", "deberta",  "deberta-v2",  "distilbert", "electra",
          "falcon", "gemma",   "gemma2",  "gpt2",  "gpt_neo",   "gpt_neox", "gptj",        "llama",      "marian",
          "mbart",  "mistral", "mixtral", "mpnet", "mt5",       "opt",      "pegasus",     "phi",        "phi3",
          "qwen2",  "qwen3",   "roberta", "t5",    "xlm-roberta", "xlnet"}},
        {ModelKind::Reads::Images,
         {"beit", "blip", "clip", "convnext", "deit", "detr", "dinov2", "resnet", "segformer", "siglip", "swin", "vit",
          "vit_mae"}},
        {ModelKind::Reads::MakesSound,
         {"bark", "csm", "dac", "dia", "encodec", "fastspeech2_conformer", "mimi", "musicgen", "musicgen_melody",
          "speecht5", "univnet", "vits"}},
    };
    return kTypes;
}

/// By the ending of the class, where the type is not known.
ModelKind::Reads guessed(const std::string& modelClass) {
    constexpr std::pair<const char*, ModelKind::Reads> kEndings[]{
        {"ForCTC", ModelKind::Reads::Speech},
        {"ForSpeechSeq2Seq", ModelKind::Reads::Speech},
        {"ForAudioClassification", ModelKind::Reads::Speech},
        {"ForAudioFrameClassification", ModelKind::Reads::Speech},
        {"ForXVector", ModelKind::Reads::Speech},
        {"ForSpeechToText", ModelKind::Reads::Speech},
        {"ForTextToSpeech", ModelKind::Reads::MakesSound},
        {"ForTextToWaveform", ModelKind::Reads::MakesSound},
        {"ForImageClassification", ModelKind::Reads::Images},
        {"ForObjectDetection", ModelKind::Reads::Images},
        {"ForSemanticSegmentation", ModelKind::Reads::Images},
        {"ForCausalLM", ModelKind::Reads::Text},
        {"LMHeadModel", ModelKind::Reads::Text},
        {"ForMaskedLM", ModelKind::Reads::Text},
        {"ForSequenceClassification", ModelKind::Reads::Text},
        {"ForTokenClassification", ModelKind::Reads::Text},
        {"ForQuestionAnswering", ModelKind::Reads::Text},
    };
    for (const auto& [ending, reads] : kEndings)
        if (modelClass.ends_with(ending))
            return reads;
    return ModelKind::Reads::Unknown;
}

} // namespace

ModelKind modelKind(const std::string& type, const std::string& modelClass) {
    const auto contains = [&](const std::vector<std::string>& types) {
        return std::find(types.begin(), types.end(), type) != types.end();
    };
    for (const ModelFamily& family : modelFamilies())
        if (contains(family.modelTypes))
            return {family.name, family.readsText ? ModelKind::Reads::Text : ModelKind::Reads::Speech, {}};
    const ModelKind::Reads byClass = guessed(modelClass);
    const auto unopened = unopenedSpeech().find(type);
    for (const auto& [reads, types] : otherTypes())
        if (contains(types) && (unopened == unopenedSpeech().end() || byClass != ModelKind::Reads::Speech))
            return {{}, reads, {}}; // SpeechT5 generates sound, but for the class that recognises
    if (unopened != unopenedSpeech().end())
        return {{}, ModelKind::Reads::Speech, unopened->second};
    return {{}, byClass, {}};
}

std::string ModelKind::text() const {
    if (!family.empty())
        return "a " + family + " model";
    switch (reads) {
    case Reads::Speech:
        return "a speech model that Headroom does not open" + (needs.empty() ? "" : ": it needs " + needs);
    case Reads::Text:
        return "a text model";
    case Reads::Images:
        return "an image model";
    case Reads::MakesSound:
        return "a model that generates sound";
    case Reads::Unknown:
        break;
    }
    return "a family that Headroom does not know";
}

bool standsForItself(const fs::path& file) {
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending == ".nemo" || ending == ".pth" || !languageOfAdapter(file).empty();
}

fs::path onlyArchive(const fs::path& folder) {
    fs::path found;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
        if (entry->path().extension() == ".nemo") {
            if (!found.empty())
                return {};
            found = entry->path();
        }
    return found;
}

std::string otherFormat(const fs::path& folder) {
    struct Format {
        const char* name;   ///< of the file, or
        const char* ending; ///< how it ends
        const char* what;
        const char* instead;
    };
    constexpr const char* kOriginal = "Headroom opens the Hugging Face folder that they were made from";
    static constexpr Format kFormats[]{
        {"model.bin", nullptr, "CTranslate2 weights, as faster-whisper uses them", kOriginal},
        {nullptr, ".gguf", "GGUF weights, as whisper.cpp and llama.cpp use them", kOriginal},
        {nullptr, ".onnx", "ONNX weights", kOriginal},
        {nullptr, ".nemo", "several NeMo archives", "open one of them"},
        {"tf_model.h5", nullptr, "weights for TensorFlow", "save the model with transformers in PyTorch, and open that"},
        {"flax_model.msgpack", nullptr, "weights for Flax", "save the model with transformers in PyTorch, and open that"},
    };
    std::error_code failure;
    for (const Format& format : kFormats)
        for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
            const std::string name = entry->path().filename().string();
            if (format.name ? name == format.name : name.ends_with(format.ending))
                return std::string(format.what) + " (" + name + "); " + format.instead;
        }
    return {};
}

} // namespace headroom
