// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/comparison.h"

#include <QObject>

namespace headroom::app {

class ComparedMap;
class LayersPanel;
class MatrixPanel;

/// Keeps the map beside the current one true, and both on one colour scale. A window that is edited on it is
/// an edit of its own model's draft. Window's thread.
class ComparePresenter : public QObject {
    Q_OBJECT

public:
    struct Views {
        MatrixPanel* matrix;
        LayersPanel* layers;
    };
    ComparePresenter(Session* session, AnalysisService* analysis, Comparison* comparison, const Views& views,
                     QObject* parent = nullptr);

    /// After the current map was shown.
    void refresh();

private:
    void connectViews();
    void showSide(const Comparison::Side& side);
    QString emptySentence(const Comparison::Side& side, const AnalysisResult* result) const;
    void shareRange();
    void edit(int window);

    Session* m_session;
    AnalysisService* m_analysis;
    Comparison* m_comparison;
    Views m_views;
    std::shared_ptr<const MaxPyramid> m_shown;
    bool m_shownStale = false;
};

} // namespace headroom::app
