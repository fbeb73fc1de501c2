// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"
#include "core/runs/evaluations.h"
#include "training/worker/arguments/align_arguments.h"
#include "training/worker/arguments/bench_arguments.h"
#include "training/worker/arguments/evaluate_arguments.h"
#include "training/worker/arguments/features_arguments.h"
#include "training/worker/arguments/transcribe_arguments.h"
#include "training/worker/arguments/translate_arguments.h"
#include "training/worker/console.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// One function per subcommand. Each processes every input it can, reports each invalid one on the console,
// and throws headroom::Error only for what stops the whole command. Arguments, files and schemas: README.md
// of this folder.
namespace headroom::training {

void features(const FeaturesOptions& options, Console& console);

struct AnalyseOptions {
    std::filesystem::path model;
    std::filesystem::path draft; ///< an architecture whose heads the model runs untrained; empty: its own
    std::vector<std::filesystem::path> audio;
    std::filesystem::path out;
    bool maps = false;
    bool states = false;
    bool decoder = false; ///< also the decoder's layers, on the greedy output
    std::string language; ///< of the model's adapters (MMS), or that the decoder is told (Whisper); empty: as
                          ///< the model says
    std::string mixing;   ///< names of measures, separated by commas; empty: none
    std::string units = "tokens";   ///< of these measures: tokens, phones, words
    std::string pooling = "mean";   ///< of a unit's rows: mean, maximum
    std::optional<double> from, to; ///< seconds; from < to
};
void analyse(const AnalyseOptions& options, Console& console);
/// The measures of mixing with their formulas and papers, for the help of `analyse`.
std::string mixingHelp();

void transcribe(const TranscribeOptions& options, Console& console);

/// Translates text with a text model, one sentence a line.
void translate(const TranslateOptions& options, Console& console);

struct SpeakOptions {
    std::string text;
    std::filesystem::path out;
    std::string voice = "en-us";
    int rate = 175; ///< words a minute, 80 … 440
    int pitch = 50; ///< 0 … 99
};
void speak(const SpeakOptions& options, Console& console);

/// The demo corpus.
void corpus(const CorpusOptions& options, Console& console);
/// Adds the tasks phones and phone_frames to a corpus with alignments.
void corpusPhones(const std::filesystem::path& data, Console& console);

struct AlignmentsOptions {
    std::filesystem::path data, out; ///< out: folder for TextGrids; empty: none
    std::string map;                 ///< a phone map's file or name; empty: the corpus's own, or the best
                                      ///< match
};
/// Checks every alignment of a corpus (core/alignment/validator.h).
void alignments(const AlignmentsOptions& options, Console& console);

/// Forced alignment (training/alignment).
void align(const AlignOptions& options, Console& console);

struct ScoreOptions {
    std::filesystem::path reference;               ///< one sentence a line, or .trn
    std::vector<std::filesystem::path> hypotheses; ///< likewise; the first is the baseline of the tests
    std::vector<std::string> metrics{"wer", "bleu"};
    std::vector<std::string> by;      ///< "length", "speaker": errors of groups of lines
    std::filesystem::path utterances; ///< who speaks each line of text; empty: utterances.tsv beside the reference
    bool intervals = false;           ///< bootstrap intervals
    bool caseSensitive = false;       ///< of sclite's metrics
    std::string test = "randomisation"; ///< or "bootstrap"
    std::filesystem::path glm;        ///< mapping rules for sclite's metrics (training/scoring/mapping_rules.h); empty: none
    std::filesystem::path report;     ///< folder for NAME.sys, .raw and .pra; empty: none
};
std::vector<std::string> metricNames();
/// `metrics`: of metricNames().
void score(const ScoreOptions& options, Console& console);

/// SIGTERM saves a checkpoint, then ends the run. `device`: as it was given. `wantedRanks`: as takeRanksOfRun() returns it.
void trainModel(const TrainOptions& options, const std::string& device, int wantedRanks, Console& console);

/// Writes references.txt, hypotheses.txt and evaluation.json; while it goes on, progress.json (core/runs/evaluations.h).
/// SIGTERM and a request to stop in control.json end it. A new folder goes if it is refused.
void evaluate(const EvaluateOptions& options, Console& console);
/// What progress.json says of them.
EvaluationRequest evaluationRequestOf(const EvaluateOptions& options);

/// SIGTERM keeps the measurements, then ends the study.
void study(const StudyOptions& options, Console& console);
/// Its device as it was named; a study that is resumed goes on where it was computed.
std::string deviceOfStudy(const StudyOptions& options);

void queue(const QueueOptions& options, Console& console);
/// Starts the queue of a folder of runs in a process of its own. Harmless if one runs already. Throws Error "queue.start".
void startQueue(const std::filesystem::path& runs);
/// Likewise, in a copy of this process, which has LibTorch loaded already; called where there is one thread. The copy does not
/// return. Throws Error "queue.start".
void forkQueue(const std::filesystem::path& runs);

struct ImportOptions {
    std::filesystem::path source, out; ///< a folder or a file of weights; the new folder
    std::string format = "headroom";   ///< of importFormats()
    std::filesystem::path tokenizer;   ///< empty: the one beside the source
};
std::vector<std::string> importFormats();
void importModel(const ImportOptions& options, Console& console);
void describe(const std::filesystem::path& architectureOrModel, Console& console);
/// `device`: as useChosenDevice() returns it.
void check(const std::string& device, Console& console);
/// Lists what this machine can compute on.
void devices(Console& console);
void bench(const BenchOptions& options, Console& console);
/// The updates of a training, measured: the value of `training` in the document.
nlohmann::json benchTraining(const BenchOptions& options, Console& console);

/// Serves the window on standard input and output until shutdown or end of stream. `place`: who answers; empty: this process.
/// `device`: of a worker at a place; empty: what the place says. Returns the exit status.
int serve(const std::string& place, const std::string& device);

} // namespace headroom::training
