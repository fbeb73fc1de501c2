// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace headroom::app {

/// A column that scrolls up and down. It is at least as wide as its content and the scroll bar, so that a narrow panel does not
/// scroll sideways; only a single long word, as in the name of a file, may still need that. Window's thread.
class ColumnScroll : public QScrollArea {
    Q_OBJECT

public:
    explicit ColumnScroll(QWidget* parent);
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::app
