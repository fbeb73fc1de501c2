// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/safetensors.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/first_bytes.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/mapped_file.h"
#include "core/tensors/safetensors_header.h"

#include <cstring>
#include <nlohmann/json.hpp>

namespace headroom {

namespace {

constexpr std::uint64_t kLongestHeader = 100'000'000; // the format's own limit

std::string bytesText(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

} // namespace

struct Safetensors::Implementation {
    Implementation(const std::filesystem::path& path)
        : file(path, "tensors.missing")
        , name(displayNameInFolder(path)) {}

    MappedFile file;
    std::string name;
    std::vector<std::string> names;
    std::map<std::string, TensorView, std::less<>> tensors;
    std::map<std::string, std::string> metadata;
};

Safetensors::Safetensors(const std::filesystem::path& file) : m(std::make_unique<Implementation>(file)) {
    const auto bytes = m->file.bytes();
    const auto truncated = [&](const std::string& reason) {
        throw Error("tensors.truncated", m->name + " is truncated: " + reason + ".",
                    {{"file", m->name}, {"size", bytes.size()}});
    };
    if (const char* instead = notDownloaded(firstText(bytes)))
        throw Error("tensors.notDownloaded", m->name + " " + instead + ".", {{"file", m->name}});
    std::uint64_t headerLength = 0;
    if (bytes.size() < sizeof headerLength)
        truncated("it has " + bytesText(bytes.size()) + ", not even the length of a header");
    std::memcpy(&headerLength, bytes.data(), sizeof headerLength);
    if (headerLength > kLongestHeader)
        throw Error("tensors.badHeader",
                    m->name + " is not a safetensors file: its header would be " + bytesText(headerLength) +
                        " long.",
                    {{"file", m->name}});
    if (headerLength > bytes.size() - sizeof headerLength)
        truncated("its header promises " + bytesText(headerLength) + " but the file has only " +
                  bytesText(bytes.size()));
    const auto text = bytes.subspan(sizeof headerLength, headerLength);
    auto header = parseSafetensorsHeader({reinterpret_cast<const char*>(text.data()), text.size()}, m->name);

    const auto data = bytes.subspan(sizeof headerLength + headerLength);
    const std::uint64_t needed = header.entries.empty() ? 0 : header.entries.back().end;
    for (const auto& entry : header.entries) // the first that does not fit is the one to name
        if (entry.end > data.size())
            truncated("tensor " + entry.name + " ends at byte " + std::to_string(entry.end) +
                      " of the data, which has " + bytesText(data.size()));
    if (needed < data.size())
        throw Error("tensors.badHeader",
                    m->name + " is not a usable safetensors file: " + bytesText(data.size() - needed) +
                        " at its end belong to no tensor.",
                    {{"file", m->name}});
    for (auto& entry : header.entries) {
        m->names.push_back(entry.name);
        m->tensors.emplace(entry.name, TensorView{entry.dtype, std::move(entry.shape),
                                                  data.subspan(entry.begin, entry.end - entry.begin)});
    }
    m->metadata = std::move(header.metadata);
}

Safetensors::~Safetensors() = default;
Safetensors::Safetensors(Safetensors&&) noexcept = default;
Safetensors& Safetensors::operator=(Safetensors&&) noexcept = default;

const std::vector<std::string>& Safetensors::names() const {
    return m->names;
}

bool Safetensors::contains(const std::string& name) const {
    return m->tensors.contains(name);
}

TensorView Safetensors::tensor(const std::string& name) const {
    const auto found = m->tensors.find(name);
    if (found == m->tensors.end())
        throw Error("tensors.noSuchTensor", m->name + " has no tensor “" + name + "”.",
                    {{"file", m->name}, {"tensor", name}});
    return found->second;
}

const std::map<std::string, std::string>& Safetensors::metadata() const {
    return m->metadata;
}

void writeSafetensors(const std::filesystem::path& file,
                      const std::vector<std::pair<std::string, TensorView>>& tensors,
                      const std::map<std::string, std::string>& metadata) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : tensors) {
        if (name == "__metadata__" || header.contains(name))
            throw std::invalid_argument("a tensor cannot be called “" + name + "”, or twice so");
        const auto size = byteCount(tensor.dtype, tensor.shape);
        if (!size || *size != tensor.bytes.size())
            throw std::invalid_argument("the bytes of tensor “" + name + "” do not fit its shape");
        // The format allows no gap between tensors: all begin aligned only as long as every size is a
        // multiple.
        header[name] = {{"dtype", safetensorsTypeName(tensor.dtype)},
                        {"shape", tensor.shape},
                        {"data_offsets", {offset, offset + *size}}};
        offset += *size;
    }
    auto text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    const auto length = static_cast<std::uint64_t>(text.size());
    AtomicFile out(file, "tensors.unwritable");
    out.write(std::as_bytes(std::span(&length, 1)));
    out.write(text);
    for (const auto& [name, tensor] : tensors)
        out.write(tensor.bytes);
    out.commit();
}

} // namespace headroom
