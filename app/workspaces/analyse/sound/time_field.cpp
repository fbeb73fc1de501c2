// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/sound/time_field.h"

#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QtMath>

#include <cmath>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

TimeField::TimeField(QWidget* parent) : QLineEdit(parent) {
    setAccessibleName(tr("Cursor time"));
    setToolTip(tr("Cursor time and total duration. Enter a time in seconds to move the cursor."));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::ClickFocus);
    setAlignment(Qt::AlignCenter);
    setFixedSize(sizeHint());
    setTime({}, {});
}

void TimeField::setTime(std::optional<Seconds> time, std::optional<Seconds> extent, widgets::AxisUnit unit) {
    m_unit = unit;
    m_time = time;
    m_extent = extent;
    setAvailable(this, extent ? QString() : tr("Open or make a recording first."));
    setAccessibleDescription(shownText());
    if (!hasFocus())
        update();
}

void TimeField::follow(widgets::TimeAxis* axis) {
    const auto show = [this, axis] {
        const bool open = axis->extent().value() > 0;
        setTime(axis->cursor(), open ? std::optional(axis->extent()) : std::nullopt, axis->unit());
    };
    connect(axis, &widgets::TimeAxis::cursorChanged, this, show);
    connect(axis, &widgets::TimeAxis::extentChanged, this, show);
    connect(this, &TimeField::timeEntered, axis, [axis](Seconds time) {
        axis->setCursor(time);
        axis->reveal(time);
    });
    show();
}

void TimeField::ask() {
    m_askedFrom = window()->focusWidget();
    setFocus(Qt::ShortcutFocusReason);
}

/// Whoever asked by the keyboard goes on where they were.
void TimeField::leave() {
    const QPointer<QWidget> back = std::exchange(m_askedFrom, nullptr);
    clearFocus();
    if (back && back != this)
        back->setFocus(Qt::OtherFocusReason);
}

QString TimeField::shownText() const {
    if (!m_extent)
        return kUnknown;
    return tr("%1 of %2").arg(nowText(), extentText());
}

QString TimeField::nowText() const {
    return !m_time          ? kUnknown
           : countsTokens() ? QString::number(qFloor(m_time->value()))
                            : secondsBare(*m_time);
}

QString TimeField::extentText() const {
    if (!countsTokens())
        return secondsText(*m_extent);
    const int tokens = qRound(m_extent->value());
    return tokens == 1 ? tr("1 token") : tr("%1 tokens").arg(thousands(tokens));
}

void TimeField::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (hasFocus())
        return;
    QPainter painter(this);
    const Theme& theme = Theme::current();
    if (!m_extent) {
        painter.setPen(theme.text3);
        painter.drawText(rect(), Qt::AlignCenter, kUnknown);
        return;
    }
    const QString now = nowText();
    const QString rest = QLatin1Char(' ') + tr("of %1").arg(extentText());
    const QFontMetrics strong(Sizes::heading()), plain(Sizes::text());
    const double left = (width() - strong.horizontalAdvance(now) - plain.horizontalAdvance(rest)) / 2.0;
    painter.setFont(Sizes::heading());
    painter.setPen(theme.text);
    painter.drawText(QRectF(left, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, now);
    painter.setFont(Sizes::text());
    painter.setPen(theme.text2);
    painter.drawText(QRectF(left + strong.horizontalAdvance(now), 0, width(), height()),
                     Qt::AlignVCenter | Qt::AlignLeft, rest);
}

void TimeField::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    setText(!m_time          ? QString()
            : countsTokens() ? nowText()
                             : nowText());
    selectAll();
}

void TimeField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    m_askedFrom = nullptr;
    clear();
}

void TimeField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return leave();
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        return QLineEdit::keyPressEvent(event);
    bool isNumber = false;
    QString entered = text().trimmed();
    // Beside a point a comma stands between thousands; alone it is somebody's decimal point.
    if (entered.contains(QLatin1Char('.')))
        entered.remove(QLatin1Char(','));
    const double typed = entered.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    leave();
    if (isNumber)
        Q_EMIT timeEntered(Seconds(countsTokens() ? std::floor(typed) + 0.5 : typed)); // the middle of the token
}

QSize TimeField::sizeHint() const {
    return {qRound(Sizes::unit() * 21), Sizes::control()};
}

} // namespace headroom::app
