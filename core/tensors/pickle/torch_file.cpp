// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/pickle/torch_file.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/first_bytes.h"
#include "core/tensors/mapped_file.h"
#include "core/tensors/pickle/pickle_builder.h"
#include "core/tensors/pickle/torch_storages.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

namespace headroom {

namespace {

bool begins(std::span<const std::byte> bytes, std::string_view with, std::size_t at = 0) {
    return bytes.size() >= at + with.size() && std::memcmp(bytes.data() + at, with.data(), with.size()) == 0;
}

TorchParts read(std::span<const std::byte> bytes, const std::string& name) {
    if (begins(bytes, "PK\x03\x04"))
        return readTorchZip(bytes, name);
    if (begins(bytes, "\x80"))
        return readLegacyTorch(bytes, name);
    if (const char* instead = notDownloaded(firstText(bytes)))
        refuseTorchFile(name, std::string("it ") + instead, "pickle.badHeader");
    if (begins(bytes, "ustar", 257))
        refuseTorchFile(name, "it was written by PyTorch before 0.1.10", "pickle.badHeader");
    refuseTorchFile(name, "it begins neither as a ZIP nor as a pickle",
                    bytes.empty() ? "pickle.truncated" : "pickle.badHeader");
}

/// Copies a strided view, last dimension fastest.
std::vector<std::byte> gathered(const PickleTensor& tensor, std::span<const std::byte> storage,
                                std::size_t size) {
    std::vector<std::byte> result(static_cast<std::size_t>(tensor.elementCount()) * size);
    std::vector<std::int64_t> index(tensor.shape.size(), 0);
    std::int64_t from = tensor.offset;
    for (std::size_t to = 0; to < result.size(); to += size) {
        std::memcpy(result.data() + to, storage.data() + static_cast<std::size_t>(from) * size, size);
        for (std::size_t d = index.size(); d-- > 0;) {
            from += tensor.strides[d];
            if (++index[d] < tensor.shape[d])
                break;
            from -= tensor.strides[d] * tensor.shape[d];
            index[d] = 0;
        }
    }
    return result;
}

} // namespace

void refuseTorchFile(const std::string& name, const std::string& reason, const char* code) {
    throw Error(code, name + " is not a usable PyTorch file: " + validText(reason) + ".",
                {{"file", name}, {"reason", validText(reason)}});
}

void checkStorageSize(const PickleStorage& storage, std::uint64_t found, const std::string& name) {
    const auto wanted = static_cast<std::uint64_t>(storage.count) * elementSize(storage.dtype);
    if (found != wanted)
        refuseTorchFile(name,
                        "storage “" + quotable(storage.key) + "” has " + std::to_string(found) +
                            " bytes, its pickle asks for " + std::to_string(wanted),
                        "pickle.badTensor");
}

struct TorchFile::Implementation {
    std::unique_ptr<MappedFile> file;
    TorchParts parts;
    std::map<std::int64_t, std::vector<std::byte>> gathered; ///< tensors that do not lie in one piece
};

TorchFile::TorchFile(const std::filesystem::path& file) : m(std::make_unique<Implementation>()) {
    m->file = std::make_unique<MappedFile>(file, "pickle.missing");
    m->parts = read(m->file->bytes(), displayNameInFolder(file));
}

TorchFile::TorchFile(std::span<const std::byte> bytes, const std::string& name)
    : m(std::make_unique<Implementation>()) {
    m->parts = read(bytes, name);
}

TorchFile::~TorchFile() = default;
TorchFile::TorchFile(TorchFile&&) noexcept = default;
TorchFile& TorchFile::operator=(TorchFile&&) noexcept = default;

PickleValue TorchFile::root() const {
    return {m->parts.graph, m->parts.graph.root};
}

bool TorchFile::isLegacy() const {
    return m->parts.legacy;
}

TensorView TorchFile::tensor(const PickleValue& value) {
    if (!value.is(PickleKind::Tensor) || &value.graph() != &m->parts.graph)
        throw std::invalid_argument("not a tensor of this file");
    const auto index = value.node().integer;
    const PickleTensor& tensor = m->parts.graph.tensors[static_cast<std::size_t>(index)];
    const PickleStorage& storage = m->parts.graph.storages[tensor.storage];
    const auto bytes = m->parts.storages->bytes(storage);
    const auto size = elementSize(storage.dtype);
    const auto count = static_cast<std::size_t>(tensor.elementCount());
    if (count == 0)
        return {storage.dtype, tensor.shape, {}};
    if (tensor.isContiguous())
        return {storage.dtype, tensor.shape,
                bytes.subspan(static_cast<std::size_t>(tensor.offset) * size, count * size)};
    auto found = m->gathered.find(index);
    if (found == m->gathered.end())
        found = m->gathered.emplace(index, gathered(tensor, bytes, size)).first;
    return {storage.dtype, tensor.shape, found->second};
}

} // namespace headroom
