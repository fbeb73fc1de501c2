// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/jobs.h"

#include <filesystem>

namespace headroom {

// Where the window keeps the name under which it started a run, a line: in the run's folder once the run has begun and the window has
// settled it there, before that beside the copies of the job's documents.

inline std::filesystem::path startedAsFile(const std::filesystem::path& run) {
    return run / "started-as.txt";
}
inline constexpr const char* kNameInputEnding = ".name.txt";
inline std::filesystem::path nameInput(const std::filesystem::path& run) {
    return jobInputs(run.parent_path()) / (run.filename().string() + kNameInputEnding);
}

} // namespace headroom
