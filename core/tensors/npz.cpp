// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/mapped_file.h"
#include "core/tensors/npy.h"
#include "core/tensors/npy_header.h"
#include "core/tensors/zip_records.h"

#include <map>
#include <set>
#include <stdexcept>
#include <zlib.h>

namespace headroom {

struct NpzReader::Implementation {
    explicit Implementation(const std::filesystem::path& path)
        : mapped(path, "npz.missing")
        , file(path.string()) {}

    MappedFile mapped;
    std::string file;
    std::vector<std::string> names;
    std::map<std::string, ZipMember> members;
};

NpzReader::NpzReader(const std::filesystem::path& file) : m(std::make_unique<Implementation>(file)) {
    constexpr std::string_view kSuffix = ".npy";
    for (const auto& member : readZipDirectory(m->mapped.bytes(), {m->file})) {
        if (!member.name.ends_with(kSuffix))
            continue; // numpy.load leaves such members alone too
        const auto array = member.name.substr(0, member.name.size() - kSuffix.size());
        if (!m->members.emplace(array, member).second)
            throw Error("npz.badHeader", m->file + " contains “" + array + "” twice.",
                        {{"file", m->file}, {"array", array}});
        m->names.push_back(array);
    }
}

NpzReader::~NpzReader() = default;

const std::vector<std::string>& NpzReader::names() const {
    return m->names;
}

bool NpzReader::has(const std::string& name) const {
    return m->members.contains(name);
}

Tensor NpzReader::read(const std::string& name) const {
    const auto bytes = readZipMember(m->mapped.bytes(), m->members.at(name), {m->file});
    try {
        return parseNpy(bytes, "“" + name + "” in " + m->file);
    } catch (const Error& error) {
        throw Error("npz" + error.code().substr(3), error.what(), error.values());
    }
}

std::vector<std::pair<std::string, Tensor>> readNpz(const std::filesystem::path& file) {
    const NpzReader reader(file);
    std::vector<std::pair<std::string, Tensor>> result;
    for (const std::string& name : reader.names())
        result.emplace_back(name, reader.read(name));
    return result;
}

struct NpzWriter::Implementation {
    explicit Implementation(const std::filesystem::path& path) : file(path, "npz.unwritable") {}

    AtomicFile file;
    std::vector<ZipMember> members;
    std::set<std::string> names;
};

NpzWriter::NpzWriter(const std::filesystem::path& file) : m(std::make_unique<Implementation>(file)) {}

NpzWriter::~NpzWriter() = default;

void NpzWriter::add(const std::string& name, const TensorView& tensor) {
    constexpr std::size_t kLongestName = 60000; // a ZIP counts the bytes of a name in 16 bits
    if (name.empty() || name.size() > kLongestName || !m->names.insert(name).second)
        throw std::invalid_argument("an array of a .npz needs a name of its own, not “" + name + "”");
    const auto header = npyHeader(tensor);
    ZipMember member;
    member.name = name + ".npy";
    member.size = member.compressedSize = header.size() + tensor.bytes.size();
    member.offset = m->file.position();
    auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
    if (!tensor.bytes.empty())
        crc = crc32_z(crc, reinterpret_cast<const Bytef*>(tensor.bytes.data()), tensor.bytes.size());
    member.crc = static_cast<std::uint32_t>(crc);
    m->file.write(zipLocalHeader(member));
    m->file.write(header);
    m->file.write(tensor.bytes);
    m->members.push_back(std::move(member));
}

void NpzWriter::close() {
    m->file.write(zipDirectory(m->members, m->file.position()));
    m->file.commit();
}

} // namespace headroom
