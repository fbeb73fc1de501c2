// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/text/token_rules.h"
#include "core/time/clocks.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

/// The result of opening a model. Names are those of the tensors.
struct LoadReport {
    std::vector<std::string> loaded, missing, unexpected;
    struct WrongShape {
        std::string name;
        std::vector<std::int64_t> expected, found;
    };
    std::vector<WrongShape> wrongShape;
    std::vector<std::string> assumed; ///< one sentence for each value that the folder did not state and that
                                       ///< was assumed
};

struct ModelInfo {
    std::string name; ///< the folder's name; the parent folder's if it is only "model"
    std::filesystem::path folder;
    Architecture architecture;
    TokenClock clock;
    std::int64_t maxSourceFrames = 6000;
    std::int64_t maxTargetTokens = 1024;
    TokenRules tokens; ///< what the decoder is started with, may say and ends with
    std::int64_t parameters = 0;
    std::int64_t tensors = 0;
    std::string storedAs;            ///< "float16 safetensors"
    std::string weightsHash;         ///< SHA-256 of model.safetensors, hex
    std::filesystem::path tokenizer; ///< empty if there is none
    std::filesystem::path sourceTokenizer; ///< of texts that the model reads: `tokenizer`, unless these are cut by another
    LoadReport report;
};

} // namespace headroom::models
