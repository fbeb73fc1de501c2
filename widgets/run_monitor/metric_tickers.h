// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/number_text.h"

#include <qcustomplot.h>

#include <cmath>

namespace headroom::widgets {

/// "10 k", "2.5 M": ticks of large counts stay short.
class CountTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        const double step = QCPAxisTicker::getTickStep(range);
        return step == 2.5 ? 2 : step; // no half steps
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const double size = std::abs(tick);
        const auto shortest = [](double value) { return withMinus(QString::number(value, 'g', 4)); };
        if (size >= 1e6)
            return shortest(tick / 1e6) + QStringLiteral(" M");
        return size >= 1e3 ? shortest(tick / 1e3) + QStringLiteral(" k") : shortest(tick);
    }
};

/// Its numbers with the minus sign of all others: "−0.5", "1e−05".
template <class Ticker> class WithMinus : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        return withMinus(Ticker::getTickLabel(tick, locale, format, precision));
    }
};

} // namespace headroom::widgets
