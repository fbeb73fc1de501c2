// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/pickle_graph.h"

#include <filesystem>
#include <memory>
#include <string>

namespace headroom {

/// A file that torch.save wrote: the ZIP of PyTorch 1.6 and later, or the row of pickles and storages before
/// it. Opening it reads and checks the description; nothing is executed (pickle_reader.h). Numbers are
/// checked and fetched tensor by tensor, so an optimiser's state that nobody asks for costs nothing.
///
/// Refused as a whole: members that share bytes or stand twice, and a file whose members would unpack to more
/// than 16 times its size (16 MiB are always allowed). One thread at a time.
class TorchFile {
public:
    /// Maps the file. Throws Error that names it: "pickle.missing", "pickle.truncated", "pickle.badHeader",
    /// "pickle.badData", "pickle.badMethod", "pickle.encrypted", and as readPickle.
    explicit TorchFile(const std::filesystem::path& file);
    /// The same from bytes that outlive it; `name` stands in the sentences.
    TorchFile(std::span<const std::byte> bytes, const std::string& name);
    ~TorchFile();
    TorchFile(TorchFile&&) noexcept;
    TorchFile& operator=(TorchFile&&) noexcept;

    /// What was saved. The value borrows from this object.
    PickleValue root() const;
    bool isLegacy() const; ///< before PyTorch 1.6
    /// The numbers of a value of kind Tensor, row-major. Borrows from this object: from the file itself where
    /// the tensor lies there in one piece. Throws Error "pickle.badTensor" where its storage is missing or of
    /// another size, "pickle.badData" for a checksum.
    TensorView tensor(const PickleValue& value);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom
