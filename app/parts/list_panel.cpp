// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/list_panel.h"

#include "app/parts/action_button.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QLabel>
#include <QListView>
#include <QMouseEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace headroom::app {

using widgets::Sizes;

ListPanel::ListPanel(const QString& emptySentence, const QList<std::pair<QAction*, QString>>& emptyActions,
                     QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedLayout(this))
    , m_listLayout(nullptr)
    , m_view(new QListView(this)) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* list = new QWidget(this);
    m_listLayout = new QVBoxLayout(list);
    m_listLayout->setContentsMargins(0, 0, 0, 0);
    m_listLayout->setSpacing(0);
    m_view->setMouseTracking(true);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setResizeMode(QListView::Adjust);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_view->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_follows = false; });
    m_view->viewport()->installEventFilter(this);
    m_listLayout->addWidget(m_view, 1);
    m_pages->addWidget(list);

    auto* area = new QScrollArea(this); // a low dock scrolls what to do, rather than cutting it
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto* empty = new QWidget(area);
    auto* emptyLayout = new QVBoxLayout(empty);
    emptyLayout->setContentsMargins(unit, unit, unit / 2, unit); // beside the scroll bar of a low panel
    emptyLayout->setSpacing(unit);
    auto* sentence = new QLabel(emptySentence, empty);
    sentence->setWordWrap(true);
    sentence->setProperty("caption", true);
    emptyLayout->addWidget(sentence);
    for (const auto& [action, icon] : emptyActions) {
        m_buttons << new ActionButton(action, icon, empty, ActionButton::Key::Hidden);
        emptyLayout->addWidget(m_buttons.last(), 0, Qt::AlignLeft);
    }
    emptyLayout->addStretch(1);
    area->setWidget(empty);
    m_pages->addWidget(area);
    setEmpty(true);
}

void ListPanel::setEmpty(bool empty) {
    m_pages->setCurrentIndex(empty ? 1 : 0);
}

bool ListPanel::makeCurrent(const QModelIndex& index) {
    QItemSelectionModel* selection = m_view->selectionModel();
    // A list that gets the focus makes its first row current without selecting it.
    if (index == m_view->currentIndex() && (!index.isValid() || selection->isSelected(index)))
        return false;
    const QSignalBlocker blocker(selection);
    selection->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    bringIntoSight(index);
    m_view->viewport()->update();
    return true;
}

void ListPanel::keepInSight() {
    if (m_follows)
        bringIntoSight(m_view->currentIndex());
}

void ListPanel::bringIntoSight(const QModelIndex& index) {
    // A row that moved under a pressed button of the mouse would not be the one it is released on: its click would be lost.
    if (index.isValid() && !m_isPressed)
        m_view->scrollTo(index);
}

bool ListPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool isMouse = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick ||
                         event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease;
    if (watched == m_view->viewport() && isMouse) {
        // Moves count too: the release of a click that opened a menu never comes here.
        const bool wasPressed = std::exchange(m_isPressed, static_cast<QMouseEvent*>(event)->buttons() != Qt::NoButton);
        if (wasPressed && !m_isPressed) // once the list has dealt with the release
            QMetaObject::invokeMethod(this, &ListPanel::keepInSight, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

void ListPanel::addAboveList(QWidget* widget) {
    m_listLayout->insertWidget(m_listLayout->count() - 1, widget);
}

void ListPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_view->doItemsLayout(); // sentences wrap differently
    bringIntoSight(m_view->currentIndex()); // at the start it was chosen before the panel had its size
}

} // namespace headroom::app
