// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

/// A safetensors file, memory-mapped and checked before the first number is read.
///
/// u64 header length, JSON header, data. The header (at most 100 MB), every dtype, shape product (overflow
/// too), offset range, overlap and hole, and the file's size are verified. Views borrow from this object.
/// Immutable after opening; safe from every thread. A file that is truncated while mapped is the only thing
/// not survived.
class Safetensors {
public:
    /// Throws Error that names the file (and tensor): "tensors.missing", "tensors.truncated",
    /// "tensors.badHeader", "tensors.overlap", "tensors.badType", "tensors.badShape".
    explicit Safetensors(const std::filesystem::path& file);
    ~Safetensors();
    Safetensors(Safetensors&&) noexcept;
    Safetensors& operator=(Safetensors&&) noexcept;

    const std::vector<std::string>& names() const; ///< in the order of the data
    bool contains(const std::string& name) const;
    /// Throws Error "tensors.noSuchTensor".
    TensorView tensor(const std::string& name) const;
    const std::map<std::string, std::string>& metadata() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// Writes atomically (temporary file, fsync, rename), in the given order, each tensor aligned to 8 bytes by
/// padding the header. Throws Error "tensors.unwritable".
void writeSafetensors(const std::filesystem::path& file,
                      const std::vector<std::pair<std::string, TensorView>>& tensors,
                      const std::map<std::string, std::string>& metadata = {});

} // namespace headroom
