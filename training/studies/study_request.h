// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

/// What somebody asks of a study.
struct StudyRequest {
    StudyKind kind = StudyKind::Windows;
    std::vector<std::filesystem::path> models; ///< folders; for latency also documents of architectures
    std::filesystem::path maps; ///< a folder of maps from elsewhere instead of models; empty: none
    std::filesystem::path data; ///< a corpus; empty: `audio`
    std::vector<std::filesystem::path> audio;
    std::string split, task; ///< empty: the only one, or the first of "test", "dev"; "asr" or the first
    std::int64_t utterances = 400;
    std::uint64_t seed = 1;
    nlohmann::json settings = nlohmann::json::object(); ///< of the kind; what is not given has its default

    std::filesystem::path out;
    std::filesystem::path cache; ///< of measurements; empty: the user's
    std::int64_t threads = 0;    ///< utterances in flight; 0: as many as there are processors
    /// Go on with the study in `out`: everything above `out` is read from it.
    bool resume = false;
};

/// What the study says while it runs; called on the thread that called runStudy.
struct StudyListener {
    std::function<void(const StudyProgress&)> progress; ///< several times a second at most
    std::function<void(const std::string&)> note;       ///< worth saying
    std::function<void(const std::string&)> problem;    ///< an utterance was left out
    std::function<bool()> stop;                         ///< true: measure no more, keep what there is
};

/// Does a study from its beginning to its end, or goes on with the one in `out` (the same one was asked for,
/// or `resume`). Returns the document as it stands in the folder: finished, or stopped. A finished one is
/// only read. What goes wrong for the study as a whole is written into the folder (state failed) and thrown:
/// Error "study.…", or what models and corpora throw. The result does not depend on `threads`.
Study runStudy(const StudyRequest& request, const StudyListener& listener);

} // namespace headroom::training
