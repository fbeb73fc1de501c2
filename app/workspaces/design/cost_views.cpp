// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/cost_views.h"

#include "app/parts/number_text.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {
constexpr double kLeastName = 8; ///< of a part's name, units

QString percent(double share) {
    return decimals(share * 100, 0) + widgets::kNarrowSpace + QLatin1Char('%');
}
} // namespace

void CostNumber::show(const QString& label, const QString& number, const QString& change, bool isSaving,
                      const QString& full) {
    m_label = label;
    m_number = number;
    m_change = change;
    m_saving = isSaving;
    setToolTip(full);
    setAccessibleName(QStringLiteral("%1: %2, %3").arg(label, number, change));
    update();
}

QSize CostNumber::sizeHint() const {
    return {int(Sizes::unit() * 14), int(Sizes::unit() * 9.5)};
}

QSize CostNumber::minimumSizeHint() const {
    return {int(Sizes::unit() * 9), int(Sizes::unit() * 9.5)};
}

void CostNumber::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const int unit = int(Sizes::unit());
    QPainter painter(this);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), theme.line);
    const QRect room = rect().adjusted(unit * 3 / 2, unit, -unit / 2, -unit);
    painter.setFont(Sizes::caption());
    painter.setPen(theme.text2);
    painter.drawText(room, Qt::AlignTop | Qt::AlignLeft, m_label);
    // The unit is smaller than the number it belongs to.
    const auto gap = m_number.indexOf(widgets::kNarrowSpace);
    const QString number = gap < 0 ? m_number : m_number.left(gap),
                  suffix = gap < 0 ? QString() : m_number.mid(gap);
    painter.setFont(Sizes::large());
    painter.setPen(theme.text);
    const int baseline = room.top() + unit * 9 / 2;
    painter.drawText(room.left(), baseline, number);
    const int after = room.left() + painter.fontMetrics().horizontalAdvance(number);
    painter.setFont(Sizes::caption());
    painter.setPen(theme.text2);
    painter.drawText(after, baseline, suffix);
    painter.setPen(m_saving ? theme.good : theme.text2);
    painter.drawText(room, Qt::AlignBottom | Qt::AlignLeft, m_change);
}

void CostBars::show(const QString& at, std::vector<Bar> bars) {
    m_at = at;
    m_bars = std::move(bars);
    updateGeometry();
    update();
}

QSize CostBars::sizeHint() const {
    return {int(Sizes::unit() * 40), int(Sizes::unit() * (5.5 + 3.25 * double(m_bars.size())))};
}

QSize CostBars::minimumSizeHint() const {
    return {int(Sizes::unit() * 24), sizeHint().height()};
}

void CostBars::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    painter.setFont(Sizes::heading());
    painter.setPen(theme.text);
    const QString title = tr("Headroom");
    painter.drawText(QPointF(unit * 1.5, unit * 3), title);
    const double after = unit * 1.5 + painter.fontMetrics().horizontalAdvance(title) + unit;
    painter.setFont(Sizes::text());
    painter.setPen(theme.text2);
    painter.drawText(QPointF(after, unit * 3), m_at);
    double y = unit * 4.5;
    for (const Bar& bar : m_bars) {
        const QRectF line(unit * 1.5, y, width() - unit * 3, unit * 3);
        painter.setFont(Sizes::caption());
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, bar.name);
        const QRectF track(line.left() + unit * 13, line.center().y() - unit * 0.4, line.width() - unit * 28,
                           unit * 0.85);
        painter.fillRect(track, theme.line);
        const double scale = std::max(1.0, bar.share);
        painter.fillRect(QRectF(track.left(), track.top(), track.width() * bar.share / scale, track.height()),
                         theme.accent);
        painter.setFont(Sizes::heading());
        painter.drawText(QRectF(track.right(), line.top(), unit * 6.5, line.height()),
                         Qt::AlignVCenter | Qt::AlignRight, percent(bar.share));
        if (bar.floor) {
            const double x = track.left() + track.width() * *bar.floor / scale;
            painter.fillRect(QRectF(x - unit / 4, track.top() - unit / 2, unit / 2, track.height() + unit),
                             theme.panel);
            painter.fillRect(QRectF(x - unit / 8, track.top() - unit / 2, unit / 4, track.height() + unit),
                             theme.text);
            painter.setFont(Sizes::small());
            painter.setPen(theme.text2);
            painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight,
                             tr("floor %1").arg(percent(*bar.floor)));
        }
        y += unit * 3.25;
    }
}

void CostParts::show(const QString& macsHead, std::vector<Row> rows) {
    m_macsHead = macsHead;
    m_rows = std::move(rows);
    QStringList said;
    for (const Row& row : m_rows)
        said << row.full;
    setAccessibleName(tr("Cost by part"));
    setAccessibleDescription(said.join(QLatin1String("; ")));
    updateGeometry();
    update();
}

QSize CostParts::sizeHint() const {
    return {int(Sizes::unit() * 40), int(Sizes::unit() * (4.5 + 2.75 * double(m_rows.size())))};
}

/// Both numbers of every row are whole at this width; the bars and the ends of the names are not there.
QSize CostParts::minimumSizeHint() const {
    return {int(Sizes::unit() * (3 + kLeastName + 2)) + 2 * numberWidth(), sizeHint().height()};
}

int CostParts::numberWidth() const {
    const QFontMetrics numbers(Sizes::caption()), heads(Sizes::small());
    int widest = std::max(heads.horizontalAdvance(tr("parameters")), heads.horizontalAdvance(m_macsHead));
    for (const Row& row : m_rows)
        for (const QString& number : {row.parameters, row.macs})
            widest = std::max(widest, numbers.horizontalAdvance(number));
    return widest;
}

QRect CostParts::rowRect(int row) const {
    const double unit = Sizes::unit();
    return {int(unit * 1.5), int(unit * (3.5 + 2.75 * row)), int(width() - unit * 3), int(unit * 2.75)};
}

void CostParts::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    const QRect head = rowRect(-1);
    // A number is whole at any width: first the bars give way, then the names.
    const int number = numberWidth() + int(unit);
    const bool bars = head.width() >= int(unit * kLeastName) + 2 * (number + int(unit * 4.5));
    const int bar = bars ? int(unit * 4) : 0, behind = bars ? bar + int(unit / 2) : 0;
    const int column = std::max(int((head.width() - unit * 18) / 2), number + behind);
    const int nameWidth = std::max(head.width() - 2 * column, 0);
    const auto cell = [&](const QRect& row, int index) { // parameters, MACs: number, then a bar
        return QRect(row.right() - (2 - index) * column, row.top(), column, row.height());
    };
    painter.setFont(Sizes::heading());
    painter.setPen(theme.text);
    painter.drawText(head, Qt::AlignVCenter | Qt::AlignLeft, tr("Parts"));
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    for (const int index : {0, 1})
        painter.drawText(cell(head, index).adjusted(0, 0, -behind, 0),
                         Qt::AlignVCenter | Qt::AlignRight, index == 0 ? tr("parameters") : m_macsHead);
    for (int i = 0; i < int(m_rows.size()); ++i) {
        const Row& row = m_rows[std::size_t(i)];
        const QRect rect = rowRect(i);
        painter.setFont(Sizes::caption());
        painter.setPen(theme.text);
        painter.drawText(QRect(rect.left(), rect.top(), nameWidth, rect.height()),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(row.name, Qt::ElideRight, nameWidth));
        for (const int index : {0, 1}) {
            const QString& text = index == 0 ? row.parameters : row.macs;
            const double share = index == 0 ? row.parameterShare : row.macShare;
            const QRect where = cell(rect, index);
            painter.setPen(text.isEmpty() ? theme.text3 : theme.text);
            painter.drawText(where.adjusted(0, 0, -behind, 0), Qt::AlignVCenter | Qt::AlignRight,
                             text.isEmpty() ? kUnknown : text);
            if (text.isEmpty() || !bars)
                continue;
            const QRectF track(where.right() - bar + unit / 2, where.center().y() - unit * 0.3,
                               bar - unit / 2, unit * 0.65);
            painter.fillRect(track, theme.line);
            painter.fillRect(QRectF(track.left(), track.top(), track.width() * std::clamp(share, 0.0, 1.0),
                                    track.height()),
                             theme.waveformPeak);
        }
    }
}

bool CostParts::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < int(m_rows.size()); ++i)
        if (rowRect(i).contains(help->pos()))
            QToolTip::showText(help->globalPos(), m_rows[std::size_t(i)].full, this, rowRect(i));
    return true;
}

} // namespace headroom::app
