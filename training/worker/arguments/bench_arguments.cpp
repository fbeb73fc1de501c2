// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/arguments/bench_arguments.h"

#include "training/worker/arguments/shipped_file.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace headroom::training {

namespace {

void declareBenchTraining(CLI::App& benchmark, BenchOptions& options) {
    auto* data = benchmark.add_option("--data", options.data, "train: corpus");
    orShippedArchitecture(benchmark.add_option("--architecture", options.architecture, "train: architecture file"))->needs(data);
    benchmark.add_option("--precision", options.precision, "train: fp32 or bf16")
        ->capture_default_str()
        ->check(CLI::IsMember({"fp32", "bf16"}));
    benchmark.add_option("--threads", options.threads, "train: compute threads")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024));
    benchmark.add_option("--frames", options.batchFrames, "train: frames of a batch")
        ->capture_default_str()
        ->check(CLI::Range(100, 10000000));
    benchmark.add_option("--warm-up", options.warmUp, "train: updates before them that are not measured")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000));
    benchmark.add_option("--updates", options.updates, "train: measured updates")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000));
    benchmark.add_option("--ctc", options.ctcWeight, "train: weight of CTC")->check(CLI::Range(0.0, 100.0));
    benchmark.add_option("--batches", options.batches, "train: folder for the batches as .npz");
}

} // namespace

CLI::App* declareBenchArguments(CLI::App& app, BenchOptions& options) {
    auto* benchmark = app.add_subcommand("bench", "measure times, as ratios to a named alternative");
    benchmark
        ->add_option("NAME", options.names,
                     "filterbank, contributions, analysis, attention, mixing, families, decoding, loading, studies, train; default: all")
        ->check(CLI::IsMember(benchmarkNames()));
    benchmark->add_flag("--quick", options.quick,
                        "contributions, attention, studies, mixing, families, decoding, loading: fewer and smaller measurements");
    benchmark->add_option("--only", options.only,
                          "attention, studies: only rows whose name contains this, such as \"full, N 1052\" or \"windows\"");
    benchmark->add_option("--pairs", options.pairs, "attention: at least this many pairs of measurements per row")
        ->capture_default_str()
        ->check(CLI::Range(3, 101));
    benchmark
        ->add_option("--python", options.python,
                     "families, decoding: Python with torch and transformers (and pyctcdecode, flashlight-text), to compare with")
        ->capture_default_str();
    declareBenchTraining(*benchmark, options);
    return benchmark;
}

void checkBenchArguments(const BenchOptions& options) {
    const bool trains = std::find(options.names.begin(), options.names.end(), "train") != options.names.end();
    if (trains && (options.data.empty() || options.architecture.empty()))
        throw CLI::ValidationError("train", "needs --data and --architecture");
}

} // namespace headroom::training
