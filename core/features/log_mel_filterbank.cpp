// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/features/features.h"
#include "core/features/frame_blocks.h"

#include <string>

namespace headroom {

static_assert(LogMelFilterbank::kBins == lanes::kMelBins);

struct LogMelFilterbank::Implementation {
    lanes::LogMelTables tables;
    lanes::Scratch scratch;
};

LogMelFilterbank::LogMelFilterbank() : m(std::make_unique<Implementation>()) {
    lanes::fillLogMelTables(m->tables);
}
LogMelFilterbank::~LogMelFilterbank() = default;
LogMelFilterbank::LogMelFilterbank(LogMelFilterbank&&) noexcept = default;
LogMelFilterbank& LogMelFilterbank::operator=(LogMelFilterbank&&) noexcept = default;

Matrix<float> LogMelFilterbank::compute(std::span<const float> samples) {
    if (samples.size() < lanes::kWindow)
        throw Error("features.tooShort",
                    "The recording has " + std::to_string(samples.size()) +
                        (samples.size() == 1 ? " sample" : " samples") +
                        " at 16,000 Hz; one frame needs 25 ms, that is 400 samples.",
                    {{"samples", samples.size()}, {"needed", lanes::kWindow}});
    const auto kernel = lanes::bestKernels().logMel;
    return lanes::frameByFrame(samples, kBins, [&](const float* const* rows, float* const* output) {
        kernel(m->tables, m->scratch, rows, output);
    });
}

} // namespace headroom
