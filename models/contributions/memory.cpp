// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/memory.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace headroom::models {

std::int64_t analysisBytes(const Architecture& architecture, std::int64_t frames,
                           const AnalysisOptions& options) {
    const Architecture::Encoder& encoder = architecture.encoder;
    const std::int64_t tokens = architecture.frontEnd.clock().tokenCount(Frames(frames)).value();
    std::int64_t heads = 1;
    for (const Architecture::Layer& layer : encoder.layers)
        heads = std::max<std::int64_t>(heads, layer.headCount());
    constexpr std::int64_t kFloat = 4;
    const std::int64_t square = tokens * tokens;

    // First convolution: its input unfolded by the kernel, its output, and the gated half.
    const std::int64_t half = frames / architecture.frontEnd.strides.front() + 1;
    const std::int64_t unfolded =
        half * architecture.frontEnd.features * architecture.frontEnd.kernels.front();
    const std::int64_t frontEnd = kFloat * (2 * frames * architecture.frontEnd.features + unfolded +
                                            2 * half * architecture.frontEnd.channels);
    const std::int64_t feedForward = kFloat * tokens * (2 * encoder.feedForward + 4 * encoder.width);
    // Scores and map together, then map, C, row sums, and the mask where there is one (8 bytes while it is
    // made).
    const std::int64_t maps = kFloat * square * (2 * heads + 2) + 9 * square;
    // q, k, v, u and the per-head outputs; x, v and u again in double for the twin.
    const std::int64_t vectors = tokens * encoder.width * (kFloat * (8 + 2 * heads) + 8 * (4 + heads));
    const std::int64_t kept = options.keepAttention ? kFloat * square * heads : 0;
    // What torch's own libraries keep for their work, whatever the length (measured: 10 to 20 MB).
    constexpr std::int64_t kScratch = 24'000'000;
    return std::max({frontEnd, feedForward, maps + vectors + kept}) + frames * 80 * kFloat + kScratch;
}

std::int64_t freeMemory() {
    std::ifstream file("/proc/meminfo");
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string name;
        std::int64_t kibibytes = 0;
        if (words >> name >> kibibytes && name == "MemAvailable:")
            return kibibytes * 1024;
    }
    return -1;
}

std::string bytesText(std::int64_t bytes) {
    char text[32];
    const auto value = static_cast<double>(bytes);
    if (bytes >= 1'000'000'000)
        std::snprintf(text, sizeof text, "%.2f GB", value / 1e9);
    else
        std::snprintf(text, sizeof text, "%.0f MB", value / 1e6);
    return text;
}

void refuseWhatDoesNotFit(std::int64_t needed, std::int64_t available, double seconds) {
    if (available < 0 || needed <= available)
        return;
    char length[32];
    std::snprintf(length, sizeof length, "%.3f s", seconds);
    throw Error("model.memory",
                "Analysing " + std::string(length) + " needs " + bytesText(needed) + " of memory and " +
                    bytesText(available) + " are free: select a part.",
                {{"needed", needed}, {"free", available}, {"seconds", seconds}});
}

} // namespace headroom::models
