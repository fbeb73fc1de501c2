// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/place_card.h"

#include "widgets/look/eliding.h"
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
    describe();
    update();
}

void PlaceCard::setNote(const QString& note) {
    m_note = note;
    describe();
}

void PlaceCard::setTime(const QString& time, const QString& basis) {
    if (time == m_time && basis == m_basis)
        return;
    m_time = time;
    m_basis = basis;
    describe();
    update();
}

/// For screen readers and as a tool tip. A card that cannot be used says why in its tool tip.
void PlaceCard::describe() {
    QStringList lines{m_state, m_basis, m_note};
    lines.removeAll(QString());
    if (isEnabled())
        setToolTip(lines.join(u'\n'));
    if (!m_detail.isEmpty())
        lines.prepend(m_detail);
    setAccessibleDescription(lines.join(u'\n'));
}

void PlaceCard::setState(const QString& state, bool wrong) {
    if (state == m_state && wrong == m_stateIsWrong)
        return;
    m_state = state;
    m_stateIsWrong = wrong;
    describe();
    updateGeometry();
    update();
}

QSize PlaceCard::sizeHint() const {
    return {qRound(Sizes::unit() * 24), qRound(Sizes::unit() * (m_state.isEmpty() ? 5.5 : 7.5))};
}

QSize PlaceCard::minimumSizeHint() const {
    return {qRound(Sizes::unit() * 16), sizeHint().height()};
}

void PlaceCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double inset = hasFocus() ? unit / 2 : 1; // room for the ring of the focus
    painter.setPen(isChecked() ? QPen(theme.accent, 1.5) : QPen(theme.line, 1));
    painter.setBrush(isChecked() ? theme.tint : theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), unit / 2, unit / 2);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), unit / 2, unit / 2);
    }
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
    QRectF text(left + icon + unit, unit * 0.5, width() - left - icon - unit * 2, height() - unit);
    painter.setFont(Sizes::text());
    painter.setPen(isEnabled() ? theme.text : theme.text3);
    QFont bold = Sizes::text();
    bold.setWeight(QFont::DemiBold);
    const QString time = m_basis.isEmpty() ? QString() : m_time.isEmpty() ? QStringLiteral("–") : m_time;
    const double timeWidth = time.isEmpty() ? 0 : QFontMetricsF(bold).horizontalAdvance(time) + unit;
    painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, painter.fontMetrics().elidedText(m_name, Qt::ElideRight, qRound(text.width() - timeWidth)));
    painter.setFont(bold);
    painter.drawText(text, Qt::AlignRight | Qt::AlignTop, time);
    painter.setFont(Sizes::small());
    if (!m_state.isEmpty()) {
        const QColor colour = m_stateIsWrong ? theme.warning : theme.good;
        const double line = painter.fontMetrics().height();
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(QPointF(text.left() + unit * 0.4, text.bottom() - line / 2), unit * 0.4, unit * 0.4);
        painter.setPen(m_stateIsWrong ? theme.warning : theme.text2);
        const double indent = unit * 1.4;
        painter.drawText(text.adjusted(indent, 0, 0, 0), Qt::AlignLeft | Qt::AlignBottom,
                         widgets::fitted(m_state, painter.fontMetrics(), qRound(text.width() - indent)));
        text.setBottom(text.bottom() - line);
    }
    painter.setPen(isEnabled() ? theme.text2 : theme.text3);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                     widgets::fitted(m_detail, painter.fontMetrics(), qRound(text.width())));
}

} // namespace headroom::app
