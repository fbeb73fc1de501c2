// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/follow_run.h"

#include "core/runs/run_control.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace headroom::training {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{400}, kLookSoon{20};
constexpr std::chrono::seconds kSoon{5};
constexpr std::chrono::seconds kAliveEvery{2};
constexpr std::size_t kPiece = 256u << 10; // so that events wait a quarter of a megabyte at most

/// The bytes of a file from a position, at most `most`.
std::string bytesOf(const fs::path& file, std::uint64_t from, std::size_t most) {
    std::string bytes;
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return bytes;
    bytes.resize(most);
    std::size_t done = 0;
    while (done < most) {
        const ssize_t count =
            ::pread(descriptor, bytes.data() + done, most - done, static_cast<off_t>(from + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    ::close(descriptor);
    bytes.resize(done);
    return bytes;
}

std::vector<std::string> namesIn(const fs::path& run, const char* folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(run / folder, ignored))
        names.push_back(std::string(folder) + "/" + entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// Whether run.json itself says so; then it does not tell of an end whose files are not sent yet.
bool saysRunning(const fs::path& run) {
    return readStrictObject(RunPaths{run}.run(), "run.badJson").value("state", json()) ==
           toText(RunState::Running);
}

std::uint64_t unsignedAt(const json& list, std::size_t index) {
    return list.is_array() && list.size() > index && list[index].is_number_unsigned()
               ? list[index].get<std::uint64_t>()
               : 0;
}

} // namespace

RunFollower::RunFollower(fs::path run, int input, int output, StartQueue startQueue)
    : m_run(std::move(run))
    , m_input(input)
    , m_output(output)
    , m_startQueue(std::move(startQueue)) {
    ::signal(SIGPIPE, SIG_IGN); // a reader that is gone is seen when writing
}

bool RunFollower::send(json head, std::string_view bytes) {
    const std::string frame = frameText(std::move(head), bytes);
    for (std::size_t done = 0; done < frame.size() && !m_gone;) {
        const ssize_t count = ::write(m_output, frame.data() + done, frame.size() - done);
        if (count > 0)
            done += static_cast<std::size_t>(count);
        else if (count < 0 && errno != EINTR)
            m_gone = true;
    }
    m_alive = Clock::now();
    return !m_gone;
}

/// Takes the lines that came. Returns false when the reader has closed its end.
bool RunFollower::readLines() {
    pollfd waiting{m_input, POLLIN, 0};
    while (::poll(&waiting, 1, 0) > 0) {
        std::array<char, 65536> buffer;
        const ssize_t count = ::read(m_input, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        m_lines.append(buffer.data(), static_cast<std::size_t>(count));
    }
    for (std::size_t end; (end = m_lines.find('\n')) != std::string::npos;) {
        const std::string line = m_lines.substr(0, end);
        m_lines.erase(0, end + 1);
        take(parseStrictObject(line, "The request", "stream.bad"));
    }
    return true;
}

void RunFollower::take(const json& line) {
    if (line.contains("have"))
        takeState(line);
    if (const auto place = line.find("place"); place != line.end()) {
        const Place where = placeFrom(*place, "The place of the request");
        m_launcher = where.kind == Place::Kind::Slurm ? slurmLauncher(m_run, where)
                                                      : queueLauncher(m_run, m_startQueue);
    }
    const json wanted = line.value("request", json());
    if (!m_launcher || !wanted.is_string())
        return;
    if (wanted == "stop") {
        m_launcher->stop();
    } else if (wanted == "pause" || wanted == "evaluate" || wanted == "continue") {
        control(wanted.get<std::string>());
    } else if (wanted == "resume" && fs::exists(RunPaths{m_run}.run())) {
        takeRequest(m_run, RunControl::Pause); // it goes on
        m_launcher->resume();
    } else if (wanted == "begin" || wanted == "resume") {
        m_launcher->begin({line.value("architecture", std::string()), line.value("recipe", std::string()),
                           line.value("data", std::string()), line.value("startFrom", std::string())});
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
    send({{"obeyed", wanted}});
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

/// Sends what a file has grown by, up to its last whole line if it has lines.
void RunFollower::sendGrowing(const std::string& name) {
    const bool lines = name.find('/') == std::string::npos;
    FileMark& sent = m_sent[name];
    for (;;) {
        std::string bytes = bytesOf(m_run / name, sent.size, kMostChunk);
        const bool full = bytes.size() == kMostChunk;
        if (lines)
            bytes.resize(bytes.rfind('\n') + 1); // npos + 1 is 0
        if (bytes.empty() || !send({{"append", name}, {"from", sent.size}}, bytes))
            return;
        sent.size += bytes.size();
        if (!full)
            return;
    }
}

/// Sends one piece of a file that is written whole. Returns whether the file is there whole now.
bool RunFollower::sendPiece(const std::string& name) {
    const auto mark = markOf((m_run / name).string());
    if (!mark || m_gone)
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
    if (!send({{"part", name},
               {"total", mark->size},
               {"time", static_cast<std::uint64_t>(mark->time)},
               {"from", part.bytes}},
              bytes))
        return true;
    part.bytes += bytes.size();
    m_more = m_more || part.bytes < mark->size;
    if (part.bytes < mark->size)
        return false;
    m_sent[name] = *mark;
    m_parts.erase(name);
    return true;
}

bool RunFollower::sendWhole(const std::string& name) {
    for (int attempt = 0; attempt < 1000 && !m_gone; ++attempt)
        if (sendPiece(name))
            return true;
    return false;
}

void RunFollower::sendSmallFiles() {
    sendGrowing("events.jsonl");
    sendGrowing("log.txt");
    for (const char* name : {"architecture.json", "recipe.json", "job.sh", "slurm.json"})
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
            send({{"link", name}, {"to", target}});
        }
    }
    if (!ended) // the result is made at the end
        return true;
    for (const std::string& name : namesIn(m_run, "model"))
        if (kindOf(name) == FileKind::Weights && !sendPiece(name))
            return false;
    return true;
}

/// Sends what is new. Returns whether the run has ended and everything is there.
bool RunFollower::look() {
    std::error_code ignored;
    const bool exists = fs::exists(RunPaths{m_run}.run(), ignored);
    const bool computed = exists && readRun(m_run).state == RunState::Running;
    const LaunchStatus status = computed || !m_launcher ? LaunchStatus() : m_launcher->status();
    const bool ended = !computed && !status.waits;
    // The job may have become a run since the first look.
    if (!exists && ended && !fs::exists(RunPaths{m_run}.run(), ignored)) {
        send({{"end", "none"}, {"sentence", status.sentence}});
        return true;
    }
    if (status.waits && !status.sentence.empty() && status.sentence != m_status) {
        m_status = status.sentence;
        send({{"waiting", m_status}});
    }
    if (!exists)
        return false;
    // First of all: without it the files that follow are no run, or one that was stopped, to those who read them.
    if (saysRunning(m_run))
        sendWhole("run.json");
    sendSmallFiles();
    // That a run has ended is the last thing to be said: then everything of it is there.
    const bool weights = sendWeights(ended);
    if (ended ? weights : status.waits && canResume(readRun(m_run).state))
        sendWhole("run.json");
    if (!ended || !weights || m_gone)
        return m_gone;
    sendSmallFiles();
    const RunInfo info = readRun(m_run);
    if (info.state == RunState::Running) // resumed by somebody else meanwhile
        return false;
    send({{"end", toText(info.state)}, {"sentence", status.sentence}});
    return true;
}

void RunFollower::follow() {
    std::string start = kStreamStart;
    while (!start.empty()) {
        const ssize_t count = ::write(m_output, start.data(), start.size());
        if (count <= 0)
            return;
        start.erase(0, static_cast<std::size_t>(count));
    }
    const auto began = Clock::now();
    while (!m_gone && readLines()) {
        m_more = false;
        if (m_stated && look())
            return;
        if (Clock::now() - m_alive > kAliveEvery)
            send({{"alive", static_cast<std::int64_t>(std::time(nullptr))}});
        pollfd waiting{m_input, POLLIN, 0};
        // The first event of what is being started is waited for, for a short time.
        const bool soon = Clock::now() - began < kSoon && m_sent["events.jsonl"].size == 0;
        ::poll(&waiting, 1, m_more ? 0 : static_cast<int>((soon ? kLookSoon : kLookEvery).count()));
    }
}

} // namespace headroom::training
