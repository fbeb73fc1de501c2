// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/places/run_text.h"

#include "core/places/run_place.h"
#include "core/runs/run_folder.h"

namespace headroom {

namespace fs = std::filesystem;

const fs::path& RunText::vocabulary() const {
    return result ? *result : kept ? *kept : startFrom && !startFrom->encoderOnly ? startFrom->model : data;
}

RunText textOfRun(const fs::path& run) {
    RunText text;
    std::error_code ignored;
    if (const fs::path result = RunPaths{run}.model(); fs::exists(result, ignored)) {
        text.result = result;
        return text;
    }
    RunInfo info = readRun(run);
    if (const fs::path kept = RunPaths{run}.tokenizer(); fs::exists(kept, ignored))
        text.kept = kept;
    if (const auto place = readRunPlace(run))
        takePathsHere(*place, info);
    text.data = info.data;
    if (!info.startFrom.empty())
        text.startFrom = StartFrom::parse(info.startFrom);
    return text;
}

} // namespace headroom
