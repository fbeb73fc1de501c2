// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses that failed, and what Messages says of them.
#include "app/jobs/analysis_service.h"

#include <QPointer>

#include <algorithm>

namespace headroom::app {

QString AnalysisService::causeOfAnalysis(AnalysisKey key) {
    return causeOf(key.utterance) + QStringLiteral(" in ") + causeOf(key.model);
}

void AnalysisService::fail(AnalysisResult& result, const QString& code, const QString& sentence, bool isNamed) {
    result.state = AnalysisResult::State::Failed;
    result.code = code;
    result.sentence = sentence;
    const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(result.utterance);
    const AnalysisKey key{result.utterance, result.model};
    QStringList causes{causeOf(key.utterance)}; // one message for all models that say the same of it
    for (const AnalysisKey& same : sameFailures(key)) {
        causes << causeOfAnalysis(same);
        m_session->messages()->settle(causes.back());
    }
    m_session->messages()->post(
        Severity::Error, isNamed || !utterance ? sentence : tr("%1: %2").arg(utterance->shownName(), sentence), tr("Analyse again"),
        [self = QPointer(this), key] {
            if (self)
                self->analyseAgainAt(key);
        },
        causes);
    Q_EMIT resultChanged(key.utterance, key.model);
}

/// The pairs of the same utterance that failed for the same reason, this one among them.
std::vector<AnalysisKey> AnalysisService::sameFailures(AnalysisKey key) const {
    std::vector<AnalysisKey> same;
    const AnalysisResult* of = m_cache.find(key);
    for (const AnalysisKey& one : m_cache.order())
        if (const AnalysisResult* other = m_cache.find(one); of && one.utterance == key.utterance &&
            other->state == AnalysisResult::State::Failed && other->sentence == of->sentence)
            same.push_back(one);
    return same;
}

/// A message that other models' failures share stays for them.
void AnalysisService::forgetFailure(AnalysisKey key) {
    const AnalysisResult* failed = m_cache.find(key);
    if (failed && failed->state == AnalysisResult::State::Failed && sameFailures(key).size() == 1)
        m_session->messages()->settle(causeOfAnalysis(key));
}

void AnalysisService::analyseAgainAt(AnalysisKey key) {
    m_session->setCurrentUtterance(key.utterance);
    if (const auto keys = enabledKeys(); std::find(keys.begin(), keys.end(), key) == keys.end())
        m_session->setCurrentModel(key.model);
    analyseAgain();
}

} // namespace headroom::app
