// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QAccessibleInterface;
class QAction;

namespace headroom::app {

/// The interface of a segmented control for screen readers; null for other objects. A QAccessible factory.
QAccessibleInterface* segmentsForReaders(const QString& className, QObject* object);

/// A row of joined buttons of which one is chosen, as the workspace switch. One segment per checkable action,
/// with the icon that the action's data() names; the actions decide, this shows them. The arrow keys choose
/// the next segment that can be used; one that cannot says why when it is clicked. Window's thread.
class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    /// What a segment shows of its action.
    enum class Form { IconsAndWords, Words, Icons };

    explicit SegmentedControl(const QString& name, QWidget* parent = nullptr);
    void setForm(Form form); ///< also gives it the size of that form
    Form form() const { return m_form; }
    int widthIn(Form form) const;
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
    int segmentWidth(const QAction* action, Form form) const;
    QAction* actionAt(const QPoint& position, QRect* where = nullptr) const;
    std::vector<QAction*> m_actions;
    Form m_form = Form::IconsAndWords;
};

} // namespace headroom::app
