// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/kaldi_pitch.h"

#include "core/errors/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

namespace headroom {

namespace {

// Kaldi computes in float. Tables and costs here are floats too, because lags that tie are decided by
// rounding; sums over samples are double, which differs from Kaldi by less than Kaldi's machines differ from
// each other.

constexpr double kPitchRate = 4000;                // after resampling
constexpr int kEvery = 4;                          // 16 kHz / 4 kHz
constexpr int kPitchFrame = 100, kPitchShift = 40; // 25 ms, 10 ms
constexpr int kFirstLag = 8, kLastLag = 82;        // 4000 (1/400 − 5/8000) up, 4000 (1/50 + 5/8000) down
constexpr int kLags = kLastLag - kFirstLag + 1;
constexpr double kBallast = 7000;
constexpr std::size_t kRevised = 500; // frames whose ballast Kaldi corrects when the recording ends

/// A sinc with its cutoff, in a Hann window of `zeros` zero crossings on each side.
double windowedSinc(double time, double cutoff, int zeros) {
    constexpr double kPi = std::numbers::pi;
    if (std::abs(time) >= zeros / (2 * cutoff))
        return 0;
    const double window = 0.5 * (1 + std::cos(2 * kPi * cutoff / zeros * time));
    return (time == 0 ? 2 * cutoff : std::sin(2 * kPi * cutoff * time) / (kPi * time)) * window;
}

std::vector<float> resampled(std::span<const float> samples) {
    constexpr int kReach = 8; // 0.5 ms at 16 kHz
    std::array<float, 2 * kReach + 1> weights{};
    for (int i = -kReach; i <= kReach; ++i)
        weights[static_cast<std::size_t>(i + kReach)] =
            static_cast<float>(windowedSinc(static_cast<float>(i / 16000.0), 1000, 1)) / 16000.0F;
    const auto count = static_cast<std::int64_t>(samples.size());
    std::vector<float> result(static_cast<std::size_t>((count + kEvery - 1) / kEvery));
    for (std::size_t at = 0; at < result.size(); ++at) {
        double sum = 0;
        for (int i = -kReach; i <= kReach; ++i)
            if (const std::int64_t from = kEvery * static_cast<std::int64_t>(at) + i;
                from >= 0 && from < count)
                sum += static_cast<double>(weights[static_cast<std::size_t>(i + kReach)]) *
                       static_cast<double>(samples[static_cast<std::size_t>(from)]);
        result[at] = static_cast<float>(sum);
    }
    return result;
}

/// The lags at which the correlation is looked at, in seconds.
std::vector<float> trackedLags() {
    constexpr double kRatio = 1.0 + static_cast<double>(0.005F);
    std::vector<float> lags;
    for (float lag = static_cast<float>(1.0 / 400); lag <= static_cast<float>(1.0 / 50);
         lag = static_cast<float>(static_cast<double>(lag) * kRatio))
        lags.push_back(lag);
    return lags;
}

/// Interpolates from whole lags at 4 kHz to the tracked ones.
class LagInterpolation {
public:
    explicit LagInterpolation(const std::vector<float>& lags) {
        constexpr float kWidth = 5 / 4000.0F;
        for (const float lag : lags) {
            const float at = lag - static_cast<float>(kFirstLag) / 4000.0F;
            const int first = std::max(0, static_cast<int>(std::ceil(4000.0F * (at - kWidth))));
            const int last = std::min(kLags - 1, static_cast<int>(std::floor(4000.0F * (at + kWidth))));
            Weights weights{static_cast<std::size_t>(first), {}};
            for (int i = first; i <= last; ++i)
                weights.values.push_back(static_cast<float>(windowedSinc(at - static_cast<float>(i) / 4000.0F,
                                                                         kPitchRate / 2, 5)) /
                                         4000.0F);
            m_weights.push_back(std::move(weights));
        }
    }
    std::vector<float> operator()(std::span<const float> correlation) const {
        std::vector<float> result;
        for (const Weights& weights : m_weights)
            result.push_back(
                std::inner_product(weights.values.begin(), weights.values.end(),
                                   correlation.begin() + static_cast<std::ptrdiff_t>(weights.first), 0.0F));
        return result;
    }

private:
    struct Weights {
        std::size_t first;
        std::vector<float> values;
    };
    std::vector<Weights> m_weights;
};

/// Inner products of a frame with itself shifted, and the products of both energies. The mean of the
/// unshifted part is subtracted from all of it.
struct Correlations {
    std::array<double, kLags> inner{}, energies{};

    Correlations(std::span<const float> signal, std::size_t start) {
        std::array<double, kPitchFrame + kLastLag> window{}; // zeros behind the end
        const std::size_t own = std::min(window.size(), signal.size() - start);
        std::copy_n(signal.begin() + static_cast<std::ptrdiff_t>(start), own, window.begin());
        const double mean = std::accumulate(window.begin(), window.begin() + kPitchFrame, 0.0) / kPitchFrame;
        for (double& value : window)
            value -= mean;
        const double energy =
            std::inner_product(window.begin(), window.begin() + kPitchFrame, window.begin(), 0.0);
        for (int lag = 0; lag < kLags; ++lag) {
            const auto shifted = window.begin() + kFirstLag + lag;
            const auto at = static_cast<std::size_t>(lag);
            inner[at] = std::inner_product(window.begin(), window.begin() + kPitchFrame, shifted, 0.0);
            energies[at] = energy * std::inner_product(shifted, shifted + kPitchFrame, shifted, 0.0);
        }
    }
    double meanEnergy() const { return std::accumulate(energies.begin(), energies.end(), 0.0) / kLags; }
    std::array<float, kLags> normalised(double ballast) const {
        std::array<float, kLags> result{};
        for (std::size_t lag = 0; lag < kLags; ++lag)
            if (const double below = std::sqrt(energies[lag] + ballast); below != 0)
                result[lag] = static_cast<float>(inner[lag] / below);
        return result;
    }
};

double meanSquare(std::span<const float> signal) {
    double sum = 0, squares = 0;
    for (const float value : signal) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const auto count = static_cast<double>(signal.size());
    return squares / count - (sum / count) * (sum / count);
}

double ballastOf(double square) {
    return square * kPitchFrame * square * kPitchFrame * kBallast;
}

/// Viterbi over the lags, frame by frame.
class Track {
public:
    explicit Track(const std::vector<float>& lags)
        : m_lags(lags)
        , m_cost(lags.size(), 0.0F)
        , m_next(lags.size()) {}

    void add(const std::vector<float>& correlation) {
        m_back.emplace_back(m_lags.size());
        search(0, m_lags.size(), 0, m_lags.size());
        for (std::size_t i = 0; i < m_next.size(); ++i)
            m_next[i] += 1.0F - correlation[i] + 10.0F * m_lags[i] * correlation[i];
        const float least = *std::ranges::min_element(m_next);
        for (float& cost : m_next)
            cost -= least;
        m_cost.swap(m_next);
    }
    /// The best lag of every frame, as an index.
    std::vector<std::size_t> best() const {
        std::vector<std::size_t> path(m_back.size());
        auto state = static_cast<std::size_t>(std::ranges::min_element(m_cost) - m_cost.begin());
        for (std::size_t frame = m_back.size(); frame-- > 0; state = m_back[frame][state])
            path[frame] = state;
        return path;
    }

private:
    const std::vector<float>& m_lags;
    std::vector<float> m_cost, m_next;
    std::vector<std::vector<std::uint16_t>> m_back;

    /// The best predecessors of the lags [from, to) lie in [first, end): they grow with the lag, because the
    /// cost of a transition is a square. So the middle one splits both ranges.
    void search(std::size_t from, std::size_t to, std::size_t first, std::size_t end) {
        if (from == to)
            return;
        const std::size_t middle = from + (to - from) / 2;
        float least = std::numeric_limits<float>::infinity();
        std::size_t best = first;
        for (std::size_t j = first; j < end; ++j) {
            const auto steps = static_cast<float>(j) - static_cast<float>(middle);
            if (const float cost = steps * steps * kStep + m_cost[j]; cost < least) {
                least = cost;
                best = j;
            }
        }
        m_next[middle] = least;
        m_back.back()[middle] = static_cast<std::uint16_t>(best);
        search(from, middle, first, best + 1);
        search(middle + 1, to, best, end);
    }
    inline static const float kStep =
        static_cast<float>(std::pow(std::log(1.0 + static_cast<double>(0.005F)), 2)) * 0.1F;
};

/// Kaldi's approximate log odds of voicing, as a probability.
double voicing(float correlation) {
    const double n = std::min(1.0, std::abs(static_cast<double>(correlation)));
    const double odds =
        -5.2 + 5.4 * std::exp(7.5 * (n - 1)) + 4.8 * n - 2 * std::exp(-10 * n) + 4.2 * std::exp(20 * (n - 1));
    return 1 / (1 + std::exp(-odds));
}

std::size_t framesIn(std::size_t count, std::size_t needed) {
    return count < needed ? 0 : (count - needed) / kPitchShift + 1;
}

} // namespace

std::vector<TrackedPitch> trackPitch(std::span<const float> samples) {
    const std::vector<float> signal = resampled(samples);
    const std::size_t frames = framesIn(signal.size(), kPitchFrame);
    if (frames == 0)
        return {};
    // Kaldi reads the recording in one piece and then flushes: what its resampler holds back (8 samples at 16
    // kHz) and the frames whose longest lag lies behind the end come in the second step, with another mean
    // square.
    const std::size_t early = samples.size() <= 8 ? 0 : (samples.size() - 8 + kEvery - 1) / kEvery;
    const std::size_t before = framesIn(early, kPitchFrame + kLastLag);
    const double whole = meanSquare(signal);
    const double first = before > 0 ? meanSquare(std::span(signal).first(early)) : whole;
    const bool revised =
        before < kRevised && std::abs(first - whole) > 0.01 * (std::abs(first) + std::abs(whole));

    const std::vector<float> lags = trackedLags();
    const LagInterpolation interpolated(lags);
    Track track(lags);
    std::vector<std::vector<float>> voiced;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const Correlations correlations(signal, frame * kPitchShift);
        const double ballast = ballastOf(frame < before ? first : whole);
        std::vector<float> tracked = interpolated(correlations.normalised(ballast));
        if (revised && frame < before)
            for (float& value : tracked)
                value *= static_cast<float>(std::sqrt((ballast + correlations.meanEnergy()) /
                                                      (ballastOf(whole) + correlations.meanEnergy())));
        track.add(tracked);
        voiced.push_back(interpolated(correlations.normalised(0)));
    }
    const std::vector<std::size_t> path = track.best();
    std::vector<TrackedPitch> result;
    for (std::size_t frame = 0; frame < frames; ++frame)
        result.push_back({voiced[frame][path[frame]], 1 / lags[path[frame]]});
    return result;
}

Matrix<float> pitchFeatures(std::span<const TrackedPitch> frames) {
    constexpr std::int64_t kContext = 75, kDelta = 2;
    const auto count = static_cast<std::int64_t>(frames.size());
    std::vector<double> weight, height;
    for (const TrackedPitch& frame : frames) {
        weight.push_back(voicing(frame.correlation));
        height.push_back(std::log(static_cast<double>(frame.hertz)));
    }
    Matrix<float> result(frames.size(), kPitchFeatures);
    for (std::int64_t t = 0; t < count; ++t) {
        const auto at = static_cast<std::size_t>(t);
        double weights = 0, sum = 0, slope = 0;
        for (std::int64_t u = std::max<std::int64_t>(0, t - kContext); u < std::min(count, t + kContext + 1);
             ++u) {
            weights += weight[static_cast<std::size_t>(u)];
            sum += weight[static_cast<std::size_t>(u)] * height[static_cast<std::size_t>(u)];
        }
        for (std::int64_t k = -kDelta; k <= kDelta; ++k)
            slope += static_cast<double>(k) *
                     height[static_cast<std::size_t>(std::clamp<std::int64_t>(t + k, 0, count - 1))] / 10;
        const double correlation = std::clamp(static_cast<double>(frames[at].correlation), -1.0, 1.0);
        result(at, 0) = static_cast<float>(2 * (std::pow(1.0001 - correlation, 0.15) - 1));
        result(at, 1) = static_cast<float>(2 * (height[at] - sum / weights));
        result(at, 2) = static_cast<float>(10 * slope);
    }
    return result;
}

Matrix<float> kaldiFeatures(LogMelFilterbank& filterbank, std::span<const float> samples, int columns) {
    if (!isKaldiColumns(columns))
        throw Error(
            "features.columns",
            "This model reads " + std::to_string(columns) +
                " features. Headroom computes 80 mel bins, or 83 features: 80 mel bins and 3 of pitch.",
            {{"features", columns}});
    Matrix<float> mel = filterbank.compute(samples);
    if (columns == LogMelFilterbank::kBins)
        return mel;
    const Matrix<float> pitch = pitchFeatures(trackPitch(samples)); // never fewer rows
    Matrix<float> result(mel.rows(), mel.columns() + kPitchFeatures);
    for (std::size_t row = 0; row < mel.rows(); ++row)
        std::ranges::copy(pitch.row(row), std::ranges::copy(mel.row(row), result.row(row).begin()).out);
    return result;
}

} // namespace headroom
