// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/look/colour_science.h"

#include <algorithm>
#include <cmath>

namespace headroom::testing {

namespace {

using Vector = std::array<double, 3>;
using Matrix3 = std::array<Vector, 3>;

constexpr Matrix3 kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix3 kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix3 kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr Matrix3 kToXyz{{{0.4124564, 0.3575761, 0.1804375},
                          {0.2126729, 0.7151522, 0.0721750},
                          {0.0193339, 0.1191920, 0.9503041}}};

Vector times(const Matrix3& matrix, const Vector& vector) {
    Vector result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            result[row] += matrix[row][column] * vector[column];
    return result;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Vector linearOf(const QColor& colour) {
    return {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
}

} // namespace

Vector linearSeenBy(Sight sight, const QColor& colour) {
    Vector seen = linearOf(colour);
    if (sight == Sight::Protan)
        seen = times(kProtan, seen);
    else if (sight == Sight::Deutan)
        seen = times(kDeutan, seen);
    else if (sight == Sight::Tritan)
        seen = times(kTritan, seen);
    for (double& channel : seen)
        channel = std::clamp(channel, 0.0, 1.0);
    return seen;
}

Vector lab(const Vector& rgb) {
    const Vector xyz = times(kToXyz, rgb);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(Sight sight, const QColor& a, const QColor& b) {
    const Vector one = lab(linearSeenBy(sight, a)), other = lab(linearSeenBy(sight, b));
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const Vector rgb = linearOf(colour);
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    };
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

} // namespace headroom::testing
