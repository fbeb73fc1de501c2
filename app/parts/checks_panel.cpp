// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/checks_panel.h"

#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QTimer>
#include <QToolTip>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

/// Between the name of a check and its number.
int gap() {
    return qRound(Sizes::unit());
}

} // namespace

ChecksPanel::ChecksPanel(QWidget* parent) : QWidget(parent) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Checks"));
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChecksPanel::setChecks(QList<Check> checks) {
    m_checks = std::move(checks);
    QStringList said;
    for (const Check& check : m_checks)
        said << check.name + QLatin1Char(' ') + check.value;
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    updateGeometry();
    update();
    QTimer::singleShot(0, this, &ChecksPanel::scrollToFailed); // once there is room for its lines
}

/// Nobody looks behind an edge for what failed.
void ChecksPanel::scrollToFailed() {
    QWidget* viewport = parentWidget();
    auto* area = viewport ? qobject_cast<QScrollArea*>(viewport->parentWidget()) : nullptr;
    if (!area)
        return;
    viewport->installEventFilter(this); // which may become lower
    const auto failed = std::ranges::find(m_checks, Check::State::Failed, &Check::state);
    if (failed == m_checks.end())
        return;
    const QRect row = rowRect(failed - m_checks.begin());
    area->ensureVisible(0, row.center().y(), 0, row.height() / 2 + 1);
}

bool ChecksPanel::eventFilter(QObject* object, QEvent* event) {
    if (object == parentWidget() && event->type() == QEvent::Resize)
        QTimer::singleShot(0, this, &ChecksPanel::scrollToFailed);
    return QWidget::eventFilter(object, event);
}

int ChecksPanel::heightForWidth(int width) const {
    int lines = std::max(0, 4 - int(m_checks.size()));
    for (const Check& check : m_checks)
        lines += linesOf(check, width);
    return Sizes::tableRow() * lines + qRound(Sizes::unit()) * 2;
}

QSize ChecksPanel::sizeHint() const {
    const int width = Sizes::control() * 7;
    return {width, heightForWidth(width)};
}

QSize ChecksPanel::minimumSizeHint() const {
    const int rows = std::max(4, int(m_checks.size()));
    return {Sizes::control() * 5, Sizes::tableRow() * rows + qRound(Sizes::unit()) * 2};
}

QRect ChecksPanel::textRect(const QRect& row) const {
    return row.adjusted(Sizes::icon() + qRound(Sizes::unit() / 2), 0, 0, 0);
}

/// Two where name and number do not fit beside each other: then the number has a line of its own.
int ChecksPanel::linesOf(const Check& check, int width) const {
    const QFontMetrics metrics(Sizes::caption());
    const int room = textRect(QRect(0, 0, width - qRound(Sizes::unit()) * 3, Sizes::tableRow())).width();
    return metrics.horizontalAdvance(check.name) + gap() + metrics.horizontalAdvance(check.value) <= room ? 1 : 2;
}

QRect ChecksPanel::rowRect(qsizetype row) const {
    const int unit = qRound(Sizes::unit());
    int line = 0;
    for (qsizetype i = 0; i < row; ++i)
        line += linesOf(m_checks[i], width());
    return {unit * 3 / 2, unit + line * Sizes::tableRow(), width() - unit * 3, linesOf(m_checks[row], width()) * Sizes::tableRow()};
}

void ChecksPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    painter.setFont(Sizes::caption());
    const int icon = Sizes::icon(), line = Sizes::tableRow();
    for (qsizetype i = 0; i < m_checks.size(); ++i) {
        const Check& check = m_checks[i];
        const QRect row = rowRect(i);
        const QRect iconRect(row.left(), row.top() + (line - icon) / 2, icon, icon);
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
        const QRect text = textRect(row);
        const QRect first(text.left(), text.top(), text.width(), line);
        const QRect last(text.left(), text.bottom() + 1 - line, text.width(), line);
        const QFontMetrics metrics = painter.fontMetrics();
        painter.setPen(check.state == Check::State::Unknown ? theme.text3 : theme.text);
        painter.drawText(first, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(check.name, Qt::ElideRight, first.width()));
        painter.setPen(check.state == Check::State::Failed ? theme.error : theme.text2);
        // Half a number would be another one.
        const bool shared = first == last;
        const int room = last.width() - (shared ? metrics.horizontalAdvance(check.name) + gap() : 0);
        if (metrics.horizontalAdvance(check.value) <= room)
            painter.drawText(last, Qt::AlignVCenter | Qt::AlignRight, check.value);
        else if (const QString more(QChar(0x2026)); !check.value.isEmpty() && metrics.horizontalAdvance(more) <= room)
            painter.drawText(last, Qt::AlignVCenter | Qt::AlignRight, more);
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
