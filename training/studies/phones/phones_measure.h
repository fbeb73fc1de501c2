// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/phone_attention.h"
#include "core/matrix/matrix.h"
#include "training/studies/study_work.h"

#include <cstdint>
#include <vector>

namespace headroom {
class PhoneMap;
}

namespace headroom::training {

// Measurement of one utterance in a phone study. Only the P classes spoken in it have cells, so an utterance
// takes 12 · P² bytes per head instead of 4 · N².
//
//   layout         i64 [4]           L, H (largest of any layer), P, T
//   classes        i32 [P]           ascending, 0 … 35
//   tokens         i32 [P]           |C_p|
//   partnered      i32 [P]           tokens whose class has another run: Eq. 5 averages over these
//   par            f32 [L, H, P, P]  NaN: undefined, or a head without an N × N map
//   query, key     u16 [L, H, P, P]  the strongest pair of the cell, tokens of the whole sequence
//   value          f32 [L, H, P, P]  its weight in the map without silence, times T
//   unknown, uncovered               phone_labels.h

/// Uses attention only, no contributions. Throws Error "study.noSpeech" if no token is spoken, and what
/// phoneLabels() throws.
Measurement measurePhones(LayerSource& source, const StudyInput& input, const PhoneMap& map,
                          const models::CancelFlag* cancel);

/// The strongest pair of one map between two classes (core/analysis/strongest_pairs.h), as it is stored:
/// `value` is its weight as a multiple of 1/T, NaN if there is no pair.
struct StrongestPair {
    std::int64_t query = 0, key = 0;
    float value = 0;
};
/// A stored measurement.
class PhoneMeasurement {
public:
    explicit PhoneMeasurement(const Measurement& measurement);
    std::int64_t layers() const { return m_layers; }
    std::int64_t heads() const { return m_heads; }
    std::int64_t spoken() const { return m_spoken; } ///< T
    const std::vector<int>& classes() const { return m_classes; }
    const std::vector<int>& tokens() const { return m_tokens; }
    const std::vector<int>& partnered() const { return m_partnered; }
    /// Rows and columns are positions in classes().
    float par(std::int64_t layer, std::int64_t head, std::size_t row, std::size_t column) const {
        return m_par[offset(layer, head, row, column)];
    }
    StrongestPair pair(std::int64_t layer, std::int64_t head, std::size_t row, std::size_t column) const;
    /// Returns the mean of the defined diagonal cells: how much a head attends to other occurrences of the
    /// same phone. NaN if no cell is defined.
    double samePhone(std::int64_t layer, std::int64_t head) const;

private:
    std::size_t offset(std::int64_t layer, std::int64_t head, std::size_t row, std::size_t column) const {
        return ((static_cast<std::size_t>(layer) * static_cast<std::size_t>(m_heads) +
                 static_cast<std::size_t>(head)) *
                    m_classes.size() +
                row) *
                   m_classes.size() +
               column;
    }
    std::int64_t m_layers = 0, m_heads = 0, m_spoken = 0;
    std::vector<int> m_classes, m_tokens, m_partnered;
    std::vector<float> m_par, m_value;
    const std::uint16_t *m_query = nullptr, *m_key = nullptr; ///< of the measurement
};

} // namespace headroom::training
