// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "widgets/time_axis/time_lane.h"

#include <QTimer>

namespace headroom::widgets {

/// One tier of an alignment: words, or phones. Labels are centred in their spans; one that does not fit
/// becomes a dot whose tooltip has it. The interval under the cursor is tinted; double click fits one.
/// Window's thread only.
class TierLane : public TimeLane {
    Q_OBJECT

public:
    enum class Kind { Words, Phones };
    explicit TierLane(Kind kind, QWidget* parent = nullptr);

    /// `intervals`: ordered, not overlapping; an empty label is silence. `missing` is what the lane says
    /// where there are none (“No TextGrid beside 533-1066.flac.”).
    void setIntervals(std::vector<Interval> intervals, const QString& missing = QString());
    /// The interval that holds `time` (start ≤ time < end), or null. Valid until setIntervals().
    const Interval* intervalAt(Seconds time) const;
    /// What stands on the screen for a label: silence has a word of its own in each tier.
    QString shownLabel(const Interval& interval) const;
    bool isSilence(const Interval& interval) const;
    /// Whether the name fits into its span at this zoom, or a dot stands for it.
    bool labelFits(const Interval& interval) const;

    /// A span that something was said about, underlined; its tooltip has the sentence.
    struct Mark {
        Seconds start, end;
        bool isError = false;
        QString sentence;
    };
    void setMarks(std::vector<Mark> marks);
    const std::vector<Mark>& marks() const { return m_marks; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintLane(QPainter& painter) override;
    bool event(QEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void cursorMoved() override;

private:
    QFont labelFont(const Interval& interval) const;
    void paintMarks(QPainter& painter);
    void describe();

    Kind m_kind;
    std::vector<Interval> m_intervals;
    std::vector<Mark> m_marks;
    QString m_missing;
    const Interval* m_current = nullptr; ///< under the cursor, as last painted
    QTimer m_describe;                   ///< readers hear of a new word at most twice a second
};

} // namespace headroom::widgets
