// SPDX-License-Identifier: GPL-3.0-or-later
// Words in the sound: asked for one text of a pair at a time, when somebody first looks at it.
#include "app/jobs/analysis_running.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/in_background.h"
#include "app/jobs/worker_answers.h"

namespace headroom::app {

/// The text that is asked for; empty: as heard, or the n-best list. Nothing where there is no transcript.
std::optional<QString> AnalysisService::wantedText(AnalysisKey key, TextChoice choice) const {
    if (choice != TextChoice::Given)
        return QString();
    const Utterance* utterance = std::as_const(*m_session).utterances()->find(key.utterance);
    const QString text = utterance ? utterance->transcript().simplified() : QString();
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
        state = {};
        state.text = *text;
    }
    if (state.words || state.asked || !state.sentence.isEmpty())
        return;
    if (model->maps) {
        state.sentence = tr("Imported maps have no decoder, so no text can be followed into the sound.");
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
    }
}

void AnalysisService::dropWords(const std::function<bool(AnalysisKey)>& of) {
    for (const auto& [key, choice] : m_wordsWanted)
        if (AnalysisResult* known = of(key) ? m_cache.find(key) : nullptr)
            known->wordsOf(choice).asked = false;
    std::erase_if(m_wordsWanted, [&](const auto& wish) { return of(wish.first); });
}

} // namespace headroom::app
