// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/slurm_folder.h"

#include "core/errors/display_name.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "training/places/slurm_states.h"
#include "training/processes/child_process.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr const char* kUnwritableRun = "run.unwritable";
constexpr std::chrono::milliseconds kSoonAsked{100};
constexpr long long kNewJob = 30; // seconds in which squeue may not list a job yet

std::string trimmedEnd(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

/// What a program said, as one line: a message that goes on in the next line arrives as a half.
std::string oneLine(const std::string& text) {
    std::string line;
    for (const char c : trimmedEnd(validText(text)))
        c == '\n' ? line += "; " : line += c;
    return line;
}

} // namespace

SlurmFolder::SlurmFolder(fs::path folder, fs::path lists, Place place, std::function<void()> meanwhile)
    : m_folder(std::move(folder))
    , m_lists(std::move(lists))
    , m_place(std::move(place))
    , m_meanwhile(std::move(meanwhile)) {
    m_place.host.clear(); // it is this machine
}

std::string SlurmFolder::worker() const {
    if (!m_place.worker.empty()) {
        Place of = m_place;
        of.folder = m_place.worker;
        return pathAt(of, "");
    }
    for (const char* below :
         {"worker/" HEADROOM_VERSION "/bin/headroom-worker", "worker/bin/headroom-worker"})
        if (const fs::path own = fs::absolute(pathAt(m_place, below)); fs::exists(own))
            return own.string();
    return "headroom-worker";
}

void SlurmFolder::writeScript(const std::vector<std::string>& command, int tasks) const {
    std::error_code ignored;
    if (!fs::exists(script(), ignored))
        writeAtomically(script(), std::string_view(sbatchScript(m_place, m_folder, command, tasks)), kUnwritableRun);
}

std::string SlurmFolder::handIn(const fs::path& script) {
    const Ended ended = runToEnd({"sbatch", "--parsable", "--chdir=" + m_folder.string(), script.string()},
                                 {}, std::chrono::seconds(60), m_meanwhile);
    const std::string id = ended.out.substr(0, ended.out.find_first_not_of("0123456789"));
    if (ended.status != 0 || id.empty())
        throw Error("slurm.sbatch",
                    "sbatch refuses the job: " + oneLine(ended.err.empty() ? ended.out : ended.err));
    m_submitted = static_cast<long long>(std::time(nullptr));
    return id;
}

void SlurmFolder::writeJob(const fs::path& folder, const std::string& id) const {
    const nlohmann::ordered_json document{
        {"format", "headroom/slurm-job"}, {"version", 1}, {"job", id}, {"submitted", m_submitted}};
    writeAtomically(folder / "slurm.json", std::string_view(document.dump(2) + "\n"), kUnwritableRun);
}

void SlurmFolder::submit() {
    writeJob(m_folder, handIn(script()));
}

void SlurmFolder::submitArray(const std::vector<fs::path>& folders, int tasks) {
    const fs::path array = m_folder / "array.sh";
    std::error_code ignored;
    if (!fs::exists(array, ignored)) {
        std::vector<std::string> names;
        for (const fs::path& folder : folders)
            names.push_back(folder.string());
        writeAtomically(array, std::string_view(arrayScript(m_place, m_folder, names, tasks)), kUnwritableRun);
    }
    const std::string id = handIn(array);
    for (std::size_t i = folders.size(); i-- > 0;) // this one last: it says that the array was handed in
        writeJob(folders[i], id + "_" + std::to_string(i));
}

bool SlurmFolder::goesOn() {
    const auto id = readJobId();
    return id && findJob(*id);
}

void SlurmFolder::cancel() {
    if (const auto id = readJobId())
        runToEnd({"scancel", *id}, {}, std::chrono::seconds(20), m_meanwhile);
}

void SlurmFolder::hold(const std::string& why) const {
    writeAtomically(heldFile(), std::string_view(why), kUnwritableRun);
}

void SlurmFolder::release() const {
    std::error_code ignored;
    fs::remove(heldFile(), ignored);
}

void SlurmFolder::replaceScript(const std::string& text) const {
    writeAtomically(script(), std::string_view(text), kUnwritableRun);
}

LaunchStatus SlurmFolder::status() {
    if (isHeld()) {
        const std::string why = trimmedEnd(readSmallFile(heldFile(), kUnwritableRun));
        return {true,
                why.empty() ? "The script is written and not sent. Change it if you like, then send it."
                            : why + (why.back() == '.' ? "" : ".") + " Change the script, then send it again.",
                true};
    }
    const auto id = readJobId();
    if (!id)
        return {};
    try {
        if (const auto job = findJob(*id)) {
            m_listed = *id;
            return {true, waitingSentence(*job)};
        }
    } catch (const Error& error) {
        // Not known is not ended.
        return {true,
                std::string(error.what()) + " The state of job " + *id + " is unknown until it answers."};
    }
    // squeue's answer may be older than the job, unless it has listed the job before.
    const bool isNew = m_listed != *id && std::llabs(static_cast<long long>(std::time(nullptr)) - m_submitted) < kNewJob; // a node may have another clock
    const std::optional<std::string> state = lastStateOf(*id, m_lists, m_meanwhile);
    if (isNew && (!state || state->empty() || !isEndOfJob(*state)))
        return {true, "Slurm job " + *id + " was submitted."};
    if (!state)
        return {true, {}};
    std::error_code ignored;
    // Slurm forgets an element of an array that was cancelled while it waited.
    if (state->empty() && id->find('_') != std::string::npos && !fs::exists(m_folder / "run.json", ignored))
        return {false, "Slurm job " + *id + " was cancelled before it began. Resume submits it again."};
    return {false, endSentence(*id, *state)};
}

bool SlurmFolder::waits() {
    for (;;) {
        const LaunchStatus now = status();
        if (!now.waits || !now.sentence.empty() || goesOn())
            return now.waits;
        if (m_meanwhile)
            m_meanwhile();
        std::this_thread::sleep_for(kSoonAsked);
    }
}

std::optional<std::string> SlurmFolder::readJobId() {
    std::error_code ignored;
    if (!fs::exists(jobFile(), ignored))
        return std::nullopt;
    const auto document = readStrictObject(jobFile(), "run.badJson");
    const auto id = document.value("job", nlohmann::json());
    if (const auto time = document.value("submitted", nlohmann::json()); time.is_number_integer())
        m_submitted = time.get<long long>();
    return id.is_string() ? std::optional(id.get<std::string>()) : std::nullopt;
}

std::optional<SlurmJob> SlurmFolder::findJob(const std::string& id) const {
    for (const SlurmJob& job : jobsOfUser(m_lists, m_meanwhile))
        if (job.id == id)
            return job;
    return std::nullopt;
}

} // namespace headroom::training
