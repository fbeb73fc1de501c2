// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/map/read_out.h"

#include <QWidget>

namespace headroom::app {

/// The numbers under cursor and pointer, one line each. Updated with every mouse move, so it paints text and
/// lays out nothing. Window's thread.
class ReadOutPanel : public QWidget {
    Q_OBJECT

public:
    explicit ReadOutPanel(QWidget* parent = nullptr);
    /// `about`: what the lines mean, for the tooltip.
    void setLines(QList<ReadOutLine> lines, const QString& about);
    const QList<ReadOutLine>& lines() const { return m_lines; }
    void copy() const; ///< all of it, in full precision, as a table
    /// A line as it is shown in a panel of this width: the brief value, and then the brief label, where the
    /// whole ones have no room.
    struct Shown {
        QString label, value;
    };
    static Shown shown(const ReadOutLine& line, int width);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QList<ReadOutLine> m_lines;
};

} // namespace headroom::app
