// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/eliding.h"

#include <QComboBox>
#include <QStyleOptionComboBox>

#include <algorithm>

namespace headroom::widgets {

/// A chooser with its own rule for shortening the chosen text where that does not fit; its list shows the whole text. Window's thread.
class FittedCombo : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    /// Returns what is shown of `text`, which is wider than `room` pixels.
    virtual QString fittedText(const QString& text, int room) const = 0;

    void initStyleOption(QStyleOptionComboBox* option) const override {
        QComboBox::initStyleOption(option);
        const int room = roomOfChoice(*this, *option);
        if (option->fontMetrics.horizontalAdvance(option->currentText) > room)
            option->currentText = fittedText(option->currentText, room);
    }
};

/// A chooser whose entries may have a short name besides: where the whole one does not fit, it shows "Head 2", not "Attention hea…".
/// At least as wide as its short names and its short words, so that one choice is told from another. Window's thread.
class ShortNamesCombo : public FittedCombo {
public:
    static constexpr int kShortNameRole = Qt::UserRole + 1;

    using FittedCombo::FittedCombo;
    QSize minimumSizeHint() const override {
        constexpr int kAny = 1000, kShortWord = 10; // pixels; letters
        QStyleOptionComboBox option;
        option.initFrom(this);
        option.rect.setWidth(kAny);
        int widest = 0;
        for (int row = 0; row < count(); ++row) {
            const QString brief = itemData(row, kShortNameRole).toString(), text = brief.isEmpty() ? itemText(row) : brief;
            if (!brief.isEmpty() || text.size() <= kShortWord)
                widest = std::max(widest, option.fontMetrics.horizontalAdvance(text));
        }
        return {widest + kAny - roomOfChoice(*this, option) + 1, QComboBox::minimumSizeHint().height()};
    }

protected:
    QString fittedText(const QString& text, int) const override {
        const QString brief = currentData(kShortNameRole).toString();
        return brief.isEmpty() ? text : brief;
    }
};

} // namespace headroom::widgets
