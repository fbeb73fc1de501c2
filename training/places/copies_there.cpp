// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/copies_there.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "training/places/advice.h"
#include "training/places/connection.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <sstream>

namespace headroom::training {

namespace {

constexpr std::size_t kDigitsOfHash = 12;
constexpr const char* kCopiesMark = "headroom-copies";
constexpr std::chrono::minutes kCountingPatience{5}; // du looks at every file

// Lines: "copy KIBIBYTES SECONDS PATH", "link FOLDER", "used PATH-OF-A-MARK", and what documents of runs say: their file, NUL, and
// a state or a part of a path.
constexpr const char* kListScript = R"sh(
LC_ALL=C; export LC_ALL
cd -- "$1" 2>/dev/null || { echo headroom-copies; exit 0; }
echo headroom-copies
for copy in data/* models/* worker/*; do
  [ -d "$copy" ] && [ ! -L "$copy" ] || continue
  case $copy in worker/*) [ -f "$copy/bundle.sha256" ] || continue;; esac
  printf 'copy %s %s %s\n' "$(du -sk -- "$copy" | cut -f1)" "$(stat -c %Y -- "$copy")" "$copy"
done
for link in worker/*; do
  if [ -L "$link" ]; then printf 'link %s\n' "$(readlink -- "$link")"; fi
done
for mark in models/*/.used/*; do
  if [ -e "$mark" ]; then printf 'used %s\n' "$mark"; fi
done
find runs work -maxdepth 2 \( -name run.json -o -name job.json -o -path 'runs/*queue/*.json' \) -type f -exec grep -oHZE '"state": *"[a-z]+"|/(data|models)/[^"/]+-[0-9a-f]{12}' -- {} + 2>/dev/null
true
)sh";

constexpr const char* kDeleteScript = R"sh(
cd -- "$1" || exit 1
rm -rf -- "$2" || exit 1
for link in worker/*; do
  if [ -L "$link" ] && [ ! -e "$link" ]; then rm -f -- "$link"; fi
done
)sh";

CopyAtPlace::Kind kindOfCopy(const std::string& path) {
    using Kind = CopyAtPlace::Kind;
    return path.rfind("data/", 0) == 0               ? Kind::Corpus
           : path.rfind("worker/", 0) == 0             ? Kind::Worker
           : path.rfind("models/checkpoints-", 0) == 0 ? Kind::Checkpoint
                                                       : Kind::Model;
}

/// What the documents of one run or command say.
struct Said {
    std::set<std::string> paths;
    std::string state;
};

/// NAME of "runs/NAME/run.json", "work/NAME/job.json", and of a job that has not begun, "runs/…queue/00001_NAME.json".
std::string userOfFile(const std::string& file) {
    const auto first = file.find('/'), last = file.rfind('/');
    if (first == std::string::npos || last <= first)
        return {};
    const std::string folder = file.substr(first + 1, last - first - 1), document = file.substr(last + 1);
    const auto number = document.find('_'), end = document.rfind(".json");
    return folder.ends_with("queue") && number < end && end != std::string::npos ? document.substr(number + 1, end - number - 1) : folder;
}

/// "running" of `"state": "running"`.
std::string lastQuoted(const std::string& text) {
    const auto end = text.rfind('"'), begin = text.rfind('"', end - 1);
    return text.substr(begin + 1, end - begin - 1);
}

void addUsers(const std::map<std::string, Said>& said, CopyAtPlace& copy) {
    static const std::set<std::string> ended{"stopped", "finished", "failed", "interrupted"};
    for (const auto& [name, document] : said)
        if (document.paths.contains(copy.path))
            copy.users.push_back({name, !ended.contains(document.state)});
}

} // namespace

std::string CopyAtPlace::name() const {
    const std::string folder = path.substr(path.find('/') + 1);
    return folder.substr(0, folder.size() - std::min(folder.size(), kDigitsOfHash + 1));
}

bool CopyAtPlace::isUsed() const {
    return std::any_of(users.begin(), users.end(), [](const User& user) { return user.inProgress; });
}

bool isCopyPath(std::string_view path) {
    const auto slash = path.find('/');
    if (slash == std::string_view::npos)
        return false;
    const std::string_view folder = path.substr(0, slash), name = path.substr(slash + 1);
    if ((folder != "data" && folder != "models" && folder != "worker") || name.size() <= kDigitsOfHash + 1 || name.front() == '.' ||
        name.find('/') != std::string_view::npos || name[name.size() - kDigitsOfHash - 1] != '-')
        return false;
    return std::all_of(name.end() - kDigitsOfHash, name.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::vector<CopyAtPlace> copiesIn(const std::string& answer) {
    const auto begin = answer.find(std::string(kCopiesMark) + "\n");
    if (begin == std::string::npos)
        throw Error("copies.failed", "The place did not list its copies.");
    std::vector<CopyAtPlace> copies;
    std::map<std::string, Said> said;
    std::set<std::string> links;
    std::istringstream lines(answer.substr(begin));
    for (std::string line; std::getline(lines, line);) {
        if (const auto end = line.find('\0'); end != std::string::npos) {
            const std::string user = userOfFile(line.substr(0, end)), match = line.substr(end + 1);
            if (user.empty() || match.empty())
                continue;
            if (match.front() == '/')
                said[user].paths.insert(match.substr(1));
            else if (line.substr(0, end).ends_with("/run.json"))
                said[user].state = lastQuoted(match);
            continue;
        }
        std::istringstream words(line);
        std::string word, path;
        words >> word;
        if (word == "copy") {
            CopyAtPlace copy;
            std::int64_t kibibytes = 0;
            words >> kibibytes >> copy.copied >> std::ws;
            std::getline(words, copy.path);
            copy.bytes = kibibytes * 1024;
            copy.kind = kindOfCopy(copy.path);
            if (isCopyPath(copy.path))
                copies.push_back(std::move(copy));
        } else if (word == "link" && words >> path) {
            links.insert("worker/" + path);
        } else if (word == "used" && words >> path) { // models/COPY/.used/NAME
            const auto mark = path.find("/.used/");
            if (mark != std::string::npos)
                said[path.substr(mark + 7)].paths.insert(path.substr(0, mark));
        }
    }
    for (CopyAtPlace& copy : copies) {
        copy.isLinked = links.contains(copy.path);
        addUsers(said, copy);
    }
    std::sort(copies.begin(), copies.end(), [](const CopyAtPlace& a, const CopyAtPlace& b) { return a.path < b.path; });
    return copies;
}

std::vector<CopyAtPlace> copiesAt(const Place& place) {
    const Ended ended = runAt(place, {"sh", "-c", kListScript, "headroom", pathAt(place, "")}, {}, kCountingPatience);
    if (ended.status != 0)
        throw Error("copies.failed", "The copies at " + place.name + " could not be listed: " +
                                         validText(ended.err.substr(0, ended.err.find('\n'))) + ".");
    return copiesIn(ended.out);
}

void removeCopy(const Place& place, const std::string& path) {
    const std::vector<CopyAtPlace> copies = copiesAt(place);
    const auto found = std::find_if(copies.begin(), copies.end(), [&](const CopyAtPlace& copy) { return copy.path == path; });
    if (found == copies.end())
        throw Error("copies.unknown", "There is no copy “" + validText(path) + "” at " + place.name +
                                          ". headroom-worker places copies lists them.");
    for (const CopyAtPlace::User& user : found->users)
        if (user.inProgress)
            throw Error("copies.inUse", path + " is used by " + validText(user.name) + " at " + place.name +
                                            ". Stop it, or wait until it has ended.");
    const Ended ended = runAt(place, {"sh", "-c", kDeleteScript, "headroom", pathAt(place, ""), path}, {}, kCountingPatience);
    if (ended.status != 0) {
        const std::string advice = adviceOn(ended.err, place, place.name);
        throw Error("copies.failed", path + " could not be removed at " + place.name + ": " +
                                         validText(ended.err.substr(0, ended.err.find('\n'))) + "." + (advice.empty() ? "" : " " + advice));
    }
}

nlohmann::json toJson(const CopyAtPlace& copy) {
    static constexpr std::array<const char*, 4> kinds{"corpus", "model", "checkpoint", "worker"};
    auto users = nlohmann::json::array();
    for (const CopyAtPlace::User& user : copy.users)
        users.push_back({{"name", validText(user.name)}, {"inProgress", user.inProgress}});
    return {{"kind", kinds[static_cast<std::size_t>(copy.kind)]},
            {"path", validText(copy.path)},
            {"name", validText(copy.name())},
            {"bytes", copy.bytes},
            {"copied", copy.copied},
            {"linked", copy.isLinked},
            {"usedBy", std::move(users)}};
}

} // namespace headroom::training
