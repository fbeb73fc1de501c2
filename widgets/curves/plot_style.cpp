// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/plot_style.h"

#include "widgets/curves/whole_graph.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QFontMetrics>
#include <QPen>
#include <QPicture>
#include <QtMath>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace headroom::widgets {

namespace {

/// Whether two neighbouring numbers of this axis would touch if it were `length` pixels long.
bool ticksTouch(QCPAxis& axis, double length) {
    QVector<double> ticks;
    QVector<QString> labels;
    axis.ticker()->generate(axis.range(), axis.parentPlot()->locale(), axis.numberFormat().at(0), axis.numberPrecision(),
                            ticks, nullptr, &labels);
    const QFontMetricsF font(axis.tickLabelFont());
    const bool upright = axis.orientation() == Qt::Vertical, logarithmic = axis.scaleType() == QCPAxis::stLogarithmic;
    const auto place = [&](double value) {
        const QCPRange range = axis.range();
        return length * (logarithmic ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                                     : (value - range.lower) / range.size());
    };
    double before = -1e9;
    for (qsizetype i = 0; i < ticks.size() && i < labels.size(); ++i) {
        if (labels[i].isEmpty() || !axis.range().contains(ticks[i]))
            continue;
        // Digits have nothing below the line, so that numbers above each other may be as close as lines of text.
        const double half = (upright ? font.ascent() : font.horizontalAdvance(labels[i]) + Sizes::unit() / 2) / 2;
        if (place(ticks[i]) - half < before)
            return true;
        before = place(ticks[i]) + half;
    }
    return false;
}

} // namespace

void fitTicks(QCustomPlot& plot) {
    const QRect room = plot.viewport().marginsRemoved(plot.axisRect()->margins());
    if (room.isEmpty()) // not laid out yet
        return;
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        const double length = axis->orientation() == Qt::Vertical ? room.height() : room.width();
        int count = axis->ticker()->tickCount();
        if (auto fixed = axis->ticker().dynamicCast<QCPAxisTickerFixed>()) {
            fixed->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
            count = static_cast<int>(std::ceil(axis->range().size() / fixed->tickStep()));
        }
        for (axis->ticker()->setTickCount(std::max(count, 1)); count > 1 && ticksTouch(*axis, length);)
            axis->ticker()->setTickCount(--count);
    }
}

void styleCurvePlot(QCustomPlot& plot) {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    plot.setBackground(theme.panel);
    auto* frame = plot.axisRect();
    frame->setAutoMargins(QCP::msNone);
    frame->setMargins(QMargins(static_cast<int>(4.75 * unit), static_cast<int>(1.25 * unit),
                               static_cast<int>(1.5 * unit), static_cast<int>(4.75 * unit)));
    frame->setupFullAxesBox(true);
    for (auto* axis : frame->axes()) {
        axis->setTicker(QSharedPointer<QCPAxisTicker>::create()); // one that fitTicks() did not change
        const bool ticks = axis->axisType() == QCPAxis::atLeft || axis->axisType() == QCPAxis::atBottom;
        axis->setBasePen(QPen(theme.line, unit / 8));
        axis->setTickPen(QPen(theme.buttonBorder, unit / 8));
        axis->setSubTicks(false);
        axis->setTicks(ticks);
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(axis->axisType() == QCPAxis::atBottom ? static_cast<int>(unit / 2) : 0);
        axis->setTickLabelFont(Sizes::small());
        axis->setTickLabelColor(theme.text2);
        axis->setTickLabelPadding(static_cast<int>(unit / 2));
        axis->grid()->setPen(QPen(theme.grid, unit / 8));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    plot.xAxis->grid()->setVisible(false);
    QColor ground = theme.panel;
    ground.setAlphaF(0.85F);
    plot.legend->setBrush(ground);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setFont(Sizes::small());
    plot.legend->setTextColor(theme.text);
    plot.legend->setRowSpacing(static_cast<int>(unit / 4));
    plot.legend->setIconSize(static_cast<int>(2.5 * unit), static_cast<int>(1.25 * unit));
    plot.legend->setMargins(QMargins(4, 2, 4, 2));
}

QCPGraph* addWholeGraph(QCustomPlot& plot) {
    return new WholeGraph(plot);
}

QPen runPen(int style, double width) {
    const auto index = static_cast<std::size_t>(std::max(style, 0) % 6);
    const auto round = static_cast<std::size_t>(std::max(style, 0) / 6) % 6;
    const auto dash = (index + round) % 3 + round / 3 * 3; // another one in the next round of colours
    QPen pen(Theme::current().runs[index], width);
    pen.setCapStyle(Qt::FlatCap);
    if (dash > 0) {
        pen.setStyle(Qt::CustomDashLine);
        const std::array<QList<qreal>, 5> dashes{{{3.5, 1.5},
                                                  {1, 1.5},
                                                  {5, 1.5, 1, 1.5},
                                                  {3.5, 1.5, 1, 1.5, 1, 1.5},
                                                  {8, 2}}};
        pen.setDashPattern(dashes[dash - 1]);
    }
    return pen;
}

bool isOnCurve(const QCustomPlot& plot, const QRectF& box) {
    const auto crosses = [&box](const QPointF& from, const QPointF& to) {
        if (box.contains(from) || box.contains(to))
            return true;
        if (std::max(from.x(), to.x()) < box.left() || std::min(from.x(), to.x()) > box.right() ||
            std::max(from.y(), to.y()) < box.top() || std::min(from.y(), to.y()) > box.bottom())
            return false;
        const QLineF line(from, to), sides[] = {{box.topLeft(), box.bottomRight()},
                                                {box.topRight(), box.bottomLeft()}};
        return std::any_of(std::begin(sides), std::end(sides), [&line](const QLineF& diagonal) {
            return line.intersects(diagonal, nullptr) == QLineF::BoundedIntersection;
        });
    };
    for (int index = 0; index < plot.graphCount(); ++index) {
        QCPGraph* graph = plot.graph(index);
        if (!graph->visible() || (graph->pen().style() == Qt::NoPen && !graph->channelFillGraph()))
            continue;
        QPointF before;
        bool any = false;
        for (auto point = graph->data()->constBegin(); point != graph->data()->constEnd(); ++point) {
            const QPointF here = graph->coordsToPixels(point->key, point->value);
            if (std::isfinite(point->value) && (any ? crosses(before, here) : box.contains(here)))
                return true;
            any = std::isfinite(point->value);
            before = here;
        }
    }
    return false;
}

QString elidedInMiddle(const QString& name, const QFontMetricsF& font, double width) {
    const QString cut = font.elidedText(name, Qt::ElideMiddle, width);
    const qsizetype at = cut.indexOf(QChar(0x2026));
    if (cut == name || at < 0)
        return cut;
    const auto isPart = [&](qsizetype i) {
        return name[i].isDigit() || name[i] == QLatin1Char(',') || name[i] == QLatin1Char('.');
    };
    const auto splits = [&](qsizetype i) { return i > 0 && i < name.size() && isPart(i - 1) && isPart(i); };
    qsizetype head = at, tail = name.size() - (cut.size() - at - 1);
    while (splits(tail))
        --tail;
    const auto whole = [&] { return name.left(head) + QChar(0x2026) + name.mid(tail); };
    while (head > 0 && (splits(head) || font.horizontalAdvance(whole()) > width))
        --head;
    return font.horizontalAdvance(whole()) > width ? cut : whole();
}

QString elidedName(const QString& name) {
    return elidedInMiddle(name, QFontMetricsF(Sizes::small()), 16 * Sizes::unit());
}

void renderPlot(QCustomPlot& plot, QPainter& painter, const QRect& target) {
    QPicture picture;
    QCPPainter recorder;
    recorder.begin(&picture);
    recorder.setMode(QCPPainter::pmVectorized);
    recorder.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&recorder, target.width(), target.height());
    recorder.end();
    painter.drawPicture(target.topLeft(), picture);
}

} // namespace headroom::widgets
