// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/decoding_arguments.h"

#include <CLI/CLI.hpp>
#include <map>

namespace headroom::training {
namespace {

const std::map<std::string, EarlyStopping> kEarlyStopping{
    {"heuristic", EarlyStopping::Heuristic}, {"full", EarlyStopping::Full}, {"never", EarlyStopping::Never}};

} // namespace

void declareDecodingArguments(CLI::App& command, DecodingSettings& settings) {
    const std::string group = "Decoding";
    BeamSettings& beam = settings.beam;
    command.add_option("--beam", beam.beams, "beams of the search; 1: greedy")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    command.add_option("--n-best", settings.nBest, "hypotheses of each recording, at most --beam")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    command.add_option("--length-penalty", beam.lengthPenalty, "P: score = sum of ln P / tokens^P")
        ->capture_default_str()
        ->check(CLI::Range(-10.0, 10.0))
        ->group(group);
    command.add_option("--max-tokens", beam.maxNewTokens, "longest hypothesis")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024))
        ->group(group);
    command
        .add_option("--max-tokens-per-frame", beam.tokensPerFrame,
                    "additional tokens allowed per 10 ms of the recording, or per token of a text (max-len-a "
                    "of fairseq and Espresso); the sum is rounded down")
        ->check(CLI::Range(0.0, 10.0))
        ->group(group);
    command
        .add_option("--end-factor", beam.endFactor,
                    "</s> is impossible where its score is below F times the best score of the step, F at least 1 "
                    "(Espresso's eos-factor)")
        ->check(CLI::Range(1.0, 100.0))
        ->group(group);
    command
        .add_option("--coverage-weight", beam.coverageWeight,
                    "with --beam: added to the score for each encoder token that has received more attention "
                    "than --coverage-threshold, not divided by the length (Chorowski & Jaitly 2017); favours "
                    "texts that leave nothing out")
        ->check(CLI::Range(-100.0, 100.0))
        ->group(group);
    command.add_option("--coverage-threshold", beam.coverageThreshold, "with --coverage-weight: attention above which an encoder token counts")
        ->capture_default_str()
        ->check(CLI::Range(0.001, 100.0))
        ->group(group);
    command.add_option("--min-tokens", beam.minNewTokens, "</s> is impossible before this many tokens")
        ->capture_default_str()
        ->check(CLI::Range(0, 1024))
        ->group(group);
    command.add_option("--no-repeat-ngram", beam.noRepeatNgram, "no N tokens occur twice in a row; 0: off")
        ->capture_default_str()
        ->check(CLI::Range(0, 1024))
        ->group(group);
    command.add_option("--early-stopping", beam.earlyStopping,
                       "when the search ends: full (enough hypotheses), heuristic (none can enter as they are), "
                       "never (none can enter at any length)")
        ->transform(CLI::CheckedTransformer(kEarlyStopping))
        ->default_str("heuristic")
        ->group(group);
    command.add_option("--language-model", settings.languageModel,
                       "folder of a language model over the same pieces, added to the scores")
        ->group(group);
    command.add_option("--lm-weight", settings.languageModelWeight, "weight of its ln P")
        ->check(CLI::Range(-100.0, 100.0))
        ->group(group);
    command.add_option("--subtract", settings.subtract,
                       "subtract the model's internal language model (internal), or a language model of the "
                       "training texts (its folder)")
        ->group(group);
    command.add_option("--subtract-weight", settings.subtractWeight, "weight of its ln P")
        ->check(CLI::Range(-100.0, 100.0))
        ->group(group);
    command.add_option("--ctc-weight", settings.ctcWeight,
                       "joint decoding: weight of the CTC output; the decoder has 1 minus this weight")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    command.add_option("--ctc-beam", settings.ctcBeam,
                       "search the CTC output with this many prefixes instead of using the decoder")
        ->check(CLI::Range(1, 10000))
        ->group(group);
    command.add_option("--length-bonus", settings.lengthBonus, "with --ctc-beam: added for each label")
        ->check(CLI::Range(-100.0, 100.0))
        ->group(group);
    command.add_option("--arpa", settings.arpa, "with --ctc-beam: an n-gram model of words (ARPA, plain or gzip), added to the scores")
        ->group(group);
    command.add_option("--arpa-weight", settings.arpaWeight, "weight of its ln P")
        ->check(CLI::Range(-100.0, 100.0))
        ->group(group);
    command
        .add_option("--only-words", settings.onlyWords,
                    "file with the only words that a text may have, in any order, separated by white space")
        ->group(group);
    command
        .add_option("--only-pieces", settings.onlyPieces,
                    "file with the only pieces of the vocabulary that a text may have, one per line")
        ->group(group);
}

void declareDecodingArguments(CLI::App& command, DecodingSettings& settings, WindowSettings& windows) {
    declareDecodingArguments(command, settings);
    const std::string group = "Long recordings";
    windows.overlap = -1; // not given
    command
        .add_option("--window", windows.window,
                    "seconds: longer recordings are decoded in overlapping windows whose texts are stitched")
        ->check(CLI::Range(1.0, 3600.0))
        ->group(group);
    command.add_option("--overlap", windows.overlap, "seconds that two neighbouring windows share; default: window / 6")
        ->check(CLI::Range(0.0, 1800.0))
        ->group(group);
}

void checkDecodingArguments(const DecodingSettings& settings, WindowSettings& windows) {
    checkDecodingArguments(settings);
    if (!windows.cuts() && windows.overlap >= 0)
        throw CLI::ValidationError("--overlap", "needs --window");
    if (windows.overlap < 0)
        windows.overlap = windows.window / 6;
    if (windows.cuts() && windows.overlap > windows.window / 2)
        throw CLI::ValidationError("--overlap", "is more than half of --window");
}

void checkDecodingArguments(const DecodingSettings& settings) {
    if (!settings.languageModel.empty() && settings.languageModelWeight == 0)
        throw CLI::ValidationError("--language-model", "needs --lm-weight");
    if (settings.arpa.empty() != (settings.arpaWeight == 0))
        throw CLI::ValidationError("--arpa", settings.arpa.empty() ? "is needed by --arpa-weight" : "needs --arpa-weight");
    if (!settings.subtract.empty() && settings.subtractWeight == 0)
        throw CLI::ValidationError("--subtract", "needs --subtract-weight");
    if (settings.beam.tokensPerFrame == 0 && settings.beam.minNewTokens > settings.beam.maxNewTokens)
        throw CLI::ValidationError("--min-tokens", "is more than --max-tokens");
}

nlohmann::json decodingDocument(const DecodingSettings& settings) {
    const BeamSettings& beam = settings.beam;
    if (settings.isGreedy())
        return {{"kind", "greedy"}, {"maxTokens", beam.maxNewTokens}};
    nlohmann::json document{{"nBest", settings.nBest},
                            {"languageModel", nullptr},
                            {"lmWeight", settings.languageModelWeight}};
    if (!settings.languageModel.empty())
        document["languageModel"] = settings.languageModel.string();
    if (!settings.arpa.empty())
        document.update({{"arpa", settings.arpa.string()}, {"arpaWeight", settings.arpaWeight}});
    for (const auto& [key, file] : {std::pair{"onlyWords", &settings.onlyWords}, {"onlyPieces", &settings.onlyPieces}})
        if (!file->empty())
            document[key] = file->string();
    if (settings.ctcBeam > 0) {
        document.update({{"kind", "ctc"}, {"beams", settings.ctcBeam}, {"lengthBonus", settings.lengthBonus}});
        return document;
    }
    std::string stopping;
    for (const auto& [name, value] : kEarlyStopping)
        if (value == beam.earlyStopping)
            stopping = name;
    document.update({{"kind", "beam"},
                     {"maxTokens", beam.maxNewTokens},
                     {"maxTokensPerFrame", beam.tokensPerFrame},
                     {"endFactor", beam.endFactor},
                     {"coverageWeight", beam.coverageWeight},
                     {"coverageThreshold", beam.coverageThreshold},
                     {"minTokens", beam.minNewTokens},
                     {"noRepeatNgram", beam.noRepeatNgram},
                     {"beams", beam.beams},
                     {"lengthPenalty", beam.lengthPenalty},
                     {"earlyStopping", stopping},
                     {"ctcWeight", settings.ctcWeight},
                     {"subtract", settings.subtract.empty() ? nlohmann::json() : nlohmann::json(settings.subtract)},
                     {"subtractWeight", settings.subtractWeight}});
    return document;
}

} // namespace headroom::training
