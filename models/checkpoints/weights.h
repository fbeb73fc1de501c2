// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/model_info.h"
#include "models/checkpoints/named_tensors.h"
#include "models/checkpoints/tensor_names.h"
#include "models/layers/parameters.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace headroom::models {

/// Returns "FOLDER/FILE" for a message: the last two parts of the path.
std::string shown(const std::filesystem::path& file);

/// Calls `open` and rethrows errors about a file ("tensors.…", "pickle.…") as Error "model.…" with the same
/// sentence.
template <class Open>
auto withModelCodes(Open open) -> decltype(open()) {
    try {
        return open();
    } catch (const Error& error) {
        const std::string code = error.code();
        if (code.starts_with("model."))
            throw;
        throw Error("model." + code.substr(code.find('.') + 1), error.what(), error.values());
    }
}

/// Opens a file of weights: safetensors by its extension, the parts that an index lists (*.index.json),
/// everything else as torch.save's (torch_checkpoint.h; tensors of a fairseq checkpoint keep their own names).
/// Throws Error "model.…".
NamedTensors openWeights(const std::filesystem::path& file);
/// The file of weights of a model with its overlay, under the names of the file.
NamedTensors weightsInFile(const ModelFolder& model);
/// The parts that an index lists, as one.
NamedTensors openParts(const std::filesystem::path& index);
/// The files of a model's weights, also the parts that an index lists, and the overlay.
std::vector<std::filesystem::path> filesOfWeights(const ModelFolder& model);
/// SHA-256 of the file, hex; of several files, of their digests.
std::string hashOfWeights(const ModelFolder& model);

/// Compares the file with the tensors the architecture expects. Fills loaded, missing, unexpected, wrongShape
/// of `report`. Throws Error "model.missingTensor", "model.wrongShape", "model.unexpectedTensor" or
/// "model.badType": the sentence names `file` and the first such tensor, the values contain the whole report.
/// `asks` is the file that defines the shapes ("NAME/config.json").
void checkWeights(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected,
                  const std::string& file, const std::string& asks, LoadReport& report);

/// Returns the bytes that loadWeights needs: every tensor in float32, and the largest once more as it is stored.
std::int64_t bytesToLoad(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected);
/// Throws Error "model.memory" (values needed, free) if so many bytes exceed `available`; −1 is never exceeded.
void refuseWeightsThatDoNotFit(std::int64_t needed, const std::string& file, std::int64_t available);

/// Returns the expected tensors in float32, copied and converted one by one, so that the file is not in memory beside
/// them; call it after checkWeights. Throws Error "model.notFinite" for a tensor with NaN or infinity, and
/// "model.negativeVariance" for running statistics that no data have. `whereIs` is asked for the file of such a tensor,
/// and for its name there.
Parameters loadWeights(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected,
                       const std::function<std::pair<std::string, std::string>(const std::string&)>& whereIs);

/// Returns "float16 safetensors", or "float16 and float32 PyTorch" if tensors differ.
std::string storedAs(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected);

/// Returns the report as JSON for an Error's values: {missing, unexpected, wrongShape, loaded (a number)}.
nlohmann::json toJson(const LoadReport& report);

} // namespace headroom::models
