// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace headroom::app {

/// Shows a value that something else keeps: the session, a plot, a draft. A field that shows it already keeps its text: what a key
/// changed comes back from there, and QSpinBox::setValue() would write the whole number into what is being typed. Qt's thread.
inline void showNumber(QSpinBox* field, int value) {
    if (field->value() != value)
        field->setValue(value);
}

inline void showNumber(QDoubleSpinBox* field, double value) {
    if (field->textFromValue(value) != field->textFromValue(field->value()))
        field->setValue(value);
}

} // namespace headroom::app
