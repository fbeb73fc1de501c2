// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/mirror.h"

#include "core/errors/display_name.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace headroom::training {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPartEnd = ".part";

[[noreturn]] void refuseWrite(const fs::path& file, int problem) {
    throw Error("run.unwritable",
                file.string() + " could not be written: " + std::system_category().message(problem) + ".",
                {{"file", file.string()}});
}

[[noreturn]] void refuseFrame(const std::string& name, const char* why) {
    throw Error("stream.bad", "The run there sent " + validText(name) + ", " + why + ".");
}

/// Writes at a position of a file, which is made; the folder too.
void writeAt(const fs::path& file, std::uint64_t from, const std::string& bytes) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    const int descriptor = ::open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0)
        refuseWrite(file, errno);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count =
            ::pwrite(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(from + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            const int problem = count < 0 ? errno : ENOSPC;
            // Half a line would be taken for a whole one's beginning: what was not written whole is not
            // there.
            [[maybe_unused]] const int cut = ::ftruncate(descriptor, static_cast<off_t>(from));
            ::close(descriptor);
            refuseWrite(file, problem);
        }
        done += static_cast<std::size_t>(count);
    }
    ::close(descriptor);
}

std::uint64_t numberAt(const json& head, const char* key) {
    const auto found = head.find(key);
    if (found == head.end() || !found->is_number_unsigned())
        throw Error("stream.bad", std::string("A frame from there has no number “") + key + "”.");
    return found->get<std::uint64_t>();
}

std::string textAt(const json& head, const char* key) {
    const auto found = head.find(key);
    return found != head.end() && found->is_string() ? found->get<std::string>() : std::string();
}

FileMark markIn(const json& head) {
    return {numberAt(head, "total"), static_cast<std::int64_t>(numberAt(head, "time"))};
}

} // namespace

fs::path Mirror::partFile(const std::string& name, const FileMark& mark) const {
    const fs::path file = m_run / name;
    return file.parent_path() / ("." + file.filename().string() + "." + std::to_string(mark.size) + "-" +
                                 std::to_string(mark.time) + kPartEnd);
}

json Mirror::state() const {
    json have = json::object(), parts = json::object();
    std::error_code problem;
    const auto look = [&](const fs::path& folder, const std::string& prefix) {
        for (const auto& entry : fs::directory_iterator(folder, problem)) {
            const std::string file = entry.path().filename().string();
            const auto mark = markOf(entry.path().string());
            if (!mark)
                continue;
            if (kindOf(prefix + file) != FileKind::None) {
                have[prefix + file] = {mark->size, mark->time};
                continue;
            }
            // ".NAME.SIZE-TIME.part"
            const std::string end = kPartEnd;
            if (file.front() != '.' || file.size() < end.size() + 4 ||
                file.substr(file.size() - end.size()) != end)
                continue;
            const std::string stem = file.substr(1, file.size() - 1 - end.size());
            const auto dot = stem.rfind('.'), dash = stem.rfind('-');
            if (dot == std::string::npos || dash == std::string::npos || dash < dot)
                continue;
            const std::string name = prefix + stem.substr(0, dot);
            char* rest = nullptr;
            const auto size = std::strtoull(stem.c_str() + dot + 1, &rest, 10);
            const auto time = std::strtoll(stem.c_str() + dash + 1, &rest, 10);
            if (kindOf(name) != FileKind::None)
                parts[name] = {size, time, mark->size};
        }
    };
    look(m_run, "");
    for (const char* folder : {"samples", "tensorboard", "checkpoints", "model"})
        look(m_run / folder, std::string(folder) + "/");
    return {{"have", std::move(have)}, {"parts", std::move(parts)}};
}

bool Mirror::apply(const Frame& frame) {
    const auto nameOf = [&](const char* key, std::initializer_list<FileKind> kinds) {
        const std::string name = textAt(frame.head, key);
        if (!name.empty() && std::find(kinds.begin(), kinds.end(), kindOf(name)) == kinds.end())
            refuseFrame(name, "which a run does not hold");
        return name;
    };
    if (const auto name = nameOf("append", {FileKind::Growing}); !name.empty()) {
        append(name, numberAt(frame.head, "from"), frame.bytes);
        return true;
    }
    if (const auto name = nameOf("part", {FileKind::Document, FileKind::Weights}); !name.empty()) {
        addPart(name, markIn(frame.head), numberAt(frame.head, "from"), frame.bytes);
        return true;
    }
    if (const auto name = nameOf("link", {FileKind::Link}); !name.empty()) {
        link(name, textAt(frame.head, "to"));
        return true;
    }
    if (const auto kept = frame.head.find("kept"); m_allCheckpoints && kept != frame.head.end() && kept->is_array()) {
        std::vector<std::string> names;
        for (const json& name : *kept)
            if (name.is_string())
                names.push_back(name.get<std::string>());
        prune(names);
        return true;
    }
    return false;
}

void Mirror::append(const std::string& name, std::uint64_t from, const std::string& bytes) const {
    const fs::path file = m_run / name;
    const auto mark = markOf(file.string());
    if ((mark ? mark->size : 0) != from)
        refuseFrame(name, "from a byte that does not follow what is here: the run there is another one");
    writeAt(file, from, bytes);
}

void Mirror::addPart(const std::string& name, const FileMark& mark, std::uint64_t from,
                     const std::string& bytes) const {
    const fs::path part = partFile(name, mark);
    std::error_code ignored;
    if (from == 0) // the part of an earlier connection is not gone on with
        fs::remove(part, ignored);
    const auto there = markOf(part.string());
    if ((there ? there->size : 0) != from || from + bytes.size() > mark.size)
        refuseFrame(name, "from a byte that does not follow what is here");
    writeAt(part, from, bytes);
    if (from + bytes.size() < mark.size)
        return;
    // Flushed, named and dated as there, so that a look at the file tells that it is the same.
    const int descriptor = ::open(part.c_str(), O_WRONLY | O_CLOEXEC);
    const timespec time{mark.time / 1000000000LL, mark.time % 1000000000LL};
    const std::array<timespec, 2> times{time, time};
    const bool good =
        descriptor >= 0 && ::fsync(descriptor) == 0 && ::futimens(descriptor, times.data()) == 0;
    const int problem = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (!good)
        refuseWrite(part, problem);
    if (::rename(part.c_str(), (m_run / name).c_str()) != 0)
        refuseWrite(m_run / name, errno);
}

void Mirror::link(const std::string& name, const std::string& target) const {
    if (kindOf("checkpoints/" + target) != FileKind::Weights)
        refuseFrame(name, "a link that leaves the run");
    const fs::path file = m_run / name, fresh = m_run / (name + ".new");
    std::error_code problem;
    fs::remove(fresh, problem);
    fs::create_directories(file.parent_path(), problem);
    fs::create_symlink(target, fresh, problem);
    if (!problem)
        fs::rename(fresh, file, problem);
    if (problem)
        refuseWrite(file, problem.value());
    if (!m_allCheckpoints)
        prune();
}

void Mirror::tidy() const {
    if (!m_allCheckpoints)
        prune();
    std::error_code problem;
    std::vector<fs::path> parts;
    for (const char* folder : {"", "samples", "checkpoints", "model"})
        for (const auto& entry : fs::directory_iterator(m_run / folder, problem))
            if (entry.path().extension() == kPartEnd && entry.path().filename().string().front() == '.')
                parts.push_back(entry.path());
    for (const fs::path& part : parts)
        fs::remove(part, problem);
}

void Mirror::prune(const std::vector<std::string>& keptThere) const {
    std::error_code problem;
    std::set<std::string> kept(keptThere.begin(), keptThere.end());
    for (const char* name : {"best.safetensors", "last.safetensors"})
        kept.insert(fs::read_symlink(m_run / "checkpoints" / name, problem).string());
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(m_run / "checkpoints", problem)) {
        const std::string file = entry.path().filename().string();
        if (kindOf("checkpoints/" + file) == FileKind::Weights && !kept.count(file))
            old.push_back(entry.path());
    }
    for (const fs::path& file : old)
        fs::remove(file, problem);
}

} // namespace headroom::training
