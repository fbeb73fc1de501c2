// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/install_worker.h"

#include "core/commands/shell_words.h"
#include "core/errors/display_name.h"
#include "core/places/worker_bundle.h"
#include "core/tensors/sha256.h"
#include "training/places/advice.h"
#include "training/places/connection.h"
#include "training/places/last_line.h"

#include <algorithm>
#include <ctime>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using InstallState = PlaceCheck::State;

constexpr const char* kListName = "bundle.sha256"; // in the folder there: what was installed, and by whom
constexpr std::size_t kHashDigits = 12;

std::vector<std::string> filesOfBundle(const fs::path& bundle) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const char* folder : {"bin", "lib", "libexec"})
        for (const auto& entry : fs::recursive_directory_iterator(bundle / folder, ignored))
            if (entry.is_regular_file(ignored))
                names.push_back(entry.path().lexically_relative(bundle).string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string hashOfText(const std::string& text) {
    return sha256OfBytes(std::as_bytes(std::span(text.data(), text.size())));
}

/// The hash of every file there in the form of bundleList(); other text if one is missing.
std::string listThere(const Place& place, const std::string& folder, const fs::path& bundle) {
    std::vector<std::string> words{"sh", "-c",
                                   "cd \"$1\" 2>/dev/null && shift && sha256sum -b -- \"$@\" 2>/dev/null",
                                   "headroom", folder};
    for (const std::string& name : filesOfBundle(bundle))
        words.push_back(name);
    return runAt(place, words, {}, std::chrono::minutes(5)).out;
}

void runOrFail(const Place& place, const std::vector<std::string>& words, const std::string& what,
               std::string_view input = {}) {
    const Ended ended = runAt(place, words, input, std::chrono::minutes(2));
    if (ended.status != 0) {
        const std::string advice = adviceOn(ended.err, place, place.name);
        throw Error("install.failed", what + " at " + place.name + ": " + lastLineAsSentence(ended.err) + (advice.empty() ? "" : " " + advice));
    }
}

/// Copies into a folder that nothing uses, compares, and gives it its name.
void bringThere(const Place& place, const InstallOptions& options, const std::string& list,
                const std::string& folder, const std::function<void(const PlaceCheck&)>& found) {
    if (listThere(place, folder, options.bundle) == list)
        return found({InstallState::Passed, "Copied", "is there already", {}});
    const std::string incoming = pathAt(place, "worker/.incoming-" + hashOfText(list).substr(0, kHashDigits));
    runOrFail(place, {"mkdir", "-p", "--", incoming},
              "The folder " + validText(incoming) + " could not be created");
    copyFolder(place, options.bundle, incoming, "the worker", options.progress, *options.stop);
    if (listThere(place, incoming, options.bundle) != list)
        throw Error(
            "install.failed",
            "What arrived at " + place.name +
                " is not what was sent: the hashes of the files differ. Its disk may be full or broken; "
                "install again.");
    runOrFail(place,
              {"sh", "-c", "cat > \"$1/$2\" && rm -rf -- \"$3\" && mv -- \"$1\" \"$3\"", "headroom", incoming,
               kListName, folder},
              "The copy could not be put into its folder", list);
    found({InstallState::Passed, "Copied", "every file has the hash it has here", {}});
}

} // namespace

std::string bundleList(const fs::path& bundle) {
    checkBundle(bundle);
    std::string list;
    for (const std::string& name : filesOfBundle(bundle))
        list += sha256OfFile(bundle / name) + " *" + name + "\n";
    return list;
}

bool installWorker(const Place& place, const InstallOptions& options,
                   const std::function<void(const PlaceCheck&)>& found) {
    const std::string list = bundleList(options.bundle);
    const std::string name = options.version + "-" + hashOfText(list).substr(0, kHashDigits);
    bool good = true;
    const auto say = [&](const PlaceCheck& check) {
        good = good && check.state != InstallState::Failed;
        found(check);
    };
    try {
        const PlaceFacts facts = parseFacts(runAt(place, factsScript(place)).out);
        for (const PlaceCheck& check : checksOf(place, facts, static_cast<long long>(std::time(nullptr))))
            say(check);
        if (!good) // nothing is copied to where it cannot run
            return false;
        bringThere(place, options, list, pathAt(place, "worker/" + name), say);
        runOrFail(place,
                  {"sh", "-c", "cd \"$1\" && ln -sfn -- \"$2\" \".$3.new\" && mv -fT -- \".$3.new\" \"$3\"",
                   "headroom", pathAt(place, "worker"), name, options.version},
                  "The link to the new version could not be created");
        Place installed = place;
        installed.worker.clear();
        say(workerCheck(installed,
                        runAt(installed, workerAt(installed, {"--version"}), {}, std::chrono::seconds(60)),
                        facts, options.version));
        if (good && !place.worker.empty())
            say({InstallState::Remark, "Worker of the place", validText(place.worker),
                 "The place names a worker of its own, which is used instead. Clear the field Worker to use "
                 "this one."});
    } catch (const Error& error) {
        say({InstallState::Failed, "Install", {}, error.what()});
    }
    return good;
}

void removeWorker(const Place& place, const std::function<void(const PlaceCheck&)>& found) {
    // Only folders that hold the list are ours; then the links that lead nowhere.
    static const char* const script = R"sh(
cd "$1" 2>/dev/null || exit 0
for folder in */ .incoming-*/; do
  folder=${folder%/}
  if [ ! -L "$folder" ] && { [ -f "$folder/bundle.sha256" ] || [ "$folder" != "${folder#.incoming-}" ]; } && [ -d "$folder" ]; then
    rm -rf -- "$folder" || exit 1
    printf 'removed %s\n' "$folder"
  fi
done
for link in *; do
  if [ -L "$link" ] && [ ! -e "$link" ]; then rm -f -- "$link"; fi
done
here=${PWD##*/}
cd .. && rmdir -- "$here" 2>/dev/null || true
)sh";
    const Ended ended =
        runAt(place, {"sh", "-c", script, "headroom", pathAt(place, "worker")}, {}, std::chrono::minutes(2));
    if (ended.status != 0)
        throw Error("install.failed",
                    "The worker could not be removed at " + place.name + ": " + lastLineAsSentence(ended.err));
    bool any = false;
    const std::string mark = "removed ";
    for (std::size_t from = 0, end; (end = ended.out.find('\n', from)) != std::string::npos; from = end + 1)
        if (const std::string line = ended.out.substr(from, end - from); line.rfind(mark, 0) == 0) {
            found({InstallState::Passed, "Removed", validText(line.substr(mark.size())), {}});
            any = true;
        }
    if (!any)
        found({InstallState::Remark, "Removed", "nothing",
               "No worker was installed at " + place.name + " by this command."});
}

} // namespace headroom::training
