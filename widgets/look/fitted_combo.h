// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStyle>
#include <QStyleOptionComboBox>

namespace headroom::widgets {

/// A chooser that says itself what it leaves out where it is too narrow for what is chosen; its list shows all of it. Window's thread.
class FittedCombo : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    /// What is shown of `text`, which is wider than these pixels.
    virtual QString fittedText(const QString& text, int room) const = 0;

    void initStyleOption(QStyleOptionComboBox* option) const override {
        QComboBox::initStyleOption(option);
        int room = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this).width() - 2;
        if (!option->currentIcon.isNull())
            room -= option->iconSize.width() + 4; // what the style leaves behind it
        if (option->fontMetrics.horizontalAdvance(option->currentText) > room)
            option->currentText = fittedText(option->currentText, room);
    }
};

} // namespace headroom::widgets
