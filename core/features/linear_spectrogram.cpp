// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/features.h"
#include "core/features/frame_blocks.h"

#include <memory>

namespace headroom {

Matrix<float> linearSpectrogram(std::span<const float> samples) {
    std::vector<float> padded;
    if (samples.size() < lanes::kWindow) {
        padded.assign(samples.begin(), samples.end());
        padded.resize(lanes::kWindow, 0.0F);
        samples = padded;
    }
    struct Workspace {
        lanes::SpectrumTables tables;
        lanes::Scratch scratch{};
    };
    const auto work = std::make_unique<Workspace>();
    lanes::fillSpectrumTables(work->tables);
    const auto kernel = lanes::bestKernels().spectrum;
    return lanes::frameByFrame(samples, lanes::kSpectrumBins,
                               [&](const float* const* rows, float* const* output) {
                                   kernel(work->tables, work->scratch, rows, output);
                               });
}

} // namespace headroom
