// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#ifndef Q_MOC_RUN // moc of Qt 6.4 stumbles over <concepts>, which GCC 12's <compare> includes first
#include <compare>
#endif

namespace headroom {

/// A number with a unit in its type: seconds, samples, frames and tokens cannot be mixed by accident.
///
/// Arithmetic exists only where it is meaningful: addition and subtraction of equal units, multiplication and
/// division by a plain number. There are no implicit conversions. Only a clock (FrameClock, TokenClock,
/// SampleRate) converts between units.
template <class Tag, class Representation>
class Quantity {
public:
    using representation = Representation;
    constexpr Quantity() = default;
    constexpr explicit Quantity(Representation value) : m_value(value) {}
    constexpr Representation value() const { return m_value; }

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity operator+(Quantity other) const { return Quantity(m_value + other.m_value); }
    constexpr Quantity operator-(Quantity other) const { return Quantity(m_value - other.m_value); }
    constexpr Quantity operator-() const { return Quantity(-m_value); }
    constexpr Quantity operator*(Representation factor) const { return Quantity(m_value * factor); }
    constexpr Quantity operator/(Representation divisor) const { return Quantity(m_value / divisor); }
    constexpr Quantity& operator+=(Quantity other) {
        m_value += other.m_value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        m_value -= other.m_value;
        return *this;
    }
    constexpr Quantity& operator++() {
        ++m_value;
        return *this;
    }

private:
    Representation m_value{};
};

/// A time, or a duration, in seconds from the start of the recording. May be negative (before the start).
using Seconds = Quantity<struct SecondsTag, double>;
/// A position or a count in audio samples of one channel.
using Samples = Quantity<struct SamplesTag, std::int64_t>;
/// A position or a count in feature frames (25 ms windows every 10 ms), from 0.
using Frames = Quantity<struct FramesTag, std::int64_t>;
/// A position or a count in encoder positions (after subsampling), from 0.
using Tokens = Quantity<struct TokensTag, std::int64_t>;

/// Samples per second; converts between samples and seconds. Must be positive.
class SampleRate {
public:
    constexpr explicit SampleRate(int hertz) : m_hertz(hertz) {}
    constexpr int hertz() const { return m_hertz; }
    constexpr Seconds duration(Samples samples) const {
        return Seconds(static_cast<double>(samples.value()) / m_hertz);
    }
    /// The sample nearest to a time (halves away from zero).
    constexpr Samples nearest(Seconds time) const {
        const double exact = time.value() * m_hertz;
        return Samples(static_cast<std::int64_t>(exact < 0 ? exact - 0.5 : exact + 0.5));
    }
    constexpr auto operator<=>(const SampleRate&) const = default;

private:
    int m_hertz;
};

/// The input rate of every model: 16 kHz mono.
inline constexpr SampleRate kModelSampleRate{16000};

} // namespace headroom
