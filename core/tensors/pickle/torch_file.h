// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/pickle_graph.h"

#include <filesystem>
#include <memory>
#include <string>

namespace headroom {

/// A file written by torch.save: the ZIP of PyTorch 1.6 and later, or the sequence of pickles and storages
/// before it. Opening reads and validates the description; nothing is executed (pickle_reader.h). Data is
/// validated and read tensor by tensor, so an unused optimiser state costs nothing.
///
/// Rejected as a whole: members that share bytes or are duplicated, and a file whose members would unpack to
/// more than 16 times its size (16 MiB are always allowed). One thread at a time.
class TorchFile {
public:
    /// Maps the file. Throws Error that names it: "pickle.missing", "pickle.truncated", "pickle.badHeader",
    /// "pickle.badData", "pickle.badMethod", "pickle.encrypted", and the errors of readPickle.
    explicit TorchFile(const std::filesystem::path& file);
    /// Reads bytes, which must outlive this object; `name` is used in messages.
    TorchFile(std::span<const std::byte> bytes, const std::string& name);
    ~TorchFile();
    TorchFile(TorchFile&&) noexcept;
    TorchFile& operator=(TorchFile&&) noexcept;

    /// Returns the saved value, which borrows from this object.
    PickleValue root() const;
    bool isLegacy() const; ///< before PyTorch 1.6
    /// Returns the data of a value of kind Tensor, row-major. Borrows from this object, or from the file if
    /// the tensor is contiguous there. Throws Error "pickle.badTensor" if its storage is missing or has the
    /// wrong size, "pickle.badData" for a wrong checksum.
    TensorView tensor(const PickleValue& value);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom
