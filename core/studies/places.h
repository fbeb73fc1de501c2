// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// One place in the recordings behind a number: which token attends to which, in which utterance.
struct StudyPlace {
    int utterance = 0;         ///< index into Study::utterances
    double query = 0, key = 0; ///< centres of both tokens, seconds from the start of the recording
    double value = 0;          ///< what orders the places, strongest first (README.md says what it is)
    bool operator==(const StudyPlace&) const = default;
};

// places.npz holds sets of places: for the set NAME of model m the four arrays `m.NAME_utterance` (i32, −1:
// no more), `m.NAME_query`, `m.NAME_key` (f32, seconds) and `m.NAME_value` (f32), each [index…, K], strongest
// first. The sets of each kind stand in README.md.

/// The places of one set, [index…, K]; filled by the study.
class PlaceSet {
public:
    PlaceSet() = default;
    /// `extents`: of the index, {layers, heads, 36, 36}; `most`: K.
    PlaceSet(std::vector<std::int64_t> extents, std::int64_t most);
    /// Keeps the K strongest of an index. O(K).
    void offer(std::span<const std::int64_t> index, const StudyPlace& place);
    std::vector<StudyPlace> at(std::span<const std::int64_t> index) const;
    const std::vector<std::int64_t>& extents() const { return m_extents; }
    std::int64_t most() const { return m_most; }

    /// Adds the four arrays to `arrays`.
    void store(const std::string& name, StudyArrays& arrays) const;
    /// Throws Error "study.value" where arrays are missing or do not fit together; `file` stands in it.
    static PlaceSet read(const std::string& name, const StudyArrays& arrays, const std::string& file);

private:
    std::size_t offset(std::span<const std::int64_t> index) const;
    std::vector<std::int64_t> m_extents;
    std::int64_t m_most = 0;
    std::vector<StudyPlace> m_places;
};

} // namespace headroom
