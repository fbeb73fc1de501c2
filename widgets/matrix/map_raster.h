// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/max_pyramid.h"
#include "core/time/clocks.h"
#include "widgets/look/colour_map.h"
#include "widgets/time_axis/time_axis.h"

#include <QImage>
#include <QRgb>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headroom::widgets {

// From a matrix to pixels in two steps, each cached by its user: sampling depends only on zoom, size and
// pixel ratio; colouring only on map, gamma and range. Pure functions, safe on every thread.

/// The cells [first, last) of one pixel; empty if the pixel is outside the matrix.
struct CellRange {
    std::int32_t first = 0, last = 0;
    bool empty() const { return first >= last; }
    bool operator==(const CellRange&) const = default;
};

/// Returns the tokens of each of `pixels` device pixels spanning `visible`: if a token is at least a pixel
/// wide, the token at the pixel's centre (nearest); otherwise every token that the pixel touches (for the
/// maximum).
std::vector<CellRange> cellsOfPixels(TimeSpan visible, int pixels, const TokenClock& clock,
                                     std::int64_t tokens);

/// The token under `time` in a map of `tokens` tokens over a sound of length `extent`. nullopt if the map is
/// of a part of it and `time` is outside of that part. A front end leaves some time over at either end of a sound, which
/// counts to the first and the last token: all of it where the part is known, otherwise up to two tokens' time.
std::optional<Tokens> tokenUnder(Seconds time, const TokenClock& clock, Tokens tokens, Seconds extent,
                                 const std::optional<TimeSpan>& part = {});

/// Value of sampleMap outside the matrix (drawn transparent). Hidden or undefined cells are NaN.
inline constexpr float kOutside = -std::numeric_limits<float>::infinity();

/// Returns one value per pixel, rows × columns: the exact maximum over the pixel's cells. Leaves out NaN
/// cells and, with `hideDiagonal`, the cells i = j; NaN if nothing remains.
Matrix<float> sampleMap(const MaxPyramid& map, std::span<const CellRange> rows,
                        std::span<const CellRange> columns, bool hideDiagonal);

/// The same for two maps, a map and its negative, so that a reduced difference keeps the value farthest from
/// 0. `negated` is −`map`, of the same shape.
Matrix<float> sampleDifference(const MaxPyramid& map, const MaxPyramid& negated,
                               std::span<const CellRange> rows, std::span<const CellRange> columns,
                               bool hideDiagonal);

/// A value range in the map's own unit.
struct ValueRange {
    double low = 0, high = 1;
    bool operator==(const ValueRange&) const = default;
};

/// Returns 0 … 99th percentile of the cells off the diagonal (without NaN; without such cells: 0 … its
/// maximum or 1).
ValueRange offDiagonalRange(MatrixView<const float> map);

/// Returns −r … r, where r is the 99th percentile of the magnitudes off the diagonal; for a difference.
ValueRange differenceRange(MatrixView<const float> map);

/// A table from normalised value to colour, gamma applied: 4096 entries, spaced evenly in the square root of
/// the value so that small gammas stay smooth near 0.
class ColourTable {
public:
    ColourTable(const ColourMap& map, double gamma, QRgb hidden);
    /// Centred on 0.5: on either side the distance from it is coloured by its gamma-th power.
    static ColourTable aboutMiddle(const ColourMap& map, double gamma, QRgb hidden);
    /// Returns one pixel per value. Pixels outside the matrix are transparent (ARGB32_Premultiplied); without
    /// any it is RGB32.
    QImage colour(const Matrix<float>& values, ValueRange range) const;
    QRgb colourOf(float value, ValueRange range) const;

private:
    explicit ColourTable(QRgb hidden);

    std::vector<QRgb> m_colours;
    QRgb m_hidden;
};

} // namespace headroom::widgets
