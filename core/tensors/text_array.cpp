// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/text_array.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace headroom {

Tensor textArray(const std::vector<std::string>& texts) {
    std::size_t longest = 1; // NumPy has no texts of 0 bytes
    for (const std::string& text : texts)
        longest = std::max(longest, text.size());
    std::vector<std::uint8_t> bytes(texts.size() * longest);
    for (std::size_t row = 0; row < texts.size(); ++row)
        std::copy(texts[row].begin(), texts[row].end(), bytes.begin() + static_cast<std::ptrdiff_t>(row * longest));
    return Tensor::of<std::uint8_t>({static_cast<std::int64_t>(texts.size()), static_cast<std::int64_t>(longest)}, bytes);
}

std::vector<std::string> arrayTexts(const TensorView& array) {
    if (array.dtype != DType::U8 || array.shape.size() != 2)
        throw std::invalid_argument("an array of texts is u8 of two dimensions");
    const auto longest = static_cast<std::size_t>(array.shape[1]);
    std::vector<std::string> texts(static_cast<std::size_t>(array.shape[0]));
    for (std::size_t row = 0; row < texts.size(); ++row) {
        const auto* from = reinterpret_cast<const char*>(array.bytes.data()) + row * longest;
        texts[row].assign(from, std::find(from, from + longest, '\0'));
    }
    return texts;
}

} // namespace headroom
