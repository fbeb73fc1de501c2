// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/feature_archive.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/tensors/npy.h"
#include "core/tensors/npy_header.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>
#include <vector>

namespace headroom {

namespace {

constexpr std::int64_t kHeaderBytes = 1024; // more than the header of a matrix takes

/// The bytes of one array in its file.
class ArchivedArray {
public:
    explicit ArchivedArray(const AudioName& name)
        : m_name(name)
        , m_file(name.file, std::ios::binary | std::ios::ate) {
        if (!m_file)
            refuse("is missing or cannot be read");
        const auto size = static_cast<std::int64_t>(m_file.tellg());
        if (size == 0)
            refuse("is empty (0 bytes). Copy it again from where it was made");
        m_part = name.part.value_or(AudioPart{0, size});
        if (m_part.count == 0)
            refuse("has no features at byte " + grouped(m_part.start) + ": the table states a length of 0 bytes");
        if (m_part.start > size || m_part.count > size - m_part.start)
            refuse("ends after " + counted(size, "byte") + ", but the table looks for " + counted(m_part.count, "byte") +
                   " of features at byte " + grouped(m_part.start) +
                   ". It was cut short, or the table belongs to another archive");
    }

    std::int64_t bytes() const { return m_part.count; }

    std::vector<std::byte> read(std::int64_t count) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(count, m_part.count)));
        m_file.seekg(m_part.start);
        m_file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!m_file)
            refuse("cannot be read at byte " + grouped(m_part.start));
        refuseOthers({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        return bytes;
    }

    /// What errors call the array.
    std::string where() const {
        return m_name.part ? displayName(m_name.file) + " at byte " + grouped(m_part.start) : displayName(m_name.file);
    }

    [[noreturn]] void refuse(const std::string& what) const {
        throw Error("features.archive", displayName(m_name.file) + " " + what + ".",
                    {{"file", m_name.file.string()}, {"byte", m_part.start}});
    }

private:
    void refuseOthers(std::string_view start) const {
        if (start.starts_with("\x93NUMPY"))
            return;
        const std::string place = "has no NumPy array at byte " + grouped(m_part.start);
        for (const auto& [magic, what] : {std::pair<std::string_view, std::string_view>{"fLaC", "FLAC"},
                                          {"RIFF", "WAV"},
                                          {"OggS", "Ogg"}})
            if (start.starts_with(magic))
                refuse(place + " but sound (" + std::string(what) +
                       "). Unpack the archive and name the recordings in the table");
        refuse(place + ". The table belongs to another archive, or the archive is compressed; fairseq's are stored");
    }

    const AudioName& m_name;
    std::ifstream m_file;
    AudioPart m_part;
};

ArchivedShape shapeOf(const ArchivedArray& array, const NpyLayout& layout) {
    const bool isReal = layout.dtype == DType::F16 || layout.dtype == DType::F32 || layout.dtype == DType::F64;
    if (layout.shape.size() != 2 || !isReal || layout.shape[0] <= 0 || layout.shape[1] <= 0) {
        std::string shape;
        for (const std::int64_t extent : layout.shape)
            shape += (shape.empty() ? "" : " × ") + std::to_string(extent);
        throw Error("features.archive",
                    array.where() + " has no features but an array of another kind (" + shape +
                        (isReal ? "" : ", not real numbers") + "); features are frames × bins.");
    }
    const auto bytes = byteCount(layout.dtype, layout.shape);
    if (!bytes || static_cast<std::int64_t>(layout.start) + static_cast<std::int64_t>(*bytes) != array.bytes())
        throw Error("features.archive", array.where() + " has an array of " + std::to_string(layout.shape[0]) + " × " +
                                            std::to_string(layout.shape[1]) + " numbers, which is not as long as the " +
                                            counted(array.bytes(), "byte") +
                                            " that the table states. The table belongs to another archive.");
    return {layout.shape[0], layout.shape[1]};
}

} // namespace

ArchivedShape archivedShape(const AudioName& name) {
    ArchivedArray array(name);
    return shapeOf(array, npyLayout(array.read(kHeaderBytes), array.where()));
}

Matrix<float> readArchivedFeatures(const AudioName& name) {
    ArchivedArray array(name);
    const std::vector<std::byte> bytes = array.read(array.bytes());
    const ArchivedShape shape = shapeOf(array, npyLayout(bytes, array.where()));
    const Tensor tensor = parseNpy(bytes, array.where());
    std::vector<float> values = toFloats(tensor.view());
    if (!std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }))
        throw Error("features.archive", array.where() + " has features that are not finite numbers.");
    return Matrix<float>(static_cast<std::size_t>(shape.frames), static_cast<std::size_t>(shape.features),
                         std::move(values));
}

} // namespace headroom
