// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/torch_file.h"
#include "models/checkpoints/named_tensors.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace headroom::models {

/// The contents of a torch.save file: named tensors, and with fairseq the training settings.
struct TorchCheckpoint {
    std::shared_ptr<TorchFile> file; ///< the values below borrow from it
    NamedTensors tensors;
    std::optional<PickleValue> settings; ///< fairseq: the arguments of the model
    std::string settingsName;            ///< "args" or "cfg.model", for messages
    bool isFairseq() const { return settings.has_value(); }
};

/// Opens the file and reads every tensor of the state dict (the whole file, or the value of “model” beside
/// “args” or “cfg”). Nothing is executed. Throws Error "model.forbidden" for a name that no checkpoint needs
/// (values {callable}), "model.duplicateName", "model.notWeights" for a file without a state dict, and the
/// other errors of core/tensors/pickle as "model.…".
TorchCheckpoint openTorchCheckpoint(const std::filesystem::path& file);

/// Returns the value of `key` in a dictionary, an argparse.Namespace or an omegaconf DictConfig, unwrapped
/// from omegaconf's nodes; `nullopt` if missing or “???”, omegaconf's mark of a missing value.
std::optional<PickleValue> memberOf(const PickleValue& value, const std::string& key);

} // namespace headroom::models
