// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/experiment_run.h"

#include "core/errors/count_text.h"
#include "core/experiments/step_progress.h"
#include "core/runs/evaluations.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/studies/study.h"
#include "training/processes/start_worker.h"
#include "training/loop/average_checkpoints.h"
#include "training/worker/recordings.h"
#include "training/worker/termination.h"
#include "training/worker/turn.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

using StepKind = ExperimentStep::Kind;

constexpr auto kStepPause = std::chrono::milliseconds(50);
constexpr auto kTablePause = std::chrono::seconds(5);

std::string aboutStep(const PlannedStep& planned) {
    switch (planned.step.kind) {
    case StepKind::Train:
        return "run, " + std::to_string(planned.recipe.length.maxUpdates) + " updates";
    case StepKind::Average:
        return "mean of checkpoints";
    case StepKind::Study:
        return "study, " + planned.step.study;
    case StepKind::Decode:
        return "decoding";
    }
    return {};
}

class StepRunner {
public:
    StepRunner(const ExperimentPlan& plan, const ExperimentData& data, const ExperimentPaths& paths,
               const StepMachine& machine, Console& console)
        : m_plan(plan)
        , m_data(data)
        , m_paths(paths)
        , m_machine(machine)
        , m_turn(machine.queue, true)
        , m_console(console) {}

    StepOutcome run(const std::vector<std::string>& only) {
        const std::set<std::string> wanted = m_plan.idsFor(only);
        for (const PlannedStep& planned : m_plan.steps)
            if (isFinished(planned, m_paths))
                m_finished.insert(planned.id);
            else if (!only.empty() && !wanted.contains(planned.id))
                m_outcome.without[planned.id] = "It was left out by --steps.";
        m_leftOut = m_outcome.without.size();
        for (const auto& [id, why] : m_data.leftOut())
            m_leftOut += !m_finished.contains(id) && !m_outcome.without.contains(id);
        m_begun = m_finished.size();
        if (!m_finished.empty())
            m_console.note(std::to_string(m_finished.size()) + " of " + counted(static_cast<std::int64_t>(possible()), "step") +
                           (m_finished.size() == 1 ? " is" : " are") + " finished already.");
        bool passed = false;
        for (;;) {
            collect();
            m_waits = false;
            if (!isEnding())
                start();
            else if (!passed) {
                for (const auto& [id, process] : m_running)
                    ::kill(process, SIGTERM);
                passed = true;
            }
            if (m_running.empty() && !m_waits)
                break;
            showProgress();
            std::this_thread::sleep_for(kStepPause);
        }
        m_outcome.stopped = isEnding();
        return m_outcome;
    }

private:
    /// How many steps are finished or can be done: all but those left out by --steps or because their corpora are missing.
    std::size_t possible() const { return m_plan.steps.size() - m_leftOut; }

    /// A signal came, or a window asked in control.json.
    bool isEnding() const { return terminationFlag().load() || requestOf(m_paths.folder) == RunRequest::Stop; }

    /// Steps of one lane are done one at a time.
    enum class Lane {
        Here,
        There, ///< studies and decoding at a place
        Free,  ///< trainings at a place, which has an order of its own
    };
    Lane laneOf(const PlannedStep& planned) const {
        if (m_machine.place.empty() || planned.step.kind == StepKind::Average)
            return Lane::Here;
        return planned.step.kind == StepKind::Train ? Lane::Free : Lane::There;
    }

    bool isBusy(Lane lane) const {
        return lane != Lane::Free && std::any_of(m_running.begin(), m_running.end(), [&](const auto& one) {
                   return laneOf(*m_plan.find(one.first)) == lane;
               });
    }

    /// Starts what can be started now. The list is in order, so one pass finds it.
    void start() {
        for (const PlannedStep& planned : m_plan.steps) {
            if (m_finished.contains(planned.id) || m_running.contains(planned.id) || m_outcome.without.contains(planned.id))
                continue;
            if (!isPossible(planned) || isBusy(laneOf(planned)))
                continue;
            if (isEnding())
                return;
            if (!hasTurn(planned))
                continue;
            begin(planned);
        }
    }

    /// Whether a step may compute now. One that may not is said once, and tried again.
    bool hasTurn(const PlannedStep& planned) {
        if (laneOf(planned) != Lane::Here || planned.step.kind == StepKind::Average)
            return true;
        const bool ours = m_turn.take();
        if (!ours && !m_saidWaiting)
            m_console.note(planned.id + " waits: the queue of " + m_machine.queue.string() + " computes on this machine.");
        m_waits = m_waits || !ours;
        m_saidWaiting = !ours;
        return ours;
    }

    /// Whether everything that it needs is there. What can never come is recorded.
    bool isPossible(const PlannedStep& planned) {
        std::string missing = m_data.missingFor(planned.step);
        bool waits = false;
        for (const std::string& need : planned.needs) {
            if (missing.empty() && m_outcome.without.contains(need)) {
                missing = "It needs " + need + ", which has no result.";
                m_outcome.consequences.insert(planned.id);
            }
            waits = waits || !m_finished.contains(need);
        }
        if (!missing.empty())
            m_outcome.without[planned.id] = missing;
        return missing.empty() && !waits;
    }

    void begin(const PlannedStep& planned) {
        m_console.note("Step " + std::to_string(++m_begun) + " of " + std::to_string(possible()) + ": " + planned.id + " (" + aboutStep(planned) + ")");
        try {
            waitForOthers(planned);
            if (planned.step.kind == StepKind::Average) {
                averageCheckpoints(m_paths.result(*m_plan.find(planned.needs.front())), planned.step.checkpoints,
                                   planned.step.aroundBest, m_paths.result(planned));
                m_finished.insert(planned.id);
                return;
            }
            const auto words = stepCommand(planned, m_plan, m_data, m_paths, m_machine);
            if (const auto weight = std::find(words.begin(), words.end(), "--lm-weight");
                !planned.step.tuning.empty() && weight != words.end())
                m_console.note(planned.id + ": the language model has the weight " + *(weight + 1) + ", the best by " +
                               planned.step.tunedBy + ".");
            std::error_code ignored;
            fs::remove(m_paths.log(planned.id), ignored);
            if (planned.step.kind == StepKind::Decode) // one that is refused says why in it; by itself it leaves no folder
                makeFolder(m_paths.result(planned));
            m_running[planned.id] = startWorker(words, m_paths.log(planned.id), WorkerLife::WithParent);
        } catch (const Error& error) {
            fail(planned, error.what());
        }
    }

    /// A training of an earlier start that was just ended saves itself; it is gone on with when it has.
    void waitForOthers(const PlannedStep& planned) const {
        while (isBeingWritten(planned, m_paths) && !isEnding())
            std::this_thread::sleep_for(kStepPause);
    }

    void collect() {
        for (auto one = m_running.begin(); one != m_running.end();) {
            const auto status = endedStatus(one->second);
            if (!status) {
                ++one;
                continue;
            }
            const PlannedStep& planned = *m_plan.find(one->first);
            one = m_running.erase(one);
            if (isFinished(planned, m_paths)) {
                m_finished.insert(planned.id);
            } else if (!isEnding()) {
                const std::string said = lastLineOfLog(m_paths.log(planned.id));
                fail(planned, said.empty() ? "The worker ended with status " + std::to_string(*status) + "." : said);
            }
        }
        if (!isBusy(Lane::Here))
            m_turn.giveBack();
    }

    /// How far trainings and studies are, as their folders say; a new number every few seconds at most.
    void showProgress() {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_looked < kTablePause)
            return;
        m_looked = now;
        for (const auto& [id, process] : m_running) {
            const PlannedStep& planned = *m_plan.find(id);
            const StepProgress progress = progressOf(planned, m_paths);
            if (progress.done > 0 && std::exchange(m_done[id], progress.done) != progress.done)
                m_console.progressAt(progress.done, progress.total, id);
        }
    }

    void fail(const PlannedStep& planned, const std::string& sentence) {
        if (planned.step.kind == StepKind::Decode && progressOf(planned, m_paths).state == StepProgress::State::Waiting)
            writeFailedDecoding(planned, sentence);
        m_outcome.without[planned.id] = sentence;
        m_outcome.failed = true;
        m_console.problem("The step " + planned.id + " failed: " + sentence);
    }

    /// Of a worker that ended before it could say so itself: the step would be said to wait.
    void writeFailedDecoding(const PlannedStep& planned, const std::string& sentence) const {
        EvaluationInfo info;
        info.folder = m_paths.result(planned);
        info.state = EvaluationInfo::State::Failed;
        info.error = sentence;
        try {
            makeFolder(info.folder);
            writeProgress(info);
        } catch (const Error&) { // a full disk, perhaps; the console and the table say it all the same
        }
    }

    const ExperimentPlan& m_plan;
    const ExperimentData& m_data;
    const ExperimentPaths& m_paths;
    const StepMachine& m_machine;
    Turn m_turn;
    bool m_waits = false, m_saidWaiting = false; ///< for the turn
    Console& m_console;
    std::set<std::string> m_finished;
    std::map<std::string, pid_t> m_running;
    StepOutcome m_outcome;
    std::size_t m_leftOut = 0, m_begun = 0; ///< m_begun: with those that were finished before; the number of the last step
    std::map<std::string, std::int64_t> m_done; ///< shown last
    std::chrono::steady_clock::time_point m_looked;
};

} // namespace

StepOutcome runSteps(const ExperimentPlan& plan, const ExperimentData& data, const ExperimentPaths& paths,
                     const StepMachine& machine, const std::vector<std::string>& only, Console& console) {
    return StepRunner(plan, data, paths, machine, console).run(only);
}

} // namespace headroom::training
