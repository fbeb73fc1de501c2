// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/row_delegate.h"

#include "app/parts/breakable.h"
#include "widgets/curves/plot_style.h"
#include "widgets/look/eliding.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/fitted_titles.h"

#include <QApplication>
#include <QHelpEvent>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QPen>
#include <QTextLayout>
#include <QToolTip>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

struct RowDelegate::Layout {
    QString shown; ///< of the sentence
    QRect check, icon, bar, title, second, right, sentence;
    QList<QRect> buttons;
    int height = 0;
};

namespace {

/// The beginning of a wrapped text: whole lines, the last of them elided where there are more.
QString firstLines(const QString& text, const QFont& font, int width, int lines) {
    const QFontMetrics metrics(font);
    if (lines <= 0 || metrics.boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, text).height() <= lines * metrics.lineSpacing())
        return text;
    QStringList shown;
    for (const QString& paragraph : text.split(QLatin1Char('\n'))) {
        QTextLayout layout(paragraph, font);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            const QString rest = paragraph.mid(line.textStart());
            if (shown.size() + 1 == lines) {
                const bool isAll = line.textLength() == rest.size();
                const QString cut = isAll ? rest + QStringLiteral(" …") : rest;
                layout.endLayout();
                shown << metrics.elidedText(cut, Qt::ElideRight, width);
                return shown.join(QLatin1Char('\n'));
            }
            shown << rest.left(line.textLength()).trimmed();
        }
        layout.endLayout();
    }
    return shown.join(QLatin1Char('\n'));
}

/// The middle is cut, as names differ at their ends; another part where a title of the other rows would look the same.
QString fittedName(const QString& title, const QModelIndex& index, const QFontMetrics& metrics, int width) {
    const QString cut = metrics.elidedText(title, Qt::ElideMiddle, width);
    if (cut == title)
        return title;
    QStringList names;
    for (int row = 0; row < index.model()->rowCount(index.parent()); ++row)
        names << index.siblingAtRow(row).data().toString();
    const auto isAlike = [&](const QString& other) { return other != title && widgets::couldBe(cut, other); };
    return std::ranges::none_of(names, isAlike) ? cut : widgets::fittedAmong(names, title, metrics, width);
}

} // namespace

RowDelegate::RowDelegate(Describe describe, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_describe(std::move(describe)) {}

RowDelegate::Layout RowDelegate::layOut(const RowContent& content, const QRect& row) const {
    const int unit = qRound(Sizes::unit());
    Layout layout;
    const int line = content.second.isEmpty() ? Sizes::listRow() : Sizes::twoLineRow();
    const int icon = Sizes::icon();
    int x = row.left() + unit * 3 / 2;
    const int right = row.right() - unit;
    if (content.checked) {
        layout.check = QRect(x, row.top() + (line - icon) / 2, icon, icon);
        x += icon + unit;
    }
    if (content.bar) {
        layout.bar = QRect(x, row.top() + unit, qMax(3, unit * 3 / 8), line - 2 * unit);
        x += unit + unit / 4;
    }
    if (!content.iconName.isEmpty()) {
        layout.icon = QRect(x, row.top() + (line - icon) / 2, icon, icon);
        x += icon + unit;
    }
    const QFontMetrics caption(Sizes::caption()), small(Sizes::small());
    const int rightWidth = content.right.isEmpty() ? 0 : caption.horizontalAdvance(content.right) + unit;
    layout.right = QRect(right - rightWidth, row.top(), rightWidth, line);
    if (content.second.isEmpty()) {
        layout.title = QRect(x, row.top(), right - rightWidth - x, line);
    } else {
        const int half = line / 2;
        layout.title = QRect(x, row.top() + unit / 4, right - rightWidth - x, half);
        layout.second = QRect(x, row.top() + half - unit / 4, right - x, half);
        layout.right = QRect(right - rightWidth, layout.title.top(), rightWidth, half); // the second line has its width
    }
    int y = row.top() + line;
    if (!content.sentence.isEmpty()) {
        const QRect room(x, y, qMax(unit * 4, right - x), 10000);
        layout.shown = firstLines(breakable(content.sentence), Sizes::small(), room.width(), content.sentenceLines);
        layout.sentence = small.boundingRect(room, Qt::TextWordWrap, layout.shown);
        layout.sentence.setWidth(room.width());
        y = layout.sentence.bottom() + unit / 2;
    }
    if (!content.buttons.isEmpty()) {
        y += unit / 4;
        int left = x;
        for (const QString& text : content.buttons) {
            const int width = caption.horizontalAdvance(text) + unit * 2;
            if (left > x && left + width > right) {
                left = x;
                y += Sizes::smallControl() + unit / 2;
            }
            layout.buttons.append(QRect(left, y, width, Sizes::smallControl()));
            left += width + unit;
        }
        y += Sizes::smallControl() + unit;
    }
    layout.height = y - row.top();
    return layout;
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const RowContent content = m_describe(index);
    const Layout layout = layOut(content, option.rect);
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, theme.selectedRow);
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, theme.hover);
    const bool wrong = content.severity == Severity::Error || content.severity == Severity::Warning;
    const QColor wrongInk = content.severity == Severity::Error ? theme.error : theme.warning;
    if (content.checked) {
        const QRectF box = QRectF(layout.check).adjusted(0.5, 0.5, -0.5, -0.5);
        painter->setPen(*content.checked ? theme.accent : theme.fieldBorder);
        painter->setBrush(*content.checked ? theme.accent : theme.panel);
        painter->drawRoundedRect(box, unit * 0.4, unit * 0.4);
        if (*content.checked)
            widgets::icon(QStringLiteral("check"), theme.textOnAccent)
                .paint(painter, layout.check.adjusted(2, 2, -2, -2));
    }
    if (content.bar) {
        const QPen pen = widgets::runPen(*content.bar, layout.bar.width());
        if (pen.style() == Qt::SolidLine) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(pen.color());
            painter->drawRoundedRect(layout.bar, layout.bar.width() / 2.0, layout.bar.width() / 2.0);
        } else {
            painter->setPen(pen);
            const double middle = layout.bar.left() + layout.bar.width() / 2.0;
            painter->drawLine(QPointF(middle, layout.bar.top()), QPointF(middle, layout.bar.bottom() + 1));
        }
    }
    if (!content.iconName.isEmpty())
        widgets::icon(content.iconName, wrong ? wrongInk : theme.text2).paint(painter, layout.icon);
    painter->setFont(Sizes::text());
    painter->setPen(theme.text);
    painter->drawText(layout.title, Qt::AlignVCenter | Qt::AlignLeft,
                      fittedName(content.title, index, painter->fontMetrics(), layout.title.width()));
    painter->setPen(theme.text2);
    painter->setFont(Sizes::small());
    if (!content.second.isEmpty())
        painter->drawText(layout.second, Qt::AlignVCenter | Qt::AlignLeft,
                          widgets::fitted(content.second, painter->fontMetrics(), layout.second.width()));
    painter->setFont(Sizes::caption());
    painter->drawText(layout.right, Qt::AlignVCenter | Qt::AlignRight, content.right);
    if (!layout.shown.isEmpty()) {
        painter->setFont(Sizes::small());
        painter->setPen(wrong ? wrongInk : theme.text2);
        painter->drawText(layout.sentence, Qt::TextWordWrap, layout.shown);
    }
    painter->setFont(Sizes::caption());
    for (int i = 0; i < layout.buttons.size(); ++i) {
        painter->setPen(theme.buttonBorder);
        painter->setBrush(theme.panel);
        painter->drawRoundedRect(QRectF(layout.buttons[i]).adjusted(0.5, 0.5, -0.5, -0.5), unit / 2,
                                 unit / 2);
        painter->setPen(theme.text);
        painter->drawText(layout.buttons[i], Qt::AlignCenter, content.buttons[i]);
    }
    if (content.working) {
        // Nothing moves here on its own: a short accent line says that this row is being read.
        const QRectF groove(layout.title.left(), option.rect.bottom() - 2, layout.title.width(), 2);
        painter->fillRect(groove, theme.line);
        painter->fillRect(QRectF(groove.left(), groove.top(), groove.width() * content.share, groove.height()),
                          theme.accent);
    }
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange)) {
        painter->setPen(QPen(theme.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(option.rect).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int width = view ? view->viewport()->width() : option.rect.width();
    return {0, layOut(m_describe(index), QRect(0, 0, width, 0)).height};
}

bool RowDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                              const QModelIndex& index) {
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick || event->type() == QEvent::MouseButtonRelease) {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() != Qt::LeftButton)
            return false;
        const bool isRelease = event->type() == QEvent::MouseButtonRelease;
        const QPoint at = mouse->position().toPoint();
        const RowContent content = m_describe(index);
        const Layout layout = layOut(content, option.rect);
        for (int i = 0; i < layout.buttons.size(); ++i)
            if (layout.buttons[i].contains(at)) {
                if (isRelease)
                    Q_EMIT buttonClicked(index, i);
                return isRelease; // the row of a button becomes current
            }
        const int slack = (Sizes::smallControl() - Sizes::icon()) / 2;
        if (content.checked && layout.check.adjusted(-slack, -slack, slack, slack).contains(at)) {
            if (isRelease)
                Q_EMIT checkToggled(index);
            return true; // a press too: the row does not become current
        }
        return false; // the check box of the style lies elsewhere
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
        if (m_describe(index).checked)
            Q_EMIT checkToggled(index);
        return true;
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

bool RowDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                            const QModelIndex& index) {
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const RowContent content = m_describe(index);
    const Layout layout = layOut(content, view->visualRect(index));
    QString tip = index.data(Qt::ToolTipRole).toString();
    const auto addElided = [&](const QString& text, const QFont& font, const QRect& room) {
        if (QFontMetrics(font).horizontalAdvance(text) > room.width() && !tip.contains(text))
            tip.prepend(text + (tip.isEmpty() ? QString() : QStringLiteral("\n")));
    };
    if (layout.shown != breakable(content.sentence) && !tip.contains(content.sentence))
        tip.prepend(content.sentence + (tip.isEmpty() ? QString() : QStringLiteral("\n")));
    addElided(content.second, Sizes::small(), layout.second);
    addElided(content.title, Sizes::text(), layout.title);
    QToolTip::showText(event->globalPos(), tip, view);
    return true;
}

} // namespace headroom::app
