// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/slurm.h"

#include "core/commands/shell_words.h"
#include "core/runs/file_lock.h"
#include "core/runs/jobs.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "training/places/last_line.h"
#include "training/processes/child_process.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr auto kStale = std::chrono::seconds(60);
constexpr std::chrono::nanoseconds kLongAgo = std::chrono::hours(24), kLittle = std::chrono::seconds(2);

/// Seconds that a variable holds; otherwise `usual`.
double secondsIn(const char* variable, double usual) {
    const char* wanted = std::getenv(variable);
    const double seconds = wanted ? std::strtod(wanted, nullptr) : 0;
    return seconds > 0 ? std::min(seconds, 3600.0) : usual;
}

} // namespace

std::chrono::milliseconds askInterval() {
    return std::chrono::milliseconds(std::lround(1000 * secondsIn("HEADROOM_SQUEUE_SECONDS", 10)));
}

std::chrono::nanoseconds ageOfAnswer(const fs::path& file) {
    std::error_code missing;
    const auto time = fs::last_write_time(file, missing);
    const std::chrono::nanoseconds age = missing ? kLongAgo : fs::file_time_type::clock::now() - time;
    return age < -kLittle ? kLongAgo : age;
}

void writeAnswer(const fs::path& file, std::string_view text) {
    writeAtomically(file, text, "run.unwritable");
    std::error_code ignored;
    fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

std::vector<SlurmJob> parseQueueList(const std::string& output) {
    std::vector<SlurmJob> jobs;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields{""};
        for (const char c : line)
            if (c == '|')
                fields.emplace_back();
            else
                fields.back() += c;
        if (fields.size() != 5 || fields[0].empty() ||
            fields[0].find_first_not_of("0123456789_") != std::string::npos)
            continue;
        if (fields[3] == "N/A")
            fields[3].clear();
        jobs.push_back({fields[0], fields[1], fields[2], fields[3], fields[4]});
    }
    return jobs;
}

std::string waitingSentence(const SlurmJob& job) {
    if (job.state == "RUNNING" || job.state == "COMPLETING")
        return {};
    const bool why = !job.reason.empty() && job.reason != "None";
    std::string sentence = "Slurm job " + job.id + (job.state == "PENDING" ? " waits" : ": " + job.state) +
                           (why ? " (" + job.reason + ")" : "");
    if (job.start.size() >= 16)
        sentence += ", starts about " + job.start.substr(0, 10) + " " + job.start.substr(11, 5);
    if (job.reason == "PartitionDown" || job.reason == "PartitionInactive")
        sentence += "; the partition is closed, and the job starts when it opens";
    return sentence + ".";
}

std::string endSentence(const std::string& id, const std::string& state) {
    const auto begins = [&](const char* word) { return state.rfind(word, 0) == 0; };
    const std::string job = "Slurm job " + id;
    if (begins("CANCELLED"))
        return job + " was cancelled. Resume continues from the last checkpoint.";
    if (begins("TIMEOUT"))
        return job + " reached its time limit. Resume continues from the last checkpoint; a longer limit is "
                     "set in Places.";
    if (begins("NODE_FAIL") || begins("BOOT_FAIL"))
        return job + " lost its node. Resume continues from the last checkpoint, on another one.";
    if (begins("OUT_OF_ME"))
        return job + " ran out of memory. Add a line --mem=… to the place, or use a smaller batch.";
    if (begins("PREEMPTED"))
        return job + " was preempted and not queued again. Resume continues from the last checkpoint.";
    if (begins("FAILED"))
        return job + " failed; the file slurm-" + id + ".txt of the run's folder there says why.";
    return {};
}

namespace {

/// The signal before the time limit: as #SBATCH takes it, and as `trap` does.
struct LimitSignal {
    std::string option = "B:USR1@120", name = "USR1";
};

/// What a line "--signal=[R][B:]SIGNAL[@SECONDS]" of a place says; nullopt for another line. The script gets it, as it tells the ranks.
std::optional<LimitSignal> limitSignalIn(const std::string& line) {
    static const std::regex form("--signal[= ](?:([RrBb]{1,2}):)?(?:[Ss][Ii][Gg])?([A-Za-z0-9]+)(@[0-9]+)?\\s*");
    std::smatch parts;
    if (!std::regex_match(line, parts, form))
        return std::nullopt;
    std::string name = parts[2];
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    const bool inReservations = parts[1].str().find_first_of("Rr") != std::string::npos;
    return LimitSignal{(inReservations ? "RB:" : "B:") + name + parts[3].str(), name};
}

LimitSignal limitSignalOf(const Place& place) {
    LimitSignal signal;
    for (const std::string& line : place.slurm.lines)
        if (const auto wanted = limitSignalIn(line))
            signal = *wanted;
    return signal;
}

/// Whether Slurm would look elsewhere for the file of what a job says: it replaces % and \ in the folder's path, too.
bool needsOwnFile(const fs::path& folder) {
    return folder.native().find_first_of("%\\") != std::string::npos;
}

/// The first lines of a script: what the job needs. `output`: file of what it says; `array`: "0-4", or empty.
std::string sbatchLines(const Place& place, const fs::path& folder, const std::string& output, const std::string& array, int tasks) {
    std::string title;
    for (const char c : folder.filename().string())
        title += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '-';
    const Place::Slurm& slurm = place.slurm;
    std::string text = "#!/bin/bash\n#SBATCH --job-name=" + title + "\n#SBATCH --output=" + (needsOwnFile(folder) ? "/dev/null" : output) +
                       "\n#SBATCH --open-mode=append\n#SBATCH --requeue\n#SBATCH --signal=" + limitSignalOf(place).option + "\n";
    const auto option = [&](const std::string& words) { text += "#SBATCH " + words + "\n"; };
    if (!slurm.partition.empty())
        option("--partition=" + slurm.partition);
    option("--nodes=" + std::to_string(slurm.nodes));
    if (tasks > 1)
        option("--ntasks-per-node=" + std::to_string(tasks));
    if (slurm.gpus > 0)
        option("--gpus-per-node=" + std::to_string(slurm.gpus));
    if (!slurm.time.empty())
        option("--time=" + slurm.time);
    if (!slurm.account.empty())
        option("--account=" + slurm.account);
    if (!array.empty())
        option("--array=" + array);
    for (const std::string& line : slurm.lines)
        if (!limitSignalIn(line))
            option(line);
    return text;
}

} // namespace

int ranksPerNode(const Place& place, int ranks) {
    const int nodes = place.slurm.nodes;
    if (ranks <= 0)
        return place.device == "cpu" ? 1 : std::max(1, place.slurm.gpus);
    if (ranks % nodes != 0)
        throw Error("slurm.ranks",
                    std::to_string(ranks) + " ranks cannot be shared equally by the " + std::to_string(nodes) + " nodes of " + place.name +
                        ". Choose a multiple of " + std::to_string(nodes) + ", or another number of nodes in Places.");
    return ranks / nodes;
}

std::string arrayScript(const Place& place, const fs::path& folder, const std::vector<std::string>& runs, int tasks) {
    std::string text = sbatchLines(place, folder, "slurm-%A_%a.txt", "0-" + std::to_string(runs.size() - 1), tasks) +
                       "\n# Each element of the array trains one run, with the script of its folder.\nruns=(\n";
    for (const std::string& run : runs)
        text += "  " + shellLine({run}) + "\n";
    return text + ")\ncd -- \"${runs[SLURM_ARRAY_TASK_ID]}\" || exit 1\n"
                  "exec bash job.sh >>\"slurm-${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID.txt\" 2>&1\n";
}

std::string sbatchScript(const Place& place, const fs::path& folder, const std::vector<std::string>& command, int tasks) {
    std::string text = sbatchLines(place, folder, "slurm-%j.txt", {}, tasks);
    if (needsOwnFile(folder)) // an element of an array has been given its file by then
        text += "\n# Slurm cannot name a file in this folder, because of a % or \\ in its path.\n"
                "[ /dev/stdout -ef /dev/null ] && exec >>\"slurm-$SLURM_JOB_ID.txt\" 2>&1\n";
    std::string line = shellLine(command);
    if (place.slurm.nodes * tasks > 1) {
        line = "srun --kill-on-bad-exit " + line;
        // A line --cpus-per-task of the place is for the job; srun takes it only from here.
        text += "\n[ -z \"$SLURM_CPUS_PER_TASK\" ] || export SRUN_CPUS_PER_TASK=\"$SLURM_CPUS_PER_TASK\"";
    }
    const std::string signal = limitSignalOf(place).name;
    text += "\nworker= limit= stop=\nsave() { stop=1; [ -z \"$worker\" ] || kill -TERM \"$worker\"; }\ntrap save TERM\n";
    // TERM comes with every end of a job, also with one that somebody cancels, which is not to go on by itself. Nobody can catch KILL.
    static const std::set<std::string> ends{"TERM", "15", "KILL", "9", "STOP", "19"};
    if (!ends.contains(signal))
        text += "# Before the time limit (--signal): save, and go on when Slurm starts the job again.\ntrap 'limit=1; save' " + signal + "\n";
    return text + line +
           " &\nworker=$!\n[ -z \"$stop\" ] || kill -TERM \"$worker\"\n"
           "while kill -0 \"$worker\" 2>/dev/null; do wait \"$worker\"; status=$?; done\n"
           "if [ -n \"$limit\" ] && grep -q '\"state\": \"stopped\"' run.json; then\n"
           "  # Where jobs are not queued again, another one follows this one.\n"
           "  scontrol requeue \"$SLURM_JOB_ID\" || {\n"
           "    next=$(sbatch --parsable --dependency=\"afterany:$SLURM_JOB_ID\" --chdir=\"$PWD\" job.sh) &&\n"
           "      printf '{ \"format\": \"headroom/slurm-job\", \"version\": 1, \"job\": \"%s\", \"submitted\": %s }\\n' \\\n"
           "        \"${next%%;*}\" \"$(date +%s)\" >.slurm.json.new && mv .slurm.json.new slurm.json\n"
           "  }\nfi\nexit \"${status:-1}\"\n";
}

std::vector<SlurmJob> jobsOfUser(const fs::path& runs, const std::function<void()>& meanwhile) {
    const fs::path file = queueFolder(runs) / "squeue.txt", problem = queueFolder(runs) / "squeue.problem";
    std::error_code ignored;
    fs::create_directories(queueFolder(runs), ignored);
    const auto every = askInterval();
    const auto isDue = [&] { return ageOfAnswer(file) > every && ageOfAnswer(problem) > every; };
    if (isDue()) {
        // Who does not get the lock takes the answer of who has it, next time.
        if (const auto lock = FileLock::tryTake(queueFolder(runs) / "squeue.lock", "run.unwritable"); lock && isDue()) {
            const std::chrono::seconds patience(std::lround(std::ceil(secondsIn("HEADROOM_SQUEUE_PATIENCE", 20))));
            const Ended ended = runToEnd({"squeue", "--noheader", "--array", "--me", "--format=%i|%T|%r|%S|%N"}, {}, patience, meanwhile);
            if (ended.status == 0) {
                writeAnswer(file, ended.out);
                fs::remove(problem, ignored);
            } else {
                const std::string sentence = ended.timedOut ? "squeue did not answer within " + std::to_string(patience.count()) + " s."
                                                            : whyFailed("squeue", ended.err);
                writeAnswer(problem, sentence);
            }
        }
    }
    if (ageOfAnswer(file) > std::max<std::chrono::nanoseconds>(kStale, 2 * every) && fs::exists(problem, ignored))
        throw Error("slurm.squeue", readSmallFile(problem, "slurm.squeue"));
    return fs::exists(file, ignored) ? parseQueueList(readSmallFile(file, "slurm.squeue"))
                                     : std::vector<SlurmJob>();
}

} // namespace headroom::training
