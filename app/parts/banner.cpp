// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/banner.h"

#include "app/parts/breakable.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

Banner::Banner(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_buttons(new QHBoxLayout) {
    const int unit = qRound(Sizes::unit());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(unit * 3 / 2, unit, unit, unit);
    layout->setSpacing(unit * 3 / 2);
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* close = new QToolButton(this);
    close->setIcon(widgets::icon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss"));
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT dismissed();
    });
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_buttons);
    layout->addWidget(close);
    hide();
}

void Banner::say(Kind kind, const QString& what, const QString& more) {
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    m_kind = kind;
    m_what = what;
    m_more = more;
    const Theme& theme = Theme::current();
    const bool isError = kind == Kind::Error;
    m_icon->setPixmap(widgets::icon(isError ? QStringLiteral("error") : QStringLiteral("warning"),
                                    isError ? theme.error : theme.warning)
                          .pixmap(QSize(Sizes::icon(), Sizes::icon()), devicePixelRatioF()));
    // Rich text makes an ordinary space of the narrow one before a unit, and a line would break there, unless spaces are kept.
    m_text->setText(QStringLiteral("<span style='white-space:pre-wrap'><b>%1</b> %2</span>").arg(breakable(what, kCopiedWord).toHtmlEscaped(), breakable(more, kCopiedWord).toHtmlEscaped()));
    setAccessibleName(text());
    show();
    update();
}

QPushButton* Banner::addButton(const QString& text, const QString& iconName) {
    auto* button = new QPushButton(text, this);
    if (!iconName.isEmpty())
        button->setIcon(widgets::icon(iconName));
    m_buttons->addWidget(button);
    return button;
}

QString Banner::text() const {
    return m_more.isEmpty() ? m_what : m_what + QLatin1Char(' ') + m_more;
}

void Banner::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const bool isError = m_kind == Kind::Error;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(isError ? theme.error : theme.warning);
    painter.setBrush(isError ? theme.errorGround : theme.warningGround);
    const double radius = Sizes::unit() / 2;
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace headroom::app
