// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::training {

using StartQueue = std::function<void(const std::filesystem::path& runs)>;

/// What a run is made of, all decided: --set and seed are in the recipe.
struct RunInputs {
    std::string architecture, recipe; ///< documents, as text
    std::filesystem::path data;       ///< on the machine that computes
    std::string startFrom;            ///< likewise, perhaps with ":encoder"; empty: random weights
    struct Element {
        std::string run, recipe; ///< name of its folder, beside that of the first run; its recipe, with its seed
    };
    bool hold = false;               ///< of Slurm: only the script is written
    std::vector<Element> array = {}; ///< further runs that are one Slurm job array with this one
};

/// Where a run stands that has not begun, or no longer goes on.
struct LaunchStatus {
    bool waits = false;   ///< it will be started, or started again
    std::string sentence; ///< for what it waits; or, if it does not, why it could not be started
    bool held = false;    ///< it waits for the user, who sees its script first
};

/// Starts runs on the machine it is called on, and knows those that wait. Starting twice starts once.
class RunLauncher {
public:
    virtual ~RunLauncher() = default;
    /// Throws Error "run.unwritable", "job.…" or what the queue or sbatch says.
    virtual void begin(const RunInputs& request) = 0;
    /// Goes on with a run that has stopped, and hands a job in again that was taken back before the run began, where its script
    /// is still there. Does nothing if there is nothing to go on with.
    virtual void resume() = 0;
    /// Hands in a run that is held. If that is refused, it stays held, and status() says why. `script`: replaces the one that was
    /// written; empty: keeps it.
    virtual void send(const std::string& script) { (void)script; }
    /// Takes a run back that waits; one that goes on is asked to stop, and saves itself.
    virtual void stop() = 0;
    virtual LaunchStatus status() = 0;
};

/// By the queue of the run's folder (training/worker/queue_command.cpp), which starts one job after the
/// other. `device`: as Place::device. `ranks`: processes that train it together; 0: as the device says.
std::unique_ptr<RunLauncher> queueLauncher(const std::filesystem::path& run, const std::string& device, int ranks, StartQueue startQueue);
/// By sbatch, with a script in the run's folder. `ranks`: over all nodes; 0: one on each GPU that the job asks for, else one on each
/// node. `meanwhile`: called while Slurm's programs are waited for. begin() throws Error "slurm.ranks" for a number that does not
/// go into the nodes.
std::unique_ptr<RunLauncher> slurmLauncher(const std::filesystem::path& run, const Place& place, int ranks,
                                           std::function<void()> meanwhile = {});

} // namespace headroom::training
