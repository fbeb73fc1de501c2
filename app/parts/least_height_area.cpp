// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/least_height_area.h"

#include "widgets/look/sizes.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLayout>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace headroom::app {

/// Without a layout of its own, so that the area asks for its least size alone.
class LeastHeightArea::Room : public QWidget {
public:
    explicit Room(QWidget* content) : m_content(content) { content->setParent(this); }

    QSize minimumSizeHint() const override {
        const QLayout* layout = m_content->layout();
        const QSize least = m_content->minimumSizeHint();
        const int height = layout && layout->hasHeightForWidth() ? layout->totalMinimumHeightForWidth(std::max(width(), least.width())) : least.height();
        return {least.width(), height + m_more};
    }
    int more() const { return m_more; }
    void setMore(int more) { ///< than the least height
        if (std::exchange(m_more, more) != more)
            updateGeometry();
    }

protected:
    void resizeEvent(QResizeEvent*) override {
        m_content->setGeometry(rect());
        updateGeometry(); // lines may wrap otherwise
    }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) // nobody asks what is hidden
            updateGeometry();
        return QWidget::event(event);
    }

private:
    QWidget* m_content;
    int m_more = 0;
};

LeastHeightArea::LeastHeightArea(QWidget* content, QWidget* parent) : QScrollArea(parent), m_content(content), m_room(new Room(content)) {
    setWidget(m_room);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
}

void LeastHeightArea::keepLastInSight(QBoxLayout* views) {
    m_views = views;
    m_last = views->itemAt(views->count() - 1)->widget();
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &LeastHeightArea::arrange);
}

void LeastHeightArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange(); // the range stays the same while the first view fills the area
}

void LeastHeightArea::arrange() {
    if (!m_last)
        return;
    int lines = 0; // below the views
    const QLayout* layout = m_content->layout();
    for (int i = layout->count() - 1; i >= 0 && layout->itemAt(i)->layout() != m_views && layout != m_views; --i)
        if (QLayoutItem* item = layout->itemAt(i); !item->isEmpty())
            lines += item->hasHeightForWidth() ? item->heightForWidth(m_content->width()) : item->sizeHint().height();
    const int own = m_last->minimumSizeHint().height(), added = std::max(0, m_last->minimumHeight() - own);
    const int missing = m_room->minimumSizeHint().height() - m_room->more() - added - viewport()->height();
    const int end = m_views->count() - 1, from = m_views->itemAt(0)->widget() == m_last ? 0 : end, to = missing > lines ? 0 : end;
    if (from != to) {
        const int stretch = m_views->stretch(from);
        m_views->insertItem(to, m_views->takeAt(from)); // a layout within the layout would get its preferred height where lines wrap
        m_views->setStretch(to, stretch);
    }
    const bool fills = to == 0 && end > 0;
    m_last->setMinimumHeight(fills ? std::max(own, viewport()->height()) : 0);
    // Where lines wrap, a layout counts the least height of what stands in it, and hands out the preferred one: the last view would lose it.
    int more = 0;
    for (int i = 1; fills && i <= end; ++i)
        if (const QLayoutItem* item = m_views->itemAt(i); item->hasHeightForWidth())
            more += std::max(0, item->heightForWidth(m_content->width()) - item->minimumHeightForWidth(m_content->width()));
    m_room->setMore(more);
}

QSize LeastHeightArea::sizeHint() const {
    return m_content->sizeHint();
}

QSize LeastHeightArea::minimumSizeHint() const {
    constexpr int kLeast = 10; // units
    return {m_content->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), qRound(kLeast * widgets::Sizes::unit())};
}

} // namespace headroom::app
