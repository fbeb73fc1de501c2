// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <optional>
#include <utility>
#include <vector>

#include <QObject>

namespace headroom::widgets {

/// A span of time, start ≤ end.
struct TimeSpan {
    Seconds start, end;
    Seconds length() const { return end - start; }
    bool operator==(const TimeSpan&) const = default;
};

/// What an axis counts: the seconds of a recording, or the tokens of a text, of which token t lasts from t to t + 1.
enum class AxisUnit { Seconds, Tokens };

/// The time axis shared by waveform, spectrogram, tiers, row profile and the matrix: the visible range, the
/// cursor (query, "attending"), the pointer (key, "attended"), the selection.
///
/// Views never talk to each other: they read this object, ask it to change, and repaint on its signals. Every
/// setter clamps to the extent and emits only on a change. Owned by the workspace; window's thread only.
/// Visible ranges are at least 20 ms.
class TimeAxis : public QObject {
    Q_OBJECT

public:
    explicit TimeAxis(QObject* parent = nullptr);

    Seconds extent() const { return m_extent; } ///< length of the recording, tokens of the text; 0: nothing open
    AxisUnit unit() const { return m_unit; }
    bool countsTokens() const { return m_unit == AxisUnit::Tokens; }
    TimeSpan visible() const { return m_visible; }
    std::optional<Seconds> cursor() const { return m_cursor; }
    std::optional<Seconds> pointer() const { return m_pointer; }
    std::optional<TimeSpan> selection() const { return m_selection; }

    /// Sets a new recording: everything visible, cursor at 0, no pointer, no selection.
    void setExtent(Seconds extent, AxisUnit unit = AxisUnit::Seconds);
    void setVisible(TimeSpan span);
    void fit();
    /// Zooms by `factor` (> 1: closer) and keeps `around` at its place on screen.
    void zoom(double factor, Seconds around);
    void scroll(Seconds by);
    /// Scrolls without zooming so that `time` is visible; for playback and the keyboard.
    void reveal(Seconds time);
    void setCursor(std::optional<Seconds> time);
    void setPointer(std::optional<Seconds> time);
    void setSelection(std::optional<TimeSpan> span);
    /// Snap targets of dragged selections (words, phones), ascending; setExtent() clears them.
    void setSnapBounds(std::vector<Seconds> bounds) { m_snapBounds = std::move(bounds); }
    const std::vector<Seconds>& snapBounds() const { return m_snapBounds; }

Q_SIGNALS:
    void extentChanged();
    void visibleChanged();
    void cursorChanged();
    void pointerChanged();
    void selectionChanged();

private:
    Seconds m_extent;
    AxisUnit m_unit = AxisUnit::Seconds;
    TimeSpan m_visible;
    std::optional<Seconds> m_cursor, m_pointer;
    std::optional<TimeSpan> m_selection;
    std::vector<Seconds> m_snapBounds;
};

} // namespace headroom::widgets
