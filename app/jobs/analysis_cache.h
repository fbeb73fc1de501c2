// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

#include <compare>
#include <cstddef>
#include <list>
#include <map>
#include <vector>

namespace headroom::app {

struct AnalysisKey {
    UtteranceId utterance = UtteranceId::None;
    ModelId model = ModelId::None;
    auto operator<=>(const AnalysisKey&) const = default;
};

/// Results by utterance and model, at most `bound` bytes: the ones looked at longest ago go first, the newest
/// never. Window's thread only.
class AnalysisCache {
public:
    explicit AnalysisCache(std::size_t bound = std::size_t(1) << 30) : m_bound(bound) {}

    const AnalysisResult* find(AnalysisKey key) const; ///< null; does not count as a look
    AnalysisResult* find(AnalysisKey key);
    /// The entry, made where it is missing; counts as a look.
    AnalysisResult& touch(AnalysisKey key);
    void remove(AnalysisKey key);
    void remove(UtteranceId utterance);
    void remove(ModelId model);
    /// Removes the entry; of one that failed or was cancelled only the maps: without its state it would be read again by itself.
    void drop(AnalysisKey key);
    /// Drops the oldest until the bound holds; the newest and `kept` stay. Returns what was dropped.
    std::vector<AnalysisKey> trim(const std::vector<AnalysisKey>& kept);
    void setBound(std::size_t bytes) { m_bound = bytes; }
    std::size_t bound() const { return m_bound; }
    std::size_t bytes() const;
    /// Every entry, newest look first.
    const std::list<AnalysisKey>& order() const { return m_order; }

private:
    std::size_t m_bound;
    std::map<AnalysisKey, AnalysisResult> m_results;
    std::list<AnalysisKey> m_order;
};

} // namespace headroom::app
