// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/gamma_field.h"

#include <QToolTip>

#include <algorithm>

namespace headroom::app {

GammaField::GammaField(QWidget* parent) : QDoubleSpinBox(parent) {
    setRange(0.001, 1);
    setDecimals(3);
    setSingleStep(0.005);
    setValue(0.01);
    setLocale(QLocale::c());
    setKeyboardTracking(false); // what is half typed is nobody's γ
    setAccessibleName(tr("Relaxation γ"));
    setToolTip(tr("γ of relaxed heads: the share of uniform attention. Changes the γ of the selected heads that are relaxed. ") + limits());
}

QString GammaField::limits() const {
    return tr("γ is at least %1 and at most %2.").arg(minimum()).arg(maximum());
}

QValidator::State GammaField::validate(QString& text, int& position) const {
    const auto state = QDoubleSpinBox::validate(text, position);
    bool isNumber = false;
    const double value = locale().toDouble(text, &isNumber);
    return state == QValidator::Invalid && isNumber && value >= 0 ? QValidator::Intermediate : state;
}

void GammaField::fixup(QString& text) const {
    bool isNumber = false;
    const double value = locale().toDouble(text, &isNumber);
    if (!isNumber)
        return QDoubleSpinBox::fixup(text);
    const double nearest = std::clamp(value, minimum(), maximum());
    text = textFromValue(nearest);
    if (value != nearest && isVisible())
        QToolTip::showText(mapToGlobal(rect().bottomLeft()), limits(), const_cast<GammaField*>(this));
}

} // namespace headroom::app
