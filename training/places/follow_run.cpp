// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/follow_run.h"

#include "core/runs/run_control.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"

#include <algorithm>
#include <chrono>

namespace headroom::training {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{500}, kLookSoon{20};
constexpr std::chrono::seconds kSoon{5};
constexpr std::size_t kLastWords = 500; // bytes of the log
constexpr std::size_t kPiece = 256u << 10; // so that events wait a quarter of a megabyte at most

std::vector<std::string> namesIn(const fs::path& run, const char* folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(run / folder, ignored))
        names.push_back(std::string(folder) + "/" + entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::uint64_t unsignedAt(const json& list, std::size_t index) {
    return list.is_array() && list.size() > index && list[index].is_number_unsigned()
               ? list[index].get<std::uint64_t>()
               : 0;
}

} // namespace

RunFollower::RunFollower(fs::path run, int input, int output, StartQueue startQueue)
    : m_run(std::move(run))
    , m_stream(input, output)
    , m_startQueue(std::move(startQueue)) {}

void RunFollower::take(const json& line) {
    if (line.contains("have"))
        takeState(line);
    if (const auto place = line.find("place"); place != line.end()) {
        const Place where = placeFrom(*place, "The place of the request");
        m_place = where.name;
        const json ranks = line.value("ranks", json());
        const int wantedRanks = ranks.is_number_integer() ? ranks.get<int>() : 0;
        m_launcher = where.kind == Place::Kind::Slurm
                         ? slurmLauncher(m_run, where, wantedRanks, [this] { m_stream.live(); })
                         : queueLauncher(m_run, where.device, wantedRanks, m_startQueue);
    }
    if (line.value("checkpoints", json()) == "all")
        m_allCheckpoints = true;
    const json wanted = line.value("request", json());
    if (!m_launcher || !wanted.is_string())
        return;
    m_stopAsked = wanted == "stop" || (m_stopAsked && (wanted == "pause" || wanted == "evaluate" || wanted == "continue"));
    if (wanted == "stop") {
        m_launcher->stop();
    } else if (wanted == "pause" || wanted == "evaluate" || wanted == "continue") {
        control(wanted.get<std::string>());
    } else if (wanted == "send") {
        m_launcher->send(line.value("script", std::string()));
        m_stream.send({{"obeyed", wanted}});
    } else if (wanted == "resume" && fs::exists(RunPaths{m_run}.run())) {
        takeRequest(m_run, RunControl::Pause); // it goes on
        m_launcher->resume();
    } else if (wanted == "resume" && !m_sent.contains("run.json")) { // it never began; else its folder here was removed
        m_launcher->resume();
    } else if (wanted == "begin") {
        RunInputs inputs{line.value("architecture", std::string()), line.value("recipe", std::string()),
                         line.value("data", std::string()), line.value("startFrom", std::string())};
        inputs.hold = line.value("hold", json()) == true;
        const json array = line.value("array", json::array()); // named: the loop only refers to it
        for (const json& element : array)
            inputs.array.push_back({element.value("run", std::string()), element.value("recipe", std::string())});
        m_launcher->begin(inputs);
    }
}

/// What train looks for between two updates. A run that does not go on has nothing to pause or to validate.
void RunFollower::control(const std::string& wanted) {
    const bool computed = FileLock::isLocked(RunPaths{m_run}.lock());
    if (wanted == "continue")
        takeRequest(m_run, RunControl::Pause);
    else if (computed && wanted == "pause")
        askToPause(m_run);
    else if (computed)
        askToEvaluate(m_run);
    m_stream.send({{"obeyed", wanted}});
}

void RunFollower::takeState(const json& line) {
    m_stated = true;
    for (const auto& [name, mark] : line["have"].items())
        m_sent[name] = {unsignedAt(mark, 0), static_cast<std::int64_t>(unsignedAt(mark, 1))};
    const json parts = line.value("parts", json::object()); // named: items() only refers to it
    for (const auto& [name, mark] : parts.items())
        m_parts[name] = {{unsignedAt(mark, 0), static_cast<std::int64_t>(unsignedAt(mark, 1))},
                         unsignedAt(mark, 2)};
}

/// What arrives there as a sign that the run goes on: that it waits has to be said again after it.
void RunFollower::saysItGoesOn(const std::string& name) {
    if (name == "events.jsonl" || name == "run.json")
        m_told.clear();
}

void RunFollower::tellWaiting(const LaunchStatus& status) {
    if (!status.waits || status.sentence.empty() || status.sentence == m_told || m_stream.isGone())
        return;
    std::error_code ignored;
    if (fs::exists(RunPaths{m_run}.run(), ignored) && readRun(m_run).state == RunState::Running)
        return; // it has begun meanwhile
    m_told = status.sentence;
    json head{{"waiting", m_told}};
    if (status.held)
        head["held"] = true;
    m_stream.send(head);
}

/// A run that has stopped while its job has not ended, or is still listed as running. Whether Slurm queues it again is only known when
/// squeue says so; until then it is not shown as stopped, unless the reader stopped it.
void RunFollower::tellThatItRests(const LaunchStatus& status) {
    const bool stopped = status.waits && canResume(readRun(m_run).state);
    tellWaiting(status); // first: a reader must not find a run that was stopped and does not wait
    if (stopped && (!status.sentence.empty() || m_stopAsked))
        sendWhole("run.json");
}

/// `sentence`: what the launcher knows. Of a run that could not write, also what to do; its own words may not be there.
std::string RunFollower::whyItEnded(const RunInfo& info, const std::string& sentence) const {
    if (info.state != RunState::Failed && info.state != RunState::Interrupted)
        return sentence;
    std::error_code ignored;
    const fs::path log = RunPaths{m_run}.log();
    const auto size = fs::file_size(log, ignored);
    std::string said = info.error;
    if (info.state == RunState::Interrupted) {
        said = bytesOf(log, !ignored && size > kLastWords ? size - kLastWords : 0, kLastWords);
        said.resize(said.find_last_not_of('\n') + 1); // npos + 1 is 0
        said.erase(0, said.rfind('\n') + 1);
    }
    const std::string why = whyUnwritten(m_run, said, m_place);
    return sentence + (sentence.empty() || why.empty() ? "" : " ") + why;
}

/// Sends what a file has grown by, up to its last whole line if it has lines.
void RunFollower::sendGrowing(const std::string& name) {
    const bool lines = name.find('/') == std::string::npos;
    FileMark& sent = m_sent[name];
    for (;;) {
        std::string bytes = bytesOf(m_run / name, sent.size, kMostChunk);
        const bool full = bytes.size() == kMostChunk;
        if (lines)
            bytes.resize(bytes.rfind('\n') + 1); // npos + 1 is 0
        if (bytes.empty() || !m_stream.send({{"append", name}, {"from", sent.size}}, bytes))
            return;
        saysItGoesOn(name);
        sent.size += bytes.size();
        if (!full)
            return;
    }
}

/// Sends one piece of a file that is written whole. Returns whether the file is there whole now.
bool RunFollower::sendPiece(const std::string& name) {
    const auto mark = markOf((m_run / name).string());
    if (!mark || m_stream.isGone())
        return true; // removed meanwhile
    if (const auto sent = m_sent.find(name); sent != m_sent.end() && sent->second == *mark)
        return true;
    Sending& part = m_parts[name];
    if (!(part.mark == *mark))
        part = {*mark, 0};
    const std::string bytes =
        bytesOf(m_run / name, part.bytes, std::min<std::uint64_t>(kPiece, mark->size - part.bytes));
    const auto now = markOf((m_run / name).string());
    if (!now || !(*now == *mark) || (bytes.empty() && mark->size > part.bytes))
        return false; // replaced while it was read: its name has another file now
    if (!m_stream.send({{"part", name},
               {"total", mark->size},
               {"time", static_cast<std::uint64_t>(mark->time)},
               {"from", part.bytes}},
              bytes))
        return true;
    saysItGoesOn(name);
    part.bytes += bytes.size();
    m_more = m_more || part.bytes < mark->size;
    if (part.bytes < mark->size)
        return false;
    m_sent[name] = *mark;
    m_parts.erase(name);
    return true;
}

bool RunFollower::sendWhole(const std::string& name) {
    for (int attempt = 0; attempt < 1000 && !m_stream.isGone(); ++attempt)
        if (sendPiece(name))
            return true;
    return false;
}

void RunFollower::sendSmallFiles() {
    sendGrowing("events.jsonl");
    sendGrowing("log.txt");
    for (const char* name : {"architecture.json", "recipe.json", "job.sh", "array.sh", "slurm.json"})
        sendWhole(name);
    for (const std::string& name : namesIn(m_run, "samples"))
        if (kindOf(name) == FileKind::Document)
            sendWhole(name);
    for (const std::string& name : namesIn(m_run, "tensorboard"))
        if (kindOf(name) == FileKind::Growing)
            sendGrowing(name);
}

/// Sends a piece of the first file of weights that is not there yet. Returns whether all are.
bool RunFollower::sendWeights(bool ended) {
    std::error_code problem;
    for (const char* name : {"checkpoints/last.safetensors", "checkpoints/best.safetensors"}) {
        const std::string target = fs::read_symlink(m_run / name, problem).string();
        if (problem || kindOf("checkpoints/" + target) != FileKind::Weights)
            continue;
        if (!sendPiece("checkpoints/" + target))
            return false;
        if (m_links[name] != target && m_sent.contains("checkpoints/" + target)) {
            m_links[name] = target;
            m_stream.send({{"link", name}, {"to", target}});
        }
    }
    if (m_allCheckpoints && !sendCheckpoints())
        return false;
    if (!ended) // the result is made at the end
        return true;
    for (const std::string& name : namesIn(m_run, "model"))
        if (kindOf(name) == FileKind::Weights && !sendPiece(name))
            return false;
    return true;
}

/// Sends the checkpoints that no link names; which ones the run still keeps, when they are there. Returns whether all are.
bool RunFollower::sendCheckpoints() {
    std::vector<std::string> kept;
    for (const std::string& name : namesIn(m_run, "checkpoints"))
        if (kindOf(name) == FileKind::Weights) {
            if (!sendPiece(name))
                return false;
            kept.push_back(fs::path(name).filename().string());
        }
    if (kept != m_kept) {
        m_stream.send({{"kept", kept}});
        m_kept = kept;
    }
    return true;
}

/// Sends what is new. Returns whether the run has ended and everything is there.
bool RunFollower::look() {
    std::error_code ignored;
    const bool exists = fs::exists(RunPaths{m_run}.run(), ignored);
    const RunState state = exists ? readRun(m_run).state : RunState::Interrupted;
    const bool computed = exists && state == RunState::Running;
    // Then nothing more comes, even where Slurm queues the job of a run again that was just finished.
    const bool finished = exists && state == RunState::Finished && !FileLock::isLocked(RunPaths{m_run}.lock());
    const LaunchStatus status = computed || finished || !m_launcher ? LaunchStatus() : m_launcher->status();
    const bool ended = !computed && !status.waits;
    // The job may have become a run since the first look.
    if (!exists && ended && !fs::exists(RunPaths{m_run}.run(), ignored)) {
        m_stream.send({{"end", "none"}, {"sentence", status.sentence}});
        return true;
    }
    if (!exists) {
        // Once: while the run is held, the script here is the user's.
        if (status.waits && !m_sent.contains("job.sh") && fs::exists(m_run / "job.sh", ignored))
            sendWhole("job.sh");
        tellWaiting(status);
        return false;
    }
    // First of all: without it the files that follow are no run, or one that was stopped, to those who read them.
    if (saysRunning(m_run)) // then it does not tell of an end whose files are not sent yet
        sendWhole("run.json");
    sendSmallFiles();
    // That a run has ended is the last thing to be said: then everything of it is there.
    const bool weights = sendWeights(ended);
    if (!ended)
        tellThatItRests(status);
    else if (weights)
        sendWhole("run.json");
    if (!ended || !weights || m_stream.isGone())
        return m_stream.isGone();
    sendSmallFiles();
    const RunInfo info = readRun(m_run);
    if (info.state == RunState::Running) // resumed by somebody else meanwhile
        return false;
    m_stream.send({{"end", toText(info.state)}, {"sentence", whyItEnded(info, status.sentence)}});
    return true;
}

void RunFollower::follow() {
    const auto began = Clock::now();
    if (!m_stream.begin() || !m_stream.send({{"worker", HEADROOM_VERSION}}))
        return;
    while (!m_stream.isGone() && m_stream.readLines([this](const json& line) { take(line); })) {
        m_more = false;
        if (m_stated && look())
            return;
        // The first event of what is being started is waited for, for a short time.
        const bool soon = Clock::now() - began < kSoon && m_sent["events.jsonl"].size == 0;
        m_stream.wait(m_more ? std::chrono::milliseconds(0) : soon ? kLookSoon : kLookEvery);
    }
}

} // namespace headroom::training
