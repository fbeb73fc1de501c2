// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/text_decoder.h"

#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/tensors/sha256.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/checkpoint.h"
#include "models/layers/device.h"
#include "models/networks/model_scorers.h"
#include "training/decoding/ctc_prefix_scorer.h"
#include "training/decoding/ctc_prefix_search.h"
#include "training/decoding/fused_scorer.h"
#include "training/decoding/word_language_model.h"

#include <cmath>
#include <optional>

namespace headroom::training {
namespace {

constexpr const char* kInternal = "internal";

[[noreturn]] void refuseSettings(const std::string& sentence) {
    throw Error("decoding.settings", sentence);
}

void checkDecodingSettings(const DecodingSettings& settings, const models::ModelInfo& speech) {
    const bool hasDecoder = speech.architecture.decoder.has_value();
    if (settings.ctcBeam > 0 && !speech.architecture.ctc)
        refuseSettings(speech.name + " has no CTC output, so it cannot be decoded with --ctc-beam.");
    if (settings.ctcWeight > 0 && (!speech.architecture.ctc || !hasDecoder))
        refuseSettings(speech.name + " does not have both a decoder and a CTC output, which --ctc-weight combines.");
    if (settings.ctcBeam > 0 && settings.ctcWeight > 0)
        refuseSettings("--ctc-weight works with --beam, not with --ctc-beam.");
    if (settings.ctcBeam > 0 && settings.beam.beams > 1)
        refuseSettings("--beam searches with the decoder and --ctc-beam with the CTC output. Set one of them.");
    if (settings.ctcBeam > 0 && !settings.subtract.empty())
        refuseSettings("--subtract works with --beam, not with --ctc-beam.");
    if (settings.ctcBeam > 0 && (settings.beam.tokensPerFrame != 0 || settings.beam.endFactor != 0))
        refuseSettings("--max-tokens-per-frame and --end-factor work with --beam, not with --ctc-beam.");
    if (settings.beam.coverageWeight != 0 && (settings.ctcBeam > 0 || settings.beam.beams < 2))
        refuseSettings("--coverage-weight compares the texts of a search with the decoder: it works with --beam above 1 only.");
    if (settings.beam.coverageWeight != 0 && settings.ctcWeight == 1)
        refuseSettings("--coverage-weight counts the decoder's attention, which --ctc-weight 1 leaves out.");
    if (settings.beam.coverageWeight == 0 && settings.beam.coverageThreshold != BeamSettings().coverageThreshold)
        refuseSettings("--coverage-threshold needs --coverage-weight.");
    if (settings.ctcBeam == 0 && !settings.arpa.empty())
        refuseSettings("--arpa scores the words of a CTC search: it works with --ctc-beam only. With --beam, use --language-model.");
    if (!settings.arpa.empty() && !settings.languageModel.empty())
        refuseSettings("A CTC search takes one language model: set --arpa or --language-model.");
    if (settings.beam.endFactor > 0 && (!settings.subtract.empty() || settings.languageModelWeight < 0))
        refuseSettings("--end-factor compares scores that are not above 0: it does not work with --subtract or a negative --lm-weight.");
    const bool otherBlank = speech.architecture.ctc && speech.architecture.ctcBlank != 0;
    if (settings.ctcBeam > 0 && otherBlank && !(settings.arpa.empty() && settings.languageModel.empty()))
        refuseSettings("The blank of " + speech.name + " is not its first label, so no language model can be added to a search of its CTC output.");
    if (!settings.onlyWords.empty() && !settings.onlyPieces.empty())
        refuseSettings("Set --only-words or --only-pieces, not both.");
    if (settings.ctcBeam == 0 && settings.lengthBonus != 0)
        refuseSettings("--length-bonus works with --ctc-beam only. With --beam, use --length-penalty.");
    if (settings.ctcBeam == 0 && !hasDecoder && !settings.isGreedy())
        refuseSettings(speech.name + (speech.architecture.ctc
                                          ? " has no decoder. Search its CTC output with --ctc-beam."
                                          : " can only be decoded greedily. Omit the options of the search."));
    const int searched = settings.ctcBeam > 0 ? settings.ctcBeam : settings.beam.beams;
    if (settings.nBest > searched)
        refuseSettings("A search with " + counted(searched, "beam") + " finds at most " +
                       (searched == 1 ? "1 hypothesis" : grouped(searched) + " hypotheses") + ", but " + std::to_string(settings.nBest) +
                       " were requested.");
    if (settings.languageModel.empty() && settings.languageModelWeight != 0)
        refuseSettings("--lm-weight needs --language-model.");
    if (settings.subtract.empty() && settings.subtractWeight != 0)
        refuseSettings("--subtract-weight needs --subtract.");
}

Matrix<double> inDouble(const Matrix<float>& rows) {
    return {rows.rows(), rows.columns(), std::vector<double>(rows.values().begin(), rows.values().end())};
}

/// A language model over the pieces of the speech model.
models::Checkpoint openLanguageModel(const std::filesystem::path& folder, const models::ModelInfo& speech) {
    models::Checkpoint model = models::readCheckpoint(folder);
    const auto refuse = [&](const std::string& why) {
        throw Error("decoding.languageModel", folder.string() + why, {{"folder", folder.string()}});
    };
    if (!model.info.architecture.languageModel)
        refuse(" is a speech model. A language model is needed here.");
    const int pieces = model.info.architecture.vocabulary;
    const int expected = speech.architecture.decoder || !speech.architecture.ctc
                             ? speech.architecture.vocabulary
                             : *speech.architecture.ctc;
    if (pieces != expected)
        refuse(" is over " + grouped(pieces) + " pieces, and " + speech.name + " over " +
               grouped(expected) + ". Use a language model with the speech model's SentencePiece model.");
    if (!model.info.tokenizer.empty() && !speech.tokenizer.empty() &&
        sha256OfFile(model.info.tokenizer) != sha256OfFile(speech.tokenizer))
        refuse(" has another SentencePiece model than " + speech.name +
               ", so its pieces mean other texts. Use a language model with the speech model's.");
    model.parameters = models::onDevice(model.parameters);
    return model;
}

} // namespace

struct TextDecoder::Implementation {
    DecodingSettings settings;
    std::optional<models::Checkpoint> language, subtracted;
    std::unique_ptr<WordLanguageModel> words;
    int blank = 0; ///< of the CTC output

    std::vector<std::vector<TextHypothesis>> withDecoder(const DecodingSource& source,
                                                         const std::atomic<bool>* cancel) const {
        std::vector<FusedScorer::Part> parts;
        parts.push_back({source.decoder(), 1 - settings.ctcWeight});
        if (settings.ctcWeight > 0) {
            std::vector<Matrix<double>> rows;
            for (std::int64_t recording = 0; recording < source.recordings; ++recording)
                rows.push_back(inDouble(source.ctc(recording)));
            parts.push_back({std::make_unique<CtcPrefixScorer>(rows, blank), settings.ctcWeight});
        }
        const auto add = [&](const models::Checkpoint& model, double weight) {
            parts.push_back({models::languageModelScorer(model.parameters, model.info.architecture,
                                                         source.recordings),
                             weight});
        };
        if (language)
            add(*language, settings.languageModelWeight);
        if (subtracted)
            add(*subtracted, -settings.subtractWeight);
        else if (!settings.subtract.empty())
            parts.push_back({source.internalLanguageModel(), -settings.subtractWeight});
        FusedScorer scorer(std::move(parts));
        std::vector<std::vector<TextHypothesis>> found;
        for (auto& hypotheses : beamSearch(scorer, source.recordings, settings.beam, cancel, source.lengths)) {
            found.emplace_back();
            for (BeamHypothesis& one : hypotheses)
                if (found.back().size() < static_cast<std::size_t>(settings.nBest))
                    found.back().push_back({std::move(one.ids), one.score, std::move(one.tokenScores)});
        }
        return found;
    }

    std::vector<std::vector<TextHypothesis>> withCtc(const DecodingSource& source,
                                                     const std::atomic<bool>* cancel) const {
        std::optional<TokenLanguageModel> model;
        if (language)
            model.emplace(models::languageModelText(language->parameters, language->info.architecture));
        LabelLanguageModel* const added = words ? static_cast<LabelLanguageModel*>(words.get()) : model ? &*model : nullptr;
        const CtcSearchSettings search{settings.ctcBeam, blank, words ? settings.arpaWeight : settings.languageModelWeight,
                                       settings.lengthBonus, added != nullptr, settings.beam.constraint};
        std::vector<std::vector<TextHypothesis>> found;
        for (std::int64_t recording = 0; recording < source.recordings; ++recording) {
            const Matrix<double> logP = inDouble(source.ctc(recording));
            found.emplace_back();
            for (CtcHypothesis& one : ctcPrefixSearch(logP, search, added, cancel)) {
                if (found.back().size() == static_cast<std::size_t>(settings.nBest))
                    break;
                auto scores = ctcTokenScores(logP, one.labels, blank);
                found.back().push_back({std::move(one.labels), one.score, std::move(scores)});
            }
        }
        return found;
    }
};

TextDecoder::TextDecoder(DecodingSettings settings, const models::ModelInfo& speech)
    : m(std::make_unique<Implementation>()) {
    checkDecodingSettings(settings, speech);
    if (!settings.languageModel.empty())
        m->language = openLanguageModel(settings.languageModel, speech);
    if (!settings.subtract.empty() && settings.subtract != kInternal)
        m->subtracted = openLanguageModel(settings.subtract, speech);
    const auto& only = settings.onlyWords.empty() ? settings.onlyPieces : settings.onlyWords;
    if (!only.empty() && speech.tokenizer.empty())
        throw Error("model.noTokenizer", speech.name + " has no tokenizer, so its pieces write no words.");
    if (!only.empty())
        settings.beam.constraint = readConstraint(only, settings.onlyWords.empty(), Tokenizer(speech.tokenizer));
    if (!settings.arpa.empty()) {
        if (speech.tokenizer.empty())
            throw Error("model.noTokenizer", speech.name + " has no tokenizer, so its pieces write no words.");
        m->words = std::make_unique<WordLanguageModel>(std::make_shared<const NgramModel>(NgramModel::read(settings.arpa)),
                                                       Tokenizer(speech.tokenizer), *speech.architecture.ctc);
    }
    m->blank = speech.architecture.ctcBlank;
    m->settings = std::move(settings);
}

TextDecoder::~TextDecoder() = default;

const DecodingSettings& TextDecoder::settings() const {
    return m->settings;
}

std::vector<std::vector<TextHypothesis>> TextDecoder::decode(const DecodingSource& source,
                                                             const std::atomic<bool>* cancel) const {
    return m->settings.ctcBeam > 0 ? m->withCtc(source, cancel) : m->withDecoder(source, cancel);
}

std::int64_t sourceLength(const ModelInput& input, std::int64_t rows) {
    if (input.kind == InputKind::Text)
        return rows;
    return std::llround(static_cast<double>(rows) * input.clock().step().value() / FrameClock().step().value());
}

} // namespace headroom::training
