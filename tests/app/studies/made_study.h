// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"
#include "core/studies/places.h"
#include "core/studies/study.h"
#include "core/tensors/npy.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::testing {

/// A finished study of windows as the worker leaves it: one model of `layers` layers, `utterances` recordings
/// that need not be there, numbers that follow from layer and utterance.
inline Study makeWindowsStudy(const std::filesystem::path& folder, int layers = 3, int utterances = 5,
                              const std::filesystem::path& audio = {}) {
    Study study;
    study.kind = StudyKind::Windows;
    study.state = RunState::Finished;
    study.created = "2026-11-21T10:00:00Z";
    study.ended = "2026-11-21T10:05:00Z";
    study.version = "1";
    study.data = "/corpora/demo";
    study.population = utterances;
    StudyModel model;
    model.name = "made";
    model.folder = "/models/made";
    model.weightsHash = std::string(64, 'a');
    model.architecture = "3 layers × 4 heads, width 64";
    model.layers = layers;
    model.heads = 4;
    model.clockOffset = 0.0125;
    model.clockStep = 0.04;
    study.models = {model};
    for (int u = 0; u < utterances; ++u) {
        StudyUtterance utterance;
        utterance.id = "u" + std::to_string(u + 1);
        utterance.audio = audio.empty() ? "/corpora/demo/u" + std::to_string(u + 1) + ".wav" : audio.string();
        utterance.seconds = 3;
        utterance.tokens = 75;
        study.utterances.push_back(utterance);
    }
    StudyTable table{"windows",
                     "Windows of made",
                     "Window w of Algorithm 1. Made by a test.",
                     {{"layer", "Layer", "", 0, false},
                      {"mean", "μ", "", 2, false},
                      {"std", "σ", "", 2, false},
                      {"window", "w", "", 0, false},
                      {"suggestion", "Suggestion", "", 0, true},
                      {"loss_mean", "CL", "", 3, false}},
                     {}};
    std::vector<double> statistic, mean, deviation;
    std::vector<std::int64_t> grid{1, 3, 5, 7};
    PlaceSet places({layers}, 2);
    for (int layer = 1; layer <= layers; ++layer) {
        // The last layer loses too much for a window.
        table.rows.push_back({double(layer), 2.0 * layer, 0.5, 2.0 * layer + 1,
                              std::string(layer == layers ? "full" : "local"), layer == layers ? 0.4 : 0.1});
        for (int u = 0; u < utterances; ++u)
            statistic.push_back(2 * layer + 2 * (u % 2));
        for (std::size_t w = 0; w < grid.size(); ++w) {
            mean.push_back(0.5 + 0.1 * double(w));
            deviation.push_back(0.02);
        }
        const std::int64_t index = layer - 1;
        for (int u = 0; u < utterances; ++u)
            places.offer({&index, 1}, {u, 0.5 + 0.1 * u, 1.5, 0.01 * layer + 0.001 * u});
    }
    study.tables = {table};
    std::filesystem::create_directories(folder);
    writeStudy(folder, study);
    NpzWriter results(StudyPaths{folder}.results());
    results.add("1.statistic", Tensor::of<double>({layers, utterances}, statistic).view());
    results.add("1.diagonality", Tensor::of<double>({layers, 4}, mean).view());
    results.add("1.diagonality_std", Tensor::of<double>({layers, 4}, deviation).view());
    results.add("1.window_grid", Tensor::of<std::int64_t>({4}, grid).view());
    results.close();
    StudyArrays arrays;
    places.store("1.layer", arrays);
    NpzWriter file(StudyPaths{folder}.places());
    for (const auto& [name, tensor] : arrays)
        file.add(name, tensor.view());
    file.close();
    return study;
}

/// CAD in the tables of a study of heads: of each head the same mean, of so many utterances.
inline StudyTable makeCadTable(int layers, int heads, double mean, int utterances) {
    StudyTable table{"heads", "Heads", "", {{"layer", "Layer", "", 0, false}, {"head", "Head", "", 0, false}}, {}};
    for (const char* key : {"cad_mean", "cad_std", "cad_low", "cad_high"})
        table.columns.push_back({key, key, "", 3, false});
    table.columns.push_back({"cad_n", "n", "", 0, false});
    for (int layer = 1; layer <= layers; ++layer)
        for (int head = 1; head <= heads; ++head)
            table.rows.push_back({double(layer), double(head), mean, 0.0, mean, mean, double(utterances)});
    return table;
}

/// Asks for the places behind the numbers of a layer, from 1.
inline app::PlacesQuery placesOfLayer(const std::filesystem::path& folder, std::int64_t layer) {
    app::PlacesQuery query;
    query.study = app::openStudy(folder);
    query.set = "layer";
    query.index = {layer - 1};
    return query;
}

} // namespace headroom::testing
