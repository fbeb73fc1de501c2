// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/tensors/safetensors.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace headroom::testing {

/// A model folder of our own with weights drawn from a seed: an encoder alone, whatever its heads are. Keys
/// are projected as queries are, so that tokens find those that resemble them, and the maps are worth looking
/// at. Needs neither torch nor Qt.
class RandomModel {
public:
    /// `feedForward`: 0 for twice the width.
    RandomModel(std::filesystem::path folder, const std::vector<std::string>& layers, int width = 64,
                int feedForward = 0)
        : m_folder(std::move(folder))
        , m_width(width) {
        std::filesystem::create_directories(m_folder);
        m_architecture.name = "random";
        m_architecture.frontEnd.channels = 2 * width;
        m_architecture.encoder.width = width;
        m_architecture.encoder.feedForward = feedForward > 0 ? feedForward : 2 * width;
        m_architecture.encoder.queryKeyValueBias = false;
        for (const std::string& heads : layers)
            m_architecture.encoder.layers.push_back({parseHeads(heads)});
        draw();
        write("architecture.json", canonicalText(m_architecture));
        write(
            "front_end.json",
            R"({"format": "headroom/front-end", "version": 1, "features": {"kind": "kaldi-log-mel", "bins": 80,
 "sampleRate": 16000, "frameSeconds": 0.025, "stepSeconds": 0.01}, "cmvn": "utterance",
 "subsampling": [{"kernel": 5, "stride": 2, "padding": 2}, {"kernel": 5, "stride": 2, "padding": 2}],
 "maxSourceFrames": 6000, "maxTargetTokens": 1024})");
        std::vector<std::pair<std::string, TensorView>> views;
        for (const auto& [name, tensor] : m_tensors)
            views.emplace_back(name, tensor.view());
        writeSafetensors(m_folder / "model.safetensors", views);
    }

    const std::filesystem::path& folder() const { return m_folder; }
    const Architecture& architecture() const { return m_architecture; }

private:
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(m_folder / name, std::ios::binary) << text;
    }
    /// Approximately normal: the sum of four uniform numbers.
    float next() {
        double sum = 0;
        for (int i = 0; i < 4; ++i) {
            m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
            sum += static_cast<double>(m_state >> 40) / (1 << 24) - 0.5;
        }
        return static_cast<float>(sum * std::sqrt(3.0));
    }
    std::vector<float> numbers(const std::vector<std::int64_t>& shape, double scale, double mean) {
        std::size_t count = 1;
        for (const std::int64_t extent : shape)
            count *= static_cast<std::size_t>(extent);
        std::vector<float> values(count);
        for (float& value : values)
            value = static_cast<float>(mean + scale * static_cast<double>(next()));
        return values;
    }
    void put(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<float>& values) {
        m_tensors.emplace_back("model.encoder." + name,
                               Tensor::of<float>(shape, std::span<const float>(values)));
    }
    void add(const std::string& name, const std::vector<std::int64_t>& shape, double scale, double mean = 0) {
        put(name, shape, numbers(shape, scale, mean));
    }
    void norm(const std::string& name) {
        add(name + ".weight", {m_width}, 0.1, 1);
        add(name + ".bias", {m_width}, 0.1);
    }

    void draw() {
        const std::int64_t d = m_width, f = m_architecture.encoder.feedForward, channels = 2 * d;
        add("conv.conv_layers.0.weight", {channels, 80, 5}, 0.1);
        add("conv.conv_layers.0.bias", {channels}, 0.1);
        add("conv.conv_layers.1.weight", {2 * d, channels / 2, 5}, 0.1);
        add("conv.conv_layers.1.bias", {2 * d}, 0.1);
        for (std::size_t l = 0; l < m_architecture.encoder.layers.size(); ++l)
            drawLayer("layers." + std::to_string(l) + ".", m_architecture.encoder.layers[l], f);
        norm("layer_norm");
    }
    void drawLayer(const std::string& layer, const Architecture::Layer& heads, std::int64_t f) {
        const std::int64_t d = m_width;
        const bool reuses = heads.heads.front().kind == HeadKind::Reuse;
        const std::int64_t values = reuses ? 2 * d : d;
        if (!reuses) {
            const std::vector<float> projection = numbers({d, d}, 1.3 / std::sqrt(double(d)), 0);
            put(layer + "self_attn.q_proj.weight", {d, d}, projection);
            put(layer + "self_attn.k_proj.weight", {d, d}, projection);
        }
        add(layer + "self_attn.v_proj.weight", {values, d}, 1 / std::sqrt(double(d)));
        add(layer + "self_attn.out_proj.weight", {d, values}, 1 / std::sqrt(double(d)));
        add(layer + "self_attn.out_proj.bias", {d}, 0.1);
        for (std::size_t number = 0; number < heads.heads.size(); ++number)
            drawGroup(layer + "self_attn.groups." + std::to_string(number) + ".", heads.heads[number],
                      d / heads.headCount());
        norm(layer + "self_attn_layer_norm");
        norm(layer + "final_layer_norm");
        add(layer + "fc1.weight", {f, d}, 0.1);
        add(layer + "fc1.bias", {f}, 0.1);
        add(layer + "fc2.weight", {d, f}, 0.1);
        add(layer + "fc2.bias", {d}, 0.1);
    }
    void drawGroup(const std::string& group, const HeadGroup& kind, std::int64_t channels) {
        if (kind.kind != HeadKind::Conv)
            return;
        if (kind.convForm == ConvForm::Speechformer) {
            add(group + "conv.weight", {2 * m_width, m_width, kind.convKernel}, 0.1);
            add(group + "conv.bias", {2 * m_width}, 0.1);
            return;
        }
        for (const char* which :
             {"conv_k", "conv_v"}) { // a mean of the tokens, and a little of something else
            add(group + which + std::string(".weight"), {channels, 1, kind.convKernel}, 0.1,
                1.0 / kind.convKernel);
            add(group + which + std::string(".bias"), {channels}, 0.1);
        }
    }

    std::filesystem::path m_folder;
    int m_width;
    Architecture m_architecture;
    std::vector<std::pair<std::string, Tensor>> m_tensors;
    std::uint64_t m_state = 12345;
};

} // namespace headroom::testing
