// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/map_raster.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

constexpr std::size_t kTableSize = 4096;
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
// From this many cells per pixel on, coarse levels of the pyramid cost less than reading every cell.
constexpr std::size_t kPyramidFrom = 16;

/// Maximum that leaves NaN out on either side.
inline float larger(float a, float b) {
    return a >= b || std::isnan(b) ? a : b;
}

float maximumOffDiagonal(const Matrix<float>& cells, CellRange rows, CellRange columns) {
    float best = kNothing;
    for (auto row = rows.first; row < rows.last; ++row)
        for (auto column = columns.first; column < columns.last; ++column)
            if (row != column)
                best = larger(best, cells(static_cast<std::size_t>(row), static_cast<std::size_t>(column)));
    return best;
}

Matrix<float> sampleThroughPyramid(const MaxPyramid& map, std::span<const CellRange> rows,
                                   std::span<const CellRange> columns, bool hideDiagonal) {
    Matrix<float> values(rows.size(), columns.size(), kOutside);
    for (std::size_t y = 0; y < rows.size(); ++y) {
        if (rows[y].empty())
            continue;
        for (std::size_t x = 0; x < columns.size(); ++x) {
            if (columns[x].empty())
                continue;
            const bool onDiagonal = rows[y].first < columns[x].last && columns[x].first < rows[y].last;
            values(y, x) = hideDiagonal && onDiagonal
                               ? maximumOffDiagonal(map.level(0), rows[y], columns[x])
                               : map.maximum(static_cast<std::size_t>(rows[y].first),
                                             static_cast<std::size_t>(columns[x].first),
                                             static_cast<std::size_t>(rows[y].last - rows[y].first),
                                             static_cast<std::size_t>(columns[x].last - columns[x].first));
        }
    }
    return values;
}

/// Rows first, whole rows at a time, then columns: every visible cell is read once per pixel row that shows
/// it, without a branch. `b > a ? b : a` leaves NaN out; what stays at −∞ had no cell.
Matrix<float> sampleDirectly(const Matrix<float>& cells, std::span<const CellRange> rows,
                             std::span<const CellRange> columns, bool hideDiagonal) {
    constexpr float kLowest = -std::numeric_limits<float>::infinity();
    Matrix<float> values(rows.size(), columns.size(), kOutside);
    auto from = static_cast<std::int32_t>(cells.columns()), to = std::int32_t(0);
    for (const auto& range : columns)
        if (!range.empty()) {
            from = std::min(from, range.first);
            to = std::max(to, range.last);
        }
    std::vector<float> tallest(cells.columns());
    for (std::size_t y = 0; y < rows.size(); ++y) {
        if (rows[y].empty() || from >= to)
            continue;
        const auto out = values.row(y);
        if (y > 0 && rows[y] == rows[y - 1]) {
            std::ranges::copy(values.row(y - 1), out.begin());
            continue;
        }
        std::fill(tallest.begin() + from, tallest.begin() + to, kLowest);
        for (auto row = rows[y].first; row < rows[y].last; ++row) {
            const float* const source = cells.row(static_cast<std::size_t>(row)).data();
            float* const best = tallest.data();
            const bool spared = hideDiagonal && row >= from && row < to;
            const float before = spared ? best[row] : 0;
            for (auto column = from; column < to; ++column)
                best[column] = source[column] > best[column] ? source[column] : best[column];
            if (spared)
                best[row] = before;
        }
        for (std::size_t x = 0; x < columns.size(); ++x) {
            float best = kLowest;
            for (auto column = columns[x].first; column < columns[x].last; ++column) {
                const float value = tallest[static_cast<std::size_t>(column)];
                best = value > best ? value : best;
            }
            out[x] = columns[x].empty() ? kOutside : best == kLowest ? kNothing : best;
        }
    }
    return values;
}

} // namespace

std::optional<Tokens> tokenUnder(Seconds time, const TokenClock& clock, Tokens tokens, Seconds extent,
                                 const std::optional<TimeSpan>& part) {
    if (part)
        return time < part->start || time > part->end ? std::nullopt : std::optional(clock.tokenAt(time, tokens));
    const Seconds leftOver = clock.step() * 2, start = clock.cellStart(Tokens(0)),
                  end = clock.cellStart(tokens);
    const bool isBefore = time < start && start > leftOver, isAfter = time >= end && end < extent - leftOver;
    return isBefore || isAfter ? std::nullopt : std::optional(clock.tokenAt(time, tokens));
}

std::vector<CellRange> cellsOfPixels(TimeSpan visible, int pixels, const TokenClock& clock,
                                     std::int64_t tokens) {
    std::vector<CellRange> cells(static_cast<std::size_t>(std::max(pixels, 0)));
    if (pixels <= 0 || visible.length().value() <= 0)
        return cells;
    const double start = (visible.start - clock.cellStart(Tokens(0))).value() / clock.cellStep().value();
    const double perPixel = visible.length().value() / clock.cellStep().value() / pixels;
    // A cell that a pixel touches only by rounding is not its own: with exactly whole cells per pixel,
    // neighbours would otherwise be counted twice.
    constexpr double kTouch = 1e-9;
    const auto clipped = [tokens](double index) {
        return static_cast<std::int32_t>(std::clamp(index, 0.0, static_cast<double>(tokens)));
    };
    for (std::size_t pixel = 0; pixel < cells.size(); ++pixel) {
        const double from = start + perPixel * static_cast<double>(pixel);
        if (perPixel <= 1) {
            const double nearest = std::floor(from + perPixel / 2);
            cells[pixel] = {clipped(nearest), clipped(nearest + 1)};
        } else {
            cells[pixel] = {clipped(std::floor(from + kTouch)), clipped(std::ceil(from + perPixel - kTouch))};
        }
    }
    return cells;
}

Matrix<float> sampleMap(const MaxPyramid& map, std::span<const CellRange> rows,
                        std::span<const CellRange> columns, bool hideDiagonal) {
    if (map.empty())
        return Matrix<float>(rows.size(), columns.size(), kOutside);
    const std::size_t cells = map.rows() * map.columns();
    const std::size_t pixels = std::max<std::size_t>(rows.size() * columns.size(), 1);
    return cells / pixels >= kPyramidFrom ? sampleThroughPyramid(map, rows, columns, hideDiagonal)
                                          : sampleDirectly(map.level(0), rows, columns, hideDiagonal);
}

Matrix<float> sampleDifference(const MaxPyramid& map, const MaxPyramid& negated,
                               std::span<const CellRange> rows, std::span<const CellRange> columns,
                               bool hideDiagonal) {
    Matrix<float> values = sampleMap(map, rows, columns, hideDiagonal);
    const Matrix<float> lows = sampleMap(negated, rows, columns, hideDiagonal);
    for (std::size_t pixel = 0; pixel < values.values().size(); ++pixel)
        if (float& value = values.values()[pixel]; lows.values()[pixel] > value)
            value = -lows.values()[pixel];
    return values;
}

ValueRange differenceRange(MatrixView<const float> map) {
    Matrix<float> magnitudes(map.rows(), map.columns());
    for (std::size_t row = 0; row < map.rows(); ++row)
        for (std::size_t column = 0; column < map.columns(); ++column)
            magnitudes(row, column) = std::abs(map(row, column));
    const double high = offDiagonalRange(magnitudes.view()).high;
    return {-high, high};
}

ValueRange offDiagonalRange(MatrixView<const float> map) {
    std::vector<float> values;
    values.reserve(map.rows() * map.columns());
    float largest = 0;
    for (std::size_t row = 0; row < map.rows(); ++row)
        for (std::size_t column = 0; column < map.columns(); ++column) {
            const float value = map(row, column);
            if (!std::isfinite(value))
                continue;
            largest = std::max(largest, value);
            if (row != column)
                values.push_back(value);
        }
    double high = largest;
    if (!values.empty()) {
        const auto rank = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size() - 1) + 0.5);
        std::nth_element(values.begin(), values.begin() + rank, values.end());
        high = values[static_cast<std::size_t>(rank)];
    }
    if (high <= 0) // nearly everything is 0 (a narrow window): the maximum still tells something
        high = largest;
    return {0, high > 0 ? high : 1};
}

ColourTable::ColourTable(const ColourMap& map, double gamma, QRgb hidden)
    : m_colours(kTableSize)
    , m_hidden(hidden) {
    for (std::size_t index = 0; index < kTableSize; ++index)
        m_colours[index] = map.at(std::pow(static_cast<double>(index) / (kTableSize - 1), 2 * gamma));
}

ColourTable::ColourTable(QRgb hidden) : m_colours(kTableSize), m_hidden(hidden) {}

ColourTable ColourTable::aboutMiddle(const ColourMap& map, double gamma, QRgb hidden) {
    ColourTable table(hidden);
    for (std::size_t index = 0; index < kTableSize; ++index) {
        const double root = static_cast<double>(index) / (kTableSize - 1);
        double from = 2 * root * root - 1;
        if (std::abs(from) < 1.5 / (kTableSize - 1)) // no entry is exactly the middle, and 0 must be
            from = 0;
        table.m_colours[index] = map.at((1 + std::copysign(std::pow(std::abs(from), gamma), from)) / 2);
    }
    return table;
}

QRgb ColourTable::colourOf(float value, ValueRange range) const {
    if (value == kOutside)
        return 0;
    if (std::isnan(value))
        return m_hidden;
    const double share = std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
    return m_colours[static_cast<std::size_t>(std::sqrt(share) * (kTableSize - 1) + 0.5)];
}

QImage ColourTable::colour(const Matrix<float>& values, ValueRange range) const {
    QImage image(static_cast<int>(values.columns()), static_cast<int>(values.rows()),
                 QImage::Format_ARGB32_Premultiplied);
    const float low = static_cast<float>(range.low);
    const float scale = 1 / static_cast<float>(range.high - range.low);
    bool hasOutside = false;
    std::vector<std::int32_t> entry(values.columns());
    for (std::size_t y = 0; y < values.rows(); ++y) {
        const float* const row = values.row(y).data();
        for (std::size_t x = 0; x < entry.size(); ++x) {
            const float scaled = (row[x] - low) * scale;
            const float above = scaled > 0 ? scaled : 0.0F; // NaN: 0
            entry[x] =
                static_cast<std::int32_t>(std::sqrt(above < 1 ? above : 1.0F) * (kTableSize - 1) + 0.5F);
        }
        auto* const pixel = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        for (std::size_t x = 0; x < entry.size(); ++x) {
            const QRgb colour = m_colours[static_cast<std::size_t>(entry[x])];
            const bool outside = row[x] == kOutside;
            hasOutside |= outside;
            pixel[x] = row[x] != row[x] ? m_hidden : outside ? 0U : colour;
        }
    }
    if (!hasOutside) // opaque pictures are copied, not blended
        image.reinterpretAsFormat(QImage::Format_RGB32);
    return image;
}

} // namespace headroom::widgets
