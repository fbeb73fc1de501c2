// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// The commands of headroom-worker that other programs start, each as the values of its options. The worker parses
// its command line into them, and arguments() writes them as one: what is written is parsed as the same values
// (tests/training/worker/arguments/run_arguments_test.cpp). Paths stand as they are given; the caller makes them absolute where the
// command runs in another folder. Values; arguments() is pure and thread-safe.

/// `train`: a new run, or one that goes on.
struct TrainOptions {
    std::filesystem::path architecture, recipe, data; ///< empty only with resume
    std::filesystem::path run;
    std::string startFrom; ///< MODEL or RUN@CHECKPOINT, perhaps with ":encoder"; empty: random weights
    std::optional<std::uint64_t> seed;
    std::string seeds; ///< as parseSeeds() takes them: a run for each, in RUN_seed-N, at a place; empty: one run
    bool resume = false;
    bool hold = false;  ///< at a Slurm cluster: write the script, and do not hand it in
    bool watch = false; ///< only watch a run that somebody else started at the place
    int ranks = 0;      ///< processes that train it together; 0: one, at a place as many as it says
    std::string device; ///< as --device takes it; empty: the CPU, at a place what the place says
    std::vector<std::string> set; ///< dotted.key=JSON
    std::string place;            ///< of core/places, by name; empty: this machine, or with resume where the run was
    bool allCheckpoints = false;  ///< at a place: bring every checkpoint that the run keeps, not only the last and the best
    bool operator==(const TrainOptions&) const = default;
};
std::vector<std::string> arguments(const TrainOptions& options);

/// Of a recording without an alignment among others that have one.
inline constexpr const char* kNoAlignment = "none";
/// `study`: a new study, or one that goes on.
struct StudyOptions {
    std::string kind; ///< of core/studies; empty only with resume
    std::vector<std::filesystem::path> models, audio;
    std::vector<std::string> names; ///< of `models`, in their order, as the study calls them; empty: as they call themselves
    /// Of `audio`, in its order; kNoAlignment: of a recording without one. Empty: what lies beside each.
    std::vector<std::filesystem::path> alignments;
    std::vector<std::string> ids;   ///< of `audio`, in its order, as lists of alignments call them; empty: the stems
    std::vector<std::string> texts; ///< sentences to use instead of `data` and `audio`, for models that read text
    std::filesystem::path maps, data, out, cache;
    std::filesystem::path draft; ///< an architecture whose heads every model runs untrained; empty: its own
    std::string split, task;
    std::int64_t utterances = 400, threads = 0;
    std::uint64_t seed = 1;
    std::vector<std::string> set; ///< KEY=JSON
    bool figures = false, resume = false, json = false;
    std::filesystem::path resumed; ///< the folder that goes on, instead of `out`
    std::string place;             ///< as of TrainOptions
    std::string device;            ///< as --device takes it; empty: the CPU, at a place what it says, with resume as before
    bool operator==(const StudyOptions&) const = default;
};
/// With `resume`, what the folder says itself (kind, models, data, seed, settings) is not written.
std::vector<std::string> arguments(const StudyOptions& options);

/// `queue`: does the jobs of a folder of runs.
struct QueueOptions {
    std::filesystem::path runs;
    bool stay = false; ///< in this process; else in one of its own, which outlives this one
    bool operator==(const QueueOptions&) const = default;
};
std::vector<std::string> arguments(const QueueOptions& options);

/// `corpus demo`: English sentences with translations, spoken by espeak-ng, or as text.
struct CorpusOptions {
    std::filesystem::path out;
    double minutes = 30;
    std::uint64_t seed = 1;
    int processes = 0;   ///< 0: as many as there are processors
    double invented = 0; ///< share of utterances of invented words, 0 … 0.9
    bool text = false;   ///< parallel text, without recordings
    std::int64_t sentences = 20'000; ///< of parallel text
    bool operator==(const CorpusOptions&) const = default;
};
/// Only options that differ from their defaults are written.
std::vector<std::string> arguments(const CorpusOptions& options);

} // namespace headroom
