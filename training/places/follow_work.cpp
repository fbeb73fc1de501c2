// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/follow_work.h"

#include "core/runs/file_lock.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "training/places/slurm_folder.h"
#include "training/processes/start_worker.h"

#include <algorithm>
#include <chrono>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::milliseconds kLookAtWork{200};
constexpr std::size_t kMostDocument = 256u << 20;

} // namespace

WorkFollower::WorkFollower(fs::path folder, int input, int output)
    : m_paths{std::move(folder)}
    , m_stream(input, output) {}

WorkFollower::~WorkFollower() = default;

void WorkFollower::take(const json& line) {
    if (const auto place = line.find("place"); place != line.end()) {
        Place where = placeFrom(*place, "The place of the request");
        m_place = where.name;
        where.slurm.nodes = 1; // one process, which computes on one GPU
        where.slurm.gpus = std::min(where.slurm.gpus, 1);
        if (where.kind == Place::Kind::Slurm)
            m_slurm = std::make_unique<SlurmFolder>(m_paths.folder, m_paths.folder.parent_path().parent_path() / "runs", where,
                                                    [this] { m_stream.live(); });
    }
    if (const json said = line.value("said", json()); said.is_object()) {
        m_stated = true;
        for (const char* name : {"output", "errors"})
            m_said[name] = said.value(name, std::uint64_t(0));
    }
    const json wanted = line.value("request", json());
    if (wanted == "begin" || wanted == "resume")
        begin(line);
    else if (wanted == "stop")
        stop();
    std::error_code ignored;
    if (line.contains("said") && fs::exists(m_paths.job(), ignored))
        m_stream.send({{"paths", readStrictObject(m_paths.job(), "work.badJson").value("paths", json::object())}});
}

bool WorkFollower::goesOn() const {
    return FileLock::isLocked(m_paths.lock()) || (m_slurm && m_slurm->goesOn());
}

/// Starts the command, unless it goes on. What an earlier one of this folder has said is not said again.
void WorkFollower::begin(const json& line) {
    if (goesOn())
        return;
    std::error_code ignored;
    for (const fs::path& file : {m_paths.status(), m_paths.output(), m_paths.errors()})
        fs::remove(file, ignored);
    clearRequest(m_paths.folder);
    if (line.value("request", json()) == "begin") {
        std::vector<std::string> words;
        for (const json& word : line.value("words", json::array()))
            words.push_back(word.is_string() ? word.get<std::string>() : std::string());
        // The other end knows them as they are below this machine's home folder.
        std::map<std::string, std::string> paths;
        for (const json& pair : line.value("paths", json::array()))
            if (pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() && pair[0].get<std::size_t>() < words.size() &&
                pair[1].is_string()) {
                std::string& word = words[pair[0].get<std::size_t>()];
                word = fs::absolute(word).lexically_normal().string();
                paths[word] = pair[1].get<std::string>();
            }
        const json beside = line.value("beside", json::object());
        for (const auto& [there, here] : beside.items())
            if (here.is_string())
                paths[fs::absolute(there).lexically_normal().string()] = here.get<std::string>();
        fs::remove_all(m_paths.out(), ignored);
        fs::create_directories(m_paths.out(), ignored); // fetched even if the command never starts
        writeWork(m_paths, words, paths);
    }
    start();
}

void WorkFollower::start() {
    const std::vector<std::string> words{"places", "do", m_paths.folder.string()};
    if (!m_slurm) {
        m_starting = startWorker(words, m_paths.errors(), WorkerLife::Session);
        return;
    }
    std::vector<std::string> command{m_slurm->worker()};
    command.insert(command.end(), words.begin(), words.end());
    m_slurm->writeScript(command);
    m_slurm->submit();
}

void WorkFollower::stop() {
    if (FileLock::isLocked(m_paths.lock()) || !m_slurm)
        askToStop(m_paths.folder);
    else
        m_slurm->cancel();
}

void WorkFollower::sendSaid(const char* name, const fs::path& file) {
    for (std::uint64_t& sent = m_said[name];;) {
        const std::string bytes = bytesOf(file, sent, kMostChunk);
        if (bytes.empty() || !m_stream.send({{"said", name}}, bytes))
            return;
        sent += bytes.size();
    }
}

/// Documents are written atomically, so that each read is whole.
void WorkFollower::sendDocuments() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(m_paths.out(), ignored)) {
        const std::string name = entry.path().filename().string();
        const auto mark = markOf(entry.path().string());
        if (entry.path().extension() != ".json" || name.front() == '.' || name == "control.json" || !mark || mark->size > kMostDocument)
            continue;
        const auto sent = m_documents.find(name);
        if (sent != m_documents.end() && sent->second == *mark)
            continue;
        const std::string bytes = bytesOf(entry.path(), 0, mark->size);
        for (std::size_t from = 0; from < bytes.size(); from += kMostChunk)
            m_stream.send({{"document", name}, {"from", from}, {"total", bytes.size()}}, std::string_view(bytes).substr(from, kMostChunk));
        m_documents[name] = *mark;
    }
}

/// Sends what is new. Returns whether the command has ended and everything was sent.
bool WorkFollower::look() {
    // Asked before the lock: a process that has ended in between has left its status.
    const bool starts = m_starting && !endedStatus(*m_starting);
    if (!starts)
        m_starting.reset();
    const bool computed = FileLock::isLocked(m_paths.lock());
    const LaunchStatus status = computed || !m_slurm ? LaunchStatus() : m_slurm->status();
    std::optional<int> ended;
    if (!computed && !starts)
        ended = endedWork(m_paths); // after the lock: it is written before that is given back
    if (computed && m_waiting != "") {
        m_waiting = "";
        m_stream.send({{"waiting", ""}});
    } else if (status.waits && !ended && !status.sentence.empty() && m_waiting != status.sentence) {
        m_waiting = status.sentence;
        m_stream.send({{"waiting", status.sentence}});
    }
    sendSaid("output", m_paths.output());
    sendSaid("errors", m_paths.errors());
    sendDocuments();
    if (computed || starts || (!ended && status.waits))
        return m_stream.isGone();
    const std::string why = ended == 0 ? std::string() : whyUnwritten(m_paths.folder, bytesOf(m_paths.errors(), 0, kMostChunk), m_place);
    if (ended)
        m_stream.send({{"end", *ended}, {"sentence", why}});
    else
        m_stream.send({{"end", nullptr}, {"sentence", status.sentence + (status.sentence.empty() || why.empty() ? "" : " ") + why}});
    return true;
}

void WorkFollower::follow() {
    if (!m_stream.begin() || !m_stream.send({{"worker", HEADROOM_VERSION}}))
        return;
    while (!m_stream.isGone() && m_stream.readLines([this](const json& line) { take(line); })) {
        if (m_stated && look())
            return;
        m_stream.wait(kLookAtWork);
    }
}

} // namespace headroom::training
