// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/copy_there.h"

#include "core/errors/display_name.h"
#include "core/tensors/sha256.h"
#include "training/places/advice.h"
#include "training/places/connection.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr int kSshEnded = 255; // rsync passes the status of ssh on

std::vector<std::string> ownFiles(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.is_regular_file(ignored))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

bool hasFolders(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.is_directory(ignored))
            return true;
    return false;
}

/// As sha256sum prints it: a name with a newline or a backslash is escaped, and the line says so in front.
std::string hashLine(const fs::path& folder, const std::string& name) {
    std::string shown;
    for (const char c : name)
        shown += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
    return (shown == name ? "" : "\\") + sha256OfFile(folder / name) + " *" + shown + "\n";
}

std::string hashList(const fs::path& folder) {
    std::string list;
    for (const std::string& name : ownFiles(folder))
        list += hashLine(folder, name);
    return list;
}

std::string safeName(const fs::path& folder) {
    std::string name;
    for (const char c :
         folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string())
        name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '-';
    return name.empty() || name.front() == '.' || name.front() == '-' ? "folder" + name : name;
}

/// "  1,234,567  45%  10.00MB/s    0:00:12 (xfr#…" → 0.45; −1 where the line has no share.
double shareIn(const std::string& line) {
    const auto percent = line.find('%');
    if (percent == std::string::npos)
        return -1;
    auto begin = percent;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(line[begin - 1])))
        --begin;
    return begin == percent ? -1 : std::atof(line.substr(begin, percent - begin).c_str()) / 100;
}

std::vector<std::string> rsyncWords() {
    // --protect-args: no shell there reads the path.
    return {"rsync", "--archive", "--no-owner", "--no-group", "--partial", "--protect-args", "--info=progress2",
            "--no-inc-recursive", "--timeout=60", "--rsh=" + shellForRsync()};
}

std::string rsyncPath(const Place& place, const std::string& there) {
    return (place.isRemote() ? place.host + ":" : "") + there + "/";
}

struct Copied {
    std::string path;   ///< for sentences: "PATH to PLACE"
    std::string name;   ///< for progress
    std::string writes; ///< the machine that it is written on
};

/// `list`: the names of the files, where rsync reads them from its input.
void copyByRsync(const Place& place, const std::vector<std::string>& words, const Copied& what, const CopyProgress& progress,
                 const std::atomic<bool>& stop, const CopyRate& rate, const std::string& list = {}) {
    ChildProcess process(words);
    process.write(list);
    process.closeInput();
    std::string errors;
    for (;;) {
        process.read(std::chrono::milliseconds(200));
        errors += process.err();
        process.err().clear();
        std::string& out = process.out();
        const std::string line = out.substr(out.find_last_of('\r', out.size() > 1 ? out.size() - 2 : 0) + 1);
        if (const double share = shareIn(line); share >= 0) {
            if (const auto speed = rate ? copyRateIn(line) : std::nullopt)
                rate(speed->first, speed->second);
            progress(share, what.name);
            out.clear();
        }
        if (process.status())
            break;
        if (stop.load())
            throw Error("copy.stopped",
                        "Copying " + what.path +
                            " was stopped. What was copied is kept, and copying continues from there.");
    }
    process.read(std::chrono::milliseconds(0));
    errors += process.err();
    const int status = *process.status();
    if (status == 0) {
        progress(1, what.name);
        return;
    }
    const std::size_t begin = errors.find_first_not_of(" \r\n"); // none as when the pipe to ssh broke under it
    const std::string advice = adviceOn(errors, place, what.writes);
    // rsync was writing when ssh ended.
    const bool pipeBroke = advice.empty() && (status == 10 || errors.find("Broken pipe") != std::string::npos);
    if (status == kSshEnded || status == 12 || status == 30 || begin == std::string::npos || pipeBroke) { // ssh failed, or the stream ended
        const Error problem = problemOf(place, errors);
        if (problem.code() != "place.ssh" || status == kSshEnded)
            throw problem;
        throw Error("place.unreachable",
                    "The connection to " + place.host + " was lost while copying. What was copied is kept.");
    }
    std::string line = errors.substr(begin);
    line = line.substr(0, line.find('\n'));
    if (line.back() != '.' && line.back() != '?')
        line += ".";
    throw Error("copy.failed", "rsync could not copy " + what.path + ": " + validText(line) + (advice.empty() ? "" : " " + advice));
}

} // namespace

std::optional<std::pair<double, double>> copyRateIn(const std::string& line) {
    const auto percent = line.find('%');
    double speed = 0;
    char unit[8] = {};
    int hours = 0, minutes = 0, seconds = 0;
    if (percent == std::string::npos ||
        std::sscanf(line.c_str() + percent + 1, " %lf%2[kMGB]/s %d:%d:%d", &speed, unit, &hours, &minutes, &seconds) != 5)
        return std::nullopt;
    const double scale = unit[0] == 'k' ? 1024.0 : unit[0] == 'M' ? 1024.0 * 1024 : unit[0] == 'G' ? 1024.0 * 1024 * 1024 : 1.0;
    return std::pair(speed * scale, hours * 3600.0 + minutes * 60 + seconds);
}

void refuseFolder(const Place& place, const std::string& folder, const std::string& said) {
    const std::string line = validText(said.substr(0, said.find('\n'))), advice = adviceOn(said, place, place.name);
    throw Error("copy.failed", "The folder " + validText(folder) + " could not be created at " + place.name + (line.empty() ? "" : ": " + line) +
                                   "." + (advice.empty() ? "" : " " + advice));
}

std::string tablesHash(const fs::path& folder) {
    const std::string list = hashList(folder);
    return sha256OfBytes(std::as_bytes(std::span(list.data(), list.size())));
}

FolderThere findThere(const Place& place, const fs::path& folder, const std::string& kind) {
    FolderThere found{fs::canonical(folder), folder.string(), safeName(folder), true};
    if (!place.isRemote())
        return found;
    const std::string list = hashList(folder);
    const std::string hash = sha256OfBytes(std::as_bytes(std::span(list.data(), list.size())));
    found.name += "-" + hash.substr(0, 12);
    // Below a folder with the hash it has its own name, which sentences and tables say.
    const std::string own = folder.filename().empty() ? found.here.filename().string() : folder.filename().string();
    const std::string copy = pathAt(place, kind + "/" + found.name + "/" + own);
    // One call: the same folder may be there, as in a home that both share; else the copy gets a folder. The hash covers all of a
    // folder without folders, as a model: then its copy need not be looked through by rsync, which is ten round trips.
    std::vector<std::string> words{
        "sh", "-c",
        "f=$1; w=$2; d=$3; h=$4; shift 4; for p in \"$f\" \"$w\"; do "
        "if [ \"$(cd \"$p\" 2>/dev/null && sha256sum -b -- \"$@\" 2>/dev/null | sha256sum | cut -c1-64)\" = \"$h\" ]; then "
        "if [ \"$p\" = \"$f\" ]; then echo headroom-has-it; else echo headroom-has-copy; fi; exit; fi; done; mkdir -p -- \"$d\"",
        "headroom", list.empty() ? "/dev/null" : folder.string(), list.empty() || hasFolders(folder) ? "/dev/null" : copy, copy, hash};
    for (const std::string& name : ownFiles(folder))
        words.push_back(name);
    const Ended asked = runAt(place, words, {}, std::chrono::minutes(10));
    if (asked.status != 0)
        refuseFolder(place, copy, asked.err);
    found.isThere = asked.out.find("headroom-has-it\n") != std::string::npos;
    if (!found.isThere)
        found.there = copy;
    if (asked.out.find("headroom-has-copy\n") != std::string::npos)
        found.isThere = true;
    return found;
}

std::string copyThere(const Place& place, const FolderThere& folder, const CopyProgress& progress, const std::atomic<bool>& stop,
                      const CopyRate& rate) {
    if (folder.isThere)
        return folder.there;
    if (folder.only.empty()) {
        copyFolder(place, folder.here, folder.there, folder.name, progress, stop, rate);
        return folder.there;
    }
    std::vector<std::string> words = rsyncWords();
    // What a link names need not be among them.
    words.insert(words.end(), {"--copy-links", "--from0", "--files-from=-", "--", folder.here.string() + "/", rsyncPath(place, folder.there)});
    std::string list;
    for (const std::string& name : folder.only)
        list += "./" + name + '\0';
    copyByRsync(place, words, {validText(folder.here.string()) + " to " + place.name, folder.name, place.name}, progress, stop, rate, list);
    return folder.there;
}

std::string copyThere(const Place& place, const fs::path& folder, const std::string& kind,
                      const CopyProgress& progress, const std::atomic<bool>& stop, const CopyRate& rate) {
    return copyThere(place, findThere(place, folder, kind), progress, stop, rate);
}

void copyFolder(const Place& place, const fs::path& folder, const std::string& there, const std::string& name,
                const CopyProgress& progress, const std::atomic<bool>& stop, const CopyRate& rate) {
    std::vector<std::string> words = rsyncWords();
    words.insert(words.end(), {"--copy-unsafe-links", "--", folder.string() + "/", rsyncPath(place, there)});
    copyByRsync(place, words, {validText(folder.string()) + " to " + place.name, name, place.name}, progress, stop, rate);
}

void fetchFolder(const Place& place, const std::string& there, const fs::path& folder, const std::vector<std::string>& besides) {
    std::vector<std::string> words = rsyncWords();
    for (const std::string& pattern : besides)
        words.push_back("--exclude=" + pattern);
    words.insert(words.end(), {"--safe-links", "--", rsyncPath(place, there), folder.string() + "/"});
    static const std::atomic<bool> never{false};
    copyByRsync(place, words, {validText(there) + " from " + place.name, there, kThisMachine}, [](double, const std::string&) {}, never, {});
}

} // namespace headroom::training
