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
/// The same from bytes; `name` stands in the sentences.
Tensor parseNpy(std::span<const std::byte> bytes, const std::string& name);
/// Atomic. Throws Error "npy.unwritable".
void writeNpy(const std::filesystem::path& file, const TensorView& tensor);

/// Reads every array of a .npz (stored or deflated, zip64); members that are not .npy are passed over. Throws
/// Error naming file and member: "npz.missing", "npz.truncated", "npz.badHeader", "npz.badData" (checksum,
/// packing), "npz.badMethod", "npz.encrypted", "npz.badType".
std::vector<std::pair<std::string, Tensor>> readNpz(const std::filesystem::path& file);

/// The same, one array at a time: for files of which only some arrays are wanted, or all do not fit.
/// Immutable; safe from every thread. Throws as readNpz, each where it is found.
class NpzReader {
public:
    explicit NpzReader(const std::filesystem::path& file);
    ~NpzReader();
    NpzReader(const NpzReader&) = delete;
    NpzReader& operator=(const NpzReader&) = delete;
    const std::vector<std::string>& names() const; ///< in the file's order
    bool has(const std::string& name) const;
    /// Throws std::out_of_range for a name that is not there.
    Tensor read(const std::string& name) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// Writes a .npz one array at a time (stored, zip64 where needed), so that a large analysis never holds all
/// of it. The file appears under its name only when close() succeeded. Throws Error "npz.unwritable".
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
