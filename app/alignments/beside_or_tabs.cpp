// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/beside_or_tabs.h"

#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

BesideOrTabs::BesideOrTabs(const Part& left, const Part& right, int wide, QWidget* parent)
    : QWidget(parent)
    , m_wide(wide)
    , m_parts{left.widget, right.widget}
    , m_tabs(new QTabBar(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this)) {
    for (const Part& part : {left, right}) {
        m_tabs->addTab(part.title);
        m_splitter->addWidget(part.widget);
        m_splitter->setStretchFactor(m_splitter->count() - 1, part.units);
    }
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_splitter->setChildrenCollapsible(false);
    const int unit = qRound(Sizes::unit());
    m_sizes = {unit * left.units, unit * right.units};
    m_splitter->setSizes(m_sizes);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_tabs);
    layout->addWidget(m_splitter, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &BesideOrTabs::arrange);
    widgets::withTextSize(this, [this] { arrange(); });
}

void BesideOrTabs::bring(const QWidget* part) {
    m_tabs->setCurrentIndex(part == m_parts[1] ? 1 : 0);
}

void BesideOrTabs::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

/// One part alone also asks for less width: a panel that asks for both would make the columns beside it narrower.
void BesideOrTabs::arrange() {
    const bool isNarrow = width() < m_wide * Sizes::unit();
    if (isNarrow && m_tabs->isHidden())
        m_sizes = m_splitter->sizes();
    const bool widens = !isNarrow && !m_tabs->isHidden();
    m_tabs->setVisible(isNarrow);
    for (int i = 0; i < 2; ++i)
        m_parts[static_cast<std::size_t>(i)]->setVisible(!isNarrow || m_tabs->currentIndex() == i);
    if (widens)
        m_splitter->setSizes(m_sizes); // a part that was hidden would come back with its least width
}

} // namespace headroom::app
