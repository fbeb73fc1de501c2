// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/analysis_cache.h"

#include <algorithm>
#include <utility>

namespace headroom::app {

const AnalysisResult* AnalysisCache::find(AnalysisKey key) const {
    const auto found = m_results.find(key);
    return found == m_results.end() ? nullptr : &found->second;
}

AnalysisResult* AnalysisCache::find(AnalysisKey key) {
    return const_cast<AnalysisResult*>(std::as_const(*this).find(key));
}

AnalysisResult& AnalysisCache::touch(AnalysisKey key) {
    m_order.remove(key);
    m_order.push_front(key);
    AnalysisResult& result = m_results[key];
    result.utterance = key.utterance;
    result.model = key.model;
    return result;
}

void AnalysisCache::remove(AnalysisKey key) {
    m_order.remove(key);
    m_results.erase(key);
}

void AnalysisCache::remove(UtteranceId utterance) {
    for (const AnalysisKey& key : std::list<AnalysisKey>(m_order))
        if (key.utterance == utterance)
            remove(key);
}

void AnalysisCache::remove(ModelId model) {
    for (const AnalysisKey& key : std::list<AnalysisKey>(m_order))
        if (key.model == model)
            remove(key);
}

void AnalysisCache::drop(AnalysisKey key) {
    AnalysisResult* result = find(key);
    if (!result || (result->state != AnalysisResult::State::Failed && result->state != AnalysisResult::State::Cancelled))
        return remove(key);
    result->layers.clear();
    result->stale = false;
    result->heard = result->given = result->best = {};
}

std::vector<AnalysisKey> AnalysisCache::trim(const std::vector<AnalysisKey>& kept) {
    std::vector<AnalysisKey> dropped;
    std::size_t held = bytes();
    const std::list<AnalysisKey> order = m_order;
    for (auto key = order.rbegin(); key != order.rend() && held > m_bound; ++key) {
        if (*key == order.front() || std::ranges::find(kept, *key) != kept.end())
            continue;
        const std::size_t before = m_results.at(*key).bytes();
        drop(*key);
        const AnalysisResult* left = find(*key);
        if (const std::size_t freed = before - (left ? left->bytes() : 0); freed > 0) {
            held -= freed;
            dropped.push_back(*key);
        }
    }
    return dropped;
}

std::size_t AnalysisCache::bytes() const {
    std::size_t total = 0;
    for (const auto& [key, result] : m_results)
        total += result.bytes();
    return total;
}

} // namespace headroom::app
