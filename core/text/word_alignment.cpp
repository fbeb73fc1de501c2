// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/word_alignment.h"

#include <algorithm>
#include <cstdint>

namespace headroom {

std::vector<AlignedWords> alignWords(const std::vector<std::string>& reference,
                                     const std::vector<std::string>& hypothesis, std::size_t mostCells) {
    const std::size_t rows = reference.size(), columns = hypothesis.size(), width = columns + 1;
    std::vector<AlignedWords> aligned;
    if ((rows + 1) * width > mostCells) {
        for (const std::string& word : reference)
            aligned.push_back({word, std::nullopt});
        for (const std::string& word : hypothesis)
            aligned.push_back({std::nullopt, word});
        return aligned;
    }
    // costs[i, j]: of what follows word i of the reference and word j of the hypothesis. One error outweighs all hits.
    const auto error = static_cast<std::int64_t>(rows + columns + 1);
    std::vector<std::int64_t> costs((rows + 1) * width);
    const auto paired = [&](std::size_t i, std::size_t j) {
        return costs[(i + 1) * width + j + 1] + (reference[i] == hypothesis[j] ? -1 : error);
    };
    for (std::size_t i = rows + 1; i-- > 0;)
        for (std::size_t j = width; j-- > 0;) {
            std::int64_t& here = costs[i * width + j];
            if (i == rows || j == columns)
                here = error * static_cast<std::int64_t>((rows - i) + (columns - j));
            else
                here = std::min(paired(i, j), error + std::min(costs[(i + 1) * width + j], costs[i * width + j + 1]));
        }
    std::size_t i = 0, j = 0;
    while (i < rows || j < columns) {
        const std::int64_t here = costs[i * width + j];
        if (i < rows && j < columns && here == paired(i, j))
            aligned.push_back({reference[i++], hypothesis[j++]});
        else if (i < rows && here == error + costs[(i + 1) * width + j])
            aligned.push_back({reference[i++], std::nullopt});
        else
            aligned.push_back({std::nullopt, hypothesis[j++]});
    }
    return aligned;
}

} // namespace headroom
