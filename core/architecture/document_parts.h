// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/architecture/document_reader.h"

namespace headroom {

/// The parts of a document, each read from its object and judged by itself; `file` stands in every sentence.
/// What several parts must agree in is parseArchitecture's. Throw Error "architecture.…".
Architecture::FrontEnd readFrontEnd(const nlohmann::json& value, const std::string& file);
Architecture::Encoder readEncoder(const nlohmann::json& value, const std::string& file);
Architecture::Decoder readDecoder(const nlohmann::json& value, const std::string& file);
Architecture::LanguageModel readLanguageModel(const nlohmann::json& value, const std::string& file);

/// Limits and words that several parts share.
inline constexpr int kWidest = 65'536, kLongestFeedForward = 1'000'000, kMostEncoderLayers = 1000,
                     kLongestOddKernel = 999;
std::span<const std::string_view> normWords();
std::span<const std::string_view> activationWords();
/// Takes a word where the key is there; leaves `target` where it is not.
void optionalWord(const ObjectReader& object, const nlohmann::json& value, const char* key,
                  std::span<const std::string_view> words, std::string& target);
void optionalTruth(const ObjectReader& object, const nlohmann::json& value, const char* key, bool& target);
/// Dropout: 0 ≤ p < 1.
void optionalShare(const ObjectReader& object, const nlohmann::json& value, const char* key, double& target);
/// The heads of a text, with the place of a mistake.
std::vector<HeadGroup> readHeads(const ObjectReader& object, const char* key);
/// A decoder's self-attention: masked heads that divide the width.
std::vector<HeadGroup> readMaskedHeads(const ObjectReader& object, const char* key, int width);
/// Refuses heads that do not divide the width, with the nearest counts that do.
void checkHeadCount(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads,
                    int width);
/// Refuses heads of another kind, with the same number of the wanted one.
void checkHeadKinds(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads,
                    HeadKind wanted, const std::string& what);

} // namespace headroom
