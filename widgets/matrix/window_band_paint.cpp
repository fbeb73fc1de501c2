// SPDX-License-Identifier: GPL-3.0-or-later
// How the band looks: at rest, hovered, dragged, focused, without a window; and how it is described.
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/window_band.h"

#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QToolTip>

#include <cmath>
#include <utility>

namespace headroom::widgets {

namespace {

constexpr double kLargestTag = 1.0 / 6; ///< of the map, at rest: a larger one would hide what it is about

void strokeEdges(QPainter& painter, const BandEdges& edges, const QColor& colour, double width,
                 Qt::PenStyle style = Qt::SolidLine) {
    strokeOnMap(painter, edges.upper, colour, width, style);
    strokeOnMap(painter, edges.lower, colour, width, style);
}

/// A thin double arrow across the diagonal: the direction in which the line moves.
void paintArrow(QPainter& painter, QPointF centre, double size, const QColor& colour) {
    const double half = size * 0.22, head = size * 0.20;
    painter.setPen(QPen(colour, size * 0.085, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF from = centre + QPointF(-half, half), to = centre + QPointF(half, -half);
    painter.drawLine(from, to);
    painter.drawPolyline(QPolygonF{to - QPointF(head, 0), to, to + QPointF(0, head)});
    painter.drawPolyline(QPolygonF{from + QPointF(head, 0), from, from - QPointF(0, head)});
}

} // namespace

MapTag WindowBand::tag() const {
    const auto& theme = Theme::current();
    const bool block = m_kind == BandShape::Kind::Block, masked = m_kind == BandShape::Kind::Masked;
    const int shown = shownWindow();
    const auto said = [block, masked](int window) {
        return window <= 0 ? masked ? tr("masked") : tr("full") : block ? tr("local %1 block").arg(window) : QString::number(window);
    };
    const auto loss = [this, masked](int window) {
        return window <= 0 && !masked ? QStringLiteral("0") : number(lossOf(window), 3);
    };
    const QString of = m_measured.isEmpty() ? QString() : m_measured + QStringLiteral(": ");
    MapTag tag;
    tag.edge = theme.band;
    if (!m_typed.isEmpty()) {
        const int typed = m_typed.toInt();
        const bool rounded = !block && typed % 2 == 0;
        tag.lines = {
            {tr("w = %1▏").arg(m_typed), true},
            {rounded ? tr("Enter sets w = %1; windows are odd").arg(typed + 1) : tr("Enter sets it"), false}};
    } else if (isDragging()) {
        const QString head = block ? said(shown) : tr("w = %1").arg(shown);
        const bool hadLoss = m_kindsBefore.isEmpty() || (masked && m_window <= 0); // mixed heads have none
        tag.lines = {{tr("%1, was %2").arg(head, hadLoss || !m_kinds.isEmpty() ? said(m_window) : m_kindsBefore), true},
                     {!m_kinds.isEmpty() ? m_kinds
                      : hadLoss          ? of + tr("CL %1, was %2").arg(loss(shown), loss(m_window))
                                         : of + tr("CL %1").arg(loss(shown)),
                      false}};
    } else if (!m_kinds.isEmpty()) {
        tag.lines = {{m_kinds, true}};
        if (masked && shown <= 0)
            tag.lines.push_back({of + tr("CL %1").arg(loss(0)), false});
        if (shown <= 0 && suggestedWindow() > 0)
            tag.lines.push_back({tr("suggested %1").arg(m_suggested), false});
    } else if (shown <= 0 && m_suggestsFull && m_suggested > 0) {
        tag.lines = {{tr("%1, as suggested").arg(said(0)), true},
                     {(m_suggestedOfSeveral ? tr("CL %1; w = %2 loses %3 on average") : tr("CL %1; w = %2 loses %3"))
                          .arg(loss(0))
                          .arg(m_suggested)
                          .arg(number(m_suggestedLoss, 3)),
                      false}};
    } else if (shown <= 0) {
        tag.lines = {{m_suggested > 0 ? tr("%1, suggested %2").arg(said(0)).arg(m_suggested) : said(0), true},
                     {tr("CL %1").arg(loss(0)), false}};
    } else if (block) {
        tag.lines = {{said(shown), true}, {of + tr("CL %1").arg(loss(shown)), false}};
    } else {
        const QString sign = masked ? QStringLiteral("−") : QStringLiteral("±"); // a masked head sees nothing later
        const QString tokens = tr("w = %1: %2%3").arg(shown).arg(sign, counted(shown / 2, tr("1 token"), tr("%1 tokens")));
        const double milliseconds = shown / 2 * m_mapping.clock.cellStep().value() * 1000;
        tag.lines = {
            {m_mapping.unit == AxisUnit::Tokens ? tokens : tr("%1, %2%3\u202fms").arg(tokens, sign, timeText(milliseconds, 0)), true},
            {of + tr("CL %1, inside %2").arg(loss(shown), number(1 - lossOf(shown), 3)), false}};
    }
    if (!m_otherBasis.isEmpty() && m_suggested > 0 && shown <= 0 && m_typed.isEmpty() && !isDragging())
        tag.lines.push_back({tr("suggested %1").arg(m_otherBasis), false});
    if (m_ofDifference) // its numbers are not those of the map
        tag.lines.front().text.prepend(tr("B: "));
    return tag;
}

void WindowBand::updateDescription() {
    if (!drawn().m_kinds.isEmpty())
        return setAccessibleDescription(drawn().m_kinds + QLatin1Char('.'));
    if (m_inPlace) // no key changes it
        return setAccessibleDescription(tr("%1, contribution loss %2.")
                                            .arg(m_inPlace->m_window > 0                       ? tr("Window %1").arg(m_inPlace->m_window)
                                                 : m_inPlace->m_kind == BandShape::Kind::Masked ? tr("No window: masked")
                                                                                                : tr("No window: full"),
                                                 number(m_inPlace->lossOf(m_inPlace->m_window), 3)));
    const double loss = lossOf(m_window);
    setAccessibleDescription(
        m_window <= 0 && m_kind == BandShape::Kind::Masked
            ? tr("No window: masked, contribution loss %1. Down sets one.").arg(number(loss, 3))
        : m_window > 0 ? tr("Window %1, contribution loss %2. Up and Down change it, Home sets 1, End sets "
                          "full.")
                           .arg(m_window)
                           .arg(number(loss, 3))
                     : tr("No window: full, contribution loss 0. Down sets one."));
}

void WindowBand::paintGrip(QPainter& painter, QPointF centre, bool filled) const {
    const auto& theme = Theme::current();
    const double size = 2 * Sizes::unit();
    const QRectF box(centre.x() - size / 2, centre.y() - size / 2, size, size);
    QColor dark = theme.bandCasing;
    dark.setAlpha(255);
    painter.setPen(QPen(filled ? dark : theme.band, scaledPixels(filled ? 1 : 1.5)));
    painter.setBrush(filled ? theme.band : dark);
    painter.drawRoundedRect(box, scaledPixels(4), scaledPixels(4));
    paintArrow(painter, centre, size, filled ? dark : theme.band);
    if (filled && hasFocus()) {
        const double away = scaledPixels(3);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(dark, scaledPixels(4)));
        painter.drawRoundedRect(box.adjusted(-away, -away, away, away), scaledPixels(6), scaledPixels(6));
        painter.setPen(QPen(theme.crossHair, scaledPixels(2)));
        painter.drawRoundedRect(box.adjusted(-away, -away, away, away), scaledPixels(6), scaledPixels(6));
    }
}

void WindowBand::paintDragged(QPainter& painter) const {
    const auto& theme = Theme::current();
    // What the new window would lose: everything outside it.
    QPainterPath outside;
    outside.addRect(m_mapping.plot);
    QColor dim = theme.bandCasing;
    dim.setAlphaF(0.45F);
    painter.fillPath(outside.subtracted(bandArea(m_mapping, shape())), dim);
    if (shownWindow() != m_window)
        strokeEdges(painter, bandEdges(m_mapping, {m_kind, m_window}), theme.crossHair, scaledPixels(1.25),
                    Qt::DashLine);
}

void WindowBand::paintEvent(QPaintEvent*) {
    if (!m_visible || m_mapping.empty())
        return;
    QPainter painter(this);
    const QRectF place = tagRect();
    if (std::exchange(m_paintedTag, place) != place)
        QMetaObject::invokeMethod(this, &WindowBand::tagMoved, Qt::QueuedConnection); // nobody moves while it paints
    if (m_inPlace) {
        renderTo(painter, m_mapping);
        if (!place.isEmpty())
            shownTag().paint(painter, place.topLeft());
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(m_mapping.plot);
    const auto& theme = Theme::current();
    const bool active = m_hovered || hasFocus() || isDragging();
    if (isDragging())
        paintDragged(painter);
    const auto edges = bandEdges(m_mapping, graspable());
    const bool grasped = !edges.empty() && graspable().window > 0, suggests = shownWindow() <= 0 && grasped;
    strokeEdges(painter, edges, theme.band, scaledPixels(active ? 2.25 : 1.75), suggests ? Qt::DashLine : Qt::SolidLine);
    const auto [upper, lower] = grips();
    if (active && grasped) {
        paintGrip(painter, lower, false);
        paintGrip(painter, upper, true);
    } else if (hasFocus()) { // full, and nothing suggested: the ring goes round the whole map
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.crossHair, scaledPixels(2)));
        painter.drawRect(m_mapping.plot.adjusted(2, 2, -2, -2));
    }
    if (!place.isEmpty())
        shownTag().paint(painter, place.topLeft());
}

QRectF WindowBand::tagRect() const {
    if (!m_visible || m_mapping.empty())
        return {};
    const QRectF resting = restingTag(shownTag());
    if (m_inPlace)
        return m_inPlace->shownWindow() <= 0 && !hidesTag() ? resting : QRectF();
    if (!m_hovered && !hasFocus() && !isDragging())
        return shownWindow() > 0 || m_ofDifference || hidesTag() ? QRectF() : resting;
    // Beside the upper grip, where the window is large enough for the tag not to hide what is inside it.
    const QRectF beside(grips().first + QPointF(2 * Sizes::unit(), -4 * Sizes::unit()), resting.size());
    const bool grasped = graspable().window > 0 && !bandEdges(m_mapping, graspable()).empty();
    return grasped && m_mapping.plot.adjusted(4, 4, -4, -4).contains(beside) ? beside : resting;
}

MapTag WindowBand::shownTag() const {
    const double width = m_mapping.plot.width() - 2 * Sizes::unit(); // of two maps side by side, each is narrow
    const double most = m_mapping.plot.width() * m_mapping.plot.height() * kLargestTag;
    const auto fits = [most](const MapTag& tag) { return tag.size().width() * tag.size().height() <= most; };
    MapTag tag = drawn().tag(), shown = tag.within(width);
    if (fits(shown) || m_hovered || hasFocus() || isDragging())
        return shown;
    tag.lines.resize(1);
    if (shown = tag.within(width); fits(shown))
        return shown;
    QString& text = tag.lines.front().text; // "full", "w = 17", "B: full"
    static const QRegularExpression more(QStringLiteral("(?<!^B)[,:] "));
    text = text.left(text.indexOf(more));
    return tag.within(width);
}

QString WindowBand::tipAt(QPointF point) const {
    const MapTag shown = shownTag(), whole = drawn().tag();
    QStringList shownWords, lines;
    for (const MapTag::Line& line : shown.lines)
        shownWords << line.text;
    for (const MapTag::Line& line : whole.lines)
        lines << line.text;
    const bool rests = m_visible && !m_mapping.empty() && drawn().shownWindow() <= 0;
    return rests && restingTag(shown).contains(point) && shownWords.join(u' ') != lines.join(u' ') ? lines.join(u'\n') : QString();
}

bool WindowBand::showTip(const QHelpEvent& event) {
    const QString tip = tipAt(event.pos());
    if (!tip.isEmpty())
        QToolTip::showText(event.globalPos(), tip, this);
    return !tip.isEmpty();
}

QRectF WindowBand::restingTag(const MapTag& tag) const {
    const double corner = Sizes::unit();
    return {QPointF(m_mapping.plot.left() + corner, m_mapping.plot.bottom() - corner - tag.size().height()), tag.size()};
}

bool WindowBand::hidesTag() const {
    if (!m_mouse || m_mapping.empty() || drawn().shownWindow() > 0)
        return false;
    const double near = 2 * Sizes::unit();
    return restingTag(shownTag()).adjusted(-near, -near, near, near).contains(*m_mouse);
}

void WindowBand::setMouse(std::optional<QPointF> mouse) {
    const bool hid = hidesTag();
    m_mouse = mouse;
    if (hidesTag() != hid)
        update();
}

void WindowBand::renderTo(QPainter& painter, const MatrixMapping& mapping) const {
    if (!m_visible)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(mapping.plot, Qt::IntersectClip);
    const WindowBand& of = drawn();
    const int suggested = of.m_window > 0 || (m_ofDifference && !m_inPlace) ? 0 : of.m_suggested;
    strokeEdges(painter, bandEdges(mapping, {of.m_kind, suggested > 0 ? suggested : of.m_window}), Theme::current().band,
                scaledPixels(1.75), suggested > 0 ? Qt::DashLine : Qt::SolidLine);
    painter.restore();
}

} // namespace headroom::widgets
