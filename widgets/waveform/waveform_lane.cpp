// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/waveform/waveform_lane.h"

#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>

#include <QImage>
#include <QPainter>
#include <QPolygonF>

namespace headroom::widgets {

namespace {

/// A bar of one pixel's width from `top` to `bottom` (device pixels), its ends as opaque as they cover their
/// pixel. A polygon with thousands of spikes takes QPainter 20 ms; this takes less than one.
void paintBar(QImage& image, int x, double top, double bottom, const QColor& colour) {
    const int first = std::max(0, int(std::floor(top)));
    const int last = std::min(image.height() - 1, int(std::ceil(bottom)) - 1);
    const auto stride = image.bytesPerLine() / qsizetype(sizeof(QRgb));
    QRgb* pixel = reinterpret_cast<QRgb*>(image.bits()) + first * stride + x;
    for (int y = first; y <= last; ++y, pixel += stride) {
        const double cover = std::min(bottom, y + 1.0) - std::max(top, double(y));
        if (cover >= 1) {
            *pixel = colour.rgb();
            continue;
        }
        const auto mixed = [&](int ink, int under) {
            return int(std::lround(ink * cover + under * (1 - cover)));
        };
        *pixel = qRgba(mixed(colour.red(), qRed(*pixel)), mixed(colour.green(), qGreen(*pixel)),
                       mixed(colour.blue(), qBlue(*pixel)), mixed(255, qAlpha(*pixel)));
    }
}

} // namespace

WaveformLane::WaveformLane(QWidget* parent) : TimeLane(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setSound(nullptr);
}

void WaveformLane::setSound(std::shared_ptr<const PeakPyramid> sound, SampleRate rate, const QString& note) {
    m_sound = std::move(sound);
    m_rate = rate;
    m_note = note;
    m_amplitude = 1;
    setAccessibleName(tr("Waveform"));
    if (m_sound && m_sound->count() > Samples(0)) {
        const auto all = m_sound->over(Samples(0), m_sound->count());
        const double largest = std::max(std::abs(double(all.low)), std::abs(double(all.high)));
        if (largest > 0)
            m_amplitude = largest;
        setAccessibleDescription(
            tr("%1 s of audio, largest amplitude %2.")
                .arg(timeText(m_rate.duration(m_sound->count()).value(), 3), numberText(largest, 2)));
    } else {
        setAccessibleDescription(m_note.isEmpty() ? tr("No recording is open.") : m_note);
    }
    update();
}

QSize WaveformLane::sizeHint() const {
    return {leastWidth(), int(8 * Sizes::unit())};
}
QSize WaveformLane::minimumSizeHint() const {
    return {leastWidth(), int(4 * Sizes::unit())};
}

double WaveformLane::yOf(double value) const {
    const QRectF plot = plotRect();
    const double half = plot.height() / 2 - Sizes::unit();
    return plot.center().y() - value / m_amplitude * std::max(1.0, half);
}

void WaveformLane::paintLane(QPainter& painter) {
    paintFrame(painter);
    if (!hasSound() || !m_sound || m_sound->count() <= Samples(0)) {
        paintEmpty(painter, m_note.isEmpty() ? tr("Open or record audio") : m_note);
        return;
    }
    paintGutters(painter);
    painter.setClipRect(plotRect());
    const double samplesPerPixel =
        axis()->visible().length().value() * m_rate.hertz() / std::max(1.0, plotRect().width());
    if (samplesPerPixel < 2)
        paintSamples(painter);
    else
        paintEnvelope(painter);
}

std::vector<WaveformLane::Column> WaveformLane::columns(double step) const {
    const QRectF plot = plotRect();
    const auto count = int(std::ceil(plot.width() / step));
    const double thinnest = 0.5 * step; // silence is a line, not nothing
    std::vector<Column> result;
    result.reserve(std::size_t(count));
    // Loudness needs a pitch period or two: over a single column of a fine screen the mean square would only
    // draw the pulses again. Eight columns, at most 20 ms, at least the column itself.
    const double perColumn = (timeAt(step) - timeAt(0)).value() * m_rate.hertz();
    const double window = std::max(perColumn, std::min(8 * perColumn, 0.020 * m_rate.hertz()));
    const Samples margin(std::int64_t((window - perColumn) / 2));
    Samples begin = m_rate.nearest(timeAt(plot.left()));
    for (int index = 0; index < count; ++index) {
        const double x = plot.left() + index * step;
        const Samples end = m_rate.nearest(timeAt(x + step));
        if (begin < m_sound->count() && end > Samples(0)) {
            // One sample of the column before, so that steep slopes are not torn.
            const auto values = m_sound->over(begin - Samples(1), end);
            const auto around = m_sound->over(begin - margin, end + margin);
            const double root = std::sqrt(around.meanSquare);
            const double top = std::min(yOf(values.high), yOf(0) - thinnest), bottom = std::max(yOf(values.low), yOf(0) + thinnest);
            // Where the samples near a column are all positive, their root mean square does not reach below the line.
            result.push_back({x, top, bottom, std::max(yOf(root), top), std::min(yOf(-root), bottom)});
        }
        begin = end;
    }
    return result;
}

void WaveformLane::paintEnvelope(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const double ratio = pixelRatio(painter);
    const auto all = columns(1 / ratio);
    painter.setPen(Qt::NoPen);
    if (isExporting()) {
        // One outline: a few vectors instead of thousands of bars.
        const auto fill = [&](auto top, auto bottom, const QColor& colour) {
            QPolygonF outline;
            for (const Column& column : all)
                outline << QPointF(column.x, column.*top);
            for (auto column = all.rbegin(); column != all.rend(); ++column)
                outline << QPointF(column->x, (*column).*bottom);
            painter.setBrush(colour);
            painter.drawPolygon(outline);
        };
        fill(&Column::top, &Column::bottom, theme.waveformPeak);
        fill(&Column::rmsTop, &Column::rmsBottom, theme.waveformRms);
        return;
    }
    const QRectF plot = plotRect();
    QImage image((plot.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    for (const Column& column : all) {
        const auto x = int(std::lround((column.x - plot.left()) * ratio));
        if (x >= image.width())
            break;
        paintBar(image, x, (column.top - plot.top()) * ratio, (column.bottom - plot.top()) * ratio,
                 theme.waveformPeak);
        paintBar(image, x, (column.rmsTop - plot.top()) * ratio, (column.rmsBottom - plot.top()) * ratio,
                 theme.waveformRms);
    }
    painter.drawImage(plot.topLeft(), image);
}

void WaveformLane::paintSamples(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const auto all = m_sound->samples();
    const TimeSpan visible = axis()->visible();
    const auto last = std::int64_t(all.size()) - 1;
    const auto first = std::clamp<std::int64_t>(m_rate.nearest(visible.start).value() - 1, 0, last);
    const auto end = std::clamp<std::int64_t>(m_rate.nearest(visible.end).value() + 1, 0, last);
    QPolygonF line;
    for (auto index = first; index <= end; ++index)
        line << QPointF(xOf(m_rate.duration(Samples(index))), yOf(all[std::size_t(index)]));
    const double unit = Sizes::unit();
    painter.setPen(QPen(theme.waveformPeak, unit / 8));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    const double distance = plotRect().width() / (visible.length().value() * m_rate.hertz());
    if (distance < unit / 2)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.waveformRms);
    for (const QPointF& point : line)
        painter.drawEllipse(point, unit / 5, unit / 5);
}

void WaveformLane::paintGutters(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    const double height = QFontMetricsF(painter.font()).height();
    const int decimals = m_amplitude < 0.0995 ? 3 : 2;
    const bool onlyZero = plot.height() < 3 * height;
    for (const double value : {m_amplitude, 0.0, -m_amplitude}) {
        if (value != 0 && onlyZero)
            continue;
        const double top = std::clamp(yOf(value) - height / 2, plot.top(), plot.bottom() - height);
        painter.drawText(QRectF(0, top, plot.left() - unit, height), Qt::AlignRight | Qt::AlignVCenter,
                         numberText(value, value == 0 ? 0 : decimals));
    }
    painter.drawText(
        QRectF(plot.right() + unit, plot.top() + unit / 2, Sizes::gutter() - unit, plot.height()),
        Qt::AlignLeft | Qt::AlignTop, m_note);
}

} // namespace headroom::widgets
