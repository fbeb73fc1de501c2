// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/waveform/waveform_lane.h"

#include "widgets/look/metrics.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPolygonF>

namespace headroom::widgets {

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
            tr("%1 s of sound, largest amplitude %2.")
                .arg(numberText(m_rate.duration(m_sound->count()).value(), 3), numberText(largest, 2)));
    } else {
        setAccessibleDescription(tr("No recording is open."));
    }
    update();
}

QSize WaveformLane::sizeHint() const {
    return {4 * Metrics::gutter(), int(8 * Metrics::unit())};
}
QSize WaveformLane::minimumSizeHint() const {
    return {4 * Metrics::gutter(), int(4 * Metrics::unit())};
}

double WaveformLane::yOf(double value) const {
    const QRectF plot = plotRect();
    const double half = plot.height() / 2 - Metrics::unit();
    return plot.center().y() - value / m_amplitude * std::max(1.0, half);
}

void WaveformLane::paintLane(QPainter& painter) {
    paintFrame(painter);
    if (!hasSound() || !m_sound || m_sound->count() <= Samples(0)) {
        paintEmpty(painter, tr("Open or record a sound"));
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

void WaveformLane::paintEnvelope(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double ratio = std::max(1.0, painter.device()->devicePixelRatioF());
    const double step = 1 / ratio;
    const auto columns = int(std::ceil(plot.width() * ratio));
    const double thinnest = 0.5 * step; // silence is a line, not nothing

    QPolygonF peak, rms;
    std::vector<QPointF> peakBelow, rmsBelow;
    Samples begin = m_rate.nearest(timeAt(plot.left()));
    for (int column = 0; column < columns; ++column) {
        const double right = plot.left() + (column + 1) * step;
        const Samples end = m_rate.nearest(timeAt(right));
        const double x = right - step / 2;
        if (begin < m_sound->count() && end > Samples(0)) {
            const auto values = m_sound->over(begin, end);
            const double root = std::sqrt(values.meanSquare);
            peak << QPointF(x, std::min(yOf(values.high), yOf(0) - thinnest));
            peakBelow.emplace_back(x, std::max(yOf(values.low), yOf(0) + thinnest));
            rms << QPointF(x, yOf(std::min(root, std::max(0.0, double(values.high)))));
            rmsBelow.emplace_back(x, yOf(std::max(-root, std::min(0.0, double(values.low)))));
        }
        begin = end;
    }
    peak.append(QPolygonF(QList<QPointF>(peakBelow.rbegin(), peakBelow.rend())));
    rms.append(QPolygonF(QList<QPointF>(rmsBelow.rbegin(), rmsBelow.rend())));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.waveformPeak);
    painter.drawPolygon(peak);
    painter.setBrush(theme.waveformRms);
    painter.drawPolygon(rms);
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
    const double unit = Metrics::unit();
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
    const double unit = Metrics::unit();
    painter.setFont(Metrics::small());
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
        QRectF(plot.right() + unit, plot.top() + unit / 2, Metrics::gutter() - unit, plot.height()),
        Qt::AlignLeft | Qt::AlignTop, m_note);
}

} // namespace headroom::widgets
