// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/number_text.h"

#include <cmath>
#include <qcustomplot.h>

namespace headroom::widgets {

/// Writes whole numbers as everywhere in the window: 1, 10, 1,000. Ticks between them have no number, because the
/// axis counts things.
template <class Ticker> class WholeNumbers : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return std::abs(tick - std::round(tick)) < 1e-6 ? numberText(tick, 0) : QString();
    }
};

using PowerTicker = WholeNumbers<QCPAxisTickerLog>; ///< of a logarithmic axis
using WholeTicker = WholeNumbers<QCPAxisTicker>;

} // namespace headroom::widgets
