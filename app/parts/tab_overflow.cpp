// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/tab_overflow.h"

#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace headroom::app {

using widgets::Sizes;

TabOverflow::TabOverflow(QTabWidget* tabs)
    : QObject(tabs)
    , m_tabs(tabs)
    , m_corner(new QWidget(tabs))
    , m_button(new QToolButton(m_corner))
    , m_menu(new QMenu(m_button)) {
    m_button->setIcon(widgets::icon(QStringLiteral("more")));
    m_button->setAutoRaise(true);
    m_button->setAccessibleName(tr("More tabs"));
    m_button->setToolTip(tr("The tabs that do not fit into this panel."));
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setProperty("noIndicator", true);
    m_button->setMenu(m_menu);
    m_button->hide();
    auto* row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_button);
    tabs->setCornerWidget(m_corner, Qt::TopRightCorner);
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        m_menu->clear();
        for (int tab = 0; tab < m_tabs->count(); ++tab)
            if (!m_tabs->isTabVisible(tab))
                m_menu->addAction(m_tabs->tabText(tab), m_tabs, [this, tab] { m_tabs->setCurrentIndex(tab); });
    });
    connect(tabs, &QTabWidget::currentChanged, this, &TabOverflow::fit);
    tabs->installEventFilter(this);
}

void TabOverflow::addButton(QAction* action) {
    auto* button = new QToolButton(m_corner);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    button->setProperty("small", true);
    button->setAutoRaise(true);
    m_corner->layout()->addWidget(button);
}

bool TabOverflow::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest ||
        event->type() == QEvent::Show)
        fit();
    return false;
}

/// With the weight of the chosen one, which is the widest.
int TabOverflow::widthOf(int tab) const {
    QFont font = Sizes::text();
    font.setWeight(QFont::DemiBold);
    return QFontMetrics(font).horizontalAdvance(m_tabs->tabText(tab)) + qRound(Sizes::unit() * 2.25);
}

void TabOverflow::fit() {
    const int more = m_button->sizeHint().width();
    int room = m_tabs->width() - m_corner->sizeHint().width() + (m_button->isHidden() ? 0 : more);
    int needed = 0;
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        needed += widthOf(tab);
    const bool allFit = needed <= room;
    const int current = m_tabs->currentIndex();
    room -= (allFit ? 0 : more) + (current < 0 ? 0 : widthOf(current));
    if (current >= 0 && !m_tabs->isTabVisible(current)) // first: QTabWidget chooses a tab that is shown while the current one is hidden
        m_tabs->setTabVisible(current, true);
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        if (tab != current)
            room -= widthOf(tab);
        const bool shows = allFit || tab == current || room >= 0;
        if (m_tabs->isTabVisible(tab) != shows) // a change asks for another layout
            m_tabs->setTabVisible(tab, shows);
    }
    if (m_button->isHidden() != allFit)
        m_button->setVisible(!allFit);
}

} // namespace headroom::app
