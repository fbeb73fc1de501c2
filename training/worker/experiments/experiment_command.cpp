// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiment_command.h"

#include "core/errors/count_text.h"
#include "core/experiments/experiment_record.h"
#include "core/experiments/scale.h"
#include "core/runs/file_lock.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "training/resources/resource_folder.h"
#include "training/worker/experiments/experiment_hours.h"
#include "training/worker/experiments/experiment_table.h"
#include "training/worker/termination.h"

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

void listExperiments(const ExperimentFolders& folders, Console& console) {
    auto rows = nlohmann::json::array();
    for (const fs::path& file : experimentFiles(folders.resources)) {
        try {
            const Experiment one = readExperiment(file);
            console.line(one.name + ": " + one.paper + ", " + one.table + ". " + one.title + ".");
            for (const std::string& need : one.needs)
                console.line("    needs " + need);
            if (one.corpora.empty())
                console.line("    needs no --data");
            rows.push_back({{"name", one.name}, {"paper", one.paper}, {"table", one.table}, {"title", one.title},
                            {"needs", one.needs}, {"notes", one.notes}, {"seeds", one.seeds}, {"steps", one.steps.size()}});
        } catch (const Error& error) {
            console.problem(error.what());
        }
    }
    std::error_code ignored;
    console.line("The documents are in " + fs::weakly_canonical(folders.resources / "experiments", ignored).string() + ".");
    console.document({{"format", "headroom/experiments"}, {"version", 1}, {"experiments", rows}});
}

class ExperimentCommand {
public:
    ExperimentCommand(const ExperimentOptions& options, Console& console) : m_options(options), m_console(console) {
        m_folders.resources = resourceFolderWith("experiments");
        m_paths.folder = fs::absolute(options.out).lexically_normal();
    }

    void run() {
        const fs::path file = experimentFile(m_options.name, m_folders);
        m_folders.beside = fs::absolute(file).parent_path();
        Experiment document = readExperiment(file);
        const int seeds = m_options.seeds.value_or(document.seeds);
        const ExperimentPlan plan = planExperiment(std::move(document), seeds, m_options.scale, m_folders);
        const bool needsCorpora = !plan.experiment.corpora.empty();
        if (needsCorpora && m_options.data.empty())
            throw Error("experiment.noData", "The experiment " + plan.experiment.name + " needs corpora. Name their folder with --data.");
        if (!m_options.data.empty())
            m_data = fs::absolute(m_options.data).lexically_normal();
        const ExperimentData data(plan, m_data, m_paths);
        if (!needsCorpora && !m_data.empty())
            m_console.note("The experiment " + plan.experiment.name + " needs no corpora. --data is not used.");
        const FileLock lock = take();
        clearRequest(m_paths.folder); // one to stop ended the start before this
        beginOrGoOn(plan, data);
        sayWhat(plan, data);
        const fs::path queue = m_options.queue.empty() ? fs::path() : fs::absolute(m_options.queue).lexically_normal();
        const StepOutcome outcome = runSteps(plan, data, m_paths, {m_options.place, m_options.device, queue}, m_options.steps, m_console);
        if (outcome.stopped) {
            m_console.note("Stopped. Finished steps are kept; the same command continues.");
            m_console.ended(terminationStatus());
            return;
        }
        writeTable(plan, data, outcome);
    }

private:
    FileLock take() const {
        for (const char* folder : {"inputs", "logs", "runs", "studies", "decoded", "models", "corpora"}) {
            std::error_code problem;
            fs::create_directories(m_paths.folder / folder, problem);
            if (problem)
                throw Error("experiment.unwritable",
                            (m_paths.folder / folder).string() + " could not be created: " + problem.message() + ".");
        }
        auto lock = FileLock::tryTake(m_paths.lock(), "experiment.unwritable");
        if (!lock)
            throw Error("experiment.inUse", "Another process is running the experiment in " + m_options.out.string() + ".",
                        {{"out", m_options.out.string()}});
        return std::move(*lock);
    }

    /// Refuses what was changed after it began: its numbers would come from two experiments.
    void beginOrGoOn(const ExperimentPlan& plan, const ExperimentData& data) const {
        nlohmann::json now = toJson(plan);
        now.update({{"format", kExperimentRunFormat},
                    {"version", 1},
                    {"name", plan.experiment.name},
                    {"folder", m_data.string()},
                    {"data", data.hashes()}});
        if (const auto record = readExperimentRecord(m_paths.folder)) {
            const nlohmann::json& was = record->document;
            refuseOthers(*record, plan);
            auto known = now;
            for (const auto& [name, hash] : now["data"].items())
                if (!was["data"].contains(name)) // a corpus that came later changes nothing
                    known["data"].erase(name);
            if (const auto differences = planDifferences(was, known); !differences.empty()) {
                std::string what;
                for (const std::string& one : differences)
                    what += (what.empty() ? "" : "; ") + one;
                throw Error("experiment.changed",
                            "The experiment in " + m_options.out.string() + " was changed after it began: " + what +
                                ". Undo this, or choose another folder.",
                            {{"out", m_options.out.string()}, {"differences", differences}});
            }
        }
        writeAtomically(m_paths.experiment(), std::string_view(now.dump(1) + "\n"), "experiment.unwritable");
    }

    void refuseOthers(const ExperimentRecord& was, const ExperimentPlan& plan) const {
        if (was.name != plan.experiment.name)
            throw Error("experiment.changed",
                        m_options.out.string() + " holds the experiment “" + was.name + "”, not “" + plan.experiment.name +
                            "”. Choose another folder.",
                        {{"out", m_options.out.string()}});
    }

    std::vector<std::string> notesOf(const ExperimentPlan& plan, const ExperimentData& data) const {
        std::vector<std::string> notes;
        if (m_options.scale < 1)
            notes.push_back(scaleSentence(m_options.scale));
        const auto more = data.notes();
        notes.insert(notes.end(), more.begin(), more.end());
        notes.insert(notes.end(), plan.experiment.notes.begin(), plan.experiment.notes.end());
        return notes;
    }

    void sayWhat(const ExperimentPlan& plan, const ExperimentData& data) const {
        const Experiment& one = plan.experiment;
        const std::size_t leftOut = data.leftOut().size();
        const std::string steps = counted(static_cast<std::int64_t>(plan.steps.size() - leftOut), "step");
        m_console.note(one.paper + ", " + one.table + ": " + one.title + ". " + steps + ", seeds: " + std::to_string(plan.seeds) + ".");
        for (const std::string& note : data.notes())
            m_console.note(note);
        if (leftOut > 0)
            m_console.note("Left out: " + joinedSentences(data.missing()));
    }

    void writeTable(const ExperimentPlan& plan, const ExperimentData& data, const StepOutcome& outcome) const {
        ResultTable table = experimentTable(plan, m_folders, m_paths, outcome);
        table.notes = notesOf(plan, data);
        for (const auto& [id, why] : outcome.without)
            if (!outcome.consequences.contains(id))
                table.notes.push_back("No result of " + id + ": " + why);
        const auto document = tableDocument(table);
        const std::string shown = markdownText(table);
        writeAtomically(m_paths.table(".json"), std::string_view(document.dump(2) + "\n"), "experiment.unwritable");
        writeAtomically(m_paths.table(".md"), std::string_view(shown), "experiment.unwritable");
        writeAtomically(m_paths.table(".tex"), std::string_view(latexText(table)), "experiment.unwritable");
        m_console.line(shown);
        m_console.line("The table is in " + m_paths.table(".md").string() + ", .json and .tex.");
        m_console.document(document);
    }

    const ExperimentOptions& m_options;
    Console& m_console;
    ExperimentFolders m_folders;
    fs::path m_data; ///< absolute; empty: none was named
    ExperimentPaths m_paths;
};

} // namespace

void experiment(const ExperimentOptions& options, Console& console) {
    if (options.hours)
        return experimentHours(options, {resourceFolderWith("experiments"), {}}, console);
    if (options.list) {
        const ExperimentFolders folders{resourceFolderWith("experiments"), {}};
        return listExperiments(folders, console);
    }
    catchTermination();
    ExperimentCommand(options, console).run();
}

} // namespace headroom::training
