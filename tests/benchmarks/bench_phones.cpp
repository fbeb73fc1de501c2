// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/bench_phones.h"

#include "core/alignment/phone_map.h"
#include "core/alignment/phones.h"
#include "tests/benchmarks/explicit_pass.h"
#include "tests/benchmarks/measure.h"
#include "tests/support/random_model.h"
#include "training/studies/phones/phones_measure.h"
#include "training/studies/sources.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include <unistd.h>

namespace headroom::benchmarks {

namespace {

using training::StudyInput;

constexpr int kUtterances = 40, kPhoneRounds = 3;

/// A folder that goes when this does.
class ModelFolder {
public:
    ModelFolder()
        : m_path(std::filesystem::temp_directory_path() / ("headroom-bench-" + std::to_string(::getpid()))) {}
    ~ModelFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    ModelFolder(const ModelFolder&) = delete;
    ModelFolder& operator=(const ModelFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

struct Utterances {
    StudyUtterance document;
    std::vector<StudyInput> inputs;
};

/// Log-normal lengths, as those of speech corpora are; phones of 80 ms and a tenth of silence.
void makeUtterances(Utterances& made) {
    std::mt19937 generator(1);
    std::normal_distribution<double> normal(0, 0.6);
    std::normal_distribution<float> feature;
    std::vector<double> lengths;
    double sum = 0;
    for (int u = 0; u < kUtterances; ++u)
        sum += lengths.emplace_back(std::exp(normal(generator)));
    made.document.id = "made";
    for (const double length : lengths) {
        const auto tokens = static_cast<std::size_t>(std::max(8.0, length * kMeanTokens * kUtterances / sum));
        StudyInput& input = made.inputs.emplace_back();
        input.document = &made.document;
        input.features = Matrix<float>(4 * tokens, 80);
        for (float& value : input.features.values())
            value = feature(generator);
        Alignment alignment;
        for (double start = 0; start < 0.04 * static_cast<double>(tokens); start += 0.08) {
            const std::size_t phone = generator() % 40;
            const std::string label = phone < 36 ? std::string(kPhoneClasses[phone]) : "sil";
            alignment.phones.push_back({Seconds(start), Seconds(start + 0.08), label == "O" ? "OW" : label});
        }
        input.alignment = std::move(alignment);
    }
}

BenchmarkRow phones(training::LayerSource& source, const Utterances& utterances) {
    const PhoneMap map;
    double ours = 0, bare = 0, tokens = 0;
    for (const StudyInput& input : utterances.inputs) {
        std::vector<double> measured, encoded;
        for (int round = 0; round < kPhoneRounds; ++round) {
            encoded.push_back(secondsOf([&] { explicitPass(*source.speechModel(), input.features); }));
            measured.push_back(secondsOf([&] { training::measurePhones(source, input, map, nullptr); }));
        }
        ours += median(measured);
        bare += median(encoded);
        tokens += static_cast<double>(input.features.rows()) / 4;
    }
    char note[120];
    std::snprintf(note, sizeof note,
                  "%.2f times the bare passes; %d utterances, N = %.0f in the mean, 1 thread", ours / bare,
                  kUtterances, tokens / kUtterances);
    return {"PAR of 16 × 4 heads, width 256", ours, bare, "s", "bare passes with maps", bare / ours, note};
}

/// The encoder's own total beside a clock around the call: what is left is the way in and out.
BenchmarkRow clockInside(models::SpeechModel& model, const Matrix<float>& features) {
    std::vector<double> inside, outside;
    for (int round = 0; round < 15; ++round)
        outside.push_back(secondsOf([&] { inside.push_back(model.timeEncoder(features).total); }));
    return {"latency: clock inside the encoder, N = 300",
            1e3 * median(inside),
            1e3 * median(outside),
            "ms",
            "clock around the call",
            median(outside) / median(inside),
            "1 thread"};
}

BenchmarkRow costOfTheClock(models::SpeechModel& model, const Matrix<float>& features) {
    const PairedTimes times =
        pairedTimes([&] { model.timeEncoder(features); }, [&] { model.encode(features); });
    return {"latency: pass with the clock, N = 300",
            1e3 * times.ours,
            1e3 * times.alternative,
            "ms",
            "pass without",
            times.ratio,
            "1 thread"};
}

} // namespace

std::vector<BenchmarkRow> benchmarkPhones() {
    const ModelFolder folder;
    const testing::RandomModel made(folder.path(), std::vector<std::string>(16, "4 full"), 256);
    const auto source = training::openModelSource(made.folder());
    Utterances utterances;
    makeUtterances(utterances);
    Matrix<float> features(1200, 80);
    std::mt19937 generator(2);
    std::normal_distribution<float> feature;
    for (float& value : features.values())
        value = feature(generator);
    const Threads one(1);
    return {phones(*source, utterances), clockInside(*source->speechModel(), features),
            costOfTheClock(*source->speechModel(), features)};
}

} // namespace headroom::benchmarks
