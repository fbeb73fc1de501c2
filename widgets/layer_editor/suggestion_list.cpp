// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/suggestion_list.h"

#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QFontMetrics>
#include <QIcon>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace headroom::widgets {

namespace {
int padding() {
    return int(Sizes::unit() / 2);
}
} // namespace

SuggestionList::SuggestionList(QWidget* window) : QWidget(window) {
    setFocusPolicy(Qt::NoFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Suggestions"));
    hide();
}

void SuggestionList::setSuggestions(std::vector<HeadSuggestion> suggestions) {
    m_suggestions = std::move(suggestions);
    m_current = -1;
    resize(sizeHint());
    update();
}

void SuggestionList::setFoot(const QString& foot) {
    m_foot = foot;
    resize(sizeHint());
    update();
}

void SuggestionList::setCurrent(int row) {
    const int current = std::clamp(row, -1, int(m_suggestions.size()) - 1);
    if (current == m_current)
        return;
    m_current = current;
    setAccessibleDescription(currentText());
    update();
    Q_EMIT currentChanged(current);
}

QString SuggestionList::currentText() const {
    return m_current < 0 ? QString() : m_suggestions[std::size_t(m_current)].text;
}

QSize SuggestionList::sizeHint() const {
    const double unit = Sizes::unit();
    int width = QFontMetrics(Sizes::small()).horizontalAdvance(m_foot) + int(unit * 3);
    for (const auto& one : m_suggestions)
        width = std::max(width, QFontMetrics(Sizes::heading()).horizontalAdvance(one.text) +
                                    QFontMetrics(Sizes::caption()).horizontalAdvance(one.note) +
                                    int(unit * 10));
    const int foot = m_foot.isEmpty() ? 0 : Sizes::listRow() + 1;
    return {width, int(m_suggestions.size()) * Sizes::listRow() + foot + 2 * padding()};
}

int SuggestionList::rowAt(const QPoint& position) const {
    const int row = (position.y() - padding()) / Sizes::listRow();
    return position.y() >= padding() && row < int(m_suggestions.size()) ? row : -1;
}

void SuggestionList::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.buttonBorder);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), unit / 2, unit / 2);
    int y = padding();
    for (std::size_t row = 0; row < m_suggestions.size(); ++row) {
        const auto& one = m_suggestions[row];
        const QRect line(padding(), y, width() - 2 * padding(), Sizes::listRow());
        const bool current = int(row) == m_current;
        if (current)
            painter.fillRect(line, theme.selectedRow);
        if (const auto chip = chipText(one.text.toStdString()); chip.kind)
            icon(glyphOf(*chip.kind), colourOf(*chip.kind))
                .paint(&painter, QRect(line.left() + int(unit), line.center().y() - Sizes::icon() / 2 + 1,
                                       Sizes::icon(), Sizes::icon()));
        const QRect words = line.adjusted(int(unit * 4), 0, -int(unit), 0);
        painter.setFont(current ? Sizes::heading() : Sizes::text());
        painter.setPen(theme.text);
        painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, one.text);
        painter.setFont(Sizes::caption());
        painter.setPen(theme.text2);
        painter.drawText(words, Qt::AlignVCenter | Qt::AlignRight, one.note);
        y += Sizes::listRow();
    }
    if (m_foot.isEmpty())
        return;
    if (!m_suggestions.empty())
        painter.fillRect(QRect(1, y, width() - 2, 1), theme.line);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    painter.drawText(QRect(int(unit * 1.5), y + 1, width() - int(unit * 3), Sizes::listRow()),
                     Qt::AlignVCenter, m_foot);
}

void SuggestionList::mouseMoveEvent(QMouseEvent* event) {
    if (const int row = rowAt(event->position().toPoint()); row >= 0)
        setCurrent(row);
}

void SuggestionList::mousePressEvent(QMouseEvent* event) {
    if (const int row = rowAt(event->position().toPoint()); row >= 0)
        Q_EMIT chosen(m_suggestions[std::size_t(row)].text);
}

} // namespace headroom::widgets
