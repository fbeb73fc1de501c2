// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/safetensors.h"
#include "models/checkpoints/tensor_names.h"
#include "models/layers/parameters.h"
#include "models/networks/speech_model.h"

#include <filesystem>
#include <string>

namespace headroom::models {

/// "FOLDER/FILE" for a sentence: the last two parts of the path.
std::string shown(const std::filesystem::path& file);

/// Opens a safetensors file; its defects come as Error "model.…" with the same sentence.
Safetensors openWeights(const std::filesystem::path& file);

/// Holds the file against what the architecture asks for. Fills loaded, missing, unexpected, wrongShape of
/// `report`; where anything is wrong, throws Error "model.missingTensor", "model.wrongShape",
/// "model.unexpectedTensor" or "model.badType": the sentence names `file` and the first such tensor, the
/// values hold the whole report. `asks` is the file that the shapes come from ("NAME/config.json").
void checkWeights(const Safetensors& weights, const std::vector<ExpectedTensor>& expected,
                  const std::string& file, const std::string& asks, LoadReport& report);

/// The expected tensors in float32, after checkWeights. Throws Error "model.notFinite" for a tensor with NaN
/// or infinity.
Parameters loadWeights(const Safetensors& weights, const std::vector<ExpectedTensor>& expected,
                       const std::string& file);

/// "float16 safetensors"; "float16 and float32 safetensors" where tensors differ.
std::string storedAs(const Safetensors& weights, const std::vector<ExpectedTensor>& expected);

/// The report as JSON, for an Error's values: {missing, unexpected, wrongShape, loaded (a number)}.
nlohmann::json toJson(const LoadReport& report);

} // namespace headroom::models
