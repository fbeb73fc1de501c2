// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/pickle_graph.h"

#include <memory>
#include <string>

namespace headroom {

/// Where the numbers of a torch.save file lie.
class TorchStorages {
public:
    virtual ~TorchStorages() = default;
    /// Borrows from the file, or from this object. Throws Error "pickle.badTensor" unless it is there and has
    /// just the bytes that were announced.
    virtual std::span<const std::byte> bytes(const PickleStorage& storage) = 0;
};

struct TorchParts {
    PickleGraph graph;
    std::unique_ptr<TorchStorages> storages;
    bool legacy = false;
};

/// Each reads one container. `bytes` outlives what is returned; `name` stands in the sentences.
TorchParts readTorchZip(std::span<const std::byte> bytes, const std::string& name);
TorchParts readLegacyTorch(std::span<const std::byte> bytes, const std::string& name);

[[noreturn]] void refuseTorchFile(const std::string& name, const std::string& reason, const char* code);
/// Throws unless `found` bytes are what the storage announced.
void checkStorageSize(const PickleStorage& storage, std::uint64_t found, const std::string& name);

} // namespace headroom
