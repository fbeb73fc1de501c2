// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/mapped_file.h"
#include "core/tensors/tar_members.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headroom::models {

/// A .nemo file: a tar archive with model_config.yaml and model_weights.ckpt (a torch.save file), and the tokenizer's
/// files. Mapped; nothing is unpacked or executed. Immutable.
class NemoArchive {
public:
    /// Throws Error "model.missingFile", "model.notWeights" if it is no such archive, and "model.truncated".
    explicit NemoArchive(const std::filesystem::path& file);

    /// Returns the bytes of model_weights.ckpt; they live as long as this object.
    std::span<const std::byte> weights() const { return m_weights; }
    /// Reads model_config.yaml. Throws Error "model.badConfig".
    nlohmann::json config() const;

private:
    MappedFile m_file;
    std::string m_name;
    std::span<const std::byte> m_weights, m_config;
};

} // namespace headroom::models
