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
constexpr double kLeastBar = 1.5; ///< shares can still be compared

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
    updateGeometry();
    update();
}

QSize CostNumber::sizeHint() const {
    return {int(Sizes::unit() * 14), int(Sizes::unit() * 9.5)};
}

/// Label, number and change are whole at this width.
QSize CostNumber::minimumSizeHint() const {
    const QFontMetrics caption(Sizes::caption());
    const auto [number, suffix] = parts();
    const int widest = std::max({caption.horizontalAdvance(m_label), caption.horizontalAdvance(m_change),
                                 QFontMetrics(Sizes::large()).horizontalAdvance(number) + caption.horizontalAdvance(suffix)});
    return {std::max(int(Sizes::unit() * 9), widest + int(Sizes::unit() * 2.25)), int(Sizes::unit() * 9.5)};
}

/// The number and its unit, which is smaller.
std::pair<QString, QString> CostNumber::parts() const {
    const auto gap = m_number.indexOf(widgets::kNarrowSpace);
    return gap < 0 ? std::pair(m_number, QString()) : std::pair(m_number.left(gap), m_number.mid(gap));
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
    const auto [number, suffix] = parts();
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
    QStringList said;
    for (const Bar& bar : m_bars)
        said << tr("%1: %2 of the baseline").arg(bar.name, percent(bar.share));
    setAccessibleName(tr("Headroom") + QLatin1Char(' ') + m_at);
    setAccessibleDescription(said.join(QLatin1String("; ")));
    updateGeometry();
    update();
}

QSize CostBars::sizeHint() const {
    return {int(Sizes::unit() * 40), int(Sizes::unit() * (5.5 + 3.25 * double(m_bars.size())))};
}

/// Every number is whole at this width; the bars and the ends of the names are not there.
QSize CostBars::minimumSizeHint() const {
    const Columns columns = columnsOf(int(Sizes::unit() * kLeastName));
    return {int(columns.name + columns.share + columns.floor + Sizes::unit() * 3), sizeHint().height()};
}

CostBars::Columns CostBars::columnsOf(int width) const {
    const double unit = Sizes::unit();
    const QFontMetricsF shares(Sizes::heading()), floors(Sizes::small()), names(Sizes::caption());
    Columns columns;
    double longest = 0;
    for (const Bar& bar : m_bars) {
        columns.share = std::max(columns.share, shares.horizontalAdvance(percent(bar.share)) + unit);
        if (bar.floor)
            columns.floor = std::max(columns.floor, floors.horizontalAdvance(floorText(bar)) + unit * 1.5);
        longest = std::max(longest, names.horizontalAdvance(bar.name) + unit);
    }
    // First the bar gives way, then the name.
    const double room = width - columns.share - columns.floor;
    columns.name = std::clamp(std::max(longest, unit * 13), unit * kLeastName, std::max(room, unit * kLeastName));
    columns.track = room - columns.name < unit * 4 ? 0 : room - columns.name;
    if (columns.track == 0)
        columns.name = std::max(columns.name, room);
    return columns;
}

QString CostBars::floorText(const Bar& bar) {
    return tr("floor %1").arg(percent(bar.floor.value_or(0)));
}

QRectF CostBars::rowRect(int row) const {
    const double unit = Sizes::unit();
    return {unit * 1.5, unit * (4.5 + 3.25 * row), width() - unit * 3, unit * 3};
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
    painter.drawText(QPointF(after, unit * 3),
                     painter.fontMetrics().elidedText(m_at, Qt::ElideRight, int(width() - after - unit)));
    const Columns columns = columnsOf(int(rowRect(0).width()));
    double scale = 1; // of all rows, so that they can be compared: what costs more than the baseline passes its mark
    for (const Bar& bar : m_bars)
        scale = std::max(scale, bar.share);
    for (int row = 0; row < int(m_bars.size()); ++row) {
        const Bar& bar = m_bars[std::size_t(row)];
        const QRectF line = rowRect(row);
        painter.setFont(Sizes::caption());
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
                         QFontMetricsF(painter.font()).elidedText(bar.name, Qt::ElideRight, columns.name - unit / 2));
        const QRectF track(line.left() + columns.name, line.center().y() - unit * 0.4, columns.track, unit * 0.85);
        if (columns.track > 0) {
            painter.fillRect(track, theme.line);
            painter.fillRect(QRectF(track.left(), track.top(), track.width() * bar.share / scale, track.height()),
                             theme.accent);
            if (scale > 1)
                painter.fillRect(QRectF(track.left() + track.width() / scale - unit / 8, track.top() - unit / 4, unit / 4,
                                        track.height() + unit / 2),
                                 theme.text2);
        }
        painter.setFont(Sizes::heading());
        painter.drawText(QRectF(track.right(), line.top(), columns.share, line.height()),
                         Qt::AlignVCenter | Qt::AlignRight, percent(bar.share));
        if (!bar.floor)
            continue;
        if (columns.track > 0) {
            const double x = track.left() + track.width() * *bar.floor / scale;
            painter.fillRect(QRectF(x - unit / 4, track.top() - unit / 2, unit / 2, track.height() + unit), theme.panel);
            painter.fillRect(QRectF(x - unit / 8, track.top() - unit / 2, unit / 4, track.height() + unit), theme.text);
        }
        painter.setFont(Sizes::small());
        painter.setPen(theme.text2);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, floorText(bar));
    }
}

bool CostBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text = tr("Headroom") + QLatin1Char(' ') + m_at;
    for (int row = 0; row < int(m_bars.size()); ++row)
        if (const Bar& bar = m_bars[std::size_t(row)]; rowRect(row).contains(help->pos())) {
            text = bar.floor             ? tr("%1: %2 of the baseline; %3").arg(bar.name, percent(bar.share), floorText(bar))
                   : bar.note.isEmpty() ? tr("%1: %2 of the baseline").arg(bar.name, percent(bar.share))
                                        : tr("%1: %2 of the baseline, %3.").arg(bar.name, percent(bar.share), bar.note);
            if (bar.share > 1)
                text += QLatin1Char('\n') + tr("Above %1, it costs more than the baseline. The mark on the bars is at %1.").arg(percent(1)) +
                        (bar.above.isEmpty() ? QString() : QLatin1Char('\n') + bar.above);
        }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
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
    int widest = std::max(heads.horizontalAdvance(tr("Parameters")), heads.horizontalAdvance(m_macsHead));
    for (const Row& row : m_rows)
        for (const QString& number : {row.parameters, row.macs})
            widest = std::max(widest, numbers.horizontalAdvance(number));
    return widest;
}

int CostParts::longestName() const {
    const QFontMetrics names(Sizes::caption());
    int longest = 0;
    for (const Row& row : m_rows)
        longest = std::max(longest, names.horizontalAdvance(row.name));
    return longest;
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
    // A number is whole at any width: first the bars become short and give way, then the names.
    const int number = numberWidth() + int(unit);
    const int beside = (head.width() - longestName()) / 2; // for each of the two columns
    const int room = beside - number - int(unit / 2);      // for each bar
    const bool bars = room >= int(unit * kLeastBar);
    const int bar = bars ? std::min(room, int(unit * 4)) : 0, behind = bars ? bar + int(unit / 2) : 0;
    const int column = std::max(std::min(int((head.width() - unit * 18) / 2), beside), number + behind);
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
                         Qt::AlignVCenter | Qt::AlignRight, index == 0 ? tr("Parameters") : m_macsHead);
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
