// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"
#include "app/workspaces/analyse/heads/layer_metrics.h"
#include "core/architecture/architecture.h"
#include "core/studies/table.h"
#include "widgets/heads/cad_plot.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::app {

/// What CAD, Heads and Statistics show: numbers per layer and head, from the utterance that is open or from a
/// study. A value; NaN: not known, or undefined. Layers × heads, as many heads as the widest layer has.
struct HeadContent {
    QString model;   ///< "st-small en-de"
    QString weights; ///< "SHA-256 0a1b2c3d4e5f", or that the maps are from elsewhere; empty: not known
    QString of;      ///< "of this utterance", "mean of 400 utterances": what stands behind the numbers
    QString relevanceOf; ///< the same of relevance, which a study pools and does not average; empty: `of`
    std::vector<std::vector<HeadKind>> kinds; ///< [layer][head]; empty: not known
    Matrix<double> cad, cadLow, cadHigh;      ///< bounds: 95 % interval of the mean; empty without
    Matrix<double> cadDeviation, cadCount;    ///< σ over so many utterances; empty as the bounds
    std::vector<std::vector<double>> curves;  ///< D(r), [layer · H + head]; empty ones where unknown
    Matrix<double> relevance;
    Matrix<double> entropy, meanDistance, maximum, onSilence;
    /// The study's own tables of the model, which have σ, intervals and n of every number; empty: the open utterance.
    StudyTable statisticsOfStudy, headsOfStudy;
    QString cadNote, relevanceNote, statisticsNote; ///< sentences: what was left out, what is missing
    bool withoutSilence = false;                    ///< CAD is of speech alone
    std::optional<double> split;                    ///< the study's own; nothing: the reader's
    QString study; ///< which study, and which of its models; empty: the open utterance
    QString whose; ///< of a study: "Study “heads-1”, model small.", for the line below a figure
    QString cadRemedy; ///< what would change CAD, for the screen; empty: nothing

    int layers() const { return int(cad.rows()); }
    int heads() const { return int(cad.columns()); }
    bool isEmpty() const { return cad.empty(); }
    const std::vector<double>& curve(widgets::HeadId head) const;
    std::vector<widgets::HeadCad> headCads() const;
    /// Heads that exist and have no N × N map.
    int headsWithoutMap() const;
};

/// Live, of one utterance. `metrics`: per layer what its maps said, null where they were not fetched. CAD is
/// of speech alone where that is known of every head with an N × N map, else of the whole recording: never a
/// mixture.
HeadContent liveHeadContent(const QString& model, const std::vector<std::vector<HeadKind>>& kinds,
                            const std::vector<LayerResult>& layers,
                            const std::vector<std::shared_ptr<const LayerMetrics>>& metrics,
                            bool phonesKnown);
/// From the tables of a finished study of heads: means over utterances, with intervals. `number` from 1. Any thread.
/// `kinds`: of the open model where it is the same, else empty.
HeadContent studyHeadContent(const OpenStudy& study, int number,
                             const std::vector<std::vector<HeadKind>>& kinds);

/// "SHA-256 0a1b2c3d4e5f"; "maps from elsewhere"; empty where nothing is known.
QString weightsText(const StudyModel& model);
QString weightsText(const QString& hash);

/// Kinds of all heads of a model, one by one; a reused map has the kind of the head that it was made by.
std::vector<std::vector<HeadKind>> headKinds(const Architecture::Encoder& encoder);

/// Tables of what is shown, rows in the order of layers and heads (relevance: one row per layer).
StudyTable cadTable(const HeadContent& content, double split);
StudyTable relevanceTable(const HeadContent& content);
StudyTable statisticsTable(const HeadContent& content);
/// Relevance of each head of a study, with what is known of it over utterances: a row per head. Empty: the open utterance.
StudyTable relevanceEstimates(const HeadContent& content);
/// The same of one head in words, from 0: "of single utterances: …". Empty: not known.
QString relevanceEstimateText(const HeadContent& content, widgets::HeadId head);
/// The head that a row of cadTable or statisticsTable is of.
widgets::HeadId headOfRow(const HeadContent& content, int row);
int rowOfHead(const HeadContent& content, widgets::HeadId head); ///< −1: none

} // namespace headroom::app
