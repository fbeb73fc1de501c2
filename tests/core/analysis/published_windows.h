// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace headroom::testing {

/// Alastruey et al. 2022, Tables 1, 3 and 4, as printed.
struct PublishedWindow {
    const char* languages;
    int layer;
    double mean, deviation; ///< μ, σ in tokens
    std::int64_t window;    ///< tokens
    double loss;            ///< CL at that window, mean
    bool full;              ///< the layer stayed full
};
inline constexpr std::array<PublishedWindow, 36> kPublishedWindows{{
    {"En-De", 1, 3.41, 13.15, 17, 0.35, true},   {"En-De", 2, 1.18, 3.45, 5, 0.32, true},
    {"En-De", 3, 0.51, 1.56, 3, 0.30, true},     {"En-De", 4, 2.25, 1.30, 5, 0.23, false},
    {"En-De", 5, 4.03, 0.28, 5, 0.17, false},    {"En-De", 6, 7.03, 1.03, 9, 0.23, false},
    {"En-De", 7, 11.37, 1.13, 13, 0.18, false},  {"En-De", 8, 7.94, 1.16, 11, 0.18, false},
    {"En-De", 9, 12.56, 1.85, 15, 0.19, false},  {"En-De", 10, 16.47, 2.40, 19, 0.13, false},
    {"En-De", 11, 13.28, 1.90, 17, 0.13, false}, {"En-De", 12, 16.28, 3.86, 21, 0.16, false},
    {"En-Es", 1, 4.68, 14.77, 21, 0.39, true},   {"En-Es", 2, 3.21, 6.17, 11, 0.29, true},
    {"En-Es", 3, 0.99, 3.6, 5, 0.28, true},      {"En-Es", 4, 2.58, 1.96, 5, 0.2, false},
    {"En-Es", 5, 4.52, 2.38, 7, 0.24, false},    {"En-Es", 6, 15.88, 2.92, 19, 0.21, false},
    {"En-Es", 7, 11.32, 1.91, 15, 0.16, false},  {"En-Es", 8, 9.52, 2.5, 13, 0.22, false},
    {"En-Es", 9, 14.96, 1.78, 17, 0.07, false},  {"En-Es", 10, 15.94, 3.0, 19, 0.19, false},
    {"En-Es", 11, 13.83, 3.66, 19, 0.21, false}, {"En-Es", 12, 20.38, 3.42, 25, 0.1, false},
    {"En-It", 1, 6.16, 17.57, 25, 0.34, true},   {"En-It", 2, 2.56, 7.47, 11, 0.29, true},
    {"En-It", 3, 2.44, 2.84, 7, 0.27, true},     {"En-It", 4, 4.08, 0.65, 5, 0.19, false},
    {"En-It", 5, 14.05, 2.08, 17, 0.15, false},  {"En-It", 6, 10.82, 1.31, 13, 0.18, false},
    {"En-It", 7, 7.37, 4.54, 13, 0.23, false},   {"En-It", 8, 8.62, 2.18, 11, 0.22, false},
    {"En-It", 9, 12.49, 1.65, 15, 0.09, false},  {"En-It", 10, 16.06, 3.80, 21, 0.17, false},
    {"En-It", 11, 18.15, 3.20, 23, 0.11, false}, {"En-It", 12, 17.34, 4.83, 23, 0.15, false},
}};

} // namespace headroom::testing
