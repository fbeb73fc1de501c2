// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/checks.h"

#include <QWidget>

namespace headroom::app {

/// What was verified about the picture on the screen, each with its measured number.
class ChecksPanel : public QWidget {
    Q_OBJECT

public:
    explicit ChecksPanel(QWidget* parent = nullptr);
    void setChecks(QList<Check> checks);
    const QList<Check>& checks() const { return m_checks; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void alignmentsRequested();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect rowRect(qsizetype row) const;
    QList<Check> m_checks;
};

} // namespace headroom::app
