// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "training/places/launch_here.h"
#include "training/places/slurm.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// A folder whose work a Slurm job does: its script `job.sh`, the job's number in `slurm.json`, and how the job stands. sbatch is
/// on this machine. One thread.
class SlurmFolder {
public:
    /// `lists`: the folder of runs whose answer of squeue is shared (slurm.h). `meanwhile`: called while Slurm's programs are waited for.
    SlurmFolder(std::filesystem::path folder, std::filesystem::path lists, Place place, std::function<void()> meanwhile = {});

    /// The worker's program here, as the place says.
    std::string worker() const;
    /// Writes the script for these words, with `tasks` on each node, unless there is one: a script that a person has written or changed is kept.
    /// Throws Error "run.unwritable".
    void writeScript(const std::vector<std::string>& command, int tasks = 1) const;
    /// Hands the script in. Throws Error "slurm.sbatch" with sbatch's own words, "run.unwritable".
    void submit();
    /// Hands in one job array, an element for each of these folders, of which this is the first; all have their scripts. Throws
    /// as submit() does.
    void submitArray(const std::vector<std::filesystem::path>& folders, int tasks);
    /// Keeps the job back until submit(): it counts as one that waits. `why`: said of it; empty: that it waits for the user.
    /// Throws Error "run.unwritable".
    void hold(const std::string& why = {}) const;
    bool isHeld() const { return std::filesystem::exists(heldFile()); }
    void release() const;
    /// Replaces the script. Throws Error "run.unwritable".
    void replaceScript(const std::string& text) const;
    bool hasScript() const { return std::filesystem::exists(script()); }
    /// The job that was handed in last; nullopt: none was. Throws Error "run.badJson".
    std::optional<std::string> job() { return readJobId(); }
    /// Whether a job was handed in.
    bool hasJob() { return readJobId().has_value(); }
    /// Whether the job waits or goes on. Throws Error "slurm.squeue".
    bool goesOn();
    void cancel();
    /// Of the job that was handed in last; empty if there was none. While its last state is not known yet (slurm_states.h), it waits
    /// without a sentence.
    LaunchStatus status();
    /// Whether that job waits or goes on; waits itself until it is known.
    bool waits();

private:
    std::filesystem::path script() const { return m_folder / "job.sh"; }
    std::filesystem::path heldFile() const { return m_folder / "held.txt"; }
    std::filesystem::path jobFile() const { return m_folder / "slurm.json"; }
    std::string handIn(const std::filesystem::path& script);
    void writeJob(const std::filesystem::path& folder, const std::string& id) const;
    std::optional<std::string> readJobId();
    std::optional<SlurmJob> findJob(const std::string& id) const;

    std::filesystem::path m_folder, m_lists;
    Place m_place;
    std::function<void()> m_meanwhile;
    long long m_submitted = 0;
    std::string m_listed; ///< the job that squeue has listed since this object was made
};

} // namespace headroom::training
