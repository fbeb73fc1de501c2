// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/comparison.h"

#include "core/statistics/statistics.h"

#include <algorithm>

namespace headroom::training {

StudyTable comparisonTable(const std::string& name, const std::string& title, const std::string& quantity,
                           const std::vector<Comparison>& comparisons, const std::vector<int>& clusters,
                           std::uint64_t seed) {
    StudyTable table{
        name,
        title,
        "Difference of the mean " + quantity +
            " over the same utterances, first minus second; p two-sided, not corrected for the number "
            "of comparisons (" +
            std::to_string(comparisons.size()) + ").",
        {{"first", "First", "", 0, true},
         {"second", "Second", "", 0, true},
         {"place", "Layer", "", 0, true},
         {"difference", "Difference", "", 4, false},
         {"p", "p", "", 4, false},
         {"n", "n", "", 0, false},
         {"test", "Test", "", 0, true}},
        {}};
    for (const Comparison& one : comparisons) {
        const PairedTest test = pairedTest(one.a, one.b, clusters, seed);
        table.rows.push_back({one.first, one.second, one.place, test.difference, test.p,
                              static_cast<double>(test.n), test.name});
    }
    return table;
}

std::vector<Comparison> modelsWithFirst(const Study& study,
                                        const std::vector<std::vector<std::vector<double>>>& values) {
    std::vector<Comparison> comparisons;
    for (std::size_t model = 1; model < values.size(); ++model)
        for (std::size_t layer = 0; layer < std::min(values[0].size(), values[model].size()); ++layer)
            comparisons.push_back({study.models[0].name, study.models[model].name, std::to_string(layer + 1),
                                   values[0][layer], values[model][layer]});
    return comparisons;
}

std::vector<Comparison> layersWithNext(const Study& study,
                                       const std::vector<std::vector<std::vector<double>>>& values) {
    std::vector<Comparison> comparisons;
    for (std::size_t model = 0; model < values.size(); ++model)
        for (std::size_t layer = 1; layer < values[model].size(); ++layer) {
            const auto named = [&](std::size_t number) {
                return (values.size() > 1 ? study.models[model].name + ", layer " : "Layer ") +
                       std::to_string(number);
            };
            comparisons.push_back({named(layer), named(layer + 1),
                                   std::to_string(layer) + "–" + std::to_string(layer + 1),
                                   values[model][layer - 1], values[model][layer]});
        }
    return comparisons;
}

} // namespace headroom::training
