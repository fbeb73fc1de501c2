// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/choice_focus.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QTimer>

namespace headroom::app {

namespace {

/// A filter of the chooser's list, whose events are its viewport's.
class ChoiceFocus : public QObject {
public:
    ChoiceFocus(QComboBox* chooser, QWidget* view) : QObject(chooser), m_chooser(chooser), m_view(view) {
        chooser->view()->viewport()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::MouseButtonRelease)
            QTimer::singleShot(0, this, [this] { // by then a choice has closed the list
                if (!m_chooser->view()->isVisible() && m_chooser->window()->focusWidget() == m_chooser)
                    m_view->setFocus(Qt::OtherFocusReason);
            });
        return QObject::eventFilter(watched, event);
    }

private:
    QComboBox* m_chooser;
    QWidget* m_view;
};

} // namespace

void passFocusOn(QComboBox* chooser, QWidget* view) {
    new ChoiceFocus(chooser, view);
}

} // namespace headroom::app
