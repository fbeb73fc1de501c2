// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/head_content.h"

#include "app/documents/items/paths.h"
#include "app/studies/study_layers.h"
#include "app/studies/study_names.h"
#include "core/analysis/diagonality.h"
#include "core/analysis/receptive_field.h"
#include "core/studies/notes.h"
#include "core/studies/study.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::app {

using widgets::HeadId;

namespace {

Matrix<double> unknown(std::size_t layers, std::size_t heads) {
    return Matrix<double>(layers, heads, NAN);
}

std::size_t widest(const std::vector<std::vector<HeadKind>>& kinds) {
    std::size_t most = 0;
    for (const auto& layer : kinds)
        most = std::max(most, layer.size());
    return most;
}

HeadContent emptyContent(const QString& model, const std::vector<std::vector<HeadKind>>& kinds,
                         std::size_t layers, std::size_t heads) {
    HeadContent content;
    content.model = model;
    content.kinds = kinds;
    for (Matrix<double>* numbers : {&content.cad, &content.relevance, &content.entropy, &content.meanDistance,
                                    &content.maximum, &content.onSilence})
        *numbers = unknown(layers, heads);
    content.curves.resize(layers * heads);
    return content;
}

/// One utterance's relevance of each head of a layer: the median over its tokens.
void addRelevance(HeadContent& content, std::size_t layer, const Matrix<float>& relevance) {
    if (relevance.empty())
        return;
    const auto medians = headRelevance({&relevance, 1}, RelevanceMode::Pooled);
    for (std::size_t head = 0; head < std::min(medians.size(), content.relevance.columns()); ++head)
        content.relevance(layer, head) = medians[head];
}

void addStatistics(HeadContent& content, std::size_t layer, const LayerMetrics& metrics) {
    for (std::size_t head = 0; head < std::min(metrics.heads.size(), content.entropy.columns()); ++head) {
        const AttentionStatistics& one = metrics.heads[head].statistics;
        content.entropy(layer, head) = one.entropy;
        content.meanDistance(layer, head) = one.meanDistance;
        content.maximum(layer, head) = one.maximum;
        content.onSilence(layer, head) = one.onSilence;
    }
}

/// Of every head with an N × N map the one without silence was looked at; where no row of it has weight on
/// speech there is no CAD.
bool allSpoken(const std::vector<LayerResult>& layers,
               const std::vector<std::shared_ptr<const LayerMetrics>>& metrics) {
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (std::size_t head = 0; head < layers[layer].attentionProfiles.size(); ++head) {
            if (layers[layer].attentionProfiles[head].empty())
                continue;
            const LayerMetrics* known = layer < metrics.size() ? metrics[layer].get() : nullptr;
            if (!known || head >= known->heads.size() || known->heads[head].par.empty())
                return false;
        }
    return !layers.empty();
}

QString withoutMapSentence(int count) {
    return count == 1 ? tr("1 head attends to compressed keys and has no N × N map, so it has no CAD and "
                           "no distance.")
                      : tr("%1 heads attend to compressed keys and have no N × N map, so they have no CAD "
                           "and no distance.")
                            .arg(count);
}

void append(QString& note, const QString& sentence) {
    note += note.isEmpty() ? sentence : QLatin1Char(' ') + sentence;
}

std::string wordOf(const nlohmann::json& settings, const char* key) {
    const auto found = settings.find(key);
    return found != settings.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Numbers of a study's own table, which has a row for each head: their intervals took the study thousands of draws each.
void takeColumns(const StudyTable& table, const std::vector<std::pair<const char*, Matrix<double>*>>& columns) {
    for (int row = 0; row < int(table.rows.size()); ++row) {
        const int layer = int(numberAt(table, row, "layer").value_or(0)), head = int(numberAt(table, row, "head").value_or(0));
        for (const auto& [key, into] : columns)
            if (layer >= 1 && head >= 1 && layer <= int(into->rows()) && head <= int(into->columns()))
                (*into)(std::size_t(layer - 1), std::size_t(head - 1)) = numberAt(table, row, key).value_or(NAN);
    }
}

/// What the study's settings say of its CAD.
void readSettings(HeadContent& content, const nlohmann::json& settings) {
    if (!settings.is_object())
        return;
    const std::string silence = wordOf(settings, "silence");
    content.withoutSilence = silence == "remove";
    if (!silence.empty())
        append(content.cadNote, content.withoutSilence ? tr("Silence removed, as in Shim et al. 2022.")
                                                       : tr("Silence included (the whole maps)."));
    if (const auto split = settings.find("split"); split != settings.end() && split->is_number())
        content.split = split->get<double>();
}

} // namespace

QString weightsText(const StudyModel& model) {
    if (model.maps)
        return tr("imported maps");
    return model.weightsHash.empty() ? QString() : weightsText(QString::fromStdString(model.weightsHash));
}

QString weightsText(const QString& hash) {
    constexpr int kDigits = 12;
    return hash.isEmpty() ? QString() : tr("SHA-256 %1").arg(hash.left(kDigits));
}

const std::vector<double>& HeadContent::curve(HeadId head) const {
    static const std::vector<double> kNone;
    if (head.layer < 0 || head.head < 0 || head.layer >= layers() || head.head >= heads())
        return kNone;
    return curves[std::size_t(head.layer * heads() + head.head)];
}

std::vector<widgets::HeadCad> HeadContent::headCads() const {
    std::vector<widgets::HeadCad> all;
    for (int layer = 0; layer < layers(); ++layer)
        for (int head = 0; head < heads(); ++head) {
            const auto l = std::size_t(layer), h = std::size_t(head);
            all.push_back({{layer, head},
                           cad(l, h),
                           cadLow.empty() ? NAN : cadLow(l, h),
                           cadHigh.empty() ? NAN : cadHigh(l, h)});
        }
    return all;
}

int HeadContent::headsWithoutMap() const {
    int count = 0;
    for (const auto& layer : kinds)
        count += int(std::count(layer.begin(), layer.end(), HeadKind::Conv));
    return count;
}

std::vector<std::vector<HeadKind>> headKinds(const Architecture::Encoder& encoder) {
    std::vector<std::vector<HeadKind>> kinds;
    for (int layer = 1; layer <= int(encoder.layers.size()); ++layer) {
        std::vector<HeadKind> heads;
        for (const HeadGroup& group : appliedHeads(encoder, layer))
            heads.insert(heads.end(), std::size_t(group.count), group.kind);
        kinds.push_back(std::move(heads));
    }
    return kinds;
}

HeadContent liveHeadContent(const QString& model, const std::vector<std::vector<HeadKind>>& kinds,
                            const std::vector<LayerResult>& layers,
                            const std::vector<std::shared_ptr<const LayerMetrics>>& metrics,
                            bool phonesKnown) {
    std::size_t heads = widest(kinds);
    for (const LayerResult& layer : layers)
        heads = std::max(heads, layer.attentionProfiles.size());
    HeadContent content = emptyContent(model, kinds, layers.size(), heads);
    content.of = tr("of this utterance");
    content.withoutSilence = phonesKnown && allSpoken(layers, metrics);
    int known = 0;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const LayerResult& read = layers[layer];
        const LayerMetrics* figured = layer < metrics.size() ? metrics[layer].get() : nullptr;
        known += figured ? 1 : 0;
        for (std::size_t head = 0; head < read.attentionProfiles.size(); ++head) {
            const DiagonalProfile& profile = read.attentionProfiles[head];
            if (profile.empty())
                continue;
            const bool spoken = content.withoutSilence;
            content.cad(layer, head) =
                spoken ? figured->heads[head].cad : cumulativeAttentionDiagonality(profile);
            content.curves[layer * heads + head] =
                spoken ? figured->heads[head].curve : attentionDiagonalityCurve(profile);
        }
        addRelevance(content, layer, read.headRelevance);
        if (figured)
            addStatistics(content, layer, *figured);
    }
    append(content.cadNote, content.withoutSilence ? tr("Silence removed, as in Shim et al. 2022.")
                            : phonesKnown ? tr("Silence included (the whole maps).")
                                          : tr("Silence included: without an alignment its position is unknown."));
    if (phonesKnown && !content.withoutSilence)
        content.cadRemedy = tr("Load all layers to leave silence out.");
    const bool anyRelevance = std::any_of(
        layers.begin(), layers.end(), [](const LayerResult& layer) { return !layer.headRelevance.empty(); });
    append(content.relevanceNote,
           anyRelevance ? tr("Median over the tokens of this utterance (the lower of two middle values), L2 norms.")
                        : tr("Head relevance needs the weights of the model and is not available here."));
    if (known < int(layers.size()))
        append(content.statisticsNote, layers.size() == 1 ? tr("The attention maps are not loaded yet.")
                                                        : tr("The attention maps of %1 of %2 layers are loaded; the other layers have no numbers yet.")
                                                              .arg(known)
                                                              .arg(layers.size()));
    append(content.statisticsNote, tr("Means over the rows of a map, silence included."));
    if (!phonesKnown)
        append(content.statisticsNote, tr("The share on silence needs phones."));
    if (const int without = content.headsWithoutMap(); without > 0)
        for (QString* note : {&content.cadNote, &content.statisticsNote})
            append(*note, withoutMapSentence(without));
    return content;
}

HeadContent studyHeadContent(const OpenStudy& study, int number,
                             const std::vector<std::vector<HeadKind>>& kinds) {
    const OpenStudy::Numbers cad = study.numbers(number, "cad");
    if (cad.shape.size() != 3)
        return {};
    const auto layers = std::size_t(cad.shape[0]), heads = std::size_t(cad.shape[1]);
    const StudyModel& model = study.document.models[std::size_t(number - 1)];
    HeadContent content = emptyContent(QString::fromStdString(model.name), kinds, layers, heads);
    content.cadLow = content.cadHigh = content.cadDeviation = content.cadCount = unknown(layers, heads);
    if (const StudyTable* table = modelTable(study, "head-statistics", number))
        content.statisticsOfStudy = *table;
    if (const StudyTable* table = modelTable(study, "heads", number))
        content.headsOfStudy = *table;
    content.weights = weightsText(model);
    content.study = toQString(study.folder) + QLatin1Char(' ') + QString::number(number);
    content.whose = whoseNumbers(study, number);
    takeColumns(content.headsOfStudy, {{"cad_mean", &content.cad},
                                       {"cad_low", &content.cadLow},
                                       {"cad_high", &content.cadHigh},
                                       {"cad_std", &content.cadDeviation},
                                       {"cad_n", &content.cadCount}});
    takeColumns(content.statisticsOfStudy, {{"entropy_mean", &content.entropy},
                                            {"distance_mean", &content.meanDistance},
                                            {"maximum_mean", &content.maximum},
                                            {"silence_mean", &content.onSilence}});
    const OpenStudy::Numbers curves = study.numbers(number, "cad_curve");
    const OpenStudy::Numbers relevance = study.numbers(number, "relevance");
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (std::size_t head = 0; head < heads; ++head) {
            if (relevance.shape.size() == 2)
                content.relevance(layer, head) = relevance.at({std::int64_t(layer), std::int64_t(head)});
            if (curves.shape.size() == 3 && std::isfinite(content.cad(layer, head))) {
                const auto nodes = std::size_t(curves.shape[2]);
                const auto first = curves.values.begin() + std::ptrdiff_t((layer * heads + head) * nodes);
                content.curves[layer * heads + head].assign(first, first + std::ptrdiff_t(nodes));
            }
        }
    const int measured = study.measuredCount();
    content.of = (measured == 1 ? tr("of 1 utterance") : tr("mean of %1 utterances").arg(measured)) +
                 study.failedText();
    content.relevanceOf = (measured == 1 ? tr("of 1 utterance") : tr("over %1 utterances").arg(measured)) + study.failedText();
    readSettings(content, study.document.settings);
    append(content.statisticsNote, tr("Means over the rows of a map, silence included, then over utterances. σ, 95\u202f% intervals and n are over utterances."));
    for (const std::string& note : notesAbout(study.document, {number - 1})) {
        if (!note.starts_with(kAboutSilence))
            append(content.cadNote, QString::fromStdString(note));
        if (!note.starts_with(kAboutCad))
            append(content.statisticsNote, QString::fromStdString(note));
    }
    const bool notebook = wordOf(study.document.settings, "relevance") == "notebook";
    content.relevanceNote = notebook
                                ? tr("Notebook mode: L1 norms, median over utterances of each one's median; "
                                     "the lower of two middle values.")
                                : tr("Pooled: L2 norms, the median over all tokens of all utterances; the lower of two middle values.");
    return content;
}

} // namespace headroom::app
