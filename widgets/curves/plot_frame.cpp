// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/plot_frame.h"

#include "widgets/curves/plot_style.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QPainter>

namespace headroom::widgets {
namespace {

QSize inPixels(QSize units) {
    return {static_cast<int>(units.width() * Sizes::unit()),
            static_cast<int>(units.height() * Sizes::unit())};
}

} // namespace

PlotFrame::PlotFrame(QSize preferredUnits, QSize leastUnits, QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_preferred(preferredUnits)
    , m_least(leastUnits) {
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
}

void PlotFrame::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PlotFrame::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void PlotFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    if (!hasFocus())
        return;
    const double width = Sizes::unit() / 4;
    painter.setPen(QPen(theme.accent, width));
    painter.drawRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

void PlotFrame::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int ring = static_cast<int>(Sizes::unit() / 4) + 1;
    const QRect inner = rect().adjusted(ring, ring, -ring, -ring);
    if (inner.isEmpty())
        return; // in a dock that is closed, or not laid out yet: there is nothing to draw on
    m_plot->setGeometry(inner);
    layOut(m_plot->size());
}

void PlotFrame::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        redraw();
}

void PlotFrame::layOut(QSize size) {
    // Titles are placed by the axis rectangle, which a hidden widget would not have yet.
    m_plot->setViewport(QRect(QPoint(), size));
    m_plot->replot();
    redraw();
}

void PlotFrame::renderTo(QPainter& painter, const QRect& target) {
    layOut(target.size());
    renderPlot(*m_plot, painter, target);
    layOut(m_plot->size());
}

QSize PlotFrame::sizeHint() const {
    return inPixels(m_preferred);
}

QSize PlotFrame::minimumSizeHint() const {
    return inPixels(m_least);
}

} // namespace headroom::widgets
