// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/evaluations.h"

#include <atomic>
#include <chrono>

namespace headroom::training {

/// What the folder of an evaluation says while it goes on (core/runs/evaluations.h): progress.json, at most twice a
/// second, and the lock. finished() removes both. A request to stop in control.json, and SIGTERM, set stopFlag().
/// One thread.
class EvaluationWatch {
public:
    /// Creates the folder and takes its lock. Throws Error "output.unwritable", and "evaluation.inUse" if another process
    /// evaluates into it. `found`: the evaluation was begun before, elsewhere: a request to stop, made while nobody followed it, stays.
    explicit EvaluationWatch(EvaluationInfo info, bool found = false);
    ~EvaluationWatch();

    void progress(std::int64_t done, std::int64_t total);
    const std::atomic<bool>* stopFlag() const { return &m_stop; }
    void stopped();
    void failed(const std::string& sentence);
    /// Likewise, but before the first progress() a folder that was not there before goes when this is destroyed, unless others have put
    /// something into it.
    void refused(const std::string& sentence);
    void finished();

private:
    void write();

    EvaluationInfo m_info;
    bool m_isNew = false, m_goes = false; ///< the folder
    bool m_decodes = false;
    std::optional<FileLock> m_lock;
    std::chrono::steady_clock::time_point m_begin, m_written;
    std::atomic<bool> m_stop{false};
};

} // namespace headroom::training
