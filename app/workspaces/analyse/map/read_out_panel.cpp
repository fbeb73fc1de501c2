// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/read_out_panel.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {
constexpr int kLines = 11;

QFont valueFont(const ReadOutLine& line) {
    QFont font = Sizes::caption();
    if (line.strong)
        font.setWeight(QFont::DemiBold);
    return font;
}
}

ReadOutPanel::ReadOutPanel(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Read-out"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
}

void ReadOutPanel::setLines(QList<ReadOutLine> lines, const QString& about) {
    const auto before = std::exchange(m_lines, std::move(lines)).size();
    setToolTip(about);
    if (std::max<qsizetype>(before, kLines) != std::max<qsizetype>(m_lines.size(), kLines))
        updateGeometry();
    update();
}

void ReadOutPanel::copy() const {
    QApplication::clipboard()->setText(asTable(m_lines));
}

QSize ReadOutPanel::sizeHint() const {
    return {Sizes::control() * 7, Sizes::tableRow() * std::max<int>(static_cast<int>(m_lines.size()), kLines) + qRound(Sizes::unit() * 2)};
}

QSize ReadOutPanel::minimumSizeHint() const {
    return {Sizes::control() * 5, sizeHint().height()};
}

ReadOutPanel::Shown ReadOutPanel::shown(const ReadOutLine& line, int width) {
    const int unit = qRound(Sizes::unit());
    const QFontMetrics labels(Sizes::caption()), values(valueFont(line));
    const auto room = [&](const QString& value) { return width - unit * 4 - values.horizontalAdvance(value); };
    const QString brief = line.brief.isEmpty() ? line.value : line.brief;
    const QString briefLabel = line.briefLabel.isEmpty() ? line.label : line.briefLabel;
    for (const auto& [label, value] : {std::pair(line.label, line.value), std::pair(line.label, brief),
                                       std::pair(briefLabel, line.value), std::pair(briefLabel, brief)})
        if (room(value) >= labels.horizontalAdvance(label))
            return {label, value};
    // The label gives way first, down to half of the row.
    const int all = width - unit * 4, least = std::min(labels.horizontalAdvance(briefLabel), all / 2);
    const QString value = values.elidedText(brief, Qt::ElideRight, all - least);
    return {labels.elidedText(briefLabel, Qt::ElideRight, room(value)), value};
}

void ReadOutPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    const int unit = qRound(Sizes::unit());
    int y = unit;
    for (const ReadOutLine& line : m_lines) {
        const QRect row(unit * 3 / 2, y, width() - unit * 3, Sizes::tableRow());
        const Shown texts = shown(line, width());
        painter.setFont(Sizes::caption());
        painter.setPen(theme.text2);
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, texts.label);
        painter.setFont(valueFont(line));
        painter.setPen(theme.text);
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, texts.value);
        y += Sizes::tableRow();
    }
}

/// The line under the mouse, which may be elided, above what the lines mean.
bool ReadOutPanel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = (help->pos().y() - qRound(Sizes::unit())) / Sizes::tableRow();
    QString tip = toolTip();
    if (line >= 0 && line < int(m_lines.size()))
        tip.prepend(m_lines[line].label + QStringLiteral("  ") + m_lines[line].value + QLatin1Char('\n'));
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace headroom::app
