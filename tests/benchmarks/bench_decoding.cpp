// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/bench_decoding.h"

#include "core/architecture/architecture.h"
#include "core/tensors/npy.h"
#include "core/tensors/scratch_folder.h"
#include "models/layers/numbers.h"
#include "models/networks/language_model.h"
#include "models/networks/model_scorers.h"
#include "models/networks/s2t_encoder.h"
#include "tests/benchmarks/measure.h"
#include "tests/benchmarks/peer_process.h"
#include "training/data/random.h"
#include "training/decoding/beam_search.h"
#include "training/decoding/ctc_prefix_search.h"
#include "training/decoding/fused_scorer.h"
#include "training/loop/initial_weights.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>

namespace headroom::benchmarks {
namespace {

namespace fs = std::filesystem;
using SearchReport = std::function<void(const BenchmarkRow&)>;

constexpr int kRuns = 5;

/// Ours in turn with the peer's answer to `question`.
void besidePeer(const std::string& name, const std::function<void()>& ours, const std::string& question,
                PeerProcess& peer, const std::string& wanted, const SearchReport& report) {
    ours();
    std::vector<double> mine, theirs, ratios;
    std::string peerName;
    for (int i = 0; i < kRuns && peer.answers(); ++i) {
        const nlohmann::json answer = peer.ask(question);
        if (!peer.answers())
            break;
        if (answer.contains("problem"))
            return report({name, secondsOf(ours), 0, "s", "no peer", 0, answer["problem"].get<std::string>()});
        peerName = answer["name"].get<std::string>();
        theirs.push_back(answer["seconds"].get<double>());
        mine.push_back(secondsOf(ours));
        ratios.push_back(theirs.back() / mine.back());
    }
    if (ratios.empty())
        return report({name, secondsOf(ours), 0, "s", "no peer", 0, peer.problem()});
    report({name, median(mine), median(theirs), "s", peerName, median(ratios), wanted});
}

void beams(bool quick, PeerProcess& peer, const SearchReport& report) {
    Architecture architecture = readArchitecture(fs::path(HEADROOM_SOURCE_DIR) / "resources/architectures/s2t-small.json");
    if (quick)
        architecture.encoder.layers.resize(1);
    const std::int64_t batch = 8, frames = quick ? 100 : 800, tokens = quick ? 4 : 60;
    const models::Parameters parameters = training::initialWeights(architecture, false, 1);
    const at::Tensor features = at::randn({batch, frames, 80});
    training::BeamSettings settings;
    settings.beams = 5;
    settings.maxNewTokens = settings.minNewTokens = tokens;
    const auto search = [&] {
        const c10::InferenceMode inference;
        const at::Tensor memory = models::encodeBatch(parameters, architecture, features,
                                                      std::vector<std::int64_t>(static_cast<std::size_t>(batch), frames));
        const auto scorer = models::decoderScorer(parameters, architecture, memory, {}, tokens + 1);
        training::beamSearch(*scorer, batch, settings);
    };
    besidePeer("s2t-small, 8 × " + std::to_string(frames / 100) + " s, beam 5, " + std::to_string(tokens) + " tokens", search,
               "generate 8 " + std::to_string(frames) + " " + std::to_string(tokens) + " 5", peer, "wanted: 3 times", report);
}

/// The language model through tensors, as it is trained: what the search's own is compared with.
class PlainLanguageModel final : public models::TokenScorer {
public:
    PlainLanguageModel(const models::Parameters& parameters, const Architecture& architecture, std::int64_t texts)
        : m_vocabulary(architecture.vocabulary)
        , m_model(parameters, architecture, texts) {}
    int vocabulary() const override { return m_vocabulary; }
    std::int64_t maximumTokens() const override { return std::numeric_limits<std::int64_t>::max(); }
    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override {
        m_model.select({parents.begin(), parents.end()});
        std::vector<std::vector<int>> next;
        for (const int token : tokens)
            next.push_back({token});
        const at::Tensor rows = at::log_softmax(m_model.feedBatch(next).select(1, 0), -1);
        return models::matrixOf(rows);
    }

private:
    int m_vocabulary;
    models::LanguageModel m_model;
};

void fusion(bool quick, const SearchReport& report) {
    Architecture speech = readArchitecture(fs::path(HEADROOM_SOURCE_DIR) / "resources/architectures/s2t-small.json");
    Architecture language = readArchitecture(fs::path(HEADROOM_SOURCE_DIR) / "resources/architectures/relaxed-lm-transformer.json");
    language.vocabulary = speech.vocabulary;
    speech.encoder.layers.resize(1);
    if (quick)
        language.languageModel->layers = 1;
    const std::int64_t batch = 8, frames = quick ? 100 : 800, tokens = quick ? 4 : 60;
    const models::Parameters parameters = training::initialWeights(speech, false, 1), words = training::initialWeights(language, false, 1);
    const c10::InferenceMode inference;
    const at::Tensor memory = models::encodeBatch(parameters, speech, at::randn({batch, frames, 80}),
                                                  std::vector<std::int64_t>(static_cast<std::size_t>(batch), frames));
    training::BeamSettings settings;
    settings.beams = 5;
    settings.maxNewTokens = settings.minNewTokens = tokens;
    const auto search = [&](std::unique_ptr<models::TokenScorer> model) {
        std::vector<training::FusedScorer::Part> parts;
        parts.push_back({models::decoderScorer(parameters, speech, memory, {}, tokens + 1), 1});
        parts.push_back({std::move(model), 0.3});
        training::FusedScorer scorer(std::move(parts));
        return training::beamSearch(scorer, batch, settings);
    };
    std::vector<double> mine, theirs, ratios;
    for (int run = 0; run <= kRuns; ++run) {
        const double ours = secondsOf([&] { search(models::languageModelScorer(words, language, batch)); });
        const double plain = secondsOf([&] { search(std::make_unique<PlainLanguageModel>(words, language, batch)); });
        if (run == 0) // the first of each is not timed
            continue;
        mine.push_back(ours);
        theirs.push_back(plain);
        ratios.push_back(plain / ours);
    }
    report({"shallow fusion, " + language.name + ", 8 texts, beam 5, " + std::to_string(tokens) + " tokens", median(mine),
            median(theirs), "s", "the language model through tensors", median(ratios), "encoder left out"});
}

/// Posteriors of a recogniser: most frames are sure of the blank or of one label, some hesitate between a few.
Matrix<double> madePosteriors(std::size_t frames, std::size_t labels) {
    training::Random random{1, labels};
    Matrix<double> logP(frames, labels);
    for (std::size_t t = 0; t < frames; ++t) {
        auto row = logP.row(t);
        for (double& value : row)
            value = 2 * random.share() - 1;
        const bool sure = random.share() < 0.8;
        row[0] += random.share() < 0.6 ? 12 : 4;
        for (int i = 0; i < (sure ? 1 : 4); ++i)
            row[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(labels)))] += sure ? 10 : 6 + 4 * random.share();
        double sum = 0;
        for (const double value : row)
            sum += std::exp(value);
        for (double& value : row)
            value -= std::log(sum);
    }
    return logP;
}

void prefixes(bool quick, const fs::path& folder, PeerProcess& peer, const SearchReport& report) {
    for (const std::size_t labels : {32, 1000, 5000}) {
        const Matrix<double> logP = madePosteriors(quick ? 10 : 300, labels);
        const fs::path file = folder / ("posteriors-" + std::to_string(labels) + ".npy");
        writeNpy(file, Tensor::of<double>({static_cast<std::int64_t>(logP.rows()), static_cast<std::int64_t>(labels)},
                                          logP.values())
                           .view());
        training::CtcSearchSettings settings;
        settings.beam = 100;
        const auto search = [&] { training::ctcPrefixSearch(logP.view(), settings); };
        for (const char* library : {"pyctcdecode", "pyctcdecode-whole", "flashlight"}) {
            if (labels > 100 && std::string_view(library).ends_with("whole")) // takes minutes
                continue;
            besidePeer("CTC prefixes, " + std::to_string(logP.rows()) + " frames × " + std::to_string(labels) + ", beam 100",
                       search, std::string(library) + " " + file.string() + " 100", peer, "wanted: 1 time; ours prunes nothing", report);
        }
    }
}

} // namespace

void benchmarkDecoding(bool quick, const fs::path& python, const SearchReport& report) {
    const Threads two(2);
    const ScratchFolder folder("headroom-bench", "bench.temporary");
    PeerProcess peer(quick ? fs::path() : python, fs::path(HEADROOM_SOURCE_DIR) / "tests/benchmarks/peer_decoding.py");
    beams(quick, peer, report);
    fusion(quick, report);
    prefixes(quick, folder.path(), peer, report);
}

} // namespace headroom::benchmarks
