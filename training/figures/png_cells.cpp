// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/files.h"
#include "training/figures/image_cells.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include <zlib.h>

namespace headroom::figures {

namespace {

constexpr std::size_t kEmbeddedPixels = 900;

std::string bigEndian(std::uint32_t value) {
    return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

std::string chunk(const std::string& kind, const std::string& data) {
    const std::string body = kind + data;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return bigEndian(static_cast<std::uint32_t>(data.size())) + body +
           bigEndian(static_cast<std::uint32_t>(sum));
}

} // namespace

int cellScale(const Image& image) {
    const std::size_t side = std::max({image.rows, image.columns, std::size_t(1)});
    return static_cast<int>(std::max<std::size_t>(1, kEmbeddedPixels / side));
}

std::string pngOfCells(const Image& image, int scale) {
    assert(image.rgb.size() == image.rows * image.columns * 3 && scale > 0);
    const auto times = static_cast<std::size_t>(scale);
    const std::size_t width = image.columns * times, height = image.rows * times;
    std::string raw;
    raw.reserve(height * (width * 3 + 1));
    for (std::size_t row = 0; row < image.rows; ++row) {
        std::string line(1, '\0'); // filter 0: none
        for (std::size_t column = 0; column < image.columns; ++column) {
            const auto* cell =
                reinterpret_cast<const char*>(image.rgb.data() + (row * image.columns + column) * 3);
            for (std::size_t k = 0; k < times; ++k)
                line.append(cell, 3);
        }
        for (std::size_t k = 0; k < times; ++k)
            raw += line;
    }
    uLongf packedSize = compressBound(static_cast<uLong>(raw.size()));
    std::string packed(packedSize, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &packedSize,
                  reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()), 9) != Z_OK)
        throw std::bad_alloc();
    packed.resize(packedSize);
    const std::string head = bigEndian(static_cast<std::uint32_t>(width)) +
                             bigEndian(static_cast<std::uint32_t>(height)) +
                             std::string("\x08\x02\x00\x00\x00", 5);
    return std::string("\x89PNG\r\n\x1a\n", 8) + chunk("IHDR", head) + chunk("IDAT", packed) +
           chunk("IEND", "");
}

} // namespace headroom::figures
