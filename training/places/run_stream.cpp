// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/run_stream.h"

#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"

#include <sys/stat.h>

namespace headroom::training {

using nlohmann::json;

namespace {

constexpr std::size_t kLongestHead = 1u << 16;
constexpr std::size_t kLongestBanner = 1u << 20;

[[noreturn]] void refuseStream(const std::string& what) {
    throw Error("stream.bad", "What arrives from there is not what headroom-worker sends: " + what + ".");
}

} // namespace

std::string frameText(json head, std::string_view bytes) {
    if (!bytes.empty())
        head["size"] = bytes.size();
    std::string text = head.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    text.append(bytes);
    return text;
}

std::optional<Frame> FrameReader::take(std::string& buffer) {
    if (!m_started) {
        const auto start = buffer.find(kStreamStart);
        if (start == std::string::npos) {
            if (buffer.size() > kLongestBanner)
                refuseStream("a long text");
            return std::nullopt;
        }
        buffer.erase(0, start + std::string_view(kStreamStart).size());
        m_started = true;
    }
    const auto end = buffer.find('\n');
    if (end == std::string::npos) {
        if (buffer.size() > kLongestHead)
            refuseStream("a long line");
        return std::nullopt;
    }
    Frame frame;
    frame.head =
        json::parse(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!frame.head.is_object())
        refuseStream("a line that is not JSON");
    const json size = frame.head.value("size", json(0u));
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() > kMostChunk)
        refuseStream("an impossible size");
    const auto count = size.get<std::size_t>();
    if (buffer.size() - end - 1 < count)
        return std::nullopt;
    frame.bytes = buffer.substr(end + 1, count);
    buffer.erase(0, end + 1 + count);
    return frame;
}

std::optional<FileMark> markOf(const std::string& file) {
    struct stat about {};
    if (::lstat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode))
        return std::nullopt;
    return FileMark{static_cast<std::uint64_t>(about.st_size),
                    about.st_mtim.tv_sec * 1000000000LL + about.st_mtim.tv_nsec};
}

FileKind kindOf(const std::string& name) {
    if (name == "events.jsonl" || name == "log.txt")
        return FileKind::Growing;
    if (name == "run.json" || name == "architecture.json" || name == "recipe.json" || name == "job.sh" || name == "array.sh" ||
        name == "slurm.json")
        return FileKind::Document;
    const auto slash = name.find('/');
    if (slash == std::string::npos)
        return FileKind::None;
    const std::string folder = name.substr(0, slash), file = name.substr(slash + 1);
    if (file.empty() || file.front() == '.' || file.find('/') != std::string::npos ||
        file.find('\0') != std::string::npos)
        return FileKind::None;
    if (folder == "samples")
        return FileKind::Document;
    if (folder == "tensorboard")
        return FileKind::Growing;
    if (folder == "checkpoints")
        return file == "best.safetensors" || file == "last.safetensors" ? FileKind::Link : FileKind::Weights;
    return folder == "model" ? FileKind::Weights : FileKind::None;
}

bool saysRunning(const std::filesystem::path& run) {
    std::error_code ignored;
    const auto file = RunPaths{run}.run();
    return std::filesystem::exists(file, ignored) &&
           readStrictObject(file, "run.badJson").value("state", json()) == toText(RunState::Running);
}

} // namespace headroom::training
