// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"
#include "widgets/time_axis/time_axis.h"

#include <QLineEdit>
#include <QPointer>

#include <optional>

namespace headroom::app {

/// "2.420 of 3.130 s", of a text "3 of 11 tokens": where the cursor is. A time in seconds, or the number of a token, typed
/// into it moves the cursor there. Window's thread.
class TimeField : public QLineEdit {
    Q_OBJECT

public:
    explicit TimeField(QWidget* parent = nullptr);
    /// No extent: nothing is open.
    void setTime(std::optional<Seconds> time, std::optional<Seconds> extent,
                 widgets::AxisUnit unit = widgets::AxisUnit::Seconds);
    QString shownText() const;
    /// Shows the cursor of this axis from now on, and moves it. The field may outlive the axis.
    void follow(widgets::TimeAxis* axis);
    /// Takes the focus for a time to be typed; Enter and Esc give it back to whoever had it.
    void ask();

Q_SIGNALS:
    void timeEntered(headroom::Seconds time);

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QSize sizeHint() const override;

private:
    void leave();
    bool countsTokens() const { return m_unit == widgets::AxisUnit::Tokens; }
    QString nowText() const;
    QString extentText() const;

    std::optional<Seconds> m_time, m_extent;
    widgets::AxisUnit m_unit = widgets::AxisUnit::Seconds;
    QPointer<QWidget> m_askedFrom;
};

} // namespace headroom::app
