// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom {

/// The merges of a byte pair encoding (Sennrich et al. 2016) in the order of their rank. No piece contains a
/// space. Immutable after reading, safe on every thread.
class BytePairs {
public:
    enum class Lines {
        Pairs,       ///< “LEFT RIGHT”
        CountedPairs ///< also “LEFT RIGHT COUNT”: how often the pair occurred
    };
    /// Appends the merges of a merges.txt; empty lines and “#version …” are passed over. Throws Error
    /// "text.missing", which names `reader`, the file that needs it, or "text.notBytePairs" with the line
    /// that is no pair.
    void readFile(const std::filesystem::path& file, const std::string& reader, Lines lines);
    /// Appends a merge of a tokenizer.json: "LEFT RIGHT", or ["LEFT", "RIGHT"] in newer files. False: it is
    /// neither.
    [[nodiscard]] bool add(const nlohmann::json& merge);

    /// Returns `parts` with the pair of the lowest rank joined, wherever it occurs, until no pair has a rank.
    std::vector<std::string> merged(std::vector<std::string> parts) const;

private:
    void add(const std::string& left, const std::string& right);

    std::unordered_map<std::string, int> m_ranks; ///< of "LEFT RIGHT"
};

/// Returns the letters of a UTF-8 text, each as its bytes.
std::vector<std::string> utf8Letters(std::string_view text);

} // namespace headroom
