// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/windows/windows_caption.h"

#include "app/workspaces/analyse/common/caption_text.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

namespace {

/// A model with what it was given.
struct Drawn {
    ModelId model;
    UtteranceId utterance;
    std::optional<Part> part;
    QString text; ///< of a text
    std::int64_t tokens;
    double millisecondsPerToken;
    bool isSameAs(const Drawn& other) const {
        return model == other.model && utterance == other.utterance && part == other.part && text == other.text;
    }
};

/// The current model first, then those of the curves D(w), then those that only CCD shows.
std::vector<Drawn> drawnModels(const Session& session, const AnalysisService& analysis, const WindowsPanel::Content& content,
                               const std::vector<CurveOf>& curves) {
    std::vector<Drawn> drawn;
    const auto add = [&](const CurveOf& of, std::int64_t tokens, double milliseconds) {
        Drawn one{of.model, of.utterance, of.part, of.text, tokens, milliseconds};
        if (std::ranges::none_of(drawn, [&](const Drawn& other) { return other.isSameAs(one); }))
            drawn.push_back(std::move(one));
    };
    const UtteranceId here = session.currentUtteranceId();
    const auto addRead = [&](const OpenModel& model) {
        if (const AnalysisResult* read = analysis.result(here, model.id); read && read->readyLayers() > 0)
            add(curveOf(session, analysis, model.id, 1, {}, here), read->tokens.value(), millisecondsPerToken(model, read));
    };
    addRead(*session.currentModel());
    for (std::size_t i = 0; i < std::min(curves.size(), content.compared.size()); ++i)
        add(curves[i], content.compared[i].profile.size(), content.compared[i].millisecondsPerToken);
    for (int row = 0; row < session.models()->count(); ++row)
        if (const OpenModel& ticked = session.models()->at(row); ticked.enabled)
            addRead(ticked);
    return drawn;
}

QString drawnText(const Session& session, const AnalysisService& analysis, const Drawn& one) {
    const OpenModel* model = session.models()->find(one.model);
    const OpenUtterance* heard = session.utterances()->find(one.utterance);
    QString text = (one.tokens == 1 ? tr("%1, N = %2 token%3") : tr("%1, N = %2 tokens%3"))
                       .arg(modelText(*model, analysis.result(one.utterance, one.model)))
                       .arg(one.tokens)
                       .arg(partText(one.part));
    if (heard && one.utterance != session.currentUtteranceId())
        text += tr(" of %1").arg(heard->shownName());
    return text;
}

/// Curves of tokens of another length are drawn over the tokens of the current model.
QString conversionText(const Session& session, const std::vector<Drawn>& drawn) {
    const Drawn& own = drawn.front();
    const auto named = [&](const Drawn& one) {
        return tr("%1 (%2\u202fms)").arg(session.models()->find(one.model)->shownName(), QString::number(one.millisecondsPerToken, 'g', 4));
    };
    QStringList others;
    for (const Drawn& one : drawn)
        if (one.millisecondsPerToken > 0 && own.millisecondsPerToken > 0 && one.millisecondsPerToken != own.millisecondsPerToken &&
            !others.contains(named(one)))
            others << named(one);
    if (others.isEmpty())
        return {};
    const QString last = others.takeLast();
    return tr(" In D(w), w is in tokens of %1; those of %2 are placed so that windows of equal duration coincide.")
        .arg(named(own), others.isEmpty() ? last : tr("%1 and %2").arg(others.join(QStringLiteral(", ")), last));
}

} // namespace

QString windowsCaption(const Session& session, const AnalysisService& analysis, const WindowsPanel::Content& content,
                       const QString& measured, const std::vector<CurveOf>& curves) {
    const OpenModel* model = session.currentModel();
    if (!model || content.rows.empty())
        return {};
    const std::vector<Drawn> drawn = drawnModels(session, analysis, content, curves);
    if (drawn.empty())
        return {};
    QStringList models;
    for (const Drawn& one : drawn)
        models << drawnText(session, analysis, one);
    const QString line = content.kinds.isEmpty() && content.window > 0 ? tr(" Line: window w = %1.").arg(content.window) : QString();
    return tr("D(w) in layer %1 and CCD by layer (Alastruey et al. 2022, Eq. 6–8) of the %2 of %3.%4%5 %6")
        .arg(content.layer)
        .arg(measured, models.join(QStringLiteral("; ")), conversionText(session, drawn), line, recordingText(session.currentUtterance()));
}

QString basisOf(const WindowSuggestions& suggestions) {
    const int count = suggestions.utterances;
    if (!suggestions.study.isEmpty())
        return count == 1 ? tr("over 1 utterance of the study “%1”").arg(suggestions.study)
                          : tr("over %1 utterances of the study “%2”").arg(count).arg(suggestions.study);
    return (count == 1 ? tr("over 1 open utterance") : tr("over %1 open utterances").arg(count)) + selectionsText(count, suggestions.selections);
}

QString suggestedOver(const AnalysisService& analysis, const WindowSuggestions& suggestions, ModelId model, UtteranceId shown) {
    const auto chosen = analysis.utterancesForWindows(model);
    return suggestions.study.isEmpty() && chosen.size() == 1 && chosen.front() == shown ? QString() : basisOf(suggestions);
}

} // namespace headroom::app
