// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/display_name.h"
#include "training/places/advice.h"
#include "training/places/check_place.h"

#include <charconv>
#include <cstdlib>

namespace headroom::training {

namespace {

constexpr const char* kMarker = "headroom-facts 1";
constexpr long long kMostSkew = 300; // seconds
constexpr long long kLittleDisk = 5000000000;

long long numberIn(const std::string& text, long long otherwise) {
    long long value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && !text.empty() ? value : otherwise;
}

/// "2.36" → 236; 0 where it is no version.
int glibcNumber(const std::string& version) {
    const auto dot = version.find('.');
    return dot == std::string::npos ? 0
                                    : static_cast<int>(numberIn(version.substr(0, dot), 0) * 100 +
                                                       numberIn(version.substr(dot + 1), 0));
}

std::string gigabytes(long long bytes) {
    return std::to_string(bytes / 1000000000) + "." + std::to_string(bytes / 100000000 % 10) + " GB";
}

std::string skewText(long long seconds) {
    const long long size = std::llabs(seconds);
    const std::string amount =
        size >= 3600 ? std::to_string(size / 3600) + " h " + std::to_string(size % 3600 / 60) + " min"
                     : std::to_string(size / 60) + " min";
    return amount + (seconds > 0 ? " ahead" : " behind");
}

} // namespace

const char* toText(PlaceCheck::State state) {
    switch (state) {
    case PlaceCheck::State::Passed:
        return "passed";
    case PlaceCheck::State::Remark:
        return "remark";
    case PlaceCheck::State::Failed:
        return "failed";
    case PlaceCheck::State::Skipped:
        return "skipped";
    }
    return "";
}

std::vector<std::string> factsScript(const Place& place) {
    // Constant; the folder is an argument. POSIX sh and utilities only.
    static const char* const script = R"sh(
printf '\nheadroom-facts 1\n'
printf 'system %s\n' "$(uname -s)"
printf 'machine %s\n' "$(uname -m)"
printf 'glibc %s\n' "$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2)"
printf 'clock %s\n' "$(date +%s)"
printf 'rsync %s\n' "$(command -v rsync)"
printf 'sbatch %s\n' "$(command -v sbatch)"
printf 'python %s\n' "$(command -v python3)"
python=python3
[ ! -x "$1/worker/torch/bin/python3" ] || python=$1/worker/torch/bin/python3
printf 'torch %s\n' "$("$python" -c 'import importlib.metadata as m; print(m.version("torch"))' 2>/dev/null)"
if problem=$(mkdir -p "$1" 2>&1 && : 2>&1 >"$1/.headroom-$$" && rm -f "$1/.headroom-$$" 2>&1); then
  printf 'writable yes\n'
else
  printf 'writable no %s\n' "$(printf '%s' "$problem" | tail -n 1)"
fi
printf 'disk %s\n' "$(df -Pk "$1" 2>/dev/null | tail -n 1 | awk '{ print $(NF - 2) }')"
printf 'end\n'
)sh";
    return {"sh", "-c", script, "headroom", pathAt(place, "")};
}

PlaceFacts parseFacts(const std::string& output) {
    const std::string marker = std::string("\n") + kMarker + "\n";
    const auto start = output.find(marker);
    if (start == std::string::npos)
        throw Error("place.answer", "The login shell there runs no commands: it answered “" +
                                        validText(output.substr(0, 80)) + "”.");
    PlaceFacts facts;
    facts.banner = validText(output.substr(0, start));
    while (!facts.banner.empty() && facts.banner.back() == '\n')
        facts.banner.pop_back();
    std::string unparsed = output.substr(start + marker.size());
    bool whole = false;
    for (std::size_t from = 0, end; (end = unparsed.find('\n', from)) != std::string::npos; from = end + 1) {
        const std::string line = unparsed.substr(from, end - from);
        const auto space = line.find(' ');
        const std::string key = line.substr(0, space),
                          value = space == std::string::npos ? "" : line.substr(space + 1);
        if (key == "system")
            facts.system = value;
        else if (key == "machine")
            facts.machine = value;
        else if (key == "glibc")
            facts.glibc = value;
        else if (key == "clock")
            facts.clock = numberIn(value, 0);
        else if (key == "rsync")
            facts.rsync = value;
        else if (key == "sbatch")
            facts.sbatch = value;
        else if (key == "python")
            facts.python = value;
        else if (key == "torch")
            facts.torch = validText(value);
        else if (key == "disk" && !value.empty())
            facts.diskFree = numberIn(value, -1) < 0 ? -1 : numberIn(value, -1) * 1024;
        else if (key == "writable") {
            facts.writable = value == "yes";
            facts.writeProblem = value.rfind("no ", 0) == 0 ? validText(value.substr(3)) : "";
        } else if (key == "end")
            whole = true;
    }
    if (!whole)
        throw Error("place.answer", "The connection ended before the answer was complete.");
    return facts;
}

std::vector<PlaceCheck> checksOf(const Place& place, const PlaceFacts& facts, long long now) {
    using State = PlaceCheck::State;
    std::vector<PlaceCheck> checks;
    const auto add = [&](State state, const char* what, std::string value, std::string sentence = {}) {
        checks.push_back({state, what, std::move(value), std::move(sentence)});
    };
    if (!facts.banner.empty())
        add(State::Remark, "Login shell", "prints text",
            "The login shell of " + place.host + " prints “" + facts.banner.substr(0, 60) +
                "” before every command, which breaks rsync and sftp. In its start-up file (~/.bashrc, "
                "~/.profile), print "
                "only to a terminal: [ -t 1 ] && echo …");
    if (facts.system != "Linux" || facts.machine != "x86_64")
        add(State::Failed, "Processor", facts.system + " " + facts.machine,
            "The worker is built for Linux on x86_64; this is " + facts.system + " on " + facts.machine +
                ". Build headroom-worker there (preset worker-no-qt) and name it as the place's worker.");
    else
        add(State::Passed, "Processor", facts.machine);
    if (facts.glibc.empty())
        add(State::Failed, "glibc", "another libc",
            "The worker needs glibc 2.36, and this system has another C library. Run "
            "the worker in a Debian 12 container there, or use another place.");
    else if (glibcNumber(facts.glibc) < 236)
        add(State::Failed, "glibc", facts.glibc,
            glibcSentence(facts.glibc, "2.36"));
    else
        add(State::Passed, "glibc", facts.glibc);
    if (const long long skew = facts.clock - now; std::llabs(skew) > kMostSkew)
        add(State::Remark, "Clock", skewText(skew),
            "The clock there is " + skewText(skew) +
                ". Times of runs are shown as that machine writes them; its "
                "administrator can set the clock (timedatectl set-ntp true).");
    if (!facts.writable)
        add(State::Failed, "Folder", validText(place.folder),
            validText(place.folder) + " cannot be written there" +
                (facts.writeProblem.empty() ? "." : ": " + facts.writeProblem + ".") +
                " Choose another folder, or free space or quota.");
    else
        add(State::Passed, "Folder", validText(place.folder));
    if (facts.diskFree < 0)
        add(State::Remark, "Free disk", "unknown", "df there does not say how much is free.");
    else if (facts.diskFree < kLittleDisk)
        add(State::Remark, "Free disk", gigabytes(facts.diskFree),
            "Only " + gigabytes(facts.diskFree) + " are free there; a corpus and its checkpoints need more.");
    else
        add(State::Passed, "Free disk", gigabytes(facts.diskFree));
    if (place.isRemote() && facts.rsync.empty())
        add(State::Failed, "rsync", "missing",
            "rsync, which copies corpora and models, is missing there. Type there: sudo apt install rsync");
    return checks;
}

} // namespace headroom::training
