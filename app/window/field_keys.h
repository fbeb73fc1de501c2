// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

namespace headroom::app {

/// Which keys are the window's and which the field's. A filter of the application. Window's thread.
///
/// The window's shortcuts Ctrl+D, E, K and U work while a text field has the focus. On X11 Qt's fields take them for editing
/// in the manner of Emacs (Ctrl+E: to the end of the line), so that “Export figure…” and “Find action” did nothing.
///
/// Keys without a modifier, or with Shift, belong to an open list, and letters and digits to a field with a list, which they
/// search. Both are children of a workspace, and Qt would give the keys to its shortcuts.
///
/// Space presses the button that Tab or an access key reached; after a click of the mouse it plays, as everywhere.
///
/// Dialogues get access keys when they are shown.
class FieldKeys : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPointer<QObject> m_reached; ///< the button or chooser that has the focus by a key
};

} // namespace headroom::app
