// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/events.h"
#include "core/runs/run_folder.h"
#include "core/runs/tensorboard.h"

#include <functional>
#include <memory>
#include <string>

namespace headroom::training {

/// What `train` tells while it works; called on the training thread.
struct Progress {
    std::int64_t update = 0, maxUpdates = 0;
    std::string text; ///< "loss 5.21, 41,000 frames/s, 3 min left"
};

/// Everything a run writes besides checkpoints: events.jsonl, TensorBoard, log.txt, samples, run.json. The
/// run must be taken (takeRun) by who makes one. One thread. Throws Error "run.unwritable".
class Journal {
public:
    Journal(RunPaths paths, RunInfo info);
    ~Journal();

    RunInfo& info() { return m_info; }
    const RunPaths& paths() const { return m_paths; }

    /// One event; its numbers go to TensorBoard too where it is a "step" or a "validation".
    void event(const std::string& kind, std::int64_t update, nlohmann::ordered_json values = {});
    /// A line of log.txt, with its time.
    void log(const std::string& sentence);
    void samples(std::int64_t update, const nlohmann::ordered_json& examples);
    /// run.json as it is now, after events.jsonl is on the disk.
    void save();
    /// Writes state, sentence and time of the end.
    void end(RunState state, const std::string& sentence);

private:
    RunPaths m_paths;
    RunInfo m_info;
    EventWriter m_events;
    std::unique_ptr<TensorBoardWriter> m_tensorBoard;
    int m_log = -1;
};

} // namespace headroom::training
