// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/word_alignment.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

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
    std::unordered_map<std::string_view, int> numbers;
    const auto numbered = [&numbers](const std::vector<std::string>& words) {
        std::vector<int> result;
        for (const std::string& word : words)
            result.push_back(numbers.try_emplace(word, static_cast<int>(numbers.size())).first->second);
        return result;
    };
    const std::vector<int> spoken = numbered(reference), written = numbered(hypothesis);
    // below[j], here[j]: the cost of what follows word i of the reference and word j of the hypothesis. One error
    // outweighs all hits. Only the step that is taken is kept of every cell.
    enum Step : std::uint8_t { Pair, Delete, Insert };
    const auto error = static_cast<std::int64_t>(rows + columns + 1);
    std::vector<Step> steps((rows + 1) * width, Insert);
    std::vector<std::int64_t> below(width), here(width);
    for (std::size_t i = rows + 1; i-- > 0;) {
        for (std::size_t j = width; j-- > 0;) {
            if (i == rows || j == columns) {
                here[j] = error * static_cast<std::int64_t>((rows - i) + (columns - j));
                steps[i * width + j] = j == columns ? Delete : Insert;
                continue;
            }
            const std::int64_t paired = below[j + 1] + (spoken[i] == written[j] ? -1 : error);
            here[j] = std::min(paired, error + std::min(below[j], here[j + 1]));
            steps[i * width + j] = here[j] == paired ? Pair : here[j] == error + below[j] ? Delete : Insert;
        }
        std::swap(here, below);
    }
    for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
        const Step step = steps[i * width + j];
        aligned.emplace_back();
        if (step != Insert)
            aligned.back().reference = reference[i++];
        if (step != Delete)
            aligned.back().hypothesis = hypothesis[j++];
    }
    return aligned;
}

} // namespace headroom
