// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// A part of a text with its times. A value.
struct TimedTokens {
    double start = 0;          ///< seconds
    std::optional<double> end; ///< `nullopt`: the text ended before its closing time
    std::vector<int> ids;      ///< without times, and without the end token
};

/// What a decoder is started with, may say, and ends with. The defaults are those of S2T models: the text
/// starts and ends with </s>, and no token is forbidden. Whisper's rules: Radford et al. 2022, §2.3. A value.
struct TokenRules {
    int start = 2;                        ///< the first input: </s>, <|startoftranscript|>
    int end = 2;                          ///< ends a text: </s>, <|endoftext|>
    std::map<std::string, int> languages; ///< "en": the token that follows the start; empty: no such token
    std::map<std::string, int> tasks;     ///< "transcribe", "translate": the token behind the language
    std::string language;                 ///< of every text; empty: the model decides (bestLanguage)
    std::string task = "transcribe";
    /// <|notimestamps|>. The ids behind it are the times 0.00 s, 0.02 s … if the vocabulary goes on.
    std::optional<int> noTimes;
    std::optional<int> latestFirstTime; ///< the first time of a text is at most so many steps from 0
    std::vector<int> suppressed;        ///< never said
    std::vector<int> suppressedFirst;   ///< not the first token of a text
    /// Decoder layer and head, both from 0, of the cross-attention that tells when a token was said.
    std::vector<std::pair<int, int>> alignmentHeads;
    bool operator==(const TokenRules&) const = default;

    /// The id of 0.00 s; `nullopt` if a vocabulary of this size has no times.
    std::optional<int> firstTime(int vocabulary) const;
    /// The inputs before the first token of a text: start, language, task, and <|notimestamps|> unless the
    /// text is to have times. `spoken` is the language if none is set. Throws Error "text.noSuchLanguage",
    /// "text.noSuchTask" or "text.noTimes", with what there is.
    std::vector<int> prompt(const std::string& spoken, bool times, int vocabulary) const;
    /// The language with the largest of `logits`, those behind the start token alone. Empty if there are no
    /// languages.
    std::string bestLanguage(std::span<const float> logits) const;
    /// Sets the logits of all tokens that may not follow `text`, the tokens behind the prompt, to −∞. With
    /// `times`: times come in pairs around each segment and never run backwards, and where all times together
    /// are likelier than any other token, only times remain (transformers' WhisperTimeStampLogitsProcessor).
    void close(std::span<const int> text, bool times, std::span<float> logits) const;
    /// Cuts a text with times into its segments: each begins and ends with a time token. Empty for a text
    /// without any.
    std::vector<TimedTokens> segments(std::span<const int> text, int vocabulary) const;
};

/// Seconds between neighbouring time tokens, and between encoder tokens, of Whisper.
inline constexpr double kSecondsPerTimeToken = 0.02;

} // namespace headroom
