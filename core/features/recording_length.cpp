// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/recording_length.h"

namespace headroom {

std::int64_t ownRows(const ModelInput& input, Samples samples) {
    return input.frameCount(samples).value() - input.rowsBehind();
}

Samples longestRecording(const ModelInput& input, std::int64_t rows) {
    if (rows < 1)
        return Samples(0);
    std::int64_t fits = 0, tooLong = 1024; // each kind has its own rule; all give no fewer rows to more samples
    while (ownRows(input, Samples(tooLong)) <= rows)
        tooLong *= 2;
    while (tooLong - fits > 1) {
        const std::int64_t middle = fits + (tooLong - fits) / 2;
        (ownRows(input, Samples(middle)) <= rows ? fits : tooLong) = middle;
    }
    return Samples(fits);
}

} // namespace headroom
