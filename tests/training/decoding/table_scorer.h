// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/token_scorer.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace headroom::testing {

inline constexpr int kEnd = 2;
using Text = std::vector<int>;

/// ln P of the next token of a text on a recording.
using Table = std::function<std::vector<float>(std::int64_t recording, const Text& text)>;

/// Draws ln P of each text from a hash of it, so that every text has its own distribution.
inline Table drawnTable(int vocabulary, double sharpness = 2) {
    return [=](std::int64_t recording, const Text& text) {
        std::uint64_t state = 77 + static_cast<std::uint64_t>(recording);
        for (const int token : text)
            state = (state ^ static_cast<std::uint64_t>(token + 1)) * 0x9E3779B97F4A7C15ULL;
        std::vector<double> logits;
        double sum = 0;
        for (int token = 0; token < vocabulary; ++token) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            logits.push_back(sharpness * (static_cast<double>(state >> 40) / (1 << 23) - 1));
            sum += std::exp(logits.back());
        }
        std::vector<float> row;
        for (const double logit : logits)
            row.push_back(static_cast<float>(logit - std::log(sum)));
        return row;
    };
}

/// Follows the texts of its rows, and checks how it is called.
class TableScorer final : public models::TokenScorer {
public:
    TableScorer(int vocabulary, std::int64_t recordings, Table table)
        : m_vocabulary(vocabulary)
        , m_table(std::move(table)) {
        for (std::int64_t recording = 0; recording < recordings; ++recording)
            m_rows.push_back({recording, {}});
    }
    int vocabulary() const override { return m_vocabulary; }
    std::int64_t maximumTokens() const override { return 100; }
    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override {
        std::vector<std::pair<std::int64_t, Text>> rows;
        Matrix<float> result(parents.size(), static_cast<std::size_t>(m_vocabulary));
        for (std::size_t i = 0; i < parents.size(); ++i) {
            rows.push_back(m_rows.at(static_cast<std::size_t>(parents[i])));
            rows.back().second.push_back(tokens[i]);
            const std::vector<float> row = m_table(rows.back().first, rows.back().second);
            std::copy(row.begin(), row.end(), result.row(i).begin());
        }
        m_rows = std::move(rows);
        ++calls;
        return result;
    }
    int calls = 0;

private:
    int m_vocabulary;
    Table m_table;
    std::vector<std::pair<std::int64_t, Text>> m_rows;
};

} // namespace headroom::testing
