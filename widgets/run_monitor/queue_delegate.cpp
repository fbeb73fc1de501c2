// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/queue_delegate.h"

#include "widgets/look/dense_table.h"
#include "widgets/look/eliding.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_model.h"
#include "widgets/run_monitor/table_text.h"

#include <QPainter>
#include <QtMath>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

using Kind = QueueModel::Kind;

struct Chip {
    QString icon;
    QColor ink, ground;
};

Chip chipFor(Kind kind) {
    const Theme& theme = Theme::current();
    switch (kind) {
    case Kind::Running:
        return {QStringLiteral("play"), theme.accent, theme.tint};
    case Kind::Paused:
        return {QStringLiteral("pause"), theme.warning, theme.warningGround};
    case Kind::Stopping:
        return {QStringLiteral("stop"), theme.accent, theme.tint};
    case Kind::Finished:
        return {QStringLiteral("check"), theme.good, theme.goodGround};
    case Kind::Failed:
    case Kind::NotStarted:
        return {QStringLiteral("error"), theme.error, theme.errorGround};
    case Kind::Copying:
        return {QStringLiteral("export"), theme.accent, theme.tint};
    case Kind::Requeued:
        return {QStringLiteral("undo"), theme.warning, theme.warningGround};
    case Kind::NoContact:
        return {QStringLiteral("link"), theme.warning, theme.warningGround};
    case Kind::Interrupted:
        return {QStringLiteral("warning"), theme.warning, theme.warningGround};
    case Kind::Stopped:
        return {QStringLiteral("stop"), theme.text2, theme.header};
    default:
        return {QStringLiteral("clock"), theme.text2, theme.header};
    }
}

} // namespace

QueueDelegate::QueueDelegate(QObject* parent) : WholeNumbersDelegate(kRawRole, parent) {}

int QueueDelegate::padding(const QWidget& view) {
    const int margin = view.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &view) + 1;
    return 2 * (margin + qCeil(kCellPadding * Sizes::unit()));
}

void QueueDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == QueueModel::Job && option->widget)
        if (const QVariant titles = index.data(QueueModel::TitlesRole); titles.isValid())
            option->text = fittedTitle(titles.value<Titles>(), option->fontMetrics, option->rect.width() - padding(*option->widget));
}

QList<QRect> QueueDelegate::buttonRects(const QRect& cell, int count) {
    const int side = Sizes::smallControl();
    QList<QRect> rects;
    for (int i = 0; i < count; ++i)
        rects << QRect(cell.right() - (count - i) * side - qRound(Sizes::unit() / 2),
                       cell.top() + (cell.height() - side) / 2, side, side);
    return rects;
}

QRect QueueDelegate::sentenceButton(const QRect& cell, const QString& sentence, const QString& text) {
    const double unit = Sizes::unit();
    const QFontMetricsF font(Sizes::caption());
    const int width = qRound(font.horizontalAdvance(text) + Sizes::icon() + 2.75 * unit);
    const int room = std::max(cell.width() - width - qRound(3 * unit), qRound(10 * unit));
    const int left = cell.left() + qRound(0.75 * unit) +
                     std::min(qRound(font.horizontalAdvance(sentence) + unit / 2), room) + qRound(unit);
    const int height = cell.height() - qRound(unit / 2);
    return {left, cell.top() + (cell.height() - height) / 2, width, height};
}

void QueueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    const auto kind = Kind(index.data(QueueModel::KindRole).toInt());
    const int column = index.column();
    const bool special = kind == Kind::Sentence || column == QueueModel::State ||
                         column == QueueModel::Progress || column == QueueModel::Buttons;
    if (!special)
        return WholeNumbersDelegate::paint(painter, option, index);
    const QRect part = inSight(option, index);
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(Sizes::caption());
    if (kind == Kind::Sentence) {
        if (column == QueueModel::Job)
            paintSentence(painter, part, index);
    } else if (column == QueueModel::State) {
        paintChip(painter, part, int(kind), index.data().toString());
    } else if (column == QueueModel::Progress) {
        paintBar(painter, part, int(kind), index.data(QueueModel::ShareRole).toDouble(),
                 index.data().toString());
    } else {
        const auto buttons = index.data(QueueModel::ButtonsRole).value<QList<int>>();
        const auto places = buttonRects(option.rect, static_cast<int>(buttons.size()));
        const int inset = (Sizes::smallControl() - Sizes::icon()) / 2;
        for (int i = 0; i < buttons.size(); ++i)
            icon(QueueModel::buttonIcon(QueueModel::Button(buttons[i])), Theme::current().text2)
                .paint(painter, places[i].adjusted(inset, inset, -inset, -inset));
    }
    painter->restore();
}

QFont QueueDelegate::chipFont() {
    QFont bold = Sizes::caption();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

int QueueDelegate::chipWidth(const QString& word) {
    return qCeil(QFontMetricsF(chipFont()).horizontalAdvance(word) + qRound(Sizes::icon() * 0.8) + 2.75 * Sizes::unit());
}

/// The margins are added up in chipWidth().
void QueueDelegate::paintChip(QPainter* painter, const QRect& cell, int kind, const QString& word) const {
    const double unit = Sizes::unit();
    const Chip chip = chipFor(Kind(kind));
    const QRectF box = QRectF(cell).adjusted(0.75 * unit, 0.3 * unit, -0.25 * unit, -0.3 * unit);
    painter->setPen(Qt::NoPen);
    painter->setBrush(chip.ground);
    painter->drawRoundedRect(box, unit / 2, unit / 2);
    const int side = qRound(Sizes::icon() * 0.8);
    icon(chip.icon, chip.ink)
        .paint(painter,
               QRect(qRound(box.left() + unit * 0.75), qRound(box.center().y() - side / 2.0), side, side));
    painter->setFont(chipFont());
    painter->setPen(chip.ink);
    const QRectF text = box.adjusted(side + 1.5 * unit, 0, -unit / 4, 0);
    if (hasRoomForText(painter->fontMetrics(), qFloor(text.width())))
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                          QFontMetricsF(painter->font()).elidedText(word, Qt::ElideRight, text.width()));
}

void QueueDelegate::paintBar(QPainter* painter, const QRect& cell, int kind, double share,
                             const QString& text) const {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    const QRectF inner = QRectF(cell).adjusted(0.75 * unit, 0, -0.75 * unit, 0);
    const double number = QFontMetricsF(painter->font()).horizontalAdvance(progressText(1)) + unit;
    const bool isBar = std::isfinite(share) && inner.width() >= number + 2 * unit; // else the edge of the table leaves no room for one
    if (!isBar) {
        painter->setPen(std::isfinite(share) ? theme.text : theme.text2);
        if (hasRoomForText(painter->fontMetrics(), qFloor(inner.width())))
            painter->drawText(inner, Qt::AlignVCenter | Qt::AlignLeft, fitted(text, painter->fontMetrics(), qFloor(inner.width())));
        return;
    }
    QRectF track(inner.left(), inner.center().y() - unit * 0.375, inner.width() - number, unit * 0.75);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.line);
    painter->drawRoundedRect(track, unit * 0.375, unit * 0.375);
    const auto state = Kind(kind);
    painter->setBrush(state == Kind::Finished ? theme.good
                      : state == Kind::Failed ? theme.error
                      : state == Kind::Running || state == Kind::Stopping || state == Kind::Waiting || state == Kind::Copying
                          ? theme.accent
                          : theme.text3);
    track.setWidth(track.width() * std::clamp(share, 0.0, 1.0));
    painter->drawRoundedRect(track, unit * 0.375, unit * 0.375);
    painter->setPen(theme.text);
    painter->drawText(inner, Qt::AlignVCenter | Qt::AlignRight, text);
}

void QueueDelegate::paintSentence(QPainter* painter, const QRect& cell, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    const QString sentence = index.data().toString();
    const auto buttons = index.data(QueueModel::ButtonsRole).value<QList<int>>();
    QRectF room = QRectF(cell).adjusted(0.75 * unit, 0, -unit, 0);
    if (!buttons.isEmpty()) {
        const auto button = QueueModel::Button(buttons.front());
        const QRect place = sentenceButton(cell, sentence, QueueModel::buttonText(button));
        room.setRight(std::min(room.right(), place.left() - unit));
        painter->setPen(theme.buttonBorder);
        painter->setBrush(theme.panel);
        painter->drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), unit / 2, unit / 2);
        const int side = qRound(Sizes::icon() * 0.8);
        icon(QueueModel::buttonIcon(button), theme.text)
            .paint(painter,
                   QRect(place.left() + qRound(unit * 0.75), place.center().y() - side / 2, side, side));
        painter->setPen(theme.text);
        painter->drawText(QRectF(place).adjusted(side + 1.5 * unit, 0, 0, 0),
                          Qt::AlignVCenter | Qt::AlignLeft, QueueModel::buttonText(button));
    }
    // Why a run waits is no error: the sentence has the colour of the row above.
    const auto kind = Kind(index.siblingAtRow(index.row() - 1).data(QueueModel::KindRole).toInt());
    painter->setPen(kind == Kind::Running || kind == Kind::Copying ? theme.text2 : chipFor(kind).ink);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                      fitted(sentence, painter->fontMetrics(), qRound(room.width())));
}

} // namespace headroom::widgets
