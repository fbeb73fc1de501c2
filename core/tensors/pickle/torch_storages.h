// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/pickle_graph.h"

#include <memory>
#include <string>

namespace headroom {

/// Provides the data of a torch.save file.
class TorchStorages {
public:
    virtual ~TorchStorages() = default;
    /// Borrows from the file, or from this object. Throws Error "pickle.badTensor" unless the storage exists
    /// and has the announced number of bytes.
    virtual std::span<const std::byte> bytes(const PickleStorage& storage) = 0;
};

struct TorchParts {
    PickleGraph graph;
    std::unique_ptr<TorchStorages> storages;
    bool legacy = false;
};

/// Each reads one container. `bytes` must outlive the result; `name` is used in messages.
TorchParts readTorchZip(std::span<const std::byte> bytes, const std::string& name);
TorchParts readLegacyTorch(std::span<const std::byte> bytes, const std::string& name);

[[noreturn]] void refuseTorchFile(const std::string& name, const std::string& reason, const char* code);
/// Throws unless the storage announced `found` bytes.
void checkStorageSize(const PickleStorage& storage, std::uint64_t found, const std::string& name);

} // namespace headroom
