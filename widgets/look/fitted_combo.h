// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/eliding.h"

#include <QComboBox>
#include <QStyleOptionComboBox>

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

} // namespace headroom::widgets
