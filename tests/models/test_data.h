// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/matrix/matrix.h"
#include "core/tensors/npy.h"
#include "tests/support/goldens.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>

namespace headroom::testing {

inline std::filesystem::path referenceModel() {
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "data" / "s2t-reference";
}

/// A .npy of two dimensions as a matrix.
inline Matrix<float> readMatrix(const std::filesystem::path& file) {
    const Tensor tensor = readNpy(file);
    return {static_cast<std::size_t>(tensor.shape.at(0)), static_cast<std::size_t>(tensor.shape.at(1)),
            toFloats(tensor.view())};
}

inline nlohmann::json readJson(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream);
}

/// max |a − b|; infinity where the sizes differ or a number is not one.
template <class A, class B>
double largestDifference(const A& a, const B& b) {
    if (std::size(a) != std::size(b))
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < std::size(a); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest =
            std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
    }
    return largest;
}

/// Features as after CMVN, made from a seed: smooth in time, so that neighbouring frames resemble each other.
inline Matrix<float> madeFeatures(std::size_t frames, unsigned seed = 1, std::size_t columns = 80) {
    Matrix<float> features(frames, columns);
    std::uint64_t state = seed;
    for (std::size_t f = 0; f < frames; ++f)
        for (std::size_t b = 0; b < columns; ++b) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            const float fresh = static_cast<float>(state >> 40) / static_cast<float>(1 << 23) - 1.0F;
            features(f, b) = f == 0 ? fresh : 0.7F * features(f - 1, b) + fresh;
        }
    return features;
}

} // namespace headroom::testing
