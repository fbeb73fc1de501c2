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

/// Where and against what an utterance is heard.
struct Conditions {
    Noise noise = Noise::None;
    double signalToNoise = 0;       ///< decibels, of the speech as it arrives; unused without noise
    double reverberation = 0;       ///< T60 in seconds; 0: none
    double directToReverberant = 0; ///< decibels; unused without reverberation
    double level = -23;             ///< root mean square of the speech, decibels below full scale
};
/// A third of all is quiet, two fifths are dry; the rest in steps of 5 dB and of 0.2 s.
Conditions randomConditions(Random& random);

/// Samples between −1 and 1 whose direct sound keeps its place: times of words and phones stay true. `babble`
/// is a stretch of many voices to cut from, of any length above 0; used where the conditions ask for it.
/// Equal arguments give equal samples on one machine. Throws std::invalid_argument for no speech.
std::vector<float> underConditions(std::span<const float> speech, SampleRate rate,
                                   const Conditions& conditions, std::span<const float> babble,
                                   Random& random);

/// Gaussian, mean 0, variance 1.
std::vector<float> whiteNoise(std::size_t samples, Random& random);
/// Power falling with 1/f (3 dB an octave), variance about 1.
std::vector<float> pinkNoise(std::size_t samples, Random& random);
/// 1 at time 0, then Gaussian noise that falls by 60 dB within `t60`, from 2 ms on.
std::vector<float> impulseResponse(SampleRate rate, double t60, double directToReverberant, Random& random);
/// The first `signal.size()` samples of the convolution.
std::vector<float> convolved(std::span<const float> signal, std::span<const float> response);

double rootMeanSquare(std::span<const float> samples);

} // namespace headroom::training
