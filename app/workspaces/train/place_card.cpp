// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/place_card.h"

#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QPainter>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

PlaceCard::PlaceCard(const QString& iconName, const QString& name, QWidget* parent)
    : QAbstractButton(parent)
    , m_iconName(iconName)
    , m_name(name) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
}

void PlaceCard::nextCheckState() {
    setChecked(true); // also where it is the only place: a run starts somewhere
}

void PlaceCard::setDetail(const QString& detail) {
    m_detail = detail;
    setAccessibleDescription(detail);
    update();
}

QSize PlaceCard::sizeHint() const {
    return {qRound(Sizes::unit() * 24), qRound(Sizes::unit() * 5.5)};
}

QSize PlaceCard::minimumSizeHint() const {
    return {qRound(Sizes::unit() * 16), sizeHint().height()};
}

void PlaceCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(isChecked() || hasFocus() ? QPen(theme.accent, 1.5) : QPen(theme.line, 1));
    painter.setBrush(isChecked() ? theme.tint : theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), unit / 2, unit / 2);
    const QPointF middle(unit * 2, height() / 2.0);
    painter.setPen(QPen(isChecked() ? theme.accent : theme.text3, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(middle, unit * 0.75, unit * 0.75);
    if (isChecked()) {
        painter.setBrush(theme.accent);
        painter.drawEllipse(middle, unit * 0.3, unit * 0.3);
    }
    const int icon = Sizes::icon(), left = qRound(unit * 3.5);
    widgets::icon(m_iconName, isEnabled() ? theme.text : theme.text3).paint(&painter, QRect(left, (height() - icon) / 2, icon, icon));
    const QRectF text(left + icon + unit, unit * 0.5, width() - left - icon - unit * 2, height() - unit);
    painter.setFont(Sizes::text());
    painter.setPen(isEnabled() ? theme.text : theme.text3);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, m_name);
    painter.setFont(Sizes::small());
    painter.setPen(isEnabled() ? theme.text2 : theme.text3);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                     painter.fontMetrics().elidedText(m_detail, Qt::ElideRight, qRound(text.width())));
}

} // namespace headroom::app
