// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/bench_contributions.h"
#include "tests/benchmarks/explicit_pass.h"

#include "core/tensors/safetensors.h"
#include "models/attention/multi_head.h"
#include "models/checkpoints/tensor_names.h"
#include "models/kernels/contributions.h"
#include "models/layers/basic.h"
#include "models/networks/speech_model.h"
#include "tests/benchmarks/measure.h"

#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace headroom::benchmarks {
namespace {

using namespace headroom::models;

constexpr int kPairs = 7; ///< of an analysis and a pass, a second each

double medianSeconds(const std::function<void()>& work) {
    work(); // warms caches, threads and allocators
    std::array<double, 5> seconds{};
    for (double& value : seconds) {
        const auto start = std::chrono::steady_clock::now();
        work();
        value = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[2];
}

class TwoThreads {
public:
    TwoThreads() : m_before(at::get_num_threads()) { at::set_num_threads(2); }
    ~TwoThreads() { at::set_num_threads(m_before); }
    TwoThreads(const TwoThreads&) = delete;
    TwoThreads& operator=(const TwoThreads&) = delete;

private:
    int m_before;
};

/// A folder of a random S2T-small in Hugging Face's form, removed at the end.
class RandomSmallModel {
public:
    RandomSmallModel() {
        m_folder = (std::filesystem::temp_directory_path() / "headroom-bench-XXXXXX").string();
        if (!::mkdtemp(m_folder.data()))
            throw std::runtime_error("no temporary folder for the benchmark");
        std::ofstream(m_folder + "/config.json")
            << R"({"model_type": "speech_to_text", "d_model": 256, "encoder_layers": 12, "decoder_layers": 6,
  "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048,
  "conv_channels": 1024, "conv_kernel_sizes": [5, 5], "num_conv_layers": 2, "input_feat_per_channel": 80,
  "input_channels": 1, "vocab_size": 8000, "activation_function": "relu", "max_source_positions": 6000,
  "max_target_positions": 1024, "scale_embedding": true, "dropout": 0.1, "attention_dropout": 0.1,
  "tie_word_embeddings": false, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2})";
        Architecture architecture;
        architecture.encoder.layers.assign(12, {parseHeads("4 full")});
        architecture.decoder.emplace();
        architecture.vocabulary = 8000;
        std::vector<at::Tensor> kept;
        std::vector<std::pair<std::string, TensorView>> tensors;
        for (const ExpectedTensor& tensor : expectedTensors(architecture, false)) {
            const bool isScale = tensor.name.ends_with("norm.weight");
            kept.push_back(isScale ? at::ones(tensor.shape) : at::randn(tensor.shape).mul_(0.05));
            const at::Tensor& values = kept.back();
            tensors.emplace_back(
                tensor.name, TensorView{DType::F32, tensor.shape,
                                        std::as_bytes(std::span(values.const_data_ptr<float>(),
                                                                static_cast<std::size_t>(values.numel())))});
        }
        writeSafetensors(m_folder + "/model.safetensors", tensors);
    }
    ~RandomSmallModel() {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    RandomSmallModel(const RandomSmallModel&) = delete;
    RandomSmallModel& operator=(const RandomSmallModel&) = delete;
    const std::string& folder() const { return m_folder; }

private:
    std::string m_folder;
};

std::string megabytes(double bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MB", bytes / 1e6);
    return text;
}

} // namespace

std::vector<BenchmarkRow> benchmarkContributions(bool quick) {
    const c10::InferenceMode inference;
    const TwoThreads threads;
    const std::int64_t tokens = quick ? 166 : 1052;
    constexpr std::int64_t kWidth = 256, kHeads = 4;
    const at::Tensor x = at::randn({tokens, kWidth});
    const at::Tensor attention = at::softmax(at::randn({kHeads, tokens, tokens}).mul_(2), -1);
    Parameters parameters;
    parameters.set("norm.weight", at::ones({kWidth}));
    parameters.set("norm.bias", at::zeros({kWidth}));
    parameters.set("value.weight", at::randn({kWidth, kWidth}).mul_(0.06));
    parameters.set("value.bias", at::randn({kWidth}).mul_(0.06));
    parameters.set("output.weight", at::randn({kWidth, kWidth}).mul_(0.06));
    const Scope layer(parameters);
    const auto projected = [&] { // [head, token, width]
        const at::Tensor values = linear(layer / "value", layerNorm(layer / "norm", x));
        return transformedValues(splitHeads(values.unsqueeze(0), kHeads).squeeze(0), layer["output.weight"]);
    };

    at::Tensor matrix, twin;
    const auto fused = [&] {
        matrix = at::empty({tokens, tokens});
        at::Tensor profile = at::empty({2 * tokens - 1}, at::kDouble);
        contributions(attention, projected(), x, tokens, matrix, profile);
    };
    const auto materialised = [&] { twin = contributionsMaterialised(attention, projected(), x); };
    const double ours = medianSeconds(fused), alternative = medianSeconds(materialised);
    const double difference = matrix.sub(twin).abs().max().item<double>();
    matrix = twin = at::Tensor();
    const double ourBytes = peakResidentRise(fused), theirBytes = peakResidentRise(materialised);

    char note[96];
    std::snprintf(note, sizeof note, "largest difference of C %.1e; ", difference);
    const auto wanted = [&](const char* figure) {
        return quick ? std::string() : std::string("wanted: ") + figure;
    };
    const std::string other = "materialised in ATen (einsum, norm)";
    return {{"contributions of a layer, N " + std::to_string(tokens) + ", d 256, H 4", ours * 1e3,
             alternative * 1e3, "ms", other, alternative / ours, note + wanted("50 times")},
            {"  extra memory at the peak", ourBytes / 1e6, theirBytes / 1e6, "MB", other,
             ourBytes > 0 ? theirBytes / ourBytes : 0, wanted("at most 40 MB")}};
}

std::vector<BenchmarkRow> benchmarkAnalysis() {
    const TwoThreads threads;
    const RandomSmallModel random;
    const auto model = SpeechModel::open(random.folder());
    constexpr std::size_t kFrames = 1498; // 15 s
    const at::Tensor numbers = at::randn({static_cast<std::int64_t>(kFrames), 80});
    const MatrixView<const float> features(numbers.const_data_ptr<float>(), kFrames, 80);

    double worstRebuild = 0, worstGram = 0;
    double processor = 0,
           processorOfPasses = 0; // where other programs run, less depends on them than the time
    const PairedTimes times = pairedTimes(
        [&] {
            processor -= processorSeconds();
            model->analyse(features, {}, [&](LayerAnalysis&& layer) {
                worstRebuild = std::max(worstRebuild, static_cast<double>(layer.rebuildError));
                worstGram = std::max(worstGram, static_cast<double>(layer.gramError));
            });
            processor += processorSeconds();
        },
        [&] {
            processorOfPasses -= processorSeconds();
            explicitPass(*model, features);
            processorOfPasses += processorSeconds();
        },
        kPairs);
    const double bytes = peakResidentRise([&] { model->analyse(features, {}, [](LayerAnalysis&&) {}); });
    char note[160];
    std::snprintf(note, sizeof note,
                  "%.2f times the pass (%.2f in processor time), %d pairs; rebuild error %.1e, Gram error "
                  "%.1e, %s extra",
                  1 / times.ratio, processor / processorOfPasses, times.pairs, worstRebuild, worstGram,
                  megabytes(bytes).c_str());
    BenchmarkRow row{"analysis of 15 s, 12-layer S2T-small",
                     times.ours * 1e3,
                     times.alternative * 1e3,
                     "ms",
                     "bare pass with maps",
                     times.ratio,
                     note};
    row.wanted = 1 / 1.4;
    return {row};
}

} // namespace headroom::benchmarks
