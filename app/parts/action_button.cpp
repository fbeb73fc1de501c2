// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/action_button.h"

#include "app/parts/availability.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QStyleOptionButton>
#include <QStylePainter>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

ActionButton::ActionButton(QAction* action, const QString& iconName, QWidget* parent, Key key)
    : QPushButton(parent)
    , m_action(action)
    , m_iconName(iconName)
    , m_key(key) {
    QString text = action->text();
    setText(text.remove(QLatin1Char('&')));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(this, &QPushButton::clicked, action, &QAction::trigger);
    const auto follow = [this] {
        setEnabled(m_action->isEnabled());
        setToolTip(m_action->toolTip());
        copyReason(m_action, this);
    };
    connect(action, &QAction::changed, this, follow);
    follow();
}

void ActionButton::setKeyHint(const QString& key) {
    m_keyHint = key;
    updateGeometry();
    update();
}

QString ActionButton::keyText() const {
    if (!m_keyHint.isEmpty())
        return m_keyHint;
    return m_key == Key::Shown ? m_action->shortcut().toString(QKeySequence::NativeText) : QString();
}

QSize ActionButton::sizeHint() const {
    const QFontMetrics text(Sizes::text()), small(Sizes::small());
    const QString key = keyText();
    const double unit = Sizes::unit();
    double width = m_keyHint.isEmpty() ? unit * 3 : unit * 2;
    if (!m_iconName.isEmpty())
        width += Sizes::icon();
    if (!this->text().isEmpty())
        width += unit + text.horizontalAdvance(this->text());
    if (!key.isEmpty())
        width += unit * (m_keyHint.isEmpty() ? 2 : 1.5) + small.horizontalAdvance(key);
    return {qRound(width), Sizes::control()};
}

void ActionButton::paintEvent(QPaintEvent*) {
    // The style draws the button; icon, words and key cap are laid out here, because no style knows the cap.
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    option.icon = QIcon();
    painter.drawControl(QStyle::CE_PushButton, option);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    const QColor ink = isEnabled() ? theme.text : theme.text3;
    const int icon = Sizes::icon();
    const double left = m_keyHint.isEmpty() ? unit * 1.5 : unit;
    if (!m_iconName.isEmpty())
        widgets::icon(m_iconName, ink)
            .paint(&painter, QRect(qRound(left), (height() - icon) / 2, icon, icon));
    painter.setFont(Sizes::text());
    painter.setPen(ink);
    const double x = m_iconName.isEmpty() ? left : left + unit * 0.75 + icon;
    painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, text());
    const QString key = keyText();
    if (key.isEmpty())
        return;
    painter.setFont(Sizes::small());
    const double capWidth = painter.fontMetrics().horizontalAdvance(key) + unit;
    const QRectF cap(width() - capWidth - left * 2 / 3 + 0.5, (height() - unit * 2) / 2.0 + 0.5, capWidth,
                     unit * 2 - 1);
    painter.setPen(theme.buttonBorder);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(cap, unit / 2, unit / 2);
    painter.setPen(isEnabled() ? theme.text2 : theme.text3);
    painter.drawText(cap, Qt::AlignCenter, key);
}

} // namespace headroom::app
