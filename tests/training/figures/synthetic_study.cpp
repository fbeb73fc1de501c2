// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/training/figures/synthetic_study.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace headroom::testing {

namespace {

constexpr int kUtterances = 60, kTokens = 78;

/// Numbers that are the same with every standard library.
class Draw {
public:
    double operator()(double low, double high) {
        return low + (high - low) * double(m_engine()) / double(std::mt19937::max());
    }

private:
    std::mt19937 m_engine{7};
};

struct Maker {
    SyntheticStudy made;
    Draw draw;
    int layers, heads, model = 1;

    double depth(int layer) const { return layers > 1 ? double(layer) / (layers - 1) : 0; }
    void put(const std::string& name, std::vector<std::int64_t> shape, const std::vector<double>& values) {
        made.arrays[std::to_string(model) + "." + name] = Tensor::of<double>(std::move(shape), values);
    }
    /// value(layer, utterance or head …) for every index.
    template <class Value>
    void fill(const std::string& name, const std::vector<std::int64_t>& shape, Value value) {
        std::size_t count = 1;
        for (const auto extent : shape)
            count *= std::size_t(extent);
        const std::size_t perLayer = count / std::size_t(shape.front());
        std::vector<double> values(count);
        for (std::size_t k = 0; k < count; ++k)
            values[k] = value(int(k / perLayer), int(k % perLayer));
        put(name, shape, values);
    }

    void windows() {
        fill("statistic", {layers, kUtterances}, [&](int layer, int) {
            return 2 * std::floor(draw(1, 2.5) + (layer < 3 ? draw(0, 9) : 9 * depth(layer)));
        });
        fill("loss", {layers, kUtterances}, [&](int layer, int) {
            return (layer < 3 ? 0.33 : 0.2 - 0.08 * depth(layer)) + draw(-0.05, 0.05);
        });
        curves();
    }
    void curves() {
        std::vector<double> grid;
        for (int w = 1; w <= 201; w += 2)
            grid.push_back(w);
        const auto count = std::int64_t(grid.size());
        fill("diagonality", {layers, count}, [&](int layer, int k) {
            const double reach = (layer < 3 ? 40 : 4 + 10 * depth(layer)) * (model == 2 ? 1.4 : 1);
            return 1 - 0.35 * std::exp(-(grid[std::size_t(k)] - 1) / reach);
        });
        fill("diagonality_std", {layers, count},
             [&](int, int k) { return 0.05 * std::exp(-(grid[std::size_t(k)] - 1) / 60); });
        made.arrays[std::to_string(model) + ".window_grid"] =
            Tensor::of<std::int64_t>({count}, std::vector<std::int64_t>(grid.begin(), grid.end()));
    }
    void diagonality() {
        curves();
        for (const char* name : {"ccd", "diagonal_share"})
            fill(name, {layers, kUtterances}, [&](int layer, int) {
                return 0.86 - 0.2 * depth(layer) + (layer < 3 ? -0.1 : 0) - 0.05 * model + draw(-0.04, 0.04);
            });
    }
    void heads_() {
        fill("cad", {layers, heads, kUtterances}, [&](int layer, int k) {
            const int head = k / kUtterances;
            return std::min(0.99, 0.6 + 0.3 * depth(layer) + 0.05 * std::sin(head * 2.1 + layer) +
                                      draw(-0.03, 0.03));
        });
        std::vector<double> grid;
        for (int r = 0; r <= 100; ++r)
            grid.push_back(r / 100.0);
        put("cad_grid", {101}, grid);
        fill("cad_curve", {layers, heads, 101}, [&](int layer, int k) {
            const double r = grid[std::size_t(k % 101)];
            return 1 - std::pow(1 - r, 2 + 8 * depth(layer) + (k / 101));
        });
        fill("relevance", {layers, heads},
             [&](int layer, int head) { return 0.25 + 0.2 * std::sin(layer * 0.9 + head * 1.7); });
        for (const char* name : {"entropy", "mean_distance"})
            fill(name, {layers, heads, kUtterances},
                 [&](int layer, int) { return (5 - 3 * depth(layer)) + draw(-0.5, 0.5); });
        for (const char* name : {"maximum", "silence_share"})
            fill(name, {layers, heads, kUtterances}, [&](int, int) { return draw(0.05, 0.6); });
        std::vector<std::int32_t> kinds;
        for (int layer = 0; layer < layers; ++layer)
            for (int head = 0; head < heads; ++head)
                kinds.push_back(head < heads / 2 ? 2 : 3); // block, conv
        made.arrays[std::to_string(model) + ".head_kind"] = Tensor::of<std::int32_t>({layers, heads}, kinds);
    }
    void phones() {
        fill("par", {layers, heads, 36, 36}, [&](int layer, int k) {
            const int p = k / 36 % 36, q = k % 36;
            if (p == 32 && q == 17)
                return std::nan("");
            const bool alike = (p < 13) == (q < 13);
            const double self = p == q ? 2.5 : 0;
            return (1 - depth(layer)) * (alike ? 1.5 + self : 0.6) + depth(layer) * draw(0.6, 1.4);
        });
        std::vector<std::int32_t> counts(36 * 36, 40);
        counts[5 * 36 + 30] = 2;
        made.arrays[std::to_string(model) + ".par_count"] = Tensor::of<std::int32_t>({36, 36}, counts);
        fill("coverage", {layers},
             [&](int layer, int) { return 0.93 - 0.3 * depth(layer) + draw(-0.02, 0.02); });
        fill("accumulated_coverage", {layers}, [&](int layer, int) { return 0.9 + 0.07 * depth(layer); });
    }
    void probe() {
        fill("accuracy", {layers + 1, 3}, [&](int layer, int) {
            return 0.54 + 0.28 * std::sin(double(layer) / layers * 2.4) + draw(-0.01, 0.01);
        });
        put("majority", {1}, {0.21});
        std::vector<std::int32_t> sides;
        for (int u = 0; u < kUtterances; ++u)
            sides.push_back(u % 2);
        made.arrays[std::to_string(model) + ".test"] = Tensor::of<std::int32_t>({kUtterances}, sides);
        fill("confusion", {layers + 1, 37, 37}, [&](int layer, int k) {
            const int p = k / 37, q = k % 37;
            return p == 33 ? 0.0 : p == q ? 80.0 + 10 * layer : std::floor(draw(0, 4));
        });
    }
    void latency() {
        made.arrays[std::to_string(model) + ".lengths"] =
            Tensor::of<std::int64_t>({4}, std::vector<std::int64_t>{128, 256, 512, 768});
        const double lengths[] = {128, 256, 512, 768};
        std::vector<double> byLayer;
        for (const double length : lengths)
            for (int layer = 0; layer < layers; ++layer)
                for (int repeat = 0; repeat < 10; ++repeat)
                    byLayer.push_back((repeat < 5 ? length * length / 500000 : length / 1100) *
                                      draw(0.97, 1.05));
        put("layer_milliseconds", {4, layers, 2, 5}, byLayer);
        fill("milliseconds", {4, 3, 5}, [&](int k, int j) {
            const double attention = lengths[k] * lengths[k] / 40000 + 0.4, rest = lengths[k] / 90 + 0.6;
            return (j / 5 == 0 ? attention : j / 5 == 1 ? rest : attention + rest) * draw(0.97, 1.05);
        });
    }
    void mixing() {
        made.study.settings["measures"] = "attention,alti,value-zeroing";
        fill("rho", {layers, 3, 3, kUtterances},
             [&](int layer, int k) { return 0.9 - 0.3 * depth(layer) - 0.05 * (k / kUtterances % 3) + draw(-0.05, 0.05); });
        fill("ccd", {layers, 3, kUtterances},
             [&](int layer, int k) { return 0.85 - 0.2 * depth(layer) - 0.03 * (k / kUtterances) + draw(-0.04, 0.04); });
    }
    void similarity(int models) {
        for (int other = 1; other <= models; ++other)
            for (const char* name : {".cka", ".pwcca"})
                fill(std::to_string(other) + name, {layers + 1, layers + 1},
                     [&](int layer, int k) { return std::exp(-0.2 * std::abs(layer - k)) * draw(0.95, 1); });
    }
    void exampleMaps() {
        std::vector<double> seconds;
        for (int t = 0; t < kTokens; ++t)
            seconds.push_back(0.0125 + 0.04 * t);
        const std::string of = std::to_string(model) + ".";
        made.example[of + "token_seconds"] = Tensor::of<double>({kTokens}, seconds);
        for (int layer = 1; layer <= layers; ++layer) {
            std::vector<float> values;
            for (int i = 0; i < kTokens; ++i) {
                double sum = 0;
                std::vector<double> row;
                for (int j = 0; j < kTokens; ++j) {
                    const double off = std::abs(i - j), reach = layer < 4 ? 25 : 1.5 + 0.5 * layer;
                    row.push_back((i == j ? 2 : 0.3 * std::exp(-off / reach)) * draw(0.6, 1.2) + 0.002);
                    sum += row.back();
                }
                for (const double value : row)
                    values.push_back(float(value / sum));
            }
            made.example[of + "layer." + std::to_string(layer) + ".contributions"] =
                Tensor::of<float>({kTokens, kTokens}, values);
        }
    }
};

} // namespace

SyntheticStudy syntheticStudy(StudyKind kind, int models, int layers, int heads) {
    Maker maker{{}, {}, layers, heads};
    Study& study = maker.made.study;
    study.id = std::string("synthetic-") + toText(kind);
    study.kind = kind;
    study.state = RunState::Finished;
    study.created = "2026-11-21T10:00:00Z";
    study.ended = "2026-11-21T10:05:00Z";
    study.data = "/corpora/demo";
    study.split = "test";
    study.population = 400;
    study.settings = {{"example", "utterance-7"}};
    for (int k = 0; k < kUtterances; ++k) {
        StudyUtterance utterance;
        utterance.id = "utterance-" + std::to_string(k + 1);
        utterance.tokens = kTokens;
        study.utterances.push_back(utterance);
    }
    const char* names[] = {"st-small en-de", "asr-small en", "st-local en-de"};
    for (int model = 0; model < models; ++model) {
        study.models.push_back({names[model % 3], "/models/" + std::to_string(model),
                                std::string(64, char('a' + model)), "", layers, heads});
        maker.model = model + 1;
        switch (kind) {
        case StudyKind::Windows:
            maker.windows();
            maker.exampleMaps();
            break;
        case StudyKind::Diagonality:
            maker.diagonality();
            maker.exampleMaps();
            break;
        case StudyKind::Heads:
            maker.heads_();
            break;
        case StudyKind::Phones:
            maker.phones();
            break;
        case StudyKind::Probe:
            maker.probe();
            break;
        case StudyKind::Latency:
            maker.latency();
            break;
        case StudyKind::Mixing:
            maker.mixing();
            break;
        case StudyKind::Similarity:
            maker.similarity(models);
            break;
        }
    }
    return std::move(maker.made);
}

} // namespace headroom::testing
