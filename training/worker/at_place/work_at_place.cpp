// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/scratch_folder.h"
#include "training/worker/work_at_place.h"

#include "core/places/run_place.h"
#include "core/runs/file_lock.h"
#include "core/runs/strict_json.h"
#include "core/studies/study.h"
#include "core/tensors/sha256.h"
#include "training/places/connection.h"
#include "training/places/copy_there.h"
#include "training/places/watch_work.h"
#include "training/studies/study_claim.h"
#include "training/worker/place_runs.h"
#include "training/worker/recordings.h"
#include "training/worker/termination.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <set>
#include <unistd.h>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

fs::path wholePath(const fs::path& path) {
    const fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

std::string hashOf(const std::string& text) {
    return sha256OfBytes(std::as_bytes(std::span(text.data(), text.size()))).substr(0, 12);
}

/// Folders there, for the options whose values are paths here; "" for a file that stands for its folder.
const std::map<std::string, std::string> kInputs{{"--model", "models"},          {"--draft", "data"}, {"--data", "data"},
                                                 {"--maps", "data"},             {"--audio", "data"}, {"--language-model", "models"},
                                                 {"--subtract", "models"}, {"--glm", "data"},
                                                 {"--arpa", "data"}, {"--only-words", "data"}, {"--only-pieces", "data"}};
/// Said by this end, or meant for it.
const std::set<std::string> kOwn{"--place", "--json", "--out", "--resume", "--help"};

using UsedFiles = std::function<std::vector<std::string>(const fs::path& corpus)>;

/// What of a corpus the command reads. A study without a split takes one of the usual ones.
UsedFiles usedBy(const CLI::App& command) {
    const auto value = [&](const char* name) {
        const CLI::Option* option = command.get_option_no_throw(name);
        return option && option->count() > 0 ? option->as<std::string>() : std::string();
    };
    const std::string task = value("--task"), split = value("--split");
    std::set<std::string> splits{"test", "tst-COMMON", "dev"};
    if (!split.empty())
        splits = {split};
    return [task, splits](const fs::path& corpus) { return usedFilesOfTask(corpus, task, splits); };
}

/// Brings inputs of a command there, each once.
class Inputs {
public:
    /// `out`: the results' folder, whose control.json may ask to stop.
    Inputs(const Place& place, fs::path out, Console& console) : m_place(place), m_out(std::move(out)), m_console(console) {}

    /// Returns the path there of a folder or a file here. `used`: which files of a folder are needed; empty, or an empty answer: all.
    std::string bring(const fs::path& path, const std::string& kind, const UsedFiles& used = {}) {
        if (fs::is_directory(path)) {
            FolderThere folder = findThere(m_place, path, kind);
            if (!folder.isThere && used)
                folder.only = used(folder.here);
            return copyThere(m_place, folder, progress(), terminationFlag());
        }
        if (path.extension() == ".tsv") // its paths are relative to its folder
            return bring(path.parent_path(), kind, used) + "/" + path.filename().string();
        return bringFiles({path}, kind).front();
    }
    /// Files of several folders, each with those that have its stem: a recording with its alignment.
    std::vector<std::string> bringFiles(const std::vector<fs::path>& files, const std::string& kind) {
        std::vector<std::string> there;
        if (!m_place.isRemote()) {
            for (const fs::path& file : files)
                there.push_back(file.string());
            return there;
        }
        Stage stage;
        for (const fs::path& file : files)
            there.push_back(stage.add(file));
        // Not looked for in this place: the links are gone when this returns.
        const std::string folder = pathAt(m_place, kind + "/files-" + tablesHash(stage.folder).substr(0, 12));
        if (const Ended made = runAt(m_place, {"mkdir", "-p", "--", folder}); made.status != 0)
            refuseFolder(m_place, folder, made.err);
        copyFolder(m_place, stage.folder, folder, "the recordings", progress(), terminationFlag());
        for (std::string& name : there)
            name = folder + "/" + name;
        for (const auto& entry : fs::directory_iterator(stage.folder))
            m_files[folder + "/" + entry.path().filename().string()] = fs::read_symlink(entry.path()).string();
        return there;
    }

    /// Single files that were brought, there → here.
    const std::map<std::string, std::string>& files() const { return m_files; }

private:
    /// A folder of links, which rsync copies as the files that they point at.
    struct Stage {
        Stage() { fs::create_directory(folder); }
        std::string add(const fs::path& file) {
            std::string prefix; // two recordings may have one name
            for (int n = 2; fs::is_symlink(folder / (prefix + file.filename().string())); ++n)
                prefix = std::to_string(n) + "-";
            fs::create_symlink(file, folder / (prefix + file.filename().string()));
            std::error_code ignored;
            for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored)) {
                const std::string name = prefix + entry.path().filename().string();
                if (entry.path().stem() == file.stem() && entry.is_regular_file(ignored) && !fs::is_symlink(folder / name))
                    fs::create_symlink(entry.path(), folder / name);
            }
            return prefix + file.filename().string();
        }
        ScratchFolder top{"headroom-files", "copy.failed"};
        fs::path folder = top.path() / "files"; // its name is that of the copy
    };

    CopyProgress progress() {
        return [this](double share, const std::string& what) {
            if (studyWasAskedToStop(m_out))
                throw Error("copy.stopped", "Copying to " + m_place.name + " was stopped; what is there is kept.");
            const int percent = static_cast<int>(share * 100);
            if (!m_console.isTerminal() && percent / 10 == m_shown)
                return; // a line for each tenth
            m_shown = percent / 10;
            m_console.progress(static_cast<std::int64_t>(share * 100), 100, "per cent of " + what + " are at " + m_place.name);
        };
    }

    const Place& m_place;
    fs::path m_out;
    Console& m_console;
    int m_shown = -1; ///< tenths
    std::map<std::string, std::string> m_files;
};

/// The command line of the parsed options for the worker there; inputs are copied.
WorkCommand commandThere(const CLI::App& command, const RunPlace& where, const fs::path& out, Console& console) {
    WorkCommand there;
    there.words.push_back(command.get_name());
    Inputs inputs(where.place, out, console);
    const auto addPath = [&](const std::string& at, const fs::path& here) {
        there.paths[there.words.size()] = here.string();
        there.words.push_back(at);
    };
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_positional() ? std::string() : option->get_name();
        if (option->count() == 0 || kOwn.contains(name))
            continue;
        if (!name.empty())
            there.words.push_back(name);
        if (option->get_items_expected_max() == 0) // a flag
            continue;
        const auto kind = kInputs.find(name);
        if (name == "--audio") {
            std::vector<fs::path> files;
            for (const std::string& value : option->results())
                files.push_back(wholePath(value));
            const std::vector<std::string> at = inputs.bringFiles(files, kind->second);
            for (std::size_t i = 0; i < at.size(); ++i)
                addPath(at[i], files[i]);
            continue;
        }
        for (const std::string& value : option->results()) {
            std::error_code ignored;
            if (kind != kInputs.end() && fs::exists(value, ignored))
                addPath(inputs.bring(wholePath(value), kind->second, name == "--data" ? usedBy(command) : UsedFiles()), wholePath(value));
            else if (kind != kInputs.end() && name != "--subtract") // which may be a word
                throw Error("input.missing", value + " was not found.", {{"path", value}});
            else
                there.words.push_back(value);
        }
    }
    if (command.count("--device") == 0) {
        there.words.emplace_back("--device");
        there.words.push_back(deviceOfProcess(where.place));
    }
    there.words.push_back("--out");
    addPath(where.folder + "/out", out);
    there.beside = inputs.files();
    return there;
}

/// Where the results of the folder are computed: as it says itself, else at the place that was named.
RunPlace placeOfWork(const PlacedWork& work, const fs::path& out) {
    if (auto known = readRunPlace(out)) {
        const bool goesOn = known->contact != RunPlace::Contact::Ended;
        if (goesOn && !work.place.empty() && known->begun && work.place != known->place.name)
            throw Error("work.otherPlace", out.string() + " is computed at " + known->place.name + ", not at " + work.place + ".");
        if ((goesOn && known->begun) || work.resume)
            return *known;
    }
    if (work.place.empty())
        throw Error("place.unknown", out.string() + " does not say where it was computed.");
    RunPlace place;
    place.place = findPlace(readPlaces(placesFile()), work.place);
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    place.folder = pathAt(place.place, "work/" + hashOf(host + out.string()) + "-" + std::to_string(::getpid()) + utcNow().substr(17, 2));
    return place;
}

bool askedToStop(const fs::path& out) {
    return terminationFlag().load() || studyWasAskedToStop(out);
}

} // namespace

bool isAtPlace(const PlacedWork& work) {
    if (!work.place.empty())
        return work.place != kThisMachine;
    try {
        const auto known = readRunPlace(wholePath(work.out));
        return known && (work.resume || known->contact != RunPlace::Contact::Ended);
    } catch (const Error&) {
        return true; // workAtPlace() says what is wrong with it
    }
}

void workAtPlace(const PlacedWork& work, const CLI::App& command, Console& console) {
    const fs::path out = wholePath(work.out);
    const bool isStudy = command.get_name() == "study";
    RunPlace where = placeOfWork(work, out);
    catchTermination();
    std::optional<StudyClaim> claim; // readers see that the study goes on
    if (isStudy)
        claim.emplace(out);
    else
        makeFolder(out);
    std::error_code ignored;
    fs::remove(StudyPaths{out}.control(), ignored); // from an earlier life
    WorkCommand there;
    if (!where.begun) {
        where.since = utcNow();
        writeRunPlace(out, where);
        there = commandThere(command, where, out, console);
    }
    there.resume = work.resume;
    WorkWatch::Hooks hooks;
    hooks.stop = [&] { return askedToStop(out); };
    hooks.note = [&](const std::string& sentence) { console.note(sentence); };
    const bool json = command.count("--json") > 0;
    hooks.output = [&](std::string_view text) {
        if (!json)
            std::cout << text << std::flush;
    };
    hooks.errors = [](std::string_view text) { std::cerr << text << std::flush; };
    std::optional<int> status;
    try {
        status = WorkWatch(out, where, hooks).watch(there);
    } catch (const Error& error) {
        if (error.code() != "work.ended" || !terminationFlag().load())
            throw;
        console.note(error.what()); // a job that waited was taken back, as it was wanted
        console.ended(terminationStatus());
        return;
    }
    if (!status) {
        console.note("The connection is lost, so " + where.place.name + " could not be asked to stop; it goes on there. The same command finds it again.");
        console.ended(terminationStatus());
        return;
    }
    fs::remove(StudyPaths{out}.control(), ignored);
    console.ended(terminationStatus() ? terminationStatus() : *status);
    if (json && fs::exists(out / work.document, ignored))
        console.document(readStrictObject(out / work.document, "output.unreadable"));
    // Nothing is left there but what was copied for other commands; a study that was stopped needs its folder.
    if (*status == 0 && !terminationFlag().load() && (!isStudy || readStudy(out).state == RunState::Finished))
        runAt(where.place, {"rm", "-rf", "--", where.folder});
}

} // namespace headroom::training
