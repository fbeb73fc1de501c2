// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// One place behind a number: the token that attends and the token attended to, in one utterance.
struct StudyPlace {
    int utterance = 0;         ///< index into Study::utterances
    double query = 0, key = 0; ///< centres of both tokens, seconds from the start of the recording
    double value = 0;          ///< the sort key of the places, strongest first (README.md)
    bool operator==(const StudyPlace&) const = default;
};

// places.npz contains sets of places. The set NAME of model m consists of four arrays, each [index…, K],
// strongest first: `m.NAME_utterance` (i32, −1: no more), `m.NAME_query`, `m.NAME_key` (f32, seconds) and
// `m.NAME_value` (f32). README.md lists the sets of each kind.

/// The places of one set, [index…, K], filled by the study.
class PlaceSet {
public:
    PlaceSet() = default;
    /// `extents`: of the index, e.g. {layers, heads, 36, 36}; `most`: K.
    PlaceSet(std::vector<std::int64_t> extents, std::int64_t most);
    /// Adds a place and keeps the K strongest of its index. O(K).
    void offer(std::span<const std::int64_t> index, const StudyPlace& place);
    std::vector<StudyPlace> at(std::span<const std::int64_t> index) const;
    const std::vector<std::int64_t>& extents() const { return m_extents; }
    std::int64_t most() const { return m_most; }

    /// Adds the four arrays to `arrays`.
    void store(const std::string& name, StudyArrays& arrays) const;
    /// A number of single precision is read as it would be written: 4.0525, and not 4.052499771118164.
    /// Throws Error "study.value" if arrays are missing or inconsistent; `file` is used in the message.
    static PlaceSet read(const std::string& name, const StudyArrays& arrays, const std::string& file);

private:
    std::size_t offset(std::span<const std::int64_t> index) const;
    std::vector<std::int64_t> m_extents;
    std::int64_t m_most = 0;
    std::vector<StudyPlace> m_places;
};

} // namespace headroom
