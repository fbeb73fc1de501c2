// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/jobs/analysis_service.h"
#include "app/studies/windows_rows.h"

#include <QImage>

#include <map>
#include <optional>
#include <vector>

namespace headroom::app {

/// What the analyses say about the layers of an architecture: suggested windows, CL, small maps
/// (app/studies/windows_rows.h). Everything borrowed. Window's thread.
class DesignFacts {
public:
    DesignFacts(const Session* session, const AnalysisService* analysis, const StudyEvidence* evidence)
        : m_session(session)
        , m_analysis(analysis)
        , m_evidence(evidence) {}

    /// The model whose analyses speak for this architecture: its own; for a document an open model of the
    /// same shape, the current one first, else the current one where it has as many layers. None: nothing is
    /// known.
    ModelId modelFor(const Drafts& drafts, DraftKey key) const;
    /// What Analyse suggests too: from the study that its tab Windows shows, else from the open utterances.
    WindowSuggestions suggestions(DraftKey key) const;
    /// What loss() reads CL from: the source of the suggestions, so that CL and "Full above CL" speak of the same utterances; the
    /// open utterances if that suggests nothing.
    WindowSuggestions lossSource(DraftKey key, const WindowSuggestions& suggested) const;
    /// CL of a layer under its heads in the draft, mean over the utterances, as *Windows* shows it: 0 where all
    /// are full, also before anything is read, nothing where heads of several kinds or windows stand together.
    static std::optional<double> loss(const WindowSuggestions& utterances, int layer, const std::vector<HeadGroup>& heads);
    /// The contributions of a layer in the current utterance; null where there are none.
    QImage map(ModelId model, int layer, QSize pixels);
    std::int64_t tokens(ModelId model) const; ///< of the current utterance; 0 where it is not read

private:
    struct Picture {
        std::weak_ptr<const MaxPyramid> of;
        QSize size;
        QImage image;
    };
    const Session* m_session;
    const AnalysisService* m_analysis;
    const StudyEvidence* m_evidence;
    std::map<std::pair<ModelId, int>, Picture> m_pictures;
};

} // namespace headroom::app
