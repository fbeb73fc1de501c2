// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/runs/run_folder.h"
#include "core/studies/table.h"
#include "core/tensors/tensor.h"
#include "core/time/clocks.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom {

// A study measures one or several models on many utterances, and is a folder:
//
// study.json     this document, rewritten atomically when the state changes
// progress.json  its progress, rewritten atomically while it runs
// control.json   {"stop": true}, written to request a stop; measurements stay in the cache
// lock           held by the process that works on it
// results.npz    the arrays of the kind (README.md); written when the study is finished
// places.npz     the places behind the numbers (places.h); large, read on demand
// tables/ figures/  NAME.csv, NAME.tex; NAME.svg, NAME.pdf, NAME.png
//
// Measurements of an utterance are stored in the user's cache, keyed by model, recording and settings. A
// stopped study can therefore be resumed, and another study of the same models and recordings is fast.

enum class StudyKind { Windows, Diagonality, Heads, Phones, Probe, Latency, Mixing, Similarity };
/// All of them, in the order in which they are offered.
inline constexpr std::array kStudyKinds{StudyKind::Windows, StudyKind::Diagonality, StudyKind::Heads,  StudyKind::Phones,
                                        StudyKind::Probe,   StudyKind::Latency,     StudyKind::Mixing, StudyKind::Similarity};
const char* toText(StudyKind kind); ///< "windows" …
/// Throws Error "study.kind", which lists the known kinds.
StudyKind studyKind(std::string_view name);

/// One model of a study, or a folder of imported maps.
struct StudyModel {
    std::string name;
    std::string folder;                    ///< absolute
    std::string weightsHash;               ///< SHA-256, hex; empty for imported maps
    std::string architecture;              ///< "12 layers × 4 heads, width 256"
    int layers = 0, heads = 0;             ///< heads: the most in any layer
    bool maps = false;                     ///< imported maps: nothing that needs weights
    double clockOffset = 0, clockStep = 0; ///< TokenClock: centre of token t at offset + step · t, in seconds
    std::int64_t clockBands = 1;           ///< tokens of the same time: t is then the column ⌊token / bands⌋
    TokenClock clock() const { return TokenClock::affine(Seconds(clockOffset), Seconds(clockStep), clockBands); }
};

/// One utterance of the sample, in the order of the arrays' last dimension.
struct StudyUtterance {
    std::string id;
    std::string audio;     ///< absolute; empty in parallel text
    std::string hash;      ///< SHA-256 of the recording or of the sentence, hex
    std::string alignment; ///< absolute; empty: none
    std::string speaker;   ///< may be empty
    double seconds = 0;
    std::int64_t tokens = 0; ///< N in the first model; 0 if it failed
    std::string error;       ///< why it was left out, one sentence; its numbers are NaN
    std::string text{};      ///< the source sentence of parallel text; otherwise empty
    std::string transcript{}, translation{}; ///< of a recording; empty: not known
};

/// study.json. A value.
struct Study {
    std::string id; ///< the folder's name
    StudyKind kind = StudyKind::Windows;
    RunState state = RunState::Running; ///< as for runs; Interrupted is never written
    std::string error;                  ///< one sentence, if it failed
    std::string created, ended;         ///< UTC
    std::string version;                ///< of the worker
    std::string device;                 ///< that computed it, as --device takes it; empty: the CPU
    std::string data, split, task;      ///< the corpus, absolute; empty: recordings by name
    std::int64_t population = 0;        ///< number of utterances the sample was drawn from
    std::uint64_t seed = 1;             ///< of the sample (without replacement) and all random numbers
    nlohmann::json settings = nlohmann::json::object(); ///< of the kind, with every value
    std::vector<StudyModel> models;
    std::vector<StudyUtterance> utterances; ///< the sample, in corpus order
    std::vector<StudyTable> tables;         ///< filled when finished
    std::vector<std::string> notes;         ///< one sentence each, for the reader
};

/// Returns speaker clusters for means and tests: one number per utterance, equal for equal speakers; an
/// utterance without a speaker is its own cluster. Empty if the measured utterances make fewer than two
/// clusters, or none of them has a speaker: then each utterance is a unit of its own.
std::vector<int> speakerClusters(const Study& study);
/// Returns whether its utterances are texts rather than recordings; false if there are none.
bool isOfTexts(const Study& study);

struct StudyPaths {
    std::filesystem::path folder;
    std::filesystem::path study() const { return folder / "study.json"; }
    std::filesystem::path progress() const { return folder / "progress.json"; }
    std::filesystem::path control() const { return folder / "control.json"; }
    std::filesystem::path lock() const { return folder / "lock"; }
    std::filesystem::path results() const { return folder / "results.npz"; }
    std::filesystem::path places() const { return folder / "places.npz"; }
    std::filesystem::path tables() const { return folder / "tables"; }
    std::filesystem::path figures() const { return folder / "figures"; }
};

/// Reads study.json. The state is Interrupted if it says running but no process holds the lock. Throws Error
/// "study.missing", "study.badJson", "study.value", and "study.newer" for a folder of a later version; each
/// names the file.
Study readStudy(const std::filesystem::path& folder);
/// Writes study.json atomically. Throws Error "study.unwritable".
void writeStudy(const std::filesystem::path& folder, const Study& study);

struct StudyProgress {
    std::int64_t done = 0, total = 0; ///< utterances × models
    std::string stage;                ///< "Measuring st-small en-de", "Training the probe of layer 3"
    double secondsLeft = -1;          ///< −1: unknown
    std::int64_t cached = 0;          ///< of `done`, how many were cached
};
/// Returns zeros if the file is missing or unreadable.
StudyProgress readStudyProgress(const std::filesystem::path& folder);
void writeStudyProgress(const std::filesystem::path& folder, const StudyProgress& progress);
/// Requests the process that works on it to stop.
void stopStudy(const std::filesystem::path& folder);
bool studyWasAskedToStop(const std::filesystem::path& folder);

/// The arrays of results.npz by name. Throws the errors of readNpz.
using StudyArrays = std::map<std::string, Tensor>;
StudyArrays readStudyArrays(const std::filesystem::path& folder);

} // namespace headroom
