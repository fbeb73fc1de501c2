// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/connection.h"

#include "core/commands/shell_words.h"
#include "training/places/last_line.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr int kSshFailed = 255;

/// Where the sockets of the connections are: short, because a socket's path has at most 107 bytes, and the
/// user's alone.
std::string socketFolder() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::string folder = runtime && *runtime && std::string_view(runtime).size() < 40
                             ? std::string(runtime) + "/headroom"
                             : "/tmp/headroom-" + std::to_string(::getuid());
    ::mkdir(folder.c_str(), 0700);
    struct stat about {};
    if (::lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != ::getuid() ||
        (about.st_mode & 077) != 0)
        throw Error(
            "place.socket",
            folder +
                " must be a folder that only you can open: connections to other machines are kept in it.",
            {{"folder", folder}});
    return folder;
}

std::vector<std::string> sshWords() {
    std::vector<std::string> words{"ssh"};
    if (const char* configuration = std::getenv("HEADROOM_SSH_CONFIG"); configuration && *configuration)
        words.insert(words.end(), {"-F", configuration});
    for (const std::string& option :
         {std::string("BatchMode=yes"), std::string("StrictHostKeyChecking=yes"), std::string("ControlMaster=auto"),
          "ControlPath=" + socketFolder() + "/%C", std::string("ControlPersist=60"),
          std::string("ConnectTimeout=10"), std::string("ServerAliveInterval=5"),
          std::string("ServerAliveCountMax=3"), std::string("ForwardAgent=no"), std::string("ForwardX11=no"),
          std::string("ClearAllForwardings=yes")})
        words.insert(words.end(), {"-o", option});
    words.emplace_back("-T");
    return words;
}

} // namespace

std::vector<std::string> wordsAt(const Place& place, const std::vector<std::string>& words) {
    if (!place.isRemote())
        return words;
    std::vector<std::string> all = sshWords();
    all.insert(all.end(), {"--", place.host, shellLine(words)});
    return all;
}

std::vector<std::string> workerAt(const Place& place, const std::vector<std::string>& arguments) {
    std::vector<std::string> words;
    if (!place.worker.empty()) {
        Place of = place;
        of.folder = place.worker;
        words = {pathAt(of, "")};
        if (words.front().find('/') == std::string::npos && place.worker.rfind("~/", 0) == 0)
            words.front().insert(0, "./");
    } else {
        words = {"sh", "-c",
                 "v=$1; w=$2; shift 2; for w in \"$v\" \"$w\"; do if [ -x \"$w\" ]; then exec \"$w\" \"$@\"; fi; done; "
                 "exec headroom-worker \"$@\"",
                 "headroom", pathAt(place, "worker/" HEADROOM_VERSION "/bin/headroom-worker"),
                 pathAt(place, "worker/bin/headroom-worker")};
    }
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

std::string shellForRsync() {
    std::string line;
    for (const std::string& word : sshWords()) {
        std::string quoted = "'";
        for (const char c : word) // rsync reads a doubled quote as one, and nothing else
            quoted.append(c == '\'' ? 2 : 1, c);
        line += (line.empty() ? "" : " ") + quoted + "'";
    }
    return line;
}

Ended runAt(const Place& place, const std::vector<std::string>& words, std::string_view input,
            std::chrono::milliseconds patience) {
    Ended ended = runToEnd(wordsAt(place, words), input, patience);
    if (ended.timedOut)
        throw Error("place.slow",
                    place.name + " did not answer within " + std::to_string(patience.count() / 1000) +
                        " s. Is the machine overloaded, or its file system unavailable?",
                    {{"place", place.name}});
    if (place.isRemote() && ended.status == kSshFailed)
        throw problemOf(place, ended.err);
    return ended;
}

Error problemOf(const Place& place, const std::string& text) {
    const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
    const std::string& host = place.host;
    const auto error = [&](const char* code, const std::string& sentence) {
        return Error(code, sentence, {{"place", place.name}, {"host", host}});
    };
    if (says("Could not resolve hostname"))
        return error("place.unknownHost",
                     "The host " + host +
                         " is unknown here. Check its name in ~/.ssh/config, and the network.");
    if (says("REMOTE HOST IDENTIFICATION HAS CHANGED"))
        return error("place.keyChanged",
                     "The host key of " + host +
                         " has changed: another machine answers under its name, or it was reinstalled. Ask "
                         "its administrator; if the change is right, type: ssh-keygen -R " +
                         shellWord(host));
    if (says("Host key verification failed"))
        return error("place.keyUnknown",
                     "The host key of " + host +
                         " is not known yet. Type once in a terminal, and compare the fingerprint: ssh " +
                         shellWord(host));
    if (says("Permission denied") || says("Too many authentication failures"))
        return error("place.denied",
                     host +
                         " accepts none of your keys. Add the key to the agent (ssh-add), or bring it there: "
                         "ssh-copy-id " +
                         shellWord(host));
    if (says("Connection refused"))
        return error("place.refused",
                     host + " refuses connections: no ssh server listens there on this port.");
    for (const char* away : {"timed out", "No route to host", "Network is unreachable", "Connection reset",
                             "not responding", "Connection closed", "Broken pipe", "closed by remote host",
                             "Temporary failure in name resolution"})
        if (says(away))
            return error("place.unreachable", host + " does not answer: " + lastLine(text) + ".");
    const std::string last = lastLine(text);
    return error("place.ssh", last.empty() ? "The connection to " + host + " was lost."
                                           : "ssh could not reach " + host + ": " + last);
}

bool mayPass(const Error& error) {
    const std::string& code = error.code();
    return code == "place.unreachable" || code == "place.refused" || code == "place.slow" ||
           code == "place.ssh" || code == "place.unknownHost"; // a laptop without network knows no host
}

void disconnect(const Place& place) {
    if (!place.isRemote())
        return;
    std::vector<std::string> words = sshWords();
    words.insert(words.end(), {"-O", "exit", "--", place.host});
    runToEnd(words, {}, std::chrono::seconds(5));
}

} // namespace headroom::training
