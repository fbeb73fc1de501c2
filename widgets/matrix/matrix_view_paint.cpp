// SPDX-License-Identifier: GPL-3.0-or-later
// The map, its two axes, its scale and its cross-hair.
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/scale_numbers.h"
#include "widgets/time_axis/ticks.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

struct Tick {
    double time;
    QString label;
};

/// Those within the extent of the axis, at least `apart` pixels from each other. `whole`: seconds without the ".0" of a step of
/// seconds.
std::vector<Tick> ticks(TimeSpan span, double pixels, double apart, const TimeAxis& axis, bool whole = false) {
    std::vector<Tick> found;
    const TimeTicks all = TimeTicks::over(span, pixels, apart, axis.unit());
    for (const Seconds time : all.labelled)
        if (time.value() >= -1e-9 && time.value() <= axis.extent().value() + 1e-9)
            found.push_back({time.value(), whole && all.decimals == 0 && !axis.countsTokens() ? numberText(time.value(), 0) : all.label(time)});
    return found;
}

double widestOf(const std::vector<Tick>& ticks, const QFontMetricsF& metrics) {
    double widest = 0;
    for (const Tick& tick : ticks)
        widest = std::max(widest, metrics.horizontalAdvance(tick.label));
    return widest;
}

} // namespace

void LayerMatrixView::paintLane(QPainter& painter) {
    if (!m_map || !hasSound()) {
        paintNothing(painter);
        return;
    }
    const QRectF map = mapRect();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.fillRect(map, Theme::current().alternate);
    const QImage picture = image(pixelRatio(painter));
    painter.save();
    painter.setClipRect(map, Qt::IntersectClip);
    painter.drawImage(map.topLeft(), picture);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing);
    paintQueryAxis(painter);
    paintKeyAxis(painter);
    paintScale(painter);
    if (isExporting())
        m_band->renderTo(painter, mapping());
}

void LayerMatrixView::paintNothing(QPainter& painter) const {
    const auto& theme = Theme::current();
    const QRectF map = mapRect();
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    painter.setBrush(theme.alternate);
    painter.drawRect(map.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.drawLine(map.topLeft(), map.bottomRight());
    const QFontMetricsF metrics(Sizes::text());
    QRectF text = metrics.boundingRect(map.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                                       m_emptySentence);
    const double around = Sizes::unit();
    painter.fillRect(text.adjusted(-around, -around, around, around), theme.alternate);
    painter.setFont(Sizes::text());
    painter.setPen(theme.text2);
    painter.drawText(map.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, m_emptySentence);
}

void LayerMatrixView::paintQueryAxis(QPainter& painter) const {
    const auto& theme = Theme::current();
    const auto where = mapping();
    const double words = m_words.empty() ? 0 : scaledPixels(20);
    const double right = where.plot.left() - words;
    if (!m_words.empty())
        paintWords(painter, right, words);
    painter.setFont(Sizes::small());
    const QFontMetricsF metrics(Sizes::small());
    const double numbers = right - scaledPixels(6), edge = laneRect().left(); // right of the numbers, left of all
    auto labelled = ticks(where.queries, where.plot.height(), scaledPixels(56), *axis());
    if (numbers - widestOf(labelled, metrics) < edge)
        labelled = ticks(where.queries, where.plot.height(), scaledPixels(56), *axis(), true);
    for (const auto& tick : labelled) {
        const double y = where.yOf(Seconds(tick.time));
        painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
        painter.drawLine(QPointF(right - scaledPixels(4), y), QPointF(right, y));
        painter.setPen(theme.text2);
        const double baseline =
            std::clamp(y + metrics.ascent() / 2 - scaledPixels(1),
                       where.plot.top() + metrics.ascent() - scaledPixels(2), where.plot.bottom());
        painter.drawText(QPointF(numbers - metrics.horizontalAdvance(tick.label), baseline), tick.label);
    }
    painter.setPen(theme.text2);
    const bool tokens = axis()->countsTokens();
    const double titleBaseline = edge + metrics.ascent() + scaledPixels(m_words.empty() ? 8 : 0);
    const QString whole = tokens ? tr("query, token") : tr("query, s");
    if (numbers - widestOf(labelled, metrics) < titleBaseline + metrics.descent()) { // then it stands below them, like that of the keys
        const double from = edge + scaledPixels(4);
        return painter.drawText(QPointF(from, keyBaseline()), from + metrics.horizontalAdvance(whole) < where.plot.left() ? whole : tr("query"));
    }
    QString title = tokens ? tr("attending (query), token") : tr("attending (query), s");
    const double middle = where.plot.center().y();
    if (metrics.horizontalAdvance(title) > 2 * std::min(middle, laneRect().height() - middle)) // a low map
        title = whole;
    painter.save();
    painter.translate(titleBaseline, middle + metrics.horizontalAdvance(title) / 2);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), title);
    painter.restore();
}

/// Of the numbers and titles below the map.
double LayerMatrixView::keyBaseline() const {
    return mapRect().bottom() + scaledPixels(6) + QFontMetricsF(Sizes::small()).ascent();
}

void LayerMatrixView::paintWords(QPainter& painter, double left, double width) const {
    const auto& theme = Theme::current();
    const auto where = mapping();
    const auto cursor = axis()->cursor();
    const QFontMetricsF metrics(Sizes::small());
    painter.save();
    painter.setFont(Sizes::small());
    painter.setClipRect(QRectF(left, where.plot.top(), width, where.plot.height()), Qt::IntersectClip);
    for (const auto& word : m_words) {
        const double top = std::max(where.yOf(word.start), where.plot.top());
        const double bottom = std::min(where.yOf(word.end), where.plot.bottom());
        if (bottom <= top)
            continue;
        const QRectF box(left, top, width, bottom - top);
        const bool silent = word.label.empty();
        const bool current = cursor && *cursor >= word.start && *cursor < word.end;
        painter.fillRect(box, current ? theme.selectedRow : silent ? theme.alternate : theme.panel);
        painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
        painter.drawLine(QPointF(left, top), QPointF(left + width, top));
        painter.drawLine(QPointF(left, bottom), QPointF(left + width, bottom));
        painter.drawLine(QPointF(left, top), QPointF(left, bottom));
        const QString text = silent ? tr("silence") : QString::fromStdString(word.label);
        const double advance = metrics.horizontalAdvance(text);
        painter.setPen(silent ? theme.text3 : theme.text);
        // The beginning of a long word, else a dot; the tool tip and the tier above have the whole of it.
        const QString shown = metrics.elidedText(text, Qt::ElideRight, box.height() - scaledPixels(2));
        if (shown != text && shown.size() < 3) {
            if (!silent && box.height() > scaledPixels(4))
                painter.drawText(box, Qt::AlignCenter, QStringLiteral("·"));
            continue;
        }
        painter.save();
        painter.translate(box.center().x() + metrics.ascent() / 2 - scaledPixels(1),
                          box.center().y() + std::min(advance, metrics.horizontalAdvance(shown)) / 2);
        painter.rotate(-90);
        painter.drawText(QPointF(0, 0), shown);
        painter.restore();
    }
    painter.restore();
}

void LayerMatrixView::paintKeyAxis(QPainter& painter) const {
    const auto& theme = Theme::current();
    const auto where = mapping();
    const QFontMetricsF metrics(Sizes::small());
    painter.setFont(Sizes::small());
    const double baseline = keyBaseline();
    std::vector<std::pair<double, double>> taken; // from, to
    for (const auto& tick : ticks(where.keys, where.plot.width(), scaledPixels(72), *axis())) {
        const double x = where.xOf(Seconds(tick.time));
        painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
        painter.drawLine(QPointF(x, where.plot.bottom()), QPointF(x, where.plot.bottom() + scaledPixels(4)));
        const double advance = metrics.horizontalAdvance(tick.label);
        const double left = std::clamp(x - advance / 2, where.plot.left(), where.plot.right() - advance);
        painter.setPen(theme.text2);
        painter.drawText(QPointF(left, baseline), tick.label);
        taken.emplace_back(left - scaledPixels(8), left + advance + scaledPixels(8));
    }
    // The title stands in the line of numbers: in the gap nearest to the middle, as long as the gap allows.
    painter.setPen(theme.text2);
    const bool tokens = axis()->countsTokens();
    for (const QString& title : {tokens ? tr("attended (key), token") : tr("attended (key), s"),
                                 tokens ? tr("key, token") : tr("key, s")}) {
        const double width = metrics.horizontalAdvance(title);
        double best = -1;
        for (std::size_t gap = 0; gap <= taken.size(); ++gap) {
            const double from = gap == 0 ? where.plot.left() : taken[gap - 1].second;
            const double to = gap == taken.size() ? where.plot.right() : taken[gap].first;
            if (to - from < width)
                continue;
            const double middle = where.plot.center().x();
            const double left = std::clamp(middle - width / 2, from, to - width);
            if (best < 0 || std::abs(left + width / 2 - middle) < std::abs(best + width / 2 - middle))
                best = left;
        }
        if (best >= 0)
            return painter.drawText(QPointF(best, baseline), title);
    }
}

void LayerMatrixView::paintScale(QPainter& painter) const {
    const auto& theme = Theme::current();
    const QRectF map = mapRect();
    const QFontMetricsF metrics(Sizes::small());
    const double left = map.right() + scaledPixels(6);
    QFont bold = Sizes::caption();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.text);
    const double baseline = map.top() + metrics.ascent() + scaledPixels(2);
    painter.drawText(QPointF(left, baseline), names().symbol);
    const auto [low, high] = range();
    const bool signedValues = m_negated && !m_inPlace;
    const ScaleNumbers numbers = scaleNumbers(high);
    double top = map.top() + scaledPixels(26);
    if (const QString factor = numbers.factor(); !factor.isEmpty()) {
        const double behind = left + painter.fontMetrics().horizontalAdvance(names().symbol) + scaledPixels(4);
        const bool fits = behind + metrics.horizontalAdvance(factor) <= laneRect().right() - scaledPixels(4);
        const double below = fits ? 0 : metrics.height();
        painter.setFont(Sizes::small());
        painter.setPen(theme.text2);
        painter.drawText(QPointF(fits ? behind : left, baseline + below), factor);
        top += below;
    }
    const QRectF strip(left, top, scaledPixels(10),
                       std::min(scaledPixels(176), map.bottom() - top - scaledPixels(34)));
    if (strip.height() < scaledPixels(40))
        return;
    const ColourMap& colours =
        ColourMap::named(m_negated ? ColourMap::Name::Difference : m_colourMap, theme.isDark);
    painter.fillRect(strip, colours.upwards(strip));
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(strip);
    painter.setFont(Sizes::small());
    const int parts = strip.height() >= scaledPixels(110) ? 4 : 2;
    for (const ScaleTick& tick : scaleTicks({low, high, m_gamma, signedValues, m_largest > high}, parts)) {
        const double y = strip.bottom() - tick.share * strip.height();
        painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
        painter.drawLine(QPointF(strip.right(), y), QPointF(strip.right() + scaledPixels(3), y));
        painter.setPen(theme.text2);
        painter.drawText(QPointF(strip.right() + scaledPixels(4), y + metrics.ascent() / 2 - scaledPixels(1)),
                         tick.label);
    }
    if (!m_hideDiagonal)
        return;
    const QRectF swatch(left, strip.bottom() + scaledPixels(16), scaledPixels(10), scaledPixels(10));
    painter.fillRect(swatch, theme.hiddenCell);
    painter.setPen(theme.text2);
    painter.drawText(QPointF(swatch.right() + scaledPixels(4), swatch.bottom()), tr("hidden"));
}

void LayerMatrixView::paintOverlay(QPainter& painter) {
    if (!m_map || !hasSound())
        return;
    const auto where = mapping();
    const auto& theme = Theme::current();
    painter.setClipRect(where.plot, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto across = [&](double y) {
        return QPolygonF{{where.plot.left(), std::floor(y) + 0.5}, {where.plot.right(), std::floor(y) + 0.5}};
    };
    const auto down = [&](double x) {
        return QPolygonF{{std::floor(x) + 0.5, where.plot.top()}, {std::floor(x) + 0.5, where.plot.bottom()}};
    };
    const double width = scaledPixels(1);
    if (const auto query = cursorToken()) {
        const auto cursor = *axis()->cursor();
        QColor quiet = theme.crossHair;
        quiet.setAlphaF(0.55F);
        strokeOnMap(painter, down(where.xOf(cursor)), quiet, width);
        strokeOnMap(painter, across(where.yOf(shownClock().cellCentre(*query))), theme.crossHair, width);
    }
    if (const auto pointer = axis()->pointer(); pointer && !isExporting()) {
        painter.setPen(QPen(theme.bandCasing, width));
        painter.drawPolyline(down(where.xOf(*pointer)));
        QPen dashed(theme.crossHair, width, Qt::CustomDashLine, Qt::FlatCap);
        dashed.setDashPattern({3, 3});
        painter.setPen(dashed);
        painter.drawPolyline(down(where.xOf(*pointer)));
    }
}

} // namespace headroom::widgets
