// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagonality.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/matrix/window_band.h"

#include <QSignalSpy>

namespace headroom::testing::band_bench {

using namespace headroom::widgets;

inline constexpr int kTokens = 40;
inline constexpr int kCell = 10; // pixels per token in both directions

inline MatrixMapping mapping() {
    const TimeSpan all{Seconds(0), Seconds(kTokens)};
    return {QRectF(0, 0, kTokens * kCell, kTokens * kCell), all, all,
            TokenClock::affine(Seconds(0.5), Seconds(1)), kTokens};
}

/// On the upper line of a window, at query index 10.
inline QPoint onLine(int window) {
    return {static_cast<int>((10 + window / 2 + 0.5) * kCell), 10 * kCell};
}

/// A band over a map of its own, with what it says of its edits.
struct Bench {
    Bench() {
        map = ridge(kTokens, 4);
        band.resize(kTokens * kCell, kTokens * kCell);
        band.setMapping(mapping());
        band.setProfile(DiagonalProfile(map.view()));
        band.setBlockLoss(BlockLoss(map.view()));
        band.setWindow(9);
        band.setSuggestedWindow(17);
        band.show();
    }
    Matrix<float> map;
    WindowBand band;
    QSignalSpy dragged{&band, &WindowBand::windowDragged};
    QSignalSpy edited{&band, &WindowBand::windowEdited};
};

} // namespace headroom::testing::band_bench
