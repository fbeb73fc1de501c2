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
#include <iterator>
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
    m_readOut.valueName = tr("Contribution");
    setToolTip(tr(
        "The cursor is the query (attending), the pointer the key (attended to). Contribution: the share "
        "of the key in the query's representation; rows sum to 1. Kobayashi et al. 2021; Alastruey et al. "
        "2022, Eq. 5. The last two lines follow from the architecture: the tokens that this layer lets the "
        "cursor's token see, and the part of the recording that can reach it through all layers up to this "
        "one."));
}

void ReadOutPanel::setReadOut(ReadOut readOut) {
    m_readOut = std::move(readOut);
    const int lines = std::max<int>(kLines, static_cast<int>(linesOf(m_readOut).size()));
    if (std::exchange(m_lines, lines) != lines)
        updateGeometry();
    update();
}

void ReadOutPanel::copy() const {
    QApplication::clipboard()->setText(asTable(m_readOut));
}

QSize ReadOutPanel::sizeHint() const {
    return {Sizes::control() * 7, Sizes::tableRow() * std::max(m_lines, kLines) + qRound(Sizes::unit() * 2)};
}

QSize ReadOutPanel::minimumSizeHint() const {
    return {Sizes::control() * 5, sizeHint().height()};
}

ReadOutPanel::Shown ReadOutPanel::shown(const ReadOutLine& line, int width) {
    const int unit = qRound(Sizes::unit());
    const QFontMetrics labels(Sizes::caption()), values(valueFont(line));
    const auto room = [&](const QString& value) { return width - unit * 4 - values.horizontalAdvance(value); };
    const bool fits = room(line.value) >= labels.horizontalAdvance(line.label);
    const QString value = fits || line.brief.isEmpty() ? line.value : line.brief;
    return {labels.elidedText(line.label, Qt::ElideRight, room(value)), value};
}

void ReadOutPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    const int unit = qRound(Sizes::unit());
    int y = unit;
    for (const ReadOutLine& line : linesOf(m_readOut)) {
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
    const auto lines = linesOf(m_readOut);
    const int line = (help->pos().y() - qRound(Sizes::unit())) / Sizes::tableRow();
    QString tip = toolTip();
    if (line >= 0 && line < int(std::size(lines)))
        tip.prepend(lines[line].label + QStringLiteral("  ") + lines[line].value + QLatin1Char('\n'));
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace headroom::app
