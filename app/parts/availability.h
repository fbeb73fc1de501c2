// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QAction;
class QComboBox;
class QRect;
class QWidget;

namespace headroom::app {

// A control that cannot be used now says why: in its tool tip, and when it is clicked. Window's thread.

/// Enables an action or a control, or disables it with the reason. While it is disabled the reason is its tool tip;
/// then it has its own tool tip again.
void setAvailable(QAction* action, const QString& whyNot);
void setAvailable(QWidget* control, const QString& whyNot);
/// The same of an entry of a list; an enabled one has `toolTip`.
void setAvailable(QComboBox* field, int row, const QString& whyNot, const QString& toolTip = {});
/// The reason that is shown whenever somebody else disables this action, as an undo stack does.
void setReason(QAction* action, const QString& whyNot);

/// For a button that follows an action without being its tool button.
void copyReason(const QAction* action, QWidget* button);

/// Shows at `place` in `widget` why a key does nothing there.
void sayWhy(const QString& whyNot, QWidget* widget, const QRect& place);

/// Triggers an action by a key of its own; while it is disabled, shows the reason at `place` in `widget`.
void triggerOrSayWhy(QAction* action, QWidget* widget, const QRect& place);

/// Returns why this control is disabled: its own reason or that of its action; empty if it is enabled or none was given.
QString reasonOf(const QWidget* control);

/// Shows the reason of a disabled control that is clicked. One event filter for the application.
class DisabledReasons : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
};

} // namespace headroom::app
