// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "widgets/curves/windows_model.h"

#include <QString>

#include <vector>

namespace headroom::app {

class AnalysisService;
class Session;
class StudyEvidence;

/// What suggests windows to a draft. The one source of suggested windows: the table, the band, both actions in
/// Analyse and Design ask WindowsRow::suggestion() of these rows.
struct WindowSuggestions {
    /// One row per layer of the draft: Algorithm 1's statistic, its window and CL, and the draft's own heads.
    /// Empty if there is no such draft or nothing has been read.
    std::vector<widgets::WindowsRow> rows;
    int utterances = 0; ///< how many the means are over
    int selections = 0; ///< open ones of these of which only a selection is analysed
    QString study; ///< its name; empty: the open utterances
    QString of;  ///< which: "Over 3 open utterances of at least 1 s, 2 read so far.", or the model and the study
    QString why; ///< why there is no suggestion although there are rows; empty: there is
};

/// ", 1 of them a selection": behind a number of open utterances. Empty: all are whole. Pure.
QString selectionsText(int utterances, int selections);

/// The suggestions of the study that the tab Windows shows, if it measured windows, else those of
/// AnalysisService::utterancesForWindows(). `evidence` null: never a study. A study speaks for models whose
/// weights it measured; of the current model `why` says so otherwise, any other has those of the utterances then.
WindowSuggestions windowSuggestions(const Session& session, const AnalysisService& analysis,
                                    const StudyEvidence* evidence, ModelId model, DraftKey draft);

} // namespace headroom::app
