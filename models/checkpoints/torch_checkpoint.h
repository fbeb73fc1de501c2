// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/torch_file.h"
#include "models/checkpoints/named_tensors.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace headroom::models {

/// What a file of torch.save holds: named tensors, and with fairseq the settings of the training.
struct TorchCheckpoint {
    std::shared_ptr<TorchFile> file; ///< the values below borrow from it
    NamedTensors tensors;
    std::optional<PickleValue> settings; ///< fairseq: the arguments of the model
    std::string settingsName;            ///< "args" or "cfg.model", for sentences
    bool isFairseq() const { return settings.has_value(); }
};

/// Opens it and fetches every tensor of the state dict (the whole file, or what stands under “model” beside
/// “args” or “cfg”). Nothing is executed. Throws Error "model.forbidden" for a pickle that names what no
/// checkpoint needs (values {callable}), "model.duplicateName", "model.notWeights" for a file without a state
/// dict, and the other defects of core/tensors/pickle as "model.…".
TorchCheckpoint openTorchCheckpoint(const std::filesystem::path& file);

/// The value of `key` in a dictionary, an argparse.Namespace or an omegaconf DictConfig, taken out of
/// omegaconf's nodes; nothing where there is none or it is “???”, omegaconf's mark of a missing one.
std::optional<PickleValue> memberOf(const PickleValue& value, const std::string& key);

} // namespace headroom::models
