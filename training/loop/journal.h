// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/events.h"
#include "core/runs/run_folder.h"
#include "core/runs/tensorboard.h"

#include <functional>
#include <memory>
#include <string>

namespace headroom::training {

/// Progress of `train`; called on the training thread.
struct Progress {
    std::int64_t update = 0, maxUpdates = 0;
    std::string text; ///< "loss 5.21, 41,000 frames/s, 3 min left"
};

/// Writes everything of a run except checkpoints: events.jsonl, TensorBoard, log.txt, samples, run.json. The
/// caller must hold the run (takeRun). One thread. Throws Error "run.unwritable".
class Journal {
public:
    Journal(RunPaths paths, RunInfo info);
    /// One that writes nothing: that of every rank but the first.
    static Journal silent(RunPaths paths, RunInfo info);
    ~Journal();

    RunInfo& info() { return m_info; }
    const RunPaths& paths() const { return m_paths; }

    /// Writes one event; the numbers of "step" and "validation" also go to TensorBoard.
    void event(const std::string& kind, std::int64_t update, nlohmann::ordered_json values = {});
    /// Writes a line of log.txt, with its time.
    void log(const std::string& sentence);
    void samples(std::int64_t update, const nlohmann::ordered_json& examples);
    /// Writes run.json, after flushing events.jsonl to disk.
    void save();
    /// Writes state, sentence and end time.
    void end(RunState state, const std::string& sentence);

private:
    struct Silent {};
    Journal(Silent, RunPaths paths, RunInfo info);

    RunPaths m_paths;
    RunInfo m_info;
    std::unique_ptr<EventWriter> m_events; ///< null: nothing is written
    std::unique_ptr<TensorBoardWriter> m_tensorBoard;
    int m_log = -1;
};

} // namespace headroom::training
