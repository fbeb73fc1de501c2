// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_control.h"

#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"

namespace headroom {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

void writeControl(const fs::path& folder, const char* request) {
    const std::string text = std::string("{ \"format\": \"headroom/run-control\", \"version\": 1, \"request\": \"") +
                             request + "\" }\n";
    writeAtomically(RunPaths{folder}.control(), std::string_view(text), "run.unwritable");
}

RunControl readControl(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return RunControl::None;
    try {
        const json request = readStrictObject(file, "run.badJson").value("request", json());
        return request == "pause"      ? RunControl::Pause
               : request == "evaluate" ? RunControl::Evaluate
               : request == "send"     ? RunControl::Send
                                       : RunControl::None;
    } catch (const Error&) {
        return RunControl::None;
    }
}

} // namespace

void askToPause(const fs::path& folder) {
    writeControl(folder, "pause");
}

void askToEvaluate(const fs::path& folder) {
    writeControl(folder, "evaluate");
}

void askToSend(const fs::path& folder) {
    writeControl(folder, "send");
}

RunControl controlOf(const fs::path& folder) {
    return readControl(RunPaths{folder}.control());
}

bool takeRequest(const fs::path& folder, RunControl request) {
    const fs::path control = RunPaths{folder}.control(), taken = folder / "control.taken";
    std::error_code problem;
    fs::rename(control, taken, problem);
    if (problem)
        return false;
    const bool isThis = readControl(taken) == request;
    if (isThis || fs::exists(control, problem)) // a newer request is there already
        fs::remove(taken, problem);
    else
        fs::rename(taken, control, problem);
    return isThis;
}

} // namespace headroom
