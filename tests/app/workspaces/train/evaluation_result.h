// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace headroom::testing {

/// evaluation.json of three utterances with four errors.
inline std::string result(const std::filesystem::path& model, const std::filesystem::path& data) {
    nlohmann::json document{{"format", "headroom/evaluation"}, {"version", 1}, {"model", model.string()}, {"data", data.string()},
                            {"split", "all"}, {"task", "asr"}, {"nll", 1}, {"wer", 42.5}, {"bleu", 7}};
    document["decoding"]["beams"] = 5;
    const char* const rows[][3] = {{"u0", "The big man.", "the big man"}, {"u1", "a big house", "a pig house"}, {"u2", "big", "pig pig"}};
    for (const auto& row : rows)
        document["utterances"].push_back({{"id", row[0]}, {"reference", row[1]}, {"hypothesis", row[2]}});
    return document.dump();
}

} // namespace headroom::testing
