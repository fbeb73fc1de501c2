// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QAccessibleInterface;
class QAction;

namespace headroom::app {

/// The interface of a segmented control for screen readers; null for other objects. A QAccessible factory.
QAccessibleInterface* segmentsForReaders(const QString& className, QObject* object);

/// A row of joined buttons of which one is chosen: the workspace switch. One segment per checkable action;
/// the actions decide, this shows them. Focus moves with the arrow keys. Window's thread.
class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    explicit SegmentedControl(QWidget* parent = nullptr);
    void addSegment(QAction* action); ///< borrowed
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    friend class SegmentsForReaders;
    friend class SegmentForReaders;
    QRect segmentRect(std::size_t index) const;
    int segmentWidth(const QAction* action) const;
    QAction* actionAt(const QPoint& position, QRect* where = nullptr) const;
    std::vector<QAction*> m_actions;
};

} // namespace headroom::app
