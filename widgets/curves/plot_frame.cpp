// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/plot_frame.h"

#include "widgets/curves/plot_style.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>

namespace headroom::widgets {
namespace {

QSize inPixels(QSize units) {
    return {static_cast<int>(units.width() * Sizes::unit()),
            static_cast<int>(units.height() * Sizes::unit())};
}

constexpr int kMostKeyRows = 3; // on the screen
constexpr double kKeyIndent = 4.75; // units: where the axes begin, see styleCurvePlot()

double keyRoom(int width) {
    return width - (kKeyIndent + 1) * Sizes::unit();
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
    connect(m_plot, &QCustomPlot::beforeReplot, this, [this] { fitTicks(*m_plot); });
}

bool PlotFrame::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_keyOutside || m_key.empty())
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const KeyRows rows = layKey(m_key, keyRoom(inner().width()), kMostKeyRows);
    QStringList names;
    bool elided = rows.left > 0;
    for (std::size_t i = 0; i < m_key.size(); ++i) {
        names << m_key[i].name;
        elided = elided || (i < rows.entries.size() && rows.entries[i].text != m_key[i].name);
    }
    if (!elided || help->pos().y() <= m_plot->geometry().bottom() - Sizes::unit() / 2)
        return QWidget::event(event);
    QToolTip::showText(help->globalPos(), names.join(QLatin1Char('\n')), this);
    return true;
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
    if (!m_keyOutside && !m_key.empty()) {
        painter.setRenderHint(QPainter::Antialiasing);
        const double width = keyRoom(inner().width());
        paintKey(painter, m_plot->pos() + keyCorner(m_plot->size()), width, m_key,
                 layKey(m_key, width, kMostKeyRows));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (!hasFocus())
        return;
    const double width = Sizes::unit() / 4;
    painter.setPen(QPen(theme.accent, width));
    painter.drawRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

QRect PlotFrame::inner() const {
    const int ring = static_cast<int>(Sizes::unit() / 4) + 1;
    return rect().adjusted(ring, ring, -ring, -ring);
}

QSize PlotFrame::withoutKey(QSize size) const {
    return {size.width(), std::max(size.height() - keyHeight(size.width()), 1)};
}

int PlotFrame::keyHeight(int width) const {
    if (m_keyOutside && !m_rendering)
        return 0;
    return static_cast<int>(layKey(m_key, keyRoom(width), m_rendering ? figureRows() : kMostKeyRows).height + 0.999);
}

/// A figure has no tool tip with the whole names, so it gives them as many rows as they need.
int PlotFrame::figureRows() const {
    return static_cast<int>(m_key.size());
}

/// Names and the title begin where the axes do.
int PlotFrame::figureWidth() const {
    const double widest = std::max(m_titleWidth, widestKeyEntry(m_key));
    return std::max(width(), static_cast<int>(widest + (kKeyIndent + 1) * Sizes::unit()) + 1);
}

QSize PlotFrame::figureSize() const {
    const double needed = layKey(m_key, keyRoom(figureWidth()), figureRows()).height;
    const int axes = std::max(height() - keyHeight(inner().width()), inPixels(m_preferred).height()); // not as flat as in a low window
    return {figureWidth(), axes + static_cast<int>(needed + 0.999)};
}

QPointF PlotFrame::keyCorner(QSize plot) const {
    return {kKeyIndent * Sizes::unit(), plot.height() - Sizes::unit() / 2};
}

void PlotFrame::setKeyOutside(bool outside) {
    m_keyOutside = outside;
    redraw();
}

void PlotFrame::setKey(std::vector<KeyEntry> entries) {
    const bool changed = entries != m_key;
    m_key = std::move(entries);
    if (!m_rendering && !inner().isEmpty()) {
        const QRect place(inner().topLeft(), withoutKey(inner().size()));
        if (m_plot->geometry() != place) {
            m_plot->setGeometry(place);
            m_plot->setViewport(QRect(QPoint(), place.size()));
            m_plot->replot(); // lays out the axes, which redraw() measures
        }
        update();
    }
    if (changed) {
        updateGeometry();
        Q_EMIT keyChanged();
    }
}

QRect PlotFrame::keyRect(int id) const {
    if (m_keyOutside)
        return {};
    const KeyRows rows = layKey(m_key, keyRoom(inner().width()), kMostKeyRows);
    for (std::size_t i = 0; i < rows.entries.size(); ++i)
        if (m_key[i].id == id)
            return rows.entries[i].box.translated(m_plot->pos() + keyCorner(m_plot->size())).toAlignedRect();
    return {};
}

void PlotFrame::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (inner().isEmpty())
        return; // in a dock that is closed, or not laid out yet: there is nothing to draw on
    m_plot->setGeometry(QRect(inner().topLeft(), withoutKey(inner().size())));
    layOut(m_plot->size());
    if (!m_key.empty())
        updateGeometry(); // it may have more rows
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
    m_rendering = true;
    const QSize size = withoutKey(target.size());
    layOut(size);
    painter.fillRect(target, Theme::current().panel);
    renderPlot(*m_plot, painter, QRect(target.topLeft(), size));
    const double width = keyRoom(target.width());
    paintKey(painter, target.topLeft() + keyCorner(size), width, m_key, layKey(m_key, width, figureRows()));
    m_rendering = false;
    layOut(m_plot->size());
}

void PlotFrame::setLeastHeight(int units) {
    m_least.setHeight(units);
    updateGeometry();
}

QSize PlotFrame::sizeHint() const {
    return inPixels(m_preferred);
}

/// The key takes no room from the axes.
QSize PlotFrame::minimumSizeHint() const {
    const QSize least = inPixels(m_least);
    return {least.width(), least.height() + keyHeight(std::max(inner().width(), least.width()))};
}

} // namespace headroom::widgets
