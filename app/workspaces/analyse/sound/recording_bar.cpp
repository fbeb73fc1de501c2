// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/sound/recording_bar.h"

#include "app/parts/actions.h"
#include "app/parts/number_text.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {
constexpr double kQuietestDecibels = -60, kLoudDecibels = -1;
constexpr float kPeakFall = 0.97F; ///< per update: the mark stays long enough to be read
double shareOf(double level) {
    const double decibels = level > 0 ? 20 * std::log10(level) : kQuietestDecibels;
    return std::clamp(1 - decibels / kQuietestDecibels, 0.0, 1.0);
}
} // namespace

void LevelMeter::setLevel(float level) {
    m_level = level;
    m_peak = std::max(level, m_peak * kPeakFall);
    setAccessibleDescription(
        tr("%1 dB").arg(decimals(level > 0 ? 20 * std::log10(level) : kQuietestDecibels, 0)));
    update();
}

QSize LevelMeter::sizeHint() const {
    return {Sizes::control() * 8, qRound(Sizes::unit())};
}

void LevelMeter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    const QRectF groove(0, (height() - Sizes::unit()) / 2, width(), Sizes::unit());
    painter.fillRect(groove, theme.line);
    const double loud = shareOf(std::pow(10, kLoudDecibels / 20)), now = shareOf(m_level);
    painter.fillRect(QRectF(0, groove.top(), width() * std::min(now, loud), groove.height()), theme.accent);
    if (now > loud)
        painter.fillRect(QRectF(width() * loud, groove.top(), width() * (now - loud), groove.height()),
                         theme.warning);
    painter.fillRect(QRectF(width() * shareOf(m_peak) - 1, groove.top(), 2, groove.height()), theme.text);
}

RecordingBar::RecordingBar(const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel(this))
    , m_meter(new LevelMeter(this)) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(unit * 3 / 2, unit, unit, unit);
    layout->setSpacing(unit * 3 / 2);
    layout->addWidget(m_text);
    layout->addWidget(m_meter, 1);
    m_meter->setAccessibleName(tr("Level of the microphone"));
    auto* stop = new QPushButton(widgets::icon(QStringLiteral("stop")), tr("Stop"), this);
    stop->setToolTip(tr("Stop and analyse the recording."));
    connect(stop, &QPushButton::clicked, actions.record, &QAction::trigger);
    layout->addWidget(stop);
    hide();
}

void RecordingBar::setProgress(double seconds, float level) {
    m_text->setText(tr("Recording  %1").arg(secondsInList(Seconds(seconds))));
    m_meter->setLevel(level);
}

} // namespace headroom::app
