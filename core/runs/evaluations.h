// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/runs/file_lock.h"
#include "core/runs/model_weights.h"
#include "core/statistics/undefined.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// The model of an evaluation, and on what: the options of `evaluate` that a job holds. A value.
struct EvaluationRequest {
    std::filesystem::path model;      ///< a model folder, or the model/ of a run
    std::string checkpoint = "model"; ///< of a run: "model" (what it exported), "best", "last"
    std::filesystem::path data;       ///< a corpus
    std::string split, task;          ///< task: empty if the corpus has one
    std::int64_t beam = 1;            ///< 1: greedy
    std::string device = "auto"; ///< as --device takes it; "auto": what evaluate itself takes, at a place what the place says
    double lengthPenalty = 1;
    std::int64_t nBest = 0;   ///< texts kept of each utterance; 0: as many as beams, of a CTC search at most 10
    std::int64_t ctcBeam = 0; ///< prefixes of a search of the CTC output; 0: none
    double coverageWeight = 0; ///< for each encoder token that a text covers
    double ctcWeight = 0;     ///< of the CTC output beside the decoder, 0 … 1
    std::filesystem::path languageModel{}; ///< a model folder; empty: none
    double languageModelWeight = 0;
    std::filesystem::path glm{}; ///< mapping rules for sclite's WER; empty: none
    double window = 0;           ///< seconds; longer recordings are decoded in windows; 0: as a whole
    std::string place{};         ///< of core/places, by name; empty: this machine
    bool operator==(const EvaluationRequest&) const = default;
};
/// The folder of the run that a model is the result of: RUN of RUN/model; any other folder is its own.
std::filesystem::path runFolderOf(const std::filesystem::path& model);
/// The options of decoding that are not at their defaults, as a job and progress.json hold them.
nlohmann::json optionsDocument(const EvaluationRequest& request);
/// Reads them. Throws Error "job.value", which names `file` and the key, for a value of another kind or out of range.
void readOptions(const nlohmann::json& options, EvaluationRequest& request, const std::string& file);
/// The command line of `evaluate` that writes into `out`.
std::vector<std::string> arguments(const EvaluationRequest& request, const std::filesystem::path& out);

/// An evaluation as its folder tells it. While it goes on, and where it did not come to its end, the folder holds
/// progress.json and, while a process works on it, a lock; evaluation.json replaces both. One that was refused before it decoded
/// anything leaves no folder, unless the folder was there before. A value.
struct EvaluationInfo {
    enum class State {
        Running,
        Stopped, ///< on request
        Finished,
        Failed,
        Interrupted ///< it says "running", but no process holds the lock. Never written
    };
    std::filesystem::path folder;
    State state = State::Running;
    EvaluationRequest request;        ///< of a finished one: what evaluation.json says
    std::int64_t done = 0, total = 0; ///< utterances; total 0: not known yet
    double seconds = kUndefined;      ///< since it began, when this was written
    std::string error;                ///< one sentence, if it failed
    double wer = kUndefined, bleu = kUndefined; ///< per cent; 0 … 100; of a finished one
    double mappedWer = kUndefined; ///< sclite's WER after the mapping rules (request.glm), per cent
    ModelWeights weights; ///< with which it was computed; empty: not recorded, or not of a run
    double perplexity = kUndefined;             ///< of a finished one of a language model, whose `done` counts sentences
    std::string ended; ///< UTC, as of a run, by its file; empty while it goes on. Not compared
    bool operator==(const EvaluationInfo& other) const; ///< unknown numbers count as equal
};

struct EvaluationPaths {
    std::filesystem::path folder;
    std::filesystem::path progress() const { return folder / "progress.json"; }
    std::filesystem::path result() const { return folder / "evaluation.json"; }
    std::filesystem::path lock() const { return folder / "lock"; }
};

/// Folder of the evaluations that the queue of RUNS does.
inline std::filesystem::path evaluationsFolder(const std::filesystem::path& runs) {
    return runs / "evaluations";
}

/// Writes progress.json atomically. Throws Error "output.unwritable".
void writeProgress(const EvaluationInfo& info);
/// Throws Error "evaluation.missing" or "evaluation.badJson", which name the file.
EvaluationInfo readEvaluation(const std::filesystem::path& folder);

} // namespace headroom
