// SPDX-License-Identifier: GPL-3.0-or-later
// The utterances over which windows are suggested, read while there is nothing more urgent.
#include "app/jobs/analysis_service.h"

#include "core/features/recording_length.h"
#include "core/studies/least_length.h"
#include "core/text/text_words.h"

#include <algorithm>

namespace headroom::app {

namespace {

/// Imported maps do not follow the selection.
Seconds analysedLength(const OpenUtterance& utterance, bool maps) {
    return utterance.part && !maps ? utterance.part->end - utterance.part->start : utterance.duration();
}

} // namespace

/// Whether its length, or number of words, is one over which windows are suggested.
bool AnalysisService::hasLengthForWindows(const OpenUtterance& one, const OpenModel& model) const {
    if (one.isText)
        return model.readsText() && wordCount(one.text.toStdString()) >= kFewestWordsForWindows;
    const Seconds length = analysedLength(one, model.maps);
    if (model.readsText() || !one.recording || length < kShortestForWindows || (model.maps && !mapsOf({one.id, model.id})))
        return false;
    const std::int64_t limit = model.info->maxSourceFrames;
    return limit <= 0 || ownRows(model.info->architecture.frontEnd.input(), kModelSampleRate.nearest(length)) <= limit;
}

std::vector<UtteranceId> AnalysisService::utterancesForWindows(ModelId model, int* silent) const {
    std::vector<UtteranceId> chosen;
    const OpenModel* open = std::as_const(*m_session).models()->find(model);
    if (!open || !open->info)
        return chosen;
    const UtteranceList* utterances = m_session->utterances();
    for (int row = 0; row < utterances->count() && chosen.size() < kMostForWindows; ++row) {
        const OpenUtterance& one = utterances->at(row);
        if (!hasLengthForWindows(one, *open))
            continue;
        if (one.isText || !one.recording->isSilent())
            chosen.push_back(one.id);
        else if (silent)
            ++*silent;
    }
    return chosen;
}

const std::vector<DiagonalProfile>* AnalysisService::profiles(UtteranceId utterance, ModelId model) const {
    const auto found = m_profiles.find({utterance, model});
    return found == m_profiles.end() ? nullptr : &found->second.layers;
}

/// They are small and stay when the maps are dropped, so that looking at other utterances changes no suggestion.
void AnalysisService::keepProfiles(const AnalysisResult& result) {
    Profiles kept{result.part, result.source, result.recording, {}};
    for (const LayerResult& layer : result.layers)
        kept.layers.push_back(layer.profile);
    m_profiles.insert_or_assign({result.utterance, result.model}, std::move(kept));
}

void AnalysisService::forgetProfiles(UtteranceId utterance) {
    const auto isOfIt = [&](const AnalysisKey& key) { return key.utterance == utterance; };
    std::erase_if(m_profiles, [&](const auto& entry) { return isOfIt(entry.first); });
    std::erase_if(m_notInBackground, isOfIt);
}

/// Of the current model first; of the one beside it, too, if it is analysed: what is suggested on both maps has one basis.
std::vector<AnalysisKey> AnalysisService::keysForWindows() const {
    std::vector<ModelId> models{m_session->currentModelId()};
    const OpenModel* beside = std::as_const(*m_session).models()->find(m_beside.model);
    if (beside && beside->id != models.front() && (beside->enabled || m_beside.utterance != UtteranceId::None))
        models.push_back(m_beside.model);
    std::vector<AnalysisKey> keys;
    for (const ModelId model : models)
        for (const UtteranceId utterance : utterancesForWindows(model))
            keys.push_back({utterance, model});
    return keys;
}

std::optional<AnalysisKey> AnalysisService::nextForWindows() const {
    for (const AnalysisKey& key : keysForWindows()) {
        const AnalysisResult* known = m_cache.find(key);
        const bool isOpen = !known || known->state == AnalysisResult::State::Waiting ||
                            known->state == AnalysisResult::State::Working;
        if (isOpen && !m_profiles.contains(key) && !m_notInBackground.contains(key) && canAnalyse(key))
            return key;
    }
    return std::nullopt;
}

/// Maps that nobody looked at give way before those that somebody may look at again.
void AnalysisService::dropBackgroundMaps(AnalysisKey key) {
    const auto keys = enabledKeys();
    if (std::find(keys.begin(), keys.end(), key) == keys.end() && m_cache.bytes() > m_cache.bound() / 2)
        m_cache.drop(key);
}

} // namespace headroom::app
