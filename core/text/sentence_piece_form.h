// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer_form.h"

#include <filesystem>
#include <memory>

namespace headroom {

/// Reads a SentencePiece model; its header is included only in the .cpp file. Throws Error "text.missing" or
/// "text.notSentencePiece", which name the file.
std::unique_ptr<TokenizerForm> readSentencePiece(const std::filesystem::path& model);

} // namespace headroom
