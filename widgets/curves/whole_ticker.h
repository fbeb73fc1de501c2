// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/number_text.h"

#include <cmath>
#include <qcustomplot.h>

namespace headroom::widgets {

/// How many digits behind the point a number needs, at most six.
inline int decimalsOf(double value) {
    int decimals = 0;
    for (double left = std::abs(value); decimals < 6 && std::abs(left - std::round(left)) > 1e-6; left *= 10)
        ++decimals;
    return decimals;
}

/// Writes whole numbers as everywhere in the window: 1, 10, 1,000. Ticks between them have no number, because the
/// axis counts things.
template <class Ticker> class WholeNumbers : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return std::abs(tick - std::round(tick)) < 1e-6 ? numberText(tick, 0) : QString();
    }
};

/// Of a linear axis: every number has the digits that the step needs, "0.300" beside "0.325".
class EvenTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override { return m_step = QCPAxisTicker::getTickStep(range); }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return numberText(tick, decimalsOf(m_step));
    }

private:
    double m_step = 1;
};

/// Of a logarithmic axis: 1, 10, 100; where the axis has at most two decades 1, 2, 5, 10, 20 …
class PowerTicker : public WholeNumbers<QCPAxisTickerLog> {
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override {
        if (!(range.lower > 0) || range.upper > 200 * range.lower)
            return QCPAxisTickerLog::createTickVector(tickStep, range);
        QVector<double> ticks;
        for (double power = std::pow(10.0, std::floor(std::log10(range.lower))); power <= range.upper; power *= 10)
            for (const int times : {1, 2, 5})
                if (const double tick = times * power; tick >= range.lower && tick <= range.upper)
                    ticks << tick;
        return ticks;
    }
};
/// Of a linear axis that counts: steps are whole, so that no two ticks round to the same number.
class WholeTicker : public WholeNumbers<QCPAxisTicker> {
protected:
    double getTickStep(const QCPRange& range) override {
        const double step = QCPAxisTicker::getTickStep(range);
        return step < 1 ? 1 : step == 2.5 ? 2 : step;
    }
};

} // namespace headroom::widgets
