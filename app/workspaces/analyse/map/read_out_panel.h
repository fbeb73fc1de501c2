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
    void setReadOut(ReadOut readOut);
    const ReadOut& readOut() const { return m_readOut; }
    void copy() const; ///< all of it, in full precision, as a table
    /// A line as it is shown in a panel of this width: the brief value where the whole one leaves the label no room.
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
    ReadOut m_readOut;
    int m_lines = 0; ///< of the read-out
};

} // namespace headroom::app
