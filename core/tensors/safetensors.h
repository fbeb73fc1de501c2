// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

/// A safetensors file, memory-mapped and validated before the first number is read.
///
/// u64 header length, JSON header, data. Validated: the header (at most 100 MB), every dtype, shape product
/// (including overflow), offset range, overlap and hole, and the file size. Views borrow from this object.
/// Immutable after opening; safe on every thread. If the file is truncated while mapped, the process is
/// killed.
class Safetensors {
public:
    /// Throws Error that names the file (and tensor): "tensors.missing", "tensors.truncated",
    /// "tensors.badHeader", "tensors.overlap", "tensors.badType", "tensors.badShape".
    explicit Safetensors(const std::filesystem::path& file);
    ~Safetensors();
    Safetensors(Safetensors&&) noexcept;
    Safetensors& operator=(Safetensors&&) noexcept;

    const std::vector<std::string>& names() const; ///< in data order
    bool contains(const std::string& name) const;
    /// Throws Error "tensors.noSuchTensor".
    TensorView tensor(const std::string& name) const;
    const std::map<std::string, std::string>& metadata() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// Writes atomically (temporary file, fsync, rename) in the given order; the header is padded so that the
/// data starts at a multiple of 8 bytes. Throws Error "tensors.unwritable".
void writeSafetensors(const std::filesystem::path& file,
                      const std::vector<std::pair<std::string, TensorView>>& tensors,
                      const std::map<std::string, std::string>& metadata = {});

} // namespace headroom
