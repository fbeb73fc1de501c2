// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_name.h"

#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QCoreApplication>
#include <QMenuBar>
#include <QResizeEvent>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

SessionName::SessionName(QMenuBar* bar) : QLabel(bar), m_bar(bar) {
    setProperty("caption", true);
    setAlignment(Qt::AlignVCenter | Qt::AlignRight);
    bar->setCornerWidget(this);
    bar->installEventFilter(this);
    widgets::withTextSize(this, [this] {
        setContentsMargins(0, 0, qRound(Sizes::unit()), 0);
        QResizeEvent again(m_bar->size(), m_bar->size()); // a menu bar lays its corner out only then
        QCoreApplication::sendEvent(m_bar, &again);
    });
}

void SessionName::setName(const QString& name) {
    m_name = name;
    elide();
}

void SessionName::take(int width) {
    m_size = QSize(width, Sizes::smallControl());
    setFixedSize(m_size);
}

/// At most the room for the name of any session.
void SessionName::fit() {
    take(0);
    take(std::clamp(m_bar->width() - m_bar->sizeHint().width(), 0, Sizes::control() * 12));
    elide();
}

void SessionName::elide() {
    setText(fontMetrics().elidedText(m_name, Qt::ElideMiddle, contentsRect().width()));
}

/// Before the menu bar itself lays out its menus.
bool SessionName::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_bar && event->type() == QEvent::Resize)
        fit();
    return QLabel::eventFilter(watched, event);
}

} // namespace headroom::app
