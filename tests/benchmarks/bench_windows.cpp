// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/bench_windows.h"

#include "core/audio/audio_file.h"
#include "core/features/features.h"
#include "tests/benchmarks/explicit_pass.h"
#include "tests/benchmarks/measure.h"
#include "tests/support/random_model.h"
#include "training/studies/sources.h"
#include "training/studies/study_request.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <sched.h>
#include <unistd.h>

namespace headroom::benchmarks {

namespace {

namespace fs = std::filesystem;


class Folder {
public:
    Folder() : m_path(fs::temp_directory_path() / ("headroom-bench-windows-" + std::to_string(::getpid()))) {
        fs::create_directories(m_path / "data");
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    fs::path operator/(const std::string& name) const { return m_path / name; }

private:
    fs::path m_path;
};

/// Log-normal lengths with that mean, none longer than the longest, one of which is there.
std::vector<int> lengths(int count, int longest) {
    std::mt19937 generator(1);
    std::normal_distribution<double> normal(0, 0.6);
    std::vector<double> drawn;
    for (int u = 0; u < count; ++u)
        drawn.push_back(std::exp(normal(generator)));
    double scale = kMeanTokens;
    std::vector<int> tokens;
    for (int round = 0; round < 30; ++round) { // the cut changes the mean a little
        tokens.assign(1, longest);
        double sum = longest;
        for (std::size_t u = 1; u < drawn.size(); ++u) {
            tokens.push_back(std::clamp(static_cast<int>(drawn[u] * scale), 10, longest));
            sum += tokens.back();
        }
        scale *= kMeanTokens * count / sum;
    }
    return tokens;
}

std::vector<fs::path> record(const Folder& folder, const std::vector<int>& tokens) {
    std::mt19937 generator(2);
    std::normal_distribution<float> normal(0, 0.1F);
    std::vector<fs::path> files;
    for (std::size_t u = 0; u < tokens.size(); ++u) {
        std::vector<float> samples(static_cast<std::size_t>(640 * tokens[u] + 240));
        for (float& sample : samples)
            sample = normal(generator);
        files.push_back(folder / ("data/" + std::to_string(u) + ".wav"));
        saveWav(files.back(), samples, kModelSampleRate);
    }
    return files;
}

/// Every encoder pass of the study and nothing else of it but its features, on as many threads, the longest
/// first too.
double barePasses(const fs::path& model, const std::vector<fs::path>& files, int threads) {
    const auto source = training::openModelSource(model);
    std::vector<std::size_t> order(files.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return fs::file_size(files[a]) > fs::file_size(files[b]); });
    std::atomic<std::size_t> next{0};
    return secondsOf([&] {
        std::vector<std::thread> pool;
        for (int i = 0; i < threads; ++i)
            pool.emplace_back([&] {
                const Threads one(1);
                const auto own = source->share();
                for (std::size_t at = next++; at < order.size(); at = next++) {
                    auto features = LogMelFilterbank().compute(loadRecording(files[order[at]]).samples);
                    applyUtteranceCmvn(features);
                    explicitPass(*own->speechModel(), features.view());
                }
            });
        for (std::thread& thread : pool)
            thread.join();
    });
}

double study(const Folder& folder, const fs::path& model, const std::vector<fs::path>& files, int threads,
             const std::string& name) {
    training::StudyRequest request;
    request.models = {model};
    request.audio = files;
    request.out = folder / name;
    request.cache = folder / (name + "-cache");
    request.threads = threads;
    return secondsOf([&] { training::runStudy(request, {}); });
}

double peakMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stod(line.substr(6)) / 1000;
    return 0;
}

int processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

BenchmarkRow opening(const Folder& folder, const std::string& name, const std::string& title) {
    Study large = readStudy(folder / name);
    StudyArrays arrays = readStudyArrays(folder / name);
    const auto utterances = large.utterances;
    while (large.utterances.size() < 1000)
        large.utterances.push_back(utterances[large.utterances.size() % utterances.size()]);
    writeStudy(folder / name, large);
    std::vector<double> times;
    for (int round = 0; round < 9; ++round)
        times.push_back(secondsOf([&] {
            readStudy(folder / name);
            readStudyArrays(folder / name);
        }));
    std::sort(times.begin(), times.end());
    return {
        title, 1e3 * times[4], 300, "ms", "what it may take", 0.3 / times[4],
        "study.json and results.npz"};
}

} // namespace

void benchmarkWindows(bool quick, const RowFilter& wanted, const RowSink& onRow) {
    const std::string first = "windows, 12 × 4 heads, width 256, 2048", twice = "the same with twice the threads",
                      memory = "memory of the process at its peak", kept = "opening a study of 1,000 utterances";
    if (!wanted(first) && !wanted(twice) && !wanted(memory) && !wanted(kept))
        return;
    const int count = quick ? 12 : 400, longest = quick ? 300 : 1052;
    const Folder folder;
    const testing::RandomModel made(folder / "model", std::vector<std::string>(12, "4 full"), 256, 2048);
    const std::vector<int> tokens = lengths(count, longest);
    const auto files = record(folder, tokens);
    const int most = std::min(4, processors()), fewer = std::max(1, most / 2);
    double sum = 0;
    for (const int one : tokens)
        sum += one;
    char note[200];
    // Before and after, and processor time beside it: the machine's speed comes and goes.
    const double before = wanted(first) ? barePasses(made.folder(), files, most) : 0;
    const double started = processorSeconds();
    const double whole = study(folder, made.folder(), files, most, "whole");
    if (wanted(first)) {
        const double between = processorSeconds();
        const double after = barePasses(made.folder(), files, most), bare = (before + after) / 2;
        const double processor = (between - started) / (processorSeconds() - between);
        std::snprintf(note, sizeof note,
                      "%.2f times the bare passes (%.1f s before it, %.1f s after it), %.2f in processor time; %d utterances, "
                      "N = %.0f, longest %d, %d threads",
                      whole / bare, before, after, processor, count, sum / count, longest, most);
        BenchmarkRow row{first, whole, bare, "s", "features and encode", bare / whole, note};
        row.wanted = 1 / 1.25;
        onRow(row);
    }
    if (wanted(twice)) {
        const double half = study(folder, made.folder(), files, fewer, "half");
        std::snprintf(note, sizeof note, "%d threads against %d", most, fewer);
        onRow({twice, whole, half, "s", "half the threads", half / whole, note});
    }
    if (wanted(memory))
        onRow({memory, peakMegabytes(), 2000, "MB", "what it may take", 2000 / peakMegabytes(),
               "everything of this command"});
    if (wanted(kept))
        onRow(opening(folder, "whole", kept));
}

} // namespace headroom::benchmarks
