// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/whole_numbers.h"

namespace headroom::widgets {

/// Paints the queue's cells that are more than text: the state as a chip with icon and word, progress as a
/// bar, a message with its button, the buttons at the end. There are no widgets in cells. What the edge of the table cuts is fitted into
/// the part that is in sight.
class QueueDelegate : public WholeNumbersDelegate {
    Q_OBJECT

public:
    explicit QueueDelegate(QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

    /// Left and right of the text of a cell, together, pixels.
    static int padding(const QWidget& view);
    /// Of the cell of a state with this word.
    static int chipWidth(const QString& word);
    /// Returns the positions of `count` buttons in the last cell of a row.
    static QList<QRect> buttonRects(const QRect& cell, int count);
    /// Returns the position of the button after a message in `cell`, the part of it that is in sight.
    static QRect sentenceButton(const QRect& cell, const QString& sentence, const QString& text);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    static QFont chipFont();
    void paintChip(QPainter* painter, const QRect& cell, int kind, const QString& word) const;
    void paintBar(QPainter* painter, const QRect& cell, int kind, double share, const QString& text) const;
    void paintSentence(QPainter* painter, const QRect& cell, const QModelIndex& index) const;
};

} // namespace headroom::widgets
