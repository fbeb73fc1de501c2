// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phones.h"
#include "training/studies/study_work.h"

#include <random>
#include <string>
#include <vector>

namespace headroom::testing {

/// A model that is nothing but maps and states drawn from a seed: 40 ms a token, the first at 0.02 s.
class MadeSource final : public training::LayerSource {
public:
    struct Options {
        int layers = 2, heads = 2;
        std::int64_t tokens = 20, width = 8;
        unsigned seed = 1;
        int convHead = -1;    ///< this head of each layer, from 0, has a map over compressed keys
        bool uniform = false; ///< maps
        float stateScale = 1;
    };
    explicit MadeSource(const Options& options) : m_options(options) {
        m_model.name = "made";
        m_model.weightsHash = "0123456789abcdef";
        m_model.layers = options.layers;
        m_model.heads = options.heads;
        m_model.clockOffset = 0.02;
        m_model.clockStep = 0.04;
        std::mt19937 generator(options.seed);
        std::exponential_distribution<float> weight;
        std::normal_distribution<float> normal;
        const auto n = static_cast<std::size_t>(options.tokens);
        for (int l = 0; l <= options.layers; ++l) {
            Matrix<float>& state = m_states.emplace_back(n, static_cast<std::size_t>(options.width));
            for (float& value : state.values())
                value = options.stateScale * normal(generator);
        }
        for (int l = 0; l < options.layers; ++l)
            for (int h = 0; h < options.heads; ++h) {
                const bool conv = h == options.convHead;
                Matrix<float>& map = m_maps.emplace_back(n, conv ? (n + 1) / 2 : n);
                for (std::size_t i = 0; i < n; ++i) {
                    float sum = 0;
                    for (float& value : map.row(i))
                        sum += value = options.uniform ? 1.0F : weight(generator);
                    for (float& value : map.row(i))
                        value /= sum;
                }
            }
    }

    const StudyModel& model() const override { return m_model; }
    std::unique_ptr<LayerSource> share() const override { return std::make_unique<MadeSource>(*this); }
    std::string frontEnd() const override { return "made"; }
    std::string measurementIdentity(const StudyUtterance&) const override { return "made"; }
    std::int64_t tokens(const training::StudyInput&) override { return m_options.tokens; }
    TokenClock clock() const override { return TokenClock::affine(Seconds(0.02), Seconds(0.04)); }
    models::EncoderAnalysis analyse(const training::StudyInput&, const models::AnalysisOptions& options,
                                    const std::function<void(models::LayerAnalysis&&)>& onLayer,
                                    const models::CancelFlag*) override {
        for (int l = 1; l <= m_options.layers; ++l) {
            models::LayerAnalysis layer;
            layer.layer = l;
            layer.queries = m_options.tokens;
            for (int h = 0; h < m_options.heads; ++h)
                if (options.keepAttention)
                    layer.attention.push_back(map(l, h));
            if (options.keepStates)
                layer.state = m_states[static_cast<std::size_t>(l)];
            onLayer(std::move(layer));
        }
        models::EncoderAnalysis whole;
        whole.tokens = m_options.tokens;
        if (options.keepStates)
            whole.input = m_states.front();
        return whole;
    }
    /// Layer from 1, head from 0.
    const Matrix<float>& map(int layer, int head) const {
        return m_maps[static_cast<std::size_t>((layer - 1) * m_options.heads + head)];
    }
    Matrix<float>& state(int layer) { return m_states[static_cast<std::size_t>(layer)]; }

private:
    Options m_options;
    StudyModel m_model;
    std::vector<Matrix<float>> m_maps, m_states;
};

/// An utterance whose token t is said to be `labels[t]`: neighbours of one label are one interval.
struct MadeUtterance {
    StudyUtterance document;
    training::StudyInput input;
    explicit MadeUtterance(const std::vector<std::string>& labels, const std::string& id = "made") {
        document.id = id;
        input.document = &document;
        Alignment alignment;
        for (std::size_t t = 0; t < labels.size(); ++t) {
            const double start = 0.04 * static_cast<double>(t);
            if (alignment.phones.empty() || alignment.phones.back().label != labels[t])
                alignment.phones.push_back({Seconds(start), Seconds(start), labels[t]});
            alignment.phones.back().end = Seconds(start + 0.04);
        }
        input.alignment = std::move(alignment);
    }
    MadeUtterance(const MadeUtterance&) = delete;
    MadeUtterance& operator=(const MadeUtterance&) = delete;
};

/// Labels drawn from a few phones, with silence and a label that is no phone among them.
inline std::vector<std::string> madeLabels(std::size_t tokens, unsigned seed) {
    static const std::vector<std::string> some{"AA1", "S", "T", "OW0", "OY2", "sil", "spn", "M", "q"};
    std::mt19937 generator(seed);
    std::vector<std::string> labels;
    while (labels.size() < tokens) {
        const std::string& label = some[generator() % some.size()];
        labels.insert(labels.end(), 1 + generator() % 3, label);
    }
    labels.resize(tokens);
    return labels;
}

} // namespace headroom::testing
