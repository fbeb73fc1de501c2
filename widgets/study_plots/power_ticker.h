// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/number_text.h"

#include <qcustomplot.h>

namespace headroom::widgets {

/// Powers of ten on a logarithmic axis, written as numbers are everywhere in the window: 1, 10, 1,000.
class PowerTicker : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return numberText(tick, 0); }
};

} // namespace headroom::widgets
