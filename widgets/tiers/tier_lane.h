// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "widgets/time_axis/time_lane.h"

#include <QTimer>

namespace headroom::widgets {

/// One tier of an alignment: words or phones. Labels, all of one size, are centred in their intervals; a word
/// that does not fit is elided, a phone becomes a dot with a tool tip. The interval at the cursor is tinted; a
/// double click fits it. Window's thread only.
class TierLane : public TimeLane {
    Q_OBJECT

public:
    enum class Kind { Words, Phones };
    explicit TierLane(Kind kind, QWidget* parent = nullptr);

    /// `intervals`: ordered, not overlapping; an empty label is silence. `missing` is shown if there are none
    /// (“No TextGrid beside 533-1066.flac.”).
    void setIntervals(std::vector<Interval> intervals, const QString& missing = QString());
    /// Returns the interval that contains `time` (start ≤ time < end), or null. Valid until setIntervals().
    const Interval* intervalAt(Seconds time) const;
    /// Returns the displayed label: silence has its own word in each tier.
    QString shownLabel(const Interval& interval) const;
    bool isSilence(const Interval& interval) const;
    /// Returns whether the label fits into its interval at this zoom; otherwise elidedLabel() is shown, or a dot.
    bool labelFits(const Interval& interval) const;
    QString elidedLabel(const Interval& interval, double width) const;

    /// The name in the left gutter in place of the kind's, and what screen readers and the tool tip call the tier.
    void setName(const QString& name, const QString& whole);
    /// A note in the right gutter, and its tool tip. Empty: none.
    void setNote(const QString& note, const QString& toolTip);

    /// An underlined interval; its tool tip has the message.
    struct Mark {
        Seconds start, end;
        QString sentence;
    };
    void setMarks(std::vector<Mark> marks);
    const std::vector<Mark>& marks() const { return m_marks; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void intervalActivated(int interval); ///< clicked; its place in the list

protected:
    void paintLane(QPainter& painter) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void cursorMoved() override;

private:
    double spaceBeside() const; ///< pixels between a label and each bound
    void paintMarks(QPainter& painter);
    void describe();

    Kind m_kind;
    std::vector<Interval> m_intervals;
    std::vector<Mark> m_marks;
    QString m_missing, m_name, m_wholeName, m_note, m_noteTip;
    std::optional<QPointF> m_clickFrom;
    const Interval* m_current = nullptr; ///< under the cursor, as last painted
    QTimer m_describe;                   ///< screen readers are notified of a new word at most twice a second
};

} // namespace headroom::widgets
