// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/gamma_slider.h"

#include "app/parts/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {
constexpr int kGammaSteps = 20; ///< of 0.05; the slider runs from 4 (0.2) to 20 (1)
}

GammaSlider::GammaSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setRange(4, kGammaSteps);
}

double GammaSlider::gamma() const {
    return double(value()) / kGammaSteps;
}

void GammaSlider::setGamma(double gamma) {
    setValue(qRound(gamma * kGammaSteps));
}

QString GammaSlider::number() const {
    return decimals(gamma(), value() % 2 ? 2 : 1);
}

QSize GammaSlider::sizeHint() const {
    return sizeFor(tr("Colour gamma %1"));
}

int GammaSlider::briefWidth() const {
    return sizeFor(tr("Colour %1")).width();
}

QSize GammaSlider::minimumSizeHint() const {
    return sizeFor(QStringLiteral("%1"));
}

void GammaSlider::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath outline;
    outline.addRoundedRect(frame, Sizes::unit() / 2, Sizes::unit() / 2);
    painter.fillPath(outline, theme.panel);
    painter.setClipPath(outline);
    const double share = double(value() - minimum()) / (maximum() - minimum());
    painter.fillRect(QRectF(0, 0, width() * share, height()), theme.selectedRow);
    painter.setClipping(false);
    painter.setPen(hasFocus() ? theme.accent : theme.buttonBorder);
    painter.drawPath(outline);
    painter.setFont(Sizes::caption());
    painter.setPen(theme.text);
    const bool wide = width() >= sizeHint().width(), named = width() >= briefWidth();
    painter.drawText(rect(), Qt::AlignCenter,
                     (wide ? tr("Colour gamma %1") : named ? tr("Colour %1") : QStringLiteral("%1")).arg(number()));
}

void GammaSlider::changeEvent(QEvent* event) {
    QSlider::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

QSize GammaSlider::sizeFor(const QString& words) const {
    const int widest = QFontMetrics(Sizes::caption()).horizontalAdvance(words.arg(QStringLiteral("0.55")));
    return {widest + qRound(Sizes::unit()), Sizes::smallControl()};
}

void GammaSlider::follow(QMouseEvent* event) {
    event->setAccepted(event->button() == Qt::LeftButton || event->buttons().testFlag(Qt::LeftButton));
    if (event->isAccepted() && width() > 0)
        setValue(minimum() + qRound(event->position().x() / width() * (maximum() - minimum())));
}

} // namespace headroom::app
