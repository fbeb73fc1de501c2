// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"
#include "core/tensors/zip_records.h"

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include <zlib.h>

namespace headroom::testing {

/// Writes pickles of protocol 2 instruction by instruction, right ones and wrong ones. The letters are
/// Python's (Lib/pickletools.py).
class PickleWriter {
public:
    PickleWriter& raw(const std::string& bytes) {
        m_out += bytes;
        return *this;
    }
    PickleWriter& none() { return raw("N"); }
    PickleWriter& boolean(bool value) { return raw(value ? "\x88" : "\x89"); }
    PickleWriter& integer(std::int64_t value) {
        if (value >= 0 && value < 256)
            return raw("K").number(static_cast<std::uint8_t>(value));
        return raw("\x8a\x08").number(value);
    }
    PickleWriter& real(double value) {
        return raw("G").number(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
    }
    PickleWriter& text(const std::string& value) {
        return raw("X").number(static_cast<std::uint32_t>(value.size())).raw(value);
    }
    PickleWriter& global(const std::string& module, const std::string& name) {
        return raw("c" + module + "\n" + name + "\n");
    }
    PickleWriter& mark() { return raw("("); }
    PickleWriter& tuple() { return raw("t"); }
    PickleWriter& emptyTuple() { return raw(")"); }
    PickleWriter& emptyList() { return raw("]"); }
    PickleWriter& emptyDict() { return raw("}"); }
    PickleWriter& setItems() { return raw("u"); }
    PickleWriter& appends() { return raw("e"); }
    PickleWriter& reduce() { return raw("R"); }
    PickleWriter& newObject() { return raw("\x81"); }
    PickleWriter& build() { return raw("b"); }
    PickleWriter& remember(std::uint8_t index) { return raw("q").number(index); }
    PickleWriter& recall(std::uint8_t index) { return raw("h").number(index); }
    PickleWriter& extents(const std::vector<std::int64_t>& values) {
        mark();
        for (const auto value : values)
            integer(value);
        return tuple();
    }
    /// ("storage", torch.TYPE, key, "cpu", count), as a persistent id.
    PickleWriter& storage(const std::string& type, const std::string& key, std::int64_t count,
                          bool legacy = false) {
        mark().text("storage").global("torch", type).text(key).text("cpu").integer(count);
        if (legacy)
            none();
        return tuple().raw("Q");
    }
    /// torch._utils._rebuild_tensor_v2 on the storage that `writeStorage` writes.
    template <class WriteStorage>
    PickleWriter& rebuiltTensor(WriteStorage&& writeStorage, std::int64_t offset,
                                const std::vector<std::int64_t>& shape,
                                const std::vector<std::int64_t>& strides) {
        global("torch._utils", "_rebuild_tensor_v2").mark();
        writeStorage(*this);
        integer(offset).extents(shape).extents(strides).boolean(false);
        return global("collections", "OrderedDict").emptyTuple().reduce().tuple().reduce();
    }
    std::string finish() const { return "\x80\x02" + m_out + "."; }

private:
    template <class T>
    PickleWriter& number(T value) {
        m_out.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }

    std::string m_out;
};

inline std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

inline std::string torchStorageName(DType type) {
    switch (type) {
    case DType::F16:
        return "HalfStorage";
    case DType::BF16:
        return "BFloat16Storage";
    case DType::F64:
        return "DoubleStorage";
    case DType::I64:
        return "LongStorage";
    case DType::I32:
        return "IntStorage";
    default:
        return "FloatStorage";
    }
}

/// A file of torch.save in the making: tensors get storages "0", "1", … in the order they are written.
class TorchSaver {
public:
    explicit TorchSaver(bool legacy = false) : m_legacy(legacy) {}

    void tensor(PickleWriter& pickle, const Tensor& tensor) {
        const std::string key = std::to_string(m_storages.size());
        pickle.rebuiltTensor(
            [&](PickleWriter& writer) {
                writer.storage(torchStorageName(tensor.dtype), key, tensor.view().elementCount(), m_legacy);
            },
            0, tensor.shape, rowMajorStrides(tensor.shape));
        m_storages.emplace_back(
            tensor.view().elementCount(),
            std::string(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()));
    }
    /// An OrderedDict of named tensors.
    void stateDict(PickleWriter& pickle, const std::vector<std::pair<std::string, Tensor>>& tensors) {
        pickle.global("collections", "OrderedDict").emptyTuple().reduce().mark();
        for (const auto& [name, value] : tensors) {
            pickle.text(name);
            tensor(pickle, value);
        }
        pickle.setItems();
    }
    /// The bytes of the file, whose pickle is this one.
    std::string file(const PickleWriter& pickle, const std::string& folder = "archive") const;

private:
    bool m_legacy;
    std::vector<std::pair<std::int64_t, std::string>> m_storages;
};

struct ZipPart {
    std::string name, data;
    bool deflated = false;
};

inline std::string deflatedBytes(const std::string& data) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, data.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string zipFile(const std::vector<ZipPart>& parts) {
    std::string out;
    std::vector<ZipMember> members;
    for (const auto& part : parts) {
        const std::string packed = part.deflated ? deflatedBytes(part.data) : part.data;
        ZipMember member;
        member.name = part.name;
        member.method = part.deflated ? 8 : 0;
        member.crc = static_cast<std::uint32_t>(
            crc32_z(0, reinterpret_cast<const Bytef*>(part.data.data()), part.data.size()));
        member.compressedSize = packed.size();
        member.size = part.data.size();
        member.offset = out.size();
        out += zipLocalHeader(member) + packed;
        members.push_back(member);
    }
    return out + zipDirectory(members, out.size());
}

inline std::string TorchSaver::file(const PickleWriter& pickle, const std::string& folder) const {
    if (!m_legacy) {
        std::vector<ZipPart> parts{{folder + "/data.pkl", pickle.finish()},
                                   {folder + "/byteorder", "little"}};
        for (std::size_t i = 0; i < m_storages.size(); ++i)
            parts.push_back({folder + "/data/" + std::to_string(i), m_storages[i].second});
        parts.push_back({folder + "/version", "3\n"});
        return zipFile(parts);
    }
    PickleWriter magic, version, system, keys;
    magic.raw(std::string("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 12));
    version.integer(1001);
    system.emptyDict().mark().text("protocol_version").integer(1001).text("little_endian").boolean(true);
    keys.emptyList().mark();
    std::string data;
    for (std::size_t i = 0; i < m_storages.size(); ++i) {
        keys.text(std::to_string(i));
        data.append(reinterpret_cast<const char*>(&m_storages[i].first), sizeof(std::int64_t));
        data += m_storages[i].second;
    }
    return magic.finish() + version.finish() + system.setItems().finish() + pickle.finish() +
           keys.appends().finish() + data;
}

} // namespace headroom::testing
