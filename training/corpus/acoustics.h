// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"
#include "training/data/random.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::training {

enum class Noise { None, White, Pink, Babble };
const char* nameOf(Noise noise);

/// The acoustic conditions of an utterance.
struct Conditions {
    Noise noise = Noise::None;
    double signalToNoise = 0;       ///< decibels, at the microphone; unused without noise
    double reverberation = 0;       ///< T60 in seconds; 0: none
    double directToReverberant = 0; ///< decibels; unused without reverberation
    double level = -23;             ///< root mean square of the speech, decibels below full scale
};
/// Samples conditions: a third without noise, two fifths without reverberation; the rest in steps of 5 dB and
/// of 0.2 s.
Conditions randomConditions(Random& random);

/// Returns samples between −1 and 1 whose direct sound stays in place, so that word and phone times remain
/// correct. `babble` is a stretch of many voices to cut from, of any length above 0; used if the conditions
/// require it. Equal arguments give equal samples on one machine. Throws std::invalid_argument for empty
/// speech.
std::vector<float> underConditions(std::span<const float> speech, SampleRate rate,
                                   const Conditions& conditions, std::span<const float> babble,
                                   Random& random);

/// Gaussian, mean 0, variance 1.
std::vector<float> whiteNoise(std::size_t samples, Random& random);
/// Power proportional to 1/f (−3 dB per octave), variance about 1.
std::vector<float> pinkNoise(std::size_t samples, Random& random);
/// 1 at time 0, then Gaussian noise from 2 ms on that decays by 60 dB within `t60`.
std::vector<float> impulseResponse(SampleRate rate, double t60, double directToReverberant, Random& random);
/// Returns the first `signal.size()` samples of the convolution.
std::vector<float> convolved(std::span<const float> signal, std::span<const float> response);

double rootMeanSquare(std::span<const float> samples);

} // namespace headroom::training
