// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagonality.h"
#include "core/statistics/undefined.h"
#include "widgets/curves/diagonality_plot.h"

#include <QVector>

#include <algorithm>

class QCustomPlot;
class QCPItemLine;
class QCPItemRect;
class QCPItemText;
class QCPItemTracer;
class QCPLayer;

namespace headroom::widgets {

struct DiagonalityPlot::Private {
    QCustomPlot* plot = nullptr;
    QCPLayer* markerLayer = nullptr;
    QCPItemRect* inside = nullptr;
    QCPItemLine *vertical = nullptr, *horizontal = nullptr;
    QCPItemTracer* dot = nullptr;
    std::vector<QCPItemTracer*> comparedDots; ///< one for each of `compared`, and some left over
    QCPItemText *flag = nullptr, *values = nullptr, *title = nullptr, *axisTitle = nullptr;

    int layer = -1;
    double milliseconds = 40;
    DiagonalProfile profile;
    std::vector<DiagonalProfile> others;
    Compared own;
    std::vector<Compared> compared;
    std::vector<double> mean, deviation;
    int utterances = 0;
    bool whole = false, masked = false;
    QString kinds, measured;
    int window = 0;
    std::optional<int> dragged;

    double diagonalityOf(const DiagonalProfile& of, int atWindow) const {
        return of.empty()      ? kUndefined
               : atWindow <= 0 ? 1
                               : diagonality(of, atWindow);
    }
    int largest() const { return static_cast<int>(std::max<std::int64_t>(2 * profile.size() - 1, 1)); }
    int lastWindow() const {
        const int reach = whole ? largest() : std::min(61, std::max(largest(), 11));
        return std::max(reach, std::min(window, largest()));
    }
    /// Length of a token of this curve in tokens of the current one.
    double tokenLength(const Compared& of) const {
        return milliseconds > 0 && of.millisecondsPerToken > 0 ? of.millisecondsPerToken / milliseconds : 1;
    }
    /// The window of this curve's tokens whose length is nearest to that of the current curve's window; 0 for full.
    int windowIn(const Compared& of, int tokens) const {
        return tokens <= 0 ? 0 : 2 * std::max(qRound((tokens / tokenLength(of) - 1) / 2), 0) + 1;
    }
    /// D at 1, 3, 5 … last. `tokenLength`: see there.
    std::pair<QVector<double>, QVector<double>> curve(const DiagonalProfile& of, double tokenLength = 1) const {
        QVector<double> x, y;
        for (int w = 1; w * tokenLength <= lastWindow() || x.isEmpty(); w += 2) {
            x << w * tokenLength;
            y << diagonality(of, w);
        }
        return {x, y};
    }
    static QString lengthOf(double milliseconds); ///< "40 ms"
    QPen ownPen() const;
    QPen othersPen() const;
    QPen meanPen() const;
    std::vector<KeyEntry> keyOfCurves() const; ///< empty where one curve needs none
    void placeText(QCPItemText* item, double x, double y, Qt::Alignment alignment) const;
    /// The longest words for the axis that fit into that many pixels beside the title.
    QString axisTitleFor(double room) const;
};

} // namespace headroom::widgets
