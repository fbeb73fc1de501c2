// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/acoustics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <fftw3.h>
#include <memory>
#include <numbers>
#include <stdexcept>

namespace headroom::training {

namespace {

double uniform(Random& random) { // (0, 1]
    return (static_cast<double>(random.next() >> 11) + 1) * 0x1.0p-53;
}

struct FreePlan {
    void operator()(fftwf_plan_s* plan) const { fftwf_destroy_plan(plan); }
};
using Plan = std::unique_ptr<fftwf_plan_s, FreePlan>;

/// Half spectrum of `samples`, padded with zeros to `size`.
std::vector<std::complex<float>> spectrum(std::span<const float> samples, std::size_t size) {
    std::vector<float> padded(size);
    std::copy(samples.begin(), samples.end(), padded.begin());
    std::vector<std::complex<float>> bins(size / 2 + 1);
    // FFTW_ESTIMATE measures nothing: the plan, and so the rounding, is the same in every process.
    const Plan plan(fftwf_plan_dft_r2c_1d(static_cast<int>(size), padded.data(),
                                          reinterpret_cast<fftwf_complex*>(bins.data()), FFTW_ESTIMATE));
    fftwf_execute(plan.get());
    return bins;
}

void scale(std::vector<float>& samples, double factor) {
    for (auto& sample : samples)
        sample = static_cast<float>(sample * factor);
}

double amplitude(double decibels) {
    return std::pow(10.0, decibels / 20);
}

std::vector<float> cutOf(std::span<const float> babble, std::size_t samples, Random& random) {
    std::vector<float> result(samples);
    auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(babble.size())));
    for (auto& sample : result) {
        sample = babble[at];
        at = at + 1 == babble.size() ? 0 : at + 1;
    }
    return result;
}

} // namespace

const char* nameOf(Noise noise) {
    constexpr std::array<const char*, 4> kNames{"none", "white", "pink", "babble"};
    return kNames[static_cast<std::size_t>(noise)];
}

Conditions randomConditions(Random& random) {
    Conditions conditions;
    if (random.below(3) != 0) {
        conditions.noise = static_cast<Noise>(1 + random.below(3));
        conditions.signalToNoise = 10 + 5 * static_cast<double>(random.below(4));
    }
    if (random.below(5) >= 2) {
        conditions.reverberation = 0.2 + 0.2 * static_cast<double>(random.below(3));
        conditions.directToReverberant = 4 + 4 * static_cast<double>(random.below(3));
    }
    conditions.level = -28 + static_cast<double>(random.below(11));
    return conditions;
}

std::vector<float> underConditions(std::span<const float> speech, SampleRate rate,
                                   const Conditions& conditions, std::span<const float> babble,
                                   Random& random) {
    if (speech.empty())
        throw std::invalid_argument("underConditions: no speech");
    std::vector<float> sound(speech.begin(), speech.end());
    if (conditions.reverberation > 0)
        sound = convolved(
            sound, impulseResponse(rate, conditions.reverberation, conditions.directToReverberant, random));
    if (const double loudness = rootMeanSquare(sound); loudness > 0)
        scale(sound, amplitude(conditions.level) / loudness);
    if (conditions.noise != Noise::None) {
        auto noise = conditions.noise == Noise::White  ? whiteNoise(sound.size(), random)
                     : conditions.noise == Noise::Pink ? pinkNoise(sound.size(), random)
                                                       : cutOf(babble, sound.size(), random);
        if (const double loudness = rootMeanSquare(noise); loudness > 0)
            scale(noise, amplitude(conditions.level - conditions.signalToNoise) / loudness);
        for (std::size_t i = 0; i < sound.size(); ++i)
            sound[i] += noise[i];
    }
    float peak = 0;
    for (const float sample : sound)
        peak = std::max(peak, std::abs(sample));
    if (peak > 0.99F)
        scale(sound, 0.99 / peak);
    return sound;
}

std::vector<float> whiteNoise(std::size_t samples, Random& random) {
    std::vector<float> noise(samples);
    for (std::size_t i = 0; i < samples; i += 2) { // Box and Muller: two at a time
        const double radius = std::sqrt(-2 * std::log(uniform(random)));
        const double angle = 2 * std::numbers::pi * uniform(random);
        noise[i] = static_cast<float>(radius * std::cos(angle));
        if (i + 1 < samples)
            noise[i + 1] = static_cast<float>(radius * std::sin(angle));
    }
    return noise;
}

std::vector<float> pinkNoise(std::size_t samples, Random& random) {
    // Voss and McCartney: the sum of sources, of which the k-th is drawn anew every 2^k samples.
    constexpr std::size_t kSources = 14;
    const double norm = 1 / std::sqrt(kSources + 1.0);
    std::array<double, kSources> sources{};
    const auto draw = [&] { return (uniform(random) - 0.5) * std::sqrt(12.0); };
    double sum = 0;
    for (auto& source : sources)
        sum += source = draw();
    std::vector<float> noise(samples);
    for (std::size_t i = 0; i < samples; ++i) {
        const auto which = static_cast<std::size_t>(std::countr_zero(i + 1));
        if (which < kSources) {
            sum -= sources[which];
            sum += sources[which] = draw();
        }
        noise[i] = static_cast<float>((sum + draw()) * norm);
    }
    return noise;
}

std::vector<float> impulseResponse(SampleRate rate, double t60, double directToReverberant, Random& random) {
    const auto begin = static_cast<std::size_t>(0.002 * rate.hertz());
    const auto length = std::max(begin + 1, static_cast<std::size_t>(t60 * rate.hertz()));
    auto response = whiteNoise(length, random);
    const double decay = std::log(1000.0) / (t60 * rate.hertz()); // 60 dB of amplitude
    double energy = 0;
    for (std::size_t i = 0; i < length; ++i) {
        response[i] =
            i < begin ? 0.0F : static_cast<float>(response[i] * std::exp(-decay * static_cast<double>(i)));
        energy += static_cast<double>(response[i]) * response[i];
    }
    scale(response, amplitude(-directToReverberant) / std::sqrt(energy));
    response[0] = 1;
    return response;
}

std::vector<float> convolved(std::span<const float> signal, std::span<const float> response) {
    const auto size = std::bit_ceil(signal.size() + response.size());
    auto bins = spectrum(signal, size);
    const auto other = spectrum(response, size);
    for (std::size_t i = 0; i < bins.size(); ++i)
        bins[i] *= other[i];
    std::vector<float> result(size);
    const Plan plan(fftwf_plan_dft_c2r_1d(
        static_cast<int>(size), reinterpret_cast<fftwf_complex*>(bins.data()), result.data(), FFTW_ESTIMATE));
    fftwf_execute(plan.get());
    result.resize(signal.size());
    scale(result, 1.0 / static_cast<double>(size));
    return result;
}

double rootMeanSquare(std::span<const float> samples) {
    double sum = 0;
    for (const float sample : samples)
        sum += static_cast<double>(sample) * sample;
    return samples.empty() ? 0 : std::sqrt(sum / static_cast<double>(samples.size()));
}

} // namespace headroom::training
