// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// Reads a .npy file (format 1.0–3.0, little-endian, C order; Fortran order of a matrix is transposed).
/// Throws Error that names the file: "npy.missing", "npy.truncated", "npy.badHeader", "npy.badType". Trusts
/// no size.
Tensor readNpy(const std::filesystem::path& file);
/// Parses bytes in the same way; `name` is used in error messages.
Tensor parseNpy(std::span<const std::byte> bytes, const std::string& name);
/// Writes atomically. Throws Error "npy.unwritable".
void writeNpy(const std::filesystem::path& file, const TensorView& tensor);

/// Reads every array of a .npz (stored or deflated, zip64); members that are not .npy are ignored. Throws
/// Error that names file and member: "npz.missing", "npz.truncated", "npz.badHeader", "npz.badData"
/// (checksum, packing), "npz.badMethod", "npz.encrypted", "npz.badType".
std::vector<std::pair<std::string, Tensor>> readNpz(const std::filesystem::path& file);

/// Reads a .npz one array at a time, for files that are large or of which only some arrays are needed.
/// Immutable; safe on every thread. Throws like readNpz, when the problem is reached.
class NpzReader {
public:
    explicit NpzReader(const std::filesystem::path& file);
    ~NpzReader();
    NpzReader(const NpzReader&) = delete;
    NpzReader& operator=(const NpzReader&) = delete;
    const std::vector<std::string>& names() const; ///< in file order
    bool has(const std::string& name) const;
    /// Throws std::out_of_range for a missing name.
    Tensor read(const std::string& name) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// Writes a .npz one array at a time (stored, zip64 if needed), so that a large analysis is never held as a
/// whole. The file appears under its name only after close() succeeded. Throws Error "npz.unwritable".
class NpzWriter {
public:
    explicit NpzWriter(const std::filesystem::path& file);
    ~NpzWriter(); ///< without close(): removes the temporary file
    void add(const std::string& name, const TensorView& tensor);
    void close();

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom
