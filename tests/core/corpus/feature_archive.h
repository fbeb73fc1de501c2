// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_name.h"
#include "core/matrix/matrix.h"
#include "core/tensors/npy.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::testing {

/// Writes a zip of stored arrays, as fairseq does, and returns what its tables call each: "fbank80.zip:131:76928".
inline std::map<std::string, std::string>
writeFeatureArchive(const std::filesystem::path& file, const std::vector<std::pair<std::string, Matrix<float>>>& arrays) {
    NpzWriter zip(file);
    for (const auto& [id, matrix] : arrays)
        zip.add(id, Tensor::of<float>({static_cast<std::int64_t>(matrix.rows()), static_cast<std::int64_t>(matrix.columns())},
                                      matrix.values())
                        .view());
    zip.close();
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::map<std::string, std::string> names;
    std::size_t at = 0;
    for (const auto& [id, matrix] : arrays) {
        at = bytes.find("\x93NUMPY", at);
        const auto length = static_cast<unsigned char>(bytes.at(at + 8)) + 256 * static_cast<unsigned char>(bytes.at(at + 9));
        const auto count = 10 + static_cast<std::size_t>(length) + matrix.values().size() * sizeof(float);
        names[id] = AudioName{file.filename(), AudioPart{static_cast<std::int64_t>(at), static_cast<std::int64_t>(count)}}
                        .path()
                        .string();
        at += count;
    }
    return names;
}

/// A matrix that counts up by 1/8.
struct Counting {
    int rows, columns;
    float first;
};
inline std::map<std::string, std::string>
writeCountingArchive(const std::filesystem::path& file, const std::vector<std::pair<std::string, Counting>>& arrays) {
    std::vector<std::pair<std::string, Matrix<float>>> matrices;
    for (const auto& [id, shape] : arrays) {
        std::vector<float> values(static_cast<std::size_t>(shape.rows * shape.columns));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = shape.first + static_cast<float>(i) / 8;
        matrices.emplace_back(id, Matrix<float>(static_cast<std::size_t>(shape.rows),
                                                static_cast<std::size_t>(shape.columns), std::move(values)));
    }
    return writeFeatureArchive(file, matrices);
}

} // namespace headroom::testing
