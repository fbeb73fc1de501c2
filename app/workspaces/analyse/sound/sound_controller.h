// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/parts/sound/sound_devices.h"
#include "app/workspaces/analyse/common/controller.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "widgets/time_axis/time_axis.h"

#include <QObject>

#include <functional>
#include <map>
#include <optional>

namespace headroom::widgets {
class TimeLane;
}

namespace headroom::app {

class Actions;
class RecordingBar;
class TimeColumn;

/// The sound of the current utterance: its lanes on the time axis, the cursor and the visible span, playing
/// and recording. Owns the time column, the recording bar, the transport and the devices. Window's thread.
class SoundController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis; ///< its tokens are what the cursor steps by
        const Actions* actions;
        widgets::TimeAxis* axis;
    };
    explicit SoundController(const Parts& parts, QObject* parent = nullptr);
    ~SoundController() override;

    // What the workspace places; it takes them over.
    QWidget* column() const;
    QWidget* recordingBar() const;

    SoundTransport* transport() { return &m_transport; }
    /// For a picture, from top to bottom; the second: those of the twin column.
    QList<widgets::TimeLane*> lanes() const;
    QList<widgets::TimeLane*> twinLanes() const;
    /// The lanes once more, above a second map. See TimeColumn.
    void setTwinVisible(bool visible);
    void setTwinUtterance(const OpenUtterance* utterance, widgets::TimeAxis* axis, std::vector<Interval> tokens = {});

    /// Reads the current utterance, its token and frame counts, and the marks of its alignment again.
    void showUtterance();
    void addText();
    void followAnalysis();
    void showCounts();
    /// Makes the utterance current, puts the cursor on `start` and shows the span with a margin.
    void showPlace(UtteranceId utterance, Seconds start, Seconds end);

    /// The keys "spectrogram", "visible" and "cursor" of the session's view. Span and cursor wait until the
    /// recording that they belong to has been read.
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;
    /// Lanes are still being prepared.
    bool isPending() const override;

Q_SIGNALS:
    void shown();                         ///< showUtterance() has run
    void recorded();                      ///< a recording was made and is open now

private:
    void connectAxis();
    void connectTransport();
    void applyWantedView();
    void moveCursor(Seconds time);
    void step(int tokens);
    void stepWord(int direction);
    void extendSelection(const std::function<Seconds()>& move);

    Parts m_parts;
    TimeColumn* m_column;
    RecordingBar* m_recordingBar;
    UtteranceId m_shownUtterance = UtteranceId::None;
    std::map<UtteranceId, std::optional<Seconds>> m_cursors; ///< of the utterances looked at before
    Seconds m_shownExtent{-1};
    Seconds m_anchor{0};                          ///< where the selection that the keyboard extends began
    std::optional<widgets::TimeSpan> m_extended;  ///< what the keyboard selected last
    nlohmann::json m_wantedView; ///< until m_wantedOf can be read; null: none
    UtteranceId m_wantedOf = UtteranceId::None;
    SoundDevices m_devices;
    SoundTransport m_transport; ///< after the devices that it plays on
};

} // namespace headroom::app
