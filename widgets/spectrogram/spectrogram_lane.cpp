// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/spectrogram/spectrogram_lane.h"

#include "widgets/look/colour_map.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/spectrogram/spectrum_raster.h"

#include <algorithm>
#include <cmath>

#include <QLinearGradient>
#include <QPainter>

namespace headroom::widgets {

namespace {

constexpr double kPower = 1.15;

const ColourMap& greys(bool isDark) {
    static const ColourMap light(ColourMap::Name::Grey, false, kPower),
        dark(ColourMap::Name::Grey, true, kPower);
    return isDark ? dark : light;
}

} // namespace

SpectrogramLane::SpectrogramLane(QWidget* parent) : TimeLane(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Spectrogram"));
    setSpectrum(nullptr);
}

void SpectrogramLane::setSpectrum(std::shared_ptr<const Spectrum> spectrum, const QString& reason) {
    m_spectrum = std::move(spectrum);
    m_reason = reason;
    m_picture = {};
    if (m_spectrum && !m_spectrum->empty()) {
        const bool isMel = m_spectrum->scale() == FrequencyScale::LogMel;
        setAccessibleDescription(tr("%1 with %2 bins, %3, range %4 dB.")
                                     .arg(isMel ? tr("Log-mel spectrogram") : tr("Linear spectrogram"))
                                     .arg(m_spectrum->bins())
                                     .arg(counted(m_spectrum->frames(), tr("1 frame"), tr("%1 frames")))
                                     .arg(numberText(m_spectrum->rangeDecibels(), 0)));
    } else {
        setAccessibleDescription(reason.isEmpty() ? tr("No spectrogram yet.") : reason);
    }
    update();
}

QSize SpectrogramLane::sizeHint() const {
    return {leastWidth(), int(16 * Sizes::unit())};
}
QSize SpectrogramLane::minimumSizeHint() const {
    return {leastWidth(), int(6 * Sizes::unit())};
}

const QImage& SpectrogramLane::picture(QSize size) {
    const TimeSpan span = axis()->visible();
    const bool isDark = Theme::current().isDark;
    if (m_picture.image.isNull() || m_picture.span != span || m_picture.size != size ||
        m_picture.isDark != isDark)
        m_picture = {span, size, isDark, rasterise(*m_spectrum, span, size, greys(isDark))};
    return m_picture.image;
}

void SpectrogramLane::paintLane(QPainter& painter) {
    if (!hasSound() || !m_spectrum || m_spectrum->empty()) {
        paintFrame(painter);
        if (hasSound())
            paintEmpty(painter, m_reason.isEmpty() ? tr("Computing the spectrogram…") : m_reason);
        return;
    }
    const QRectF plot = plotRect();
    const double ratio = pixelRatio(painter);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, isExporting());
    painter.drawImage(plot, picture((plot.size() * ratio).toSize()));
    paintFrame(painter);
    paintFrequencies(painter);
    paintScale(painter);
}

void SpectrogramLane::paintFrequencies(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();
    painter.setFont(Sizes::small());
    const double height = QFontMetricsF(painter.font()).height();
    const bool isMel = m_spectrum->scale() == FrequencyScale::LogMel;
    const std::vector<int> all =
        isMel ? std::vector<int>{8000, 4000, 2000, 1000, 500} : std::vector<int>{8000, 6000, 4000, 2000, 0};
    double lastTop = -height; // labels that would touch the one above are left out
    for (const int hertz : all) {
        const double y = plot.bottom() - m_spectrum->heightOf(hertz) * plot.height();
        const double top = std::clamp(y - height / 2, plot.top(), plot.bottom() - height);
        if (top < lastTop + 0.85 * height)
            continue;
        lastTop = top;
        QString label = shortNumberText(hertz / 1000.0);
        if (hertz == all.front())
            label += kNarrowSpace + QStringLiteral("kHz");
        else {
            const double line = std::floor(y) + 0.5;
            painter.setPen(QPen(theme.text3, unit / 8));
            painter.drawLine(QPointF(plot.left() - unit / 2, line), QPointF(plot.left() - 1, line));
        }
        painter.setPen(theme.text2);
        painter.drawText(QRectF(0, top, plot.left() - unit, height), Qt::AlignRight | Qt::AlignVCenter,
                         label);
    }
}

void SpectrogramLane::paintScale(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();
    const QRectF bar(plot.right() + 0.75 * unit, plot.top() + unit, 1.25 * unit, plot.height() - 2 * unit);
    if (bar.height() < 2 * unit)
        return;
    QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
    const ColourMap& colours = greys(theme.isDark);
    constexpr int kStops = 16;
    for (int stop = 0; stop <= kStops; ++stop)
        gradient.setColorAt(double(stop) / kStops, QColor(colours.at(double(stop) / kStops)));
    painter.setPen(QPen(theme.line, unit / 8));
    painter.setBrush(gradient);
    painter.drawRect(bar);

    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    const double height = QFontMetricsF(painter.font()).height();
    const double range = m_spectrum->rangeDecibels();
    const auto label = [&](double share, const QString& text) {
        const double y = bar.top() + share * bar.height();
        const double top = std::clamp(y - height / 2, plot.top(), plot.bottom() - height);
        painter.drawText(QRectF(bar.right() + 0.75 * unit, top, Sizes::gutter(), height),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    label(0, tr("0 dB"));
    if (bar.height() > 3 * height)
        label(0.5, numberText(-range / 2, 0));
    label(1, numberText(-range, 0));
}

} // namespace headroom::widgets
