// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// One paired comparison of numbers per utterance.
struct Comparison {
    std::string first, second; ///< what is compared: "demo, layer 3"
    std::string place;         ///< "layer 3"; what both have in common
    std::span<const double> a, b;
};

/// A table of paired tests over utterances: first, second, place, difference, p, n, the test's name.
/// `quantity` is what differs ("CCD"). `clusters`: as estimateMean.
StudyTable comparisonTable(const std::string& name, const std::string& title, const std::string& quantity,
                           const std::vector<Comparison>& comparisons, const std::vector<int>& clusters,
                           std::uint64_t seed);

/// Every model with the first, layer by layer; nothing for one model. `values`: [model][layer] → one number
/// per utterance.
std::vector<Comparison> modelsWithFirst(const Study& study,
                                        const std::vector<std::vector<std::vector<double>>>& values);
/// Each layer with the next, of every model.
std::vector<Comparison> layersWithNext(const Study& study,
                                       const std::vector<std::vector<std::vector<double>>>& values);

} // namespace headroom::training
