// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/fused_scorer.h"

#include "core/errors/error.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace headroom::training {

FusedScorer::FusedScorer(std::vector<Part> parts) : m_parts(std::move(parts)) {
    std::erase_if(m_parts, [](const Part& part) { return part.weight == 0; });
    if (m_parts.empty())
        throw std::logic_error("FusedScorer: no part has a weight");
    for (const Part& part : m_parts)
        if (part.scorer->vocabulary() != vocabulary())
            throw Error("decoding.vocabulary",
                        "The models to decode with have " + std::to_string(vocabulary()) + " and " +
                            std::to_string(part.scorer->vocabulary()) +
                            " pieces. They must share one SentencePiece model.",
                        {{"first", vocabulary()}, {"other", part.scorer->vocabulary()}});
}

int FusedScorer::vocabulary() const {
    return m_parts.front().scorer->vocabulary();
}

std::int64_t FusedScorer::maximumTokens() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Part& part : m_parts)
        least = std::min(least, part.scorer->maximumTokens());
    return least;
}

bool FusedScorer::keepAttention() {
    for (const Part& part : m_parts)
        if (part.scorer->keepAttention()) {
            m_attending = part.scorer.get();
            return true;
        }
    return false;
}

const Matrix<float>& FusedScorer::attention() const {
    return m_attending ? m_attending->attention() : TokenScorer::attention();
}

Matrix<float> FusedScorer::extend(std::span<const std::int64_t> parents, std::span<const int> tokens) {
    Matrix<float> sum;
    for (const Part& part : m_parts) {
        Matrix<float> rows = part.scorer->extend(parents, tokens);
        const auto weight = static_cast<float>(part.weight);
        if (sum.empty()) {
            if (weight != 1)
                for (float& value : rows.values())
                    value *= weight;
            sum = std::move(rows);
        } else {
            for (std::size_t i = 0; i < sum.values().size(); ++i)
                sum.values()[i] += weight * rows.values()[i];
        }
    }
    return sum;
}

} // namespace headroom::training
