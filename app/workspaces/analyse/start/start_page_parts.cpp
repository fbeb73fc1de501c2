// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/start/start_page_parts.h"

#include "widgets/look/eliding.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

struct Step {
    const char* icon;
    const char* text;
};
constexpr std::array<Step, 5> kSteps{{{"audio", QT_TRANSLATE_NOOP("LoopLine", "Listen")},
                                      {"matrix", QT_TRANSLATE_NOOP("LoopLine", "See where each layer looks")},
                                      {"hand", QT_TRANSLATE_NOOP("LoopLine", "Draw how far it may look")},
                                      {"curve", QT_TRANSLATE_NOOP("LoopLine", "Train that")},
                                      {"matrix", QT_TRANSLATE_NOOP("LoopLine", "See again")}}};

/// Heights of the drawn waveform, a quiet picture of four syllables; symmetric bursts, no data.
double ghostHeight(int bar, int count) {
    const double x = static_cast<double>(bar) / (count - 1);
    double height = 0.04;
    for (const auto& [centre, width, size] : std::array<std::array<double, 3>, 5>{{{0.19, 0.06, 0.8},
                                                                                   {0.31, 0.05, 1.0},
                                                                                   {0.48, 0.045, 0.6},
                                                                                   {0.60, 0.06, 0.85},
                                                                                   {0.87, 0.05, 0.3}}})
        height += size * std::exp(-std::pow((x - centre) / width, 2));
    return std::min(1.0, height * (0.75 + 0.25 * std::cos(bar * 2.1)));
}

} // namespace

QSize LoopLine::sizeHint() const {
    return {Sizes::control() * 16, Sizes::control()};
}

int LoopLine::heightForWidth(int width) const {
    return place(width, {});
}

/// Calls `draw` for every step with its icon's place; a step that does not fit begins a row. Returns the height.
int LoopLine::place(int width, const std::function<void(std::size_t, QPointF, bool)>& draw) const {
    const double unit = Sizes::unit(), row = Sizes::control();
    const QFontMetrics metrics(Sizes::caption());
    double x = 0, y = 0;
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
        const bool last = i + 1 == kSteps.size();
        const double step = Sizes::icon() + unit * 0.75 + metrics.horizontalAdvance(tr(kSteps[i].text));
        if (x > 0 && x + step > width) {
            x = 0;
            y += row;
        }
        if (draw)
            draw(i, {x, y}, !last);
        x += step + unit * 4.5;
    }
    return qRound(y + row);
}

void LoopLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Sizes::caption());
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit(), row = Sizes::control();
    const int icon = Sizes::icon();
    place(width(), [&](std::size_t i, QPointF at, bool arrow) {
        widgets::icon(QString::fromLatin1(kSteps[i].icon), theme.text2)
            .paint(&painter, QRect(qRound(at.x()), qRound(at.y() + (row - icon) / 2), icon, icon));
        const double x = at.x() + icon + unit * 0.75;
        const QString text = tr(kSteps[i].text);
        const double width = painter.fontMetrics().horizontalAdvance(text);
        painter.setPen(theme.text2);
        painter.drawText(QRectF(x, at.y(), width + 2, row), Qt::AlignVCenter | Qt::AlignLeft, text);
        if (!arrow)
            return;
        painter.setPen(QPen(theme.text3, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const double y = at.y() + row / 2, size = unit * 0.45, left = x + width + unit * 1.6;
        painter.drawPolyline(QPolygonF({{left, y - size}, {left + size, y}, {left, y + size}}));
    });
}

DropField::DropField(QWidget* parent) : QWidget(parent) {}

void DropField::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double unit = Sizes::unit();
    QPen dashes(theme.buttonBorder, 1.5, Qt::CustomDashLine);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    painter.setBrush(theme.alternate);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), unit * 0.75, unit * 0.75);
    constexpr int kBars = 64;
    const double step = unit * 1.06, centre = unit * 11;
    const double left = (width() - step * (kBars - 1)) / 2;
    painter.setPen(QPen(theme.line, unit * 0.42, Qt::SolidLine, Qt::RoundCap));
    for (int bar = 0; bar < kBars; ++bar) {
        const double half = ghostHeight(bar, kBars) * unit * 5;
        painter.drawLine(QPointF(left + bar * step, centre - half),
                         QPointF(left + bar * step, centre + half));
    }
}

Card::Card(QWidget* parent) : QWidget(parent) {}

void Card::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.line);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Sizes::unit() / 2,
                            Sizes::unit() / 2);
}

RecentRow::RecentRow(const QString& name, const QString& summary, const QString& when, QWidget* parent)
    : QAbstractButton(parent)
    , m_name(name)
    , m_summary(summary)
    , m_when(when) {
    setAccessibleName(name);
    setAccessibleDescription(QStringLiteral("%1, %2").arg(summary, when));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize RecentRow::sizeHint() const {
    return {Sizes::control() * 12, qRound(Sizes::unit() * 4)};
}

void RecentRow::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const int unit = qRound(Sizes::unit());
    if (m_hovered || hasFocus())
        painter.fillRect(rect().adjusted(1, 0, -1, 0), theme.hover);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    const int icon = Sizes::icon();
    widgets::icon(QStringLiteral("folder"), theme.text2)
        .paint(&painter, QRect(unit * 3 / 2, (height() - icon) / 2, icon, icon));
    // The date is whole. The name has what it leaves, the summary what the name leaves.
    const QFontMetrics names(Sizes::text()), captions(Sizes::caption());
    const int gap = unit * 3 / 2, dateWidth = captions.horizontalAdvance(m_when) + 1;
    const QRect room = rect().adjusted(unit * 5, 0, -gap - dateWidth - gap, 0);
    const QString name = widgets::fitted(m_name, names, room.width());
    const int behind = room.left() + names.horizontalAdvance(name) + gap;
    const QString summary = widgets::fitted(m_summary, captions, std::max(room.right() - behind, 0));
    painter.setFont(Sizes::text());
    painter.setPen(theme.text);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, name);
    painter.setFont(Sizes::caption());
    painter.setPen(theme.text2);
    if (summary.size() > 3) // less of it says nothing
        painter.drawText(QRect(behind, 0, room.right() + 1 - behind, height()), Qt::AlignVCenter | Qt::AlignLeft, summary);
    painter.drawText(rect().adjusted(0, 0, -gap, 0), Qt::AlignVCenter | Qt::AlignRight, m_when);
}

void RecentRow::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    m_hovered = true;
    update();
}

void RecentRow::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    m_hovered = false;
    update();
}

} // namespace headroom::app
