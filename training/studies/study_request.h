// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

/// A request for a study.
struct StudyRequest {
    StudyKind kind = StudyKind::Windows;
    std::vector<std::filesystem::path> models; ///< folders; for latency also architecture documents
    std::vector<std::string> names;            ///< of `models`, as StudyOptions
    /// An architecture document whose heads every model runs untrained (models/checkpoints/draft.h); empty: its own.
    std::filesystem::path draft;
    std::filesystem::path maps; ///< a folder of imported maps instead of models; empty: none
    std::filesystem::path data; ///< a corpus; empty: use `audio` or `texts`
    std::vector<std::filesystem::path> audio;
    std::vector<std::filesystem::path> alignments; ///< of `audio`, as StudyOptions
    std::vector<std::string> ids;                  ///< of `audio`, as StudyOptions
    std::vector<std::string> texts; ///< sentences, for models that read text
    std::string split, task; ///< empty: the only one, or the first of "test", "dev"; "asr" or the first
    std::int64_t utterances = 400;
    std::uint64_t seed = 1;
    nlohmann::json settings = nlohmann::json::object(); ///< of the kind; missing ones have their defaults

    std::filesystem::path out;
    std::filesystem::path cache; ///< of measurements; empty: the user's
    std::int64_t threads = 0;    ///< utterances in parallel; 0: one per processor
    /// Resumes the study in `out`; everything above `out` is read from it.
    bool resume = false;
};

/// Receives what the study reports while it runs, on the thread that called runStudy.
struct StudyListener {
    std::function<void(const StudyProgress&)> progress; ///< several times a second at most
    std::function<void(const std::string&)> note;       ///< remarks
    std::function<void(const std::string&)> problem;    ///< an utterance was left out
    std::function<bool()> stop;                         ///< true: stop measuring and keep what there is
};

/// Runs a study, or resumes the one in `out` (if the same one is requested, or `resume`). Returns the
/// document in the folder: finished, or stopped. A finished one is only read. An error of the whole study is
/// written into the folder (state failed) and thrown: Error "study.…", or the errors of models and corpora.
/// The result does not depend on `threads`.
Study runStudy(const StudyRequest& request, const StudyListener& listener);

} // namespace headroom::training
