// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/checks_panel.h"

#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

ChecksPanel::ChecksPanel(QWidget* parent) : QWidget(parent) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Checks"));
    setMouseTracking(true);
}

void ChecksPanel::setChecks(QList<Check> checks) {
    m_checks = std::move(checks);
    QStringList said;
    for (const Check& check : m_checks)
        said << check.name + QLatin1Char(' ') + check.value;
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ChecksPanel::sizeHint() const {
    const int rows = qMax(4, int(m_checks.size()));
    return {Sizes::control() * 7, Sizes::tableRow() * rows + qRound(Sizes::unit() * 2)};
}

QSize ChecksPanel::minimumSizeHint() const {
    return {Sizes::control() * 5, sizeHint().height()};
}

QRect ChecksPanel::rowRect(qsizetype row) const {
    const int unit = qRound(Sizes::unit());
    return {unit * 3 / 2, unit + int(row) * Sizes::tableRow(), width() - unit * 3, Sizes::tableRow()};
}

void ChecksPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    painter.setFont(Sizes::caption());
    const int icon = Sizes::icon();
    for (qsizetype i = 0; i < m_checks.size(); ++i) {
        const Check& check = m_checks[i];
        const QRect row = rowRect(i);
        const QRect iconRect(row.left(), row.top() + (row.height() - icon) / 2, icon, icon);
        switch (check.state) {
        case Check::State::Unknown:
            break;
        case Check::State::Passed:
            widgets::icon(QStringLiteral("check"), theme.good).paint(&painter, iconRect);
            break;
        case Check::State::Remark:
            widgets::icon(QStringLiteral("warning"), theme.warning).paint(&painter, iconRect);
            break;
        case Check::State::Failed:
            widgets::icon(QStringLiteral("error"), theme.error).paint(&painter, iconRect);
            break;
        }
        const QRect text = row.adjusted(icon + qRound(Sizes::unit() / 2), 0, 0, 0);
        painter.setPen(check.state == Check::State::Unknown ? theme.text3 : theme.text);
        const QFontMetrics metrics = painter.fontMetrics();
        int room = text.width() - metrics.horizontalAdvance(check.value) - qRound(Sizes::unit());
        // What was checked matters more than the number that passed, which the tool tip has too.
        const bool named = check.state == Check::State::Passed && metrics.horizontalAdvance(check.name) > room;
        room = named ? text.width() : room;
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(check.name, Qt::ElideRight, room));
        painter.setPen(check.state == Check::State::Failed ? theme.error : theme.text2);
        if (!named)
            painter.drawText(text, Qt::AlignVCenter | Qt::AlignRight, check.value);
    }
}

void ChecksPanel::mouseReleaseEvent(QMouseEvent* event) {
    for (qsizetype i = 0; i < m_checks.size(); ++i)
        if (m_checks[i].leadsToAlignments && event->button() == Qt::LeftButton &&
            rowRect(i).contains(event->position().toPoint()))
            Q_EMIT alignmentsRequested();
}

void ChecksPanel::mouseMoveEvent(QMouseEvent* event) {
    bool leads = false;
    for (qsizetype i = 0; i < m_checks.size(); ++i)
        leads = leads || (m_checks[i].leadsToAlignments && rowRect(i).contains(event->position().toPoint()));
    setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool ChecksPanel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (qsizetype i = 0; i < m_checks.size(); ++i)
        if (rowRect(i).contains(help->pos())) {
            // What the row has no room for comes first.
            QToolTip::showText(help->globalPos(),
                               m_checks[i].name + QStringLiteral("  ") + m_checks[i].value + QLatin1Char('\n') +
                                   m_checks[i].toolTip,
                               this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

} // namespace headroom::app
