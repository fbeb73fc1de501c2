// SPDX-License-Identifier: GPL-3.0-or-later
// Words in the sound: asked for one text of a pair at a time, when somebody first looks at it; and the measures of mixing of a
// decoder layer, for words that are there.
#include "app/documents/items/analysed_words.h"
#include "app/documents/items/paths.h"
#include "app/documents/items/why_no_map.h"
#include "app/jobs/analysis_running.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/in_background.h"
#include "app/jobs/worker_answers.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace headroom::app {

/// The text that is asked for; empty: as heard, or the n-best list. Nothing where there is no transcript.
std::optional<QString> AnalysisService::wantedText(AnalysisKey key, TextChoice choice) const {
    if (choice != TextChoice::Given)
        return QString();
    const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(key.utterance);
    const QString text = utterance ? analysedTranscript(*utterance).simplified() : QString();
    return text.isEmpty() ? std::nullopt : std::optional(text);
}

void AnalysisService::requireWords(UtteranceId utterance, ModelId id, TextChoice choice) {
    const AnalysisKey key{utterance, id};
    AnalysisResult* known = m_cache.find(key);
    const OpenModel* model = std::as_const(*m_session).models()->find(id);
    const auto text = wantedText(key, choice);
    if (!known || !model || !text)
        return;
    WordsState& state = known->wordsOf(choice);
    if (state.text != *text) { // the transcript was edited
        m_wordsWanted.erase({key, choice});
        std::erase_if(m_wordMixingWanted, [&](const Request& one) { return one.key == key && one.text == choice; });
        state = {};
        state.text = *text;
    }
    if (state.words || state.asked || !state.sentence.isEmpty())
        return;
    if (state.sentence = whyNoWords(*model); !state.sentence.isEmpty()) {
        Q_EMIT resultChanged(utterance, id);
        return;
    }
    state.asked = true;
    m_wordsWanted.insert({key, choice});
    Q_EMIT resultChanged(utterance, id);
    schedule();
}

void AnalysisService::wordsArrived(const RunningPointer& running) {
    const AnalysisResult* known = m_cache.find(running->asked.key);
    if (!running->reply.ok() || !known)
        return finish(running);
    ++running->building;
    const auto arrays = std::make_shared<NamedTensors>(std::move(running->reply.arrays));
    const auto read = [values = running->reply.result, arrays, clock = known->clock, start = running->start] {
        return std::make_shared<const SpokenWords>(readWords(values, std::move(*arrays), clock, start));
    };
    buildInBackground(this, read, [this, running](const Built<std::shared_ptr<const SpokenWords>>& built) {
        --running->building;
        if (running->abandoned)
            return;
        running->mistake = built.mistake;
        AnalysisResult* result = m_cache.find(running->asked.key);
        if (result && result->part == running->part &&
            result->wordsOf(running->asked.text).text == running->wantedText)
            result->wordsOf(running->asked.text).words = built.value;
        finish(running);
    });
}

void AnalysisService::finishWords(const Running& running, bool again) {
    if (again)
        return;
    const Request& asked = running.asked;
    m_wordsWanted.erase({asked.key, asked.text});
    AnalysisResult* result = m_cache.find(asked.key);
    if (!result || result->wordsOf(asked.text).text != running.wantedText)
        return;
    WordsState& state = result->wordsOf(asked.text);
    state.asked = false;
    if (!state.words) {
        state.sentence = running.mistake.isEmpty() ? running.reply.sentence : running.mistake;
        if (state.sentence.isEmpty())
            state.sentence = tr("The worker sent no words.");
        std::error_code ignored; // the worker names one of its files
        if (const OpenModel* model = std::as_const(*m_session).models()->find(asked.key.model);
            model && !std::filesystem::exists(model->folder, ignored))
            state.sentence = tr("The folder of %1 is no longer there: %2.").arg(model->shownName(), toQString(model->folder));
    }
}

void AnalysisService::dropWords(const std::function<bool(AnalysisKey)>& of) {
    for (const auto& [key, choice] : m_wordsWanted)
        if (AnalysisResult* known = of(key) ? m_cache.find(key) : nullptr)
            known->wordsOf(choice).asked = false;
    std::erase_if(m_wordsWanted, [&](const auto& wish) { return of(wish.first); });
}

/// The words must still be those that were asked about: an edited transcript has others.
DecoderLayerState* AnalysisService::decoderLayer(const Request& asked) {
    AnalysisResult* known = m_cache.find(asked.key);
    WordsState* state = known ? &known->wordsOf(asked.text) : nullptr;
    const auto found = state ? state->layers.find({asked.block, asked.layer}) : decltype(state->layers.begin())();
    return !state || found == state->layers.end() ? nullptr : &found->second;
}

void AnalysisService::requireWordMixing(UtteranceId utterance, ModelId model, TextChoice choice, WordsBlock block,
                                        int layer, const std::vector<std::string>& measures, bool again) {
    AnalysisResult* known = m_cache.find({utterance, model});
    const SpokenWords* words = known ? known->wordsOf(choice).words.get() : nullptr;
    if (!words || words->inputs.empty() || layer < 1 || layer > words->layers())
        return;
    DecoderLayerState& state = known->wordsOf(choice).layers[{block, layer}];
    Request wanted{Request::Kind::WordMixing, {utterance, model}, layer, {}, choice, {}, block};
    for (const std::string& name : measures) {
        if (again) {
            state.stopped.erase(name);
            if (const auto failed = state.failed.find(name); failed != state.failed.end()) {
                state.measures.erase(name);
                state.failed.erase(failed);
            }
        }
        if (state.measures.contains(name) || state.asked.contains(name) || state.stopped.contains(name))
            continue;
        wanted.measures.push_back(name);
        state.asked.insert(name);
    }
    if (wanted.measures.empty())
        return;
    wanted.checks = !state.checked && std::ranges::none_of(m_wordMixingWanted, [&](const Request& one) {
        return one.checks && std::tie(one.key, one.text, one.block, one.layer) ==
                                 std::tie(wanted.key, wanted.text, wanted.block, wanted.layer);
    });
    m_wordMixingWanted.push_back(std::move(wanted));
    Q_EMIT resultChanged(utterance, model);
    schedule();
}

void AnalysisService::wordMixingArrived(const RunningPointer& running) {
    const AnalysisResult* known = m_cache.find(running->asked.key);
    const auto words = known ? known->wordsOf(running->asked.text).words : nullptr;
    if (!running->reply.ok() || !words)
        return finish(running);
    ++running->building;
    const auto arrays = std::make_shared<NamedTensors>(std::move(running->reply.arrays));
    const auto read = [values = running->reply.result, arrays, words, block = running->asked.block,
                       checked = running->asked.checks] {
        return readWordMixing(values, std::move(*arrays), *words, block, checked);
    };
    buildInBackground(this, read, [this, running, words](Built<DecoderLayerState>& built) {
        --running->building;
        if (running->abandoned)
            return;
        running->mistake = built.mistake;
        const AnalysisResult* result = m_cache.find(running->asked.key);
        DecoderLayerState* place = decoderLayer(running->asked);
        if (built.mistake.isEmpty() && place && result->wordsOf(running->asked.text).words == words) {
            built.value.measures.merge(place->measures);
            place->measures = std::move(built.value.measures);
            if (running->asked.checks)
                place->takeChecks(built.value);
        }
        finish(running);
    });
}

void AnalysisService::finishWordMixing(const Running& running, bool again) {
    if (again)
        return;
    std::erase(m_wordMixingWanted, running.asked);
    DecoderLayerState* place = decoderLayer(running.asked);
    if (!place)
        return;
    const QString why = running.mistake.isEmpty() ? running.reply.sentence : running.mistake;
    for (const std::string& name : running.asked.measures) {
        place->asked.erase(name);
        if (!place->measures.contains(name)) {
            place->measures[name].reason = why.isEmpty() ? tr("The worker sent no such map.") : why;
            place->failed.insert(name);
        }
    }
    if (!why.isEmpty() && !place->checked)
        place->reason = why;
}

void AnalysisService::cancelWordMixing() {
    if (m_running && m_running->asked.kind == Request::Kind::WordMixing)
        abandon(AnalysisResult::State::Waiting);
    const auto wanted = m_wordMixingWanted;
    dropWordMixing([](AnalysisKey) { return true; }, true);
    for (const Request& asked : wanted)
        Q_EMIT resultChanged(asked.key.utterance, asked.key.model);
    setProgress({});
    schedule();
}

/// `stopped`: by the user, who may ask again.
void AnalysisService::dropWordMixing(const std::function<bool(AnalysisKey)>& of, bool stopped) {
    for (const Request& asked : m_wordMixingWanted)
        if (DecoderLayerState* place = of(asked.key) ? decoderLayer(asked) : nullptr)
            for (const std::string& name : asked.measures) {
                place->asked.erase(name);
                if (stopped)
                    place->stopped.insert(name);
            }
    std::erase_if(m_wordMixingWanted, [&](const Request& asked) { return of(asked.key); });
}

} // namespace headroom::app
