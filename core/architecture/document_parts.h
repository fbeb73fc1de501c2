// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/architecture/document_reader.h"
#include "core/text/largest_vocabulary.h"

namespace headroom {

/// Readers of the parts of a document, each validated on its own; `file` is used in every message.
/// parseArchitecture checks consistency between parts. Throw Error "architecture.…".
Architecture::FrontEnd readFrontEnd(const nlohmann::json& value, const std::string& file);
Architecture::Encoder readEncoder(const nlohmann::json& value, const std::string& file);
Architecture::LengthAdapter readLengthAdapter(const nlohmann::json& value, const std::string& file);
Architecture::Decoder readDecoder(const nlohmann::json& value, const std::string& file);
Architecture::LanguageModel readLanguageModel(const nlohmann::json& value, const std::string& file);

/// Limits shared by several parts.
inline constexpr int kWidest = 65'536, kLongestFeedForward = 1'000'000, kMostEncoderLayers = 1000,
                     kLongestOddKernel = 999;
/// Reads a choice if the key is present; otherwise leaves `target` unchanged.
template <class Choice>
void optionalChoice(const ObjectReader& object, const nlohmann::json& value, const char* key, Choice& target) {
    if (value.contains(key))
        target = object.choice<Choice>(key);
}
void optionalTruth(const ObjectReader& object, const nlohmann::json& value, const char* key, bool& target);
/// Dropout: 0 ≤ p < 1.
void optionalShare(const ObjectReader& object, const nlohmann::json& value, const char* key, double& target);
/// Parses a text of heads; errors contain the place. `before`: the layers before these heads, whose numbers of heads are suggested
/// where one is missing.
std::vector<HeadGroup> readHeads(const ObjectReader& object, const char* key, const std::vector<Architecture::Layer>& before = {});
/// Reads the self-attention of a decoder: masked heads whose count divides the width.
std::vector<HeadGroup> readMaskedHeads(const ObjectReader& object, const char* key, int width);
/// Throws if the head count does not divide the width, with the nearest counts that do.
void checkHeadCount(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads,
                    int width);
/// Throws for heads of another kind, and suggests the same number of the wanted kind.
void checkHeadKinds(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads,
                    HeadKind wanted, const std::string& what);

} // namespace headroom
