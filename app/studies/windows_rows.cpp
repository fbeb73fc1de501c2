// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/windows_rows.h"

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_layers.h"
#include "core/analysis/bounding_window.h"
#include "core/analysis/masked_loss.h"
#include "core/analysis/receptive_field.h"
#include "core/architecture/edits.h"
#include "core/studies/least_length.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

namespace {

/// The profiles of one layer; empty ones for what has not been read. The current utterance speaks as soon as its
/// layer is there.
std::vector<DiagonalProfile> layerProfiles(const AnalysisService& analysis, ModelId model, int layer,
                                           const std::vector<UtteranceId>& utterances) {
    std::vector<DiagonalProfile> found;
    const auto index = static_cast<std::size_t>(layer) - 1;
    for (const UtteranceId id : utterances) {
        const std::vector<DiagonalProfile>* kept = analysis.profiles(id, model);
        const AnalysisResult* result = analysis.result(id, model);
        const LayerResult* one = result ? result->layer(layer) : nullptr;
        if (kept && index < kept->size())
            found.push_back((*kept)[index]);
        else
            found.push_back(one ? one->profile : DiagonalProfile());
    }
    return found;
}

/// The recordings of which a part is analysed that is too short, though they themselves may be long enough.
int shortSelections(const Session& session) {
    int found = 0;
    for (int row = 0; row < session.utterances()->count(); ++row)
        if (const std::optional<Part>& part = session.utterances()->at(row).part)
            found += part->end - part->start < kShortestForWindows;
    return found;
}

/// Whether the reading ended before all were read, because it was cancelled: they are read when that is asked for again.
bool isReadingOver(const Session& session, const AnalysisService& analysis, ModelId model, const std::vector<UtteranceId>& utterances) {
    return model == session.currentModelId() && !analysis.isBusy() && std::any_of(utterances.begin(), utterances.end(), [&](UtteranceId id) {
        const AnalysisResult* result = analysis.result(id, model);
        return !analysis.profiles(id, model) && (!result || result->state != AnalysisResult::State::Failed);
    });
}

QString utterancesText(const Session& session, bool ofSelections, bool ofTexts, std::size_t chosen, std::size_t parts, std::size_t read, bool isOver) {
    const QString shortest = ofTexts
                                 ? tr("%1 words").arg(kFewestWordsForWindows)
                                 : tr("%1 s").arg(QString::number(kShortestForWindows.value()));
    const auto open = static_cast<std::size_t>(session.utterances()->count());
    if (const auto selections = chosen == 0 && ofSelections ? shortSelections(session) : 0; selections > 0)
        return open == 1 ? tr("The analysed selection is shorter than %1, which is too short to suggest windows.").arg(shortest)
                         : tr("No open utterance has sound, lasts %1 or longer and fits the model. Selections that are analysed and shorter "
                              "than that: %2.")
                               .arg(shortest)
                               .arg(selections);
    if (chosen == 0)
        return ofTexts ? tr("No open text has %1 or more.").arg(shortest)
                       : tr("No open utterance has sound, lasts %1 or longer and fits the model.").arg(shortest);
    QString text = chosen == AnalysisService::kMostForWindows && open > chosen
                       ? tr("Over the first %1 open utterances of at least %2").arg(chosen).arg(shortest)
                   : chosen == 1 ? tr("Over 1 open utterance of at least %1").arg(shortest)
                                 : tr("Over %1 open utterances of at least %2").arg(chosen).arg(shortest);
    text += selectionsText(static_cast<int>(chosen), static_cast<int>(parts));
    if (read < chosen)
        text += isOver ? tr(", %1 read. Choose Analyse again to read the others").arg(read) : tr(", %1 read so far").arg(read);
    return text + u'.';
}

/// Empty: none is left out.
QString silentText(int recordings) {
    return recordings == 0   ? QString()
           : recordings == 1 ? tr(" 1 silent recording is left out.")
                             : tr(" %1 silent recordings are left out.").arg(recordings);
}

/// In the model itself; 0: some of its heads see further.
int ownWindow(const OpenModel* model, int layer) {
    if (!model || !model->info || layer > static_cast<int>(model->info->architecture.encoder.layers.size()))
        return 0;
    return boundingWindow(model->info->architecture.encoder, layer);
}

/// The heads whose map a layer uses: its own, or those of the layer that it reuses.
const std::vector<HeadGroup>& headsWithMap(const HeadGrid& grid, int layer) {
    const std::vector<HeadGroup>& heads = grid.layer(layer).heads;
    return !heads.empty() && heads.front().kind == HeadKind::Reuse && heads.front().reusedLayer >= 1 &&
                   heads.front().reusedLayer < layer
               ? headsWithMap(grid, heads.front().reusedLayer)
               : heads;
}

/// Says of which layers Algorithm 1 found more than the layer can use; empty: of none.
QString limitedText(const std::vector<widgets::WindowsRow>& rows) {
    QStringList layers;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].found > 0)
            layers << QString::number(i + 1);
    return layers.isEmpty() ? QString()
           : layers.size() == 1
               ? tr(" Layer %1 keeps its own window, because the model attends to nothing outside it.").arg(layers.front())
               : tr(" Layers %1 keep their own windows, because the model attends to nothing outside them.")
                     .arg(layers.join(QStringLiteral(", ")));
}

/// Why a study has fewer utterances than were chosen for it; empty: it has all.
QString leftOutText(const OpenStudy& study) {
    const auto tooShort = static_cast<int>(tooShortCount(study.document));
    const int failed = static_cast<int>(study.document.utterances.size()) - study.measuredCount() - tooShort;
    const QString least = QString::fromStdString(leastLength(study.document.settings, isOfTexts(study.document)));
    QString text = tooShort == 0   ? QString()
                   : tooShort == 1 ? tr(" 1 is shorter than %1.").arg(least)
                                   : tr(" %1 are shorter than %2.").arg(tooShort).arg(least);
    if (failed > 0)
        text += tr(" %1 could not be measured.").arg(failed);
    return text;
}

/// CL of w = 1, 3, 5 … of a layer, over the utterances of a study; empty: it does not say.
std::vector<double> lossesOf(const OpenStudy::Numbers& grid, const OpenStudy::Numbers& curves, std::size_t layer) {
    std::vector<double> losses;
    if (curves.shape.size() != 2 || grid.values.size() != static_cast<std::size_t>(curves.shape[1]) || layer >= static_cast<std::size_t>(curves.shape[0]))
        return losses;
    for (std::size_t k = 0; k < grid.values.size(); ++k) {
        if (grid.values[k] != static_cast<double>(2 * k + 1))
            return {};
        losses.push_back(1 - curves.values[layer * grid.values.size() + k]);
    }
    return losses;
}

void takeStudy(WindowSuggestions& suggestions, const OpenStudy& study, int model) {
    const std::vector<StudyLayer> layers = studyLayers(study, model);
    suggestions.utterances = study.measuredCount();
    suggestions.study = study.name();
    const auto all = static_cast<int>(study.document.utterances.size());
    const QString name = QString::fromStdString(study.document.models[static_cast<std::size_t>(model) - 1].name);
    suggestions.of = (all == 1 ? tr("Windows of %1 over the only utterance of the study “%2”.").arg(name, study.name())
                      : suggestions.utterances == all
                          ? tr("Windows of %1 over the %2 utterances of the study “%3”.").arg(name).arg(all).arg(study.name())
                          : tr("Windows of %1 over %2 of the %3 utterances of the study “%4”.")
                                .arg(name)
                                .arg(suggestions.utterances)
                                .arg(all)
                                .arg(study.name())) +
                     leftOutText(study);
    const OpenStudy::Numbers grid = study.numbers(model, "window_grid"), curves = study.numbers(model, "diagonality");
    for (std::size_t i = 0; i < suggestions.rows.size(); ++i) {
        widgets::WindowsRow& row = suggestions.rows[i];
        row.mean = row.deviation = row.lossMean = row.lossDeviation = std::nullopt;
        row.suggested = row.found = 0;
        for (const StudyLayer& layer : layers)
            if (layer.layer == static_cast<int>(i) + 1) {
                row.mean = layer.mean;
                row.deviation = layer.deviation;
                row.suggested = layer.window.value_or(0);
                row.lossMean = layer.lossMean;
                row.lossDeviation = layer.lossDeviation;
            }
        row.limitTo(row.own);
        if (row.masked) { // the study's curves count both sides alike
            row.setMasked();
        } else {
            row.utterances.clear();
            row.losses = lossesOf(grid, curves, i);
        }
    }
}

} // namespace

QString selectionsText(int utterances, int selections) {
    return selections <= 0    ? QString()
           : utterances == 1 ? tr(", a selection")
           : selections == 1 ? tr(", 1 of them a selection")
                             : tr(", %1 of them selections").arg(selections);
}

WindowSuggestions windowSuggestions(const Session& session, const AnalysisService& analysis,
                                    const StudyEvidence* evidence, ModelId model, DraftKey draft) {
    WindowSuggestions suggestions;
    if (model == ModelId::None || !session.drafts()->has(draft))
        return suggestions;
    int silent = 0;
    const std::vector<UtteranceId> utterances = analysis.utterancesForWindows(model, &silent);
    std::size_t read = 0;
    for (const UtteranceId id : utterances)
        read += analysis.profiles(id, model) != nullptr;
    const AnalysisResult* current = analysis.result(session.currentUtteranceId(), model);
    const HeadGrid& grid = session.drafts()->grid(draft);
    const OpenModel* open = session.models()->find(model);
    const bool ofMaps = open && open->maps; // Design has no draft of it
    bool any = false;
    for (int number = 1; number <= grid.layerCount(); ++number) {
        const std::vector<DiagonalProfile> profiles = layerProfiles(analysis, model, number, utterances);
        const std::vector<HeadGroup>& heads = grid.layer(number).heads;
        widgets::WindowsRow row = widgets::windowsRow(profiles);
        if (const LayerResult* here = current ? current->layer(number) : nullptr)
            row.profile = here->profile;
        row.limitTo(ownWindow(open, number));
        row.takesWindow = takesWindow(heads);
        if (!ofMaps)
            row.inDesign = QString::fromStdString(toText(heads));
        const std::vector<HeadGroup>& seen = headsWithMap(grid, number);
        row.window = windowOf(seen).value_or(0);
        row.sharesWindow = oneWindowOf(seen).has_value();
        if (seeNothingLater(seen))
            row.setMasked();
        suggestions.utterances = std::max(suggestions.utterances, static_cast<int>(row.utterances.size()));
        any = any || !row.profile.empty() || row.mean;
        suggestions.rows.push_back(std::move(row));
    }
    const OpenStudyPtr study = evidence ? evidence->shown(StudyKind::Windows) : nullptr;
    const bool isOfWindows = study && study->document.kind == StudyKind::Windows;
    const bool isCurrent = model == session.currentModelId();
    const std::string weights = open && open->info ? open->info->hash.toStdString() : std::string();
    if (const int number = !isOfWindows ? 0 : isCurrent ? evidence->model(*study) : study->modelWith(weights); number > 0) {
        const StudyModel& measured = study->document.models[static_cast<std::size_t>(number) - 1];
        takeStudy(suggestions, *study, number);
        if (isCurrent && !evidence->isCurrent(measured))
            suggestions.why = tr("These windows belong to %1, whose weights differ from those of the current model.")
                                  .arg(QString::fromStdString(measured.name));
        suggestions.of += limitedText(suggestions.rows);
        return suggestions;
    }
    if (!any)
        suggestions.rows.clear();
    const auto isPart = [&](UtteranceId id) {
        const OpenUtterance* one = session.utterances()->find(id);
        return one && one->part && !ofMaps; // maps are of what their file is of
    };
    const auto parts = std::count_if(utterances.begin(), utterances.end(), isPart);
    suggestions.selections = static_cast<int>(std::count_if(utterances.begin(), utterances.end(), [&](UtteranceId id) {
        const AnalysisResult* result = analysis.result(id, model);
        return isPart(id) && (analysis.profiles(id, model) || (result && result->readyLayers() > 0));
    }));
    const bool ofTexts = open && open->readsText();
    suggestions.of = utterancesText(session, !ofMaps && !ofTexts, ofTexts, utterances.size(), static_cast<std::size_t>(parts), read,
                                    isReadingOver(session, analysis, model, utterances));
    if (utterances.empty())
        suggestions.why = suggestions.of;
    else
        suggestions.of += silentText(silent) + limitedText(suggestions.rows);
    return suggestions;
}

} // namespace headroom::app
