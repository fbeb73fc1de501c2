// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/journal.h"

#include "core/tensors/atomic_file.h"
#include "training/loop/memory.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace headroom::training {

namespace {

void makeFolder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        throw Error("run.unwritable", folder.string() + " could not be created: " + problem.message() + ".",
                    {{"folder", folder.string()}});
}

} // namespace

Journal::Journal(RunPaths paths, RunInfo info)
    : m_paths(std::move(paths))
    , m_info(std::move(info))
    , m_events(std::make_unique<EventWriter>(m_paths.events())) {
    makeFolder(m_paths.checkpoints());
    makeFolder(m_paths.samples());
    m_log = ::open(m_paths.log().c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    if (m_log < 0)
        throw Error("run.unwritable", m_paths.log().string() + " could not be written: " +
                                          std::system_category().message(errno) + ".");
}

Journal::Journal(Silent, RunPaths paths, RunInfo info)
    : m_paths(std::move(paths))
    , m_info(std::move(info)) {}

Journal Journal::silent(RunPaths paths, RunInfo info) {
    return Journal(Silent(), std::move(paths), std::move(info));
}

Journal::~Journal() {
    if (m_log >= 0)
        ::close(m_log);
}

void Journal::event(const std::string& kind, std::int64_t update, nlohmann::ordered_json values) {
    if (!m_events)
        return;
    nlohmann::ordered_json event;
    event["event"] = kind;
    event["update"] = update;
    const std::string prefix = kind == "validation" ? "validation/" : "train/";
    for (auto& [key, value] : values.items()) {
        if (value.is_number() && (kind == "step" || kind == "validation")) {
            if (!m_tensorBoard) // only now is it known where a resumed run goes on
                m_tensorBoard = std::make_unique<TensorBoardWriter>(m_paths.tensorBoard(),
                                                                    m_info.resumed > 0 ? update : 0);
            m_tensorBoard->scalar(prefix + key, value.get<double>(), update);
        }
        event[key] = std::move(value);
    }
    m_events->add(std::move(event));
}

void Journal::log(const std::string& sentence) {
    if (!m_events)
        return;
    const std::string line = utcNow() + "  " + sentence + "\n";
    // A log that cannot be written stops nothing: the same disk refuses the next event.
    [[maybe_unused]] const ssize_t written = ::write(m_log, line.data(), line.size());
}

void Journal::samples(std::int64_t update, const nlohmann::ordered_json& examples) {
    if (!m_events)
        return;
    nlohmann::ordered_json document;
    document["format"] = "headroom/samples";
    document["version"] = 1;
    document["update"] = update;
    document["examples"] = examples;
    char name[40];
    std::snprintf(name, sizeof name, "step-%06lld.json", static_cast<long long>(update));
    const std::string text =
        document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    writeAtomically(m_paths.samples() / name, std::string_view(text), "run.unwritable");
}

void Journal::save() {
    if (!m_events)
        return;
    m_events->flushToDisk();
    m_info.peakBytes = std::max(m_info.peakBytes, peakUsedBytes());
    writeRun(m_paths.folder, m_info);
}

void Journal::end(RunState state, const std::string& sentence) {
    m_info.state = state;
    m_info.ended = utcNow();
    m_info.error = state == RunState::Failed ? sentence : "";
    log(sentence);
    event(toText(state), m_info.update, {{"sentence", sentence}});
    save();
}

} // namespace headroom::training
