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
    std::string place;         ///< "layer 3"; what both share
    std::span<const double> a, b;
};

/// Returns a table of paired tests over utterances: first, second, place, difference, p, n, name of the test.
/// `quantity` is the compared metric ("CCD"). `clusters`: as in estimateMean.
StudyTable comparisonTable(const std::string& name, const std::string& title, const std::string& quantity,
                           const std::vector<Comparison>& comparisons, const std::vector<int>& clusters,
                           std::uint64_t seed);

/// Compares every model with the first, layer by layer; empty for a single model. `values`: [model][layer] →
/// one number per utterance.
std::vector<Comparison> modelsWithFirst(const Study& study,
                                        const std::vector<std::vector<std::vector<double>>>& values);
/// Compares each layer with the next, for every model.
std::vector<Comparison> layersWithNext(const Study& study,
                                       const std::vector<std::vector<std::vector<double>>>& values);

} // namespace headroom::training
