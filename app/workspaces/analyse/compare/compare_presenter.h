// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/compare/map_difference.h"
#include "widgets/matrix/map_raster.h"

#include <QElapsedTimer>
#include <QObject>

class QAction;

namespace headroom::app {

class ComparedMap;
class LayersPanel;
class MatrixPanel;
class TimeColumn;

/// Keeps the map beside the current one (B beside A) true, and both on one colour scale; shows A − B in B's
/// place, and B in A's while it is blinked. A window that is edited on B is an edit of its own model's draft.
/// Another recording stands on a time axis of its own, which it owns. Window's thread.
class ComparePresenter : public QObject {
    Q_OBJECT

public:
    struct Views {
        MatrixPanel* matrix;
        LayersPanel* layers;
        TimeColumn* column;
        widgets::TimeAxis* axis;     ///< of the current recording
        QAction *difference, *blink; ///< checkable; off with the reason as tool tip
    };
    ComparePresenter(Session* session, AnalysisService* analysis, Comparison* comparison, const Views& views,
                     QObject* parent = nullptr);

    /// After the current map was shown.
    void refresh();
    /// The axis of the other recording; nothing is on it while both maps are of one.
    widgets::TimeAxis* otherAxis() { return &m_axis; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// B, as far as it is here.
    struct Beside {
        Comparison::Side side;
        UtteranceId utterance = UtteranceId::None;
        MapSource source;
        const OpenModel* model = nullptr;
        const AnalysisResult* result = nullptr;
        const LayerResult* layer = nullptr;
        std::shared_ptr<const MaxPyramid> map;
        TokenClock clock;
    };
    void connectViews();
    Beside besideOf(const Comparison::Side& side) const;
    void showFields(const Beside& b);
    void showRecording(const Beside& b);
    void showMap(const Beside& b);
    void showBand(const Beside& b);
    void showDifferenceReason(const Beside* b);
    void showInPlace(const Beside* b);
    QString emptySentence(const Beside& b) const;
    void shareRange(const Beside* b);
    void edit(int window);
    void blinked(bool on);
    void stopListening();

    Session* m_session;
    AnalysisService* m_analysis;
    Comparison* m_comparison;
    Views m_views;
    widgets::TimeAxis m_axis;
    UtteranceId m_onAxis = UtteranceId::None;
    std::shared_ptr<const MaxPyramid> m_shown, m_subtractedFrom; ///< of the picture in B's place
    bool m_shownStale = false;
    std::shared_ptr<const MaxPyramid> m_rangeOf; ///< of m_range
    widgets::ValueRange m_range;
    QElapsedTimer m_sinceBlink;
};

} // namespace headroom::app
