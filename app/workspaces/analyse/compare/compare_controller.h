// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/common/controller.h"
#include "app/workspaces/analyse/common/drawn_map.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "widgets/matrix/map_raster.h"

#include <QElapsedTimer>
#include <QObject>

class QWidget;

namespace headroom::widgets {
class TimeLane;
class WindowBand;
} // namespace headroom::widgets

namespace headroom::app {

class Actions;
class ComparedMap;
class MapController;
struct MapBeside;
class SoundController;

/// A second map (B) beside the current one (A): what it is of, both on one colour scale, A − B in B's place,
/// and B in A's place while it is blinked. Owns B's panel, the choice, and the time axis of another recording.
/// A window that is edited on B is an edit of its own model's draft. Window's thread.
class CompareController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        const Actions* actions;
        widgets::TimeAxis* axis; ///< of the current recording
        MapController* map;
        SoundController* sound;
    };
    explicit CompareController(const Parts& parts, QObject* parent = nullptr);

    /// What the current map is seen beside.
    Comparison* comparison() { return &m_comparison; }
    const Comparison* comparison() const { return &m_comparison; }
    /// Opens a trained model and compares it with the one that it came from, which is opened too; with the current one
    /// where `origin` is empty.
    void openBeside(const std::filesystem::path& model, const std::filesystem::path& origin);
    /// Opens a model and makes it the current one; what is compared stays.
    ModelId open(const std::filesystem::path& model);
    /// For a picture: B's row and matrix, from top to bottom.
    QList<widgets::TimeLane*> lanes() const;
    widgets::WindowBand* band() const; ///< of B, to be told what is suggested for its layer
    /// What is beside, for the figure's caption; nullopt: nothing, or not yet analysed.
    std::optional<DrawnMap> drawn() const;
    /// B's map and A − B, where they are here and shown; null.
    std::shared_ptr<const MaxPyramid> map() const { return m_shown; }
    std::shared_ptr<const MaxPyramid> difference() const { return m_difference; }

    /// The keys "compare" and "difference" of the session's view.
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectFields();
    void connectActions();
    void refresh();
    void keepFocus();
    void showFields(const MapBeside& b);
    void showRecording(const MapBeside& b);
    void showMap(const MapBeside& b);
    void showBand(const MapBeside& b);
    void showDifferenceReason(const MapBeside* b);
    void showInPlace(const MapBeside* b);
    void shareRange(const MapBeside* b);
    void dragged(int window);
    void edit(int window);
    void blinked(bool on);
    void stopListening();

    Parts m_parts;
    Comparison m_comparison;
    ComparedMap* m_beside;
    widgets::TimeAxis m_axis; ///< of another recording; empty while both maps are of one
    UtteranceId m_onAxis = UtteranceId::None;
    std::shared_ptr<const MaxPyramid> m_shown, m_subtractedFrom; ///< of the picture in B's place
    std::shared_ptr<const MaxPyramid> m_difference; ///< null: B itself is shown
    bool m_shownStale = false;
    std::shared_ptr<const MaxPyramid> m_rangeOf; ///< of m_range
    widgets::ValueRange m_range;
    QElapsedTimer m_sinceBlink;
};

} // namespace headroom::app
