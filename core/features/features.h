// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <memory>
#include <span>

namespace headroom {

/// Kaldi's filterbank, as torchaudio.compliance.kaldi.fbank computes it with dither 0 (reference: fairseq
/// S2T).
///
/// Per frame: 400 samples times 32768, minus their mean, pre-emphasis 0.97 (replicate at sample 0), povey
/// window (symmetric Hann to the power 0.85), zero-padded to 512, power spectrum without the Nyquist column,
/// 80 triangles linear in mel (1127 ln(1 + f/700)) from 20 to 8000 Hz, floor 1.1920929e-7, natural logarithm.
/// No energy column. Frames: FrameClock::frameCount (snip_edges). Not safe from two threads at once; make one
/// per thread.
class LogMelFilterbank {
public:
    static constexpr int kBins = 80;
    LogMelFilterbank();
    ~LogMelFilterbank();
    LogMelFilterbank(LogMelFilterbank&&) noexcept;
    LogMelFilterbank& operator=(LogMelFilterbank&&) noexcept;

    /// `samples` at 16 kHz in [−1, 1]. Returns [frames, 80]. Throws Error "features.tooShort" below 400
    /// samples: the sentence gives the number of samples and the 25 ms that one frame needs.
    Matrix<float> compute(std::span<const float> samples);

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// The same filterbank in double precision, written from the definition, as a reference. Slow. Returns
/// [frames, 80].
Matrix<double> referenceLogMel(std::span<const float> samples);

/// Utterance CMVN in place, per bin: (x − mean) / √max(variance, 1e-10), population variance over the frames,
/// computed in double. [frames, 80].
void applyUtteranceCmvn(Matrix<float>& features);

/// Computes what a model reads: the filterbank after utterance CMVN, [frames, 80]. Throws Error
/// "features.tooShort".
Matrix<float> modelFeatures(std::span<const float> samples);

/// Computes the magnitude spectrogram for the screen: 25 ms Hann frames every 10 ms on the FrameClock of the
/// filterbank, 512-point FFT. Returns [frames, 257] in dB relative to full scale (20 log10 of the
/// window-normalised magnitude, floor −120). A recording shorter than 400 samples is zero-padded to one
/// frame.
Matrix<float> linearSpectrogram(std::span<const float> samples);

} // namespace headroom
