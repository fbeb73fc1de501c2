// SPDX-License-Identifier: GPL-3.0-or-later
// Whole analyses of small models with a decoder, and their maps as plain numbers.
#pragma once

#include "models/networks/made_model.h"
#include "tests/models/networks/families.h"
#include "tests/models/test_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace headroom::testing {

using Rows = std::vector<std::vector<double>>;

inline Rows rowsOf(const Matrix<float>& map) {
    Rows rows;
    for (std::size_t i = 0; i < map.rows(); ++i)
        rows.emplace_back(map.row(i).begin(), map.row(i).end());
    return rows;
}

/// Largest |found − expected|, with the rows of `expected` made to sum to 1.
inline double apart(const Matrix<float>& found, Rows expected) {
    if (found.rows() != expected.size() || found.columns() != expected.front().size())
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double sum = std::accumulate(expected[i].begin(), expected[i].end(), 0.0);
        for (std::size_t j = 0; j < expected[i].size(); ++j)
            largest = std::max(largest, std::abs(static_cast<double>(found(i, j)) - expected[i][j] / sum));
    }
    return largest;
}

/// What a whole analysis of a small model hands out, with the maps of every layer.
struct Analysed {
    std::vector<models::LayerAnalysis> encoder;
    std::vector<models::DecoderLayerAnalysis> decoder;
};

inline Analysed analysed(const std::string& family, const std::string& measures, std::vector<int> layers = {},
                         models::DecoderBlocks blocks = models::DecoderBlocks::Both) {
    const Architecture& architecture = smallFamily(family);
    const auto model = models::madeSpeechModel("tiny", architecture, madeWeights(architecture));
    const Matrix<float> features = madeFeatures(90);
    models::AnalysisOptions options;
    options.keepAttention = true;
    options.mixing.measures = mixingMeasures(measures);
    Analysed result;
    model->analyse(features, options, [&](models::LayerAnalysis&& layer) { result.encoder.push_back(std::move(layer)); });
    options.layers = std::move(layers);
    options.blocks = blocks;
    model->analyseDecoder(features, {2, 7, 9, 11, 5}, options, [&](models::DecoderLayerAnalysis&& layer) {
        result.decoder.push_back(std::move(layer));
    });
    return result;
}

} // namespace headroom::testing
