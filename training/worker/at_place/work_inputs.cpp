// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/at_place/work_inputs.h"

#include "core/commands/worker_commands.h"
#include "core/errors/whole_path.h"
#include "core/runs/run_folder.h"
#include "core/studies/settings.h"
#include "core/tensors/scratch_folder.h"
#include "training/loop/average_checkpoints.h"
#include "training/loop/checkpoint.h"
#include "training/places/connection.h"
#include "training/places/copy_there.h"
#include "training/worker/at_place/copy_report.h"
#include "training/worker/termination.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

/// Folders there, for the options whose values are paths here; "" for a file that stands for its folder.
const std::map<std::string, std::string> kInputs{{"--model", "models"},          {"--draft", "data"}, {"--data", "data"},
                                                 {"--maps", "data"},             {"--language-model", "models"},
                                                 {"--subtract", "models"}, {"--glm", "data"},
                                                 {"--arpa", "data"}, {"--only-words", "data"}, {"--only-pieces", "data"}};
/// Also paths here, which go there together; recordings first, whose names count.
const std::array<std::string, 2> kRecordings{"--audio", "--alignment"};
/// Said by this end, or meant for it.
const std::set<std::string> kOwn{"--place", "--leave", "--json", "--out", "--resume", "--help"};
constexpr const char* kCopyFailed = "copy.failed";

using UsedFiles = std::function<std::vector<std::string>(const fs::path& corpus)>;

std::string valueOf(const CLI::App& command, const char* name) {
    const CLI::Option* option = command.get_option_no_throw(name);
    return option && option->count() > 0 ? option->as<std::string>() : std::string();
}

/// What of a corpus the command reads. A study without a split takes one of the usual ones.
UsedFiles usedBy(const CLI::App& command) {
    const std::string task = valueOf(command, "--task"), split = valueOf(command, "--split");
    std::set<std::string> splits{"test", "tst-COMMON", "dev"};
    if (!split.empty())
        splits = {split};
    return [task, splits](const fs::path& corpus) { return usedFilesOfTask(corpus, task, splits); };
}

/// Who uses a copied checkpoint: the results of one folder of one machine, in every attempt.
std::string userOf(const RunPlace& where) {
    const std::string name = fs::path(where.folder).filename().string();
    return name.substr(0, name.find('-'));
}

/// Throws Error "input.missing".
[[noreturn]] void refuseMissing(const std::string& value) {
    throw Error("input.missing", value + " was not found.", {{"path", value}});
}

/// One that is gone is named there as here: the study says that it was not found.
bool isAlignmentFile(const std::string& value) {
    std::error_code ignored;
    return value != kNoAlignment && fs::is_regular_file(value, ignored);
}

/// The value of `--set KEY=VALUE`; empty: the words are something else.
std::string settingOf(const std::string& key, const std::string& option, const std::string& value) {
    nlohmann::json settings = nlohmann::json::object();
    if (option != "--set" || !value.starts_with(key + "="))
        return {};
    setStudySetting(settings, value);
    return settings.at(key).is_string() ? settings.at(key).get<std::string>() : std::string();
}

/// A setting that is a path.
struct PathSetting {
    std::string key;
    fs::path path; ///< whole; empty: there is none
};

/// The file that `--set phoneMap=FILE` names, or the study that `--set reference=FOLDER` does.
PathSetting pathSettingOf(const std::string& option, const std::string& value) {
    std::error_code ignored;
    if (const std::string map = settingOf("phoneMap", option, value); fs::is_regular_file(map, ignored))
        return {"phoneMap", wholePath(map)};
    const std::string reference = settingOf("reference", option, value);
    if (reference.empty() || reference.starts_with("model ")) // of the study itself
        return {};
    if (!fs::is_directory(reference, ignored))
        throw Error("input.missing", "The reference " + reference + " was not found.", {{"path", reference}});
    return {"reference", wholePath(reference)};
}

/// Brings inputs of a command there, each once.
class Inputs {
public:
    Inputs(RunPlace& where, const fs::path& out, const std::function<bool()>& stop, Console& console)
        : m_place(where.place)
        , m_user(userOf(where))
        , m_stop(stop)
        , m_console(console)
        , m_report(out, where, m_output) {
        m_output.progress = [this](const std::string&, std::int64_t done, std::int64_t total, const std::string& what) {
            if (!m_console.isTerminal() && done / 10 == m_shown)
                return; // a line for each tenth
            m_shown = done / 10;
            m_console.progress(done, total, what);
        };
    }
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;

    /// Returns the path there of a folder or a file here. `used`: which files of a folder are needed; empty, or an empty answer: all.
    std::string bring(const fs::path& path, const std::string& kind, const UsedFiles& used = {}) {
        if (fs::is_directory(path)) {
            FolderThere folder = findThere(m_place, path, kind);
            if (!folder.isThere && used)
                folder.only = used(folder.here);
            return copyThere(m_place, folder, progress(), terminationFlag(), rate());
        }
        if (path.extension() == ".tsv") // its paths are relative to its folder
            return bring(path.parent_path(), kind, used) + "/" + path.filename().string();
        return bringFiles({path}, kind).front();
    }
    /// The same for a path that a setting names.
    std::string bringNamed(const fs::path& path) {
        if (!fs::is_directory(path))
            return bringFiles({path}, "data").front();
        const std::string there = bring(path, "data");
        m_files[there] = path.string();
        return there;
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
        const std::string folder = copyLinks(stage.folder, kind + "/files-" + tablesHash(stage.folder).substr(0, 12), "the recordings");
        for (std::string& name : there)
            name = folder + "/" + name;
        for (const auto& entry : fs::directory_iterator(stage.folder))
            m_files[folder + "/" + entry.path().filename().string()] = fs::read_symlink(entry.path()).string();
        return there;
    }
    /// The model of a run, with what else `--checkpoint` reads of its folder.
    std::string bringCheckpoint(const fs::path& model, const std::string& which) {
        const fs::path run = runOfModel(model);
        const RunPaths paths{run};
        const auto files = checkpointFiles(paths, false);
        std::error_code missing;
        const fs::path file = which == "best" ? fs::canonical(paths.checkpoints() / "best.safetensors", missing)
                              : files.empty() ? fs::path()
                                              : files.back();
        if (file.empty())
            throw Error("experiment.checkpoints", "The run " + run.string() + " has no " + which + " checkpoint.", {{"run", run.string()}});
        if (!m_place.isRemote())
            return model.string();
        const ScratchFolder top("headroom-run", kCopyFailed);
        const fs::path staged = top.path() / run.filename();
        const RunPaths links{staged};
        fs::create_directories(links.checkpoints());
        for (const auto& [from, to] : {std::pair(paths.run(), links.run()), std::pair(paths.architecture(), links.architecture()),
                                       std::pair(paths.model(), links.model()), std::pair(file, links.checkpoints() / file.filename())})
            fs::create_symlink(from, to);
        if (which == "best") // a link within the folder stays one
            fs::create_symlink(file.filename(), links.checkpoints() / "best.safetensors");
        const std::string copy = "models/checkpoints-" + tablesHash(staged).substr(0, 12);
        if (const Ended kept = runAt(m_place, {"sh", "-c", "mkdir -p -- \"$1/.used\" && : > \"$1/.used/$2\"", "headroom", pathAt(m_place, copy), m_user});
            kept.status != 0)
            refuseFolder(m_place, pathAt(m_place, copy), kept.err);
        return copyLinks(staged, copy + "/" + run.filename().string(), "the " + which + " checkpoint") +
               "/" + links.model().filename().string();
    }

    /// Single files, and what settings name, there → here.
    const std::map<std::string, std::string>& files() const { return m_files; }

private:
    /// A folder of links, which rsync copies as the files that they point at.
    struct Stage {
        Stage() { fs::create_directory(folder); }
        std::string add(const fs::path& file) {
            std::string prefix; // two recordings may have one name
            for (int n = 2; fs::is_symlink(folder / (prefix + file.filename().string())); ++n) {
                if (fs::read_symlink(folder / (prefix + file.filename().string())) == file) // came with another one
                    return prefix + file.filename().string();
                prefix = std::to_string(n) + "-";
            }
            fs::create_symlink(file, folder / (prefix + file.filename().string()));
            std::error_code ignored;
            for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored)) {
                const std::string name = prefix + entry.path().filename().string();
                if (entry.path().stem() == file.stem() && entry.is_regular_file(ignored) && !fs::is_symlink(folder / name))
                    fs::create_symlink(entry.path(), folder / name);
            }
            return prefix + file.filename().string();
        }
        ScratchFolder top{"headroom-files", kCopyFailed};
        fs::path folder = top.path() / "files"; // its name is that of the copy
    };

    /// Copies what a folder of links names to a folder below the place's own, and returns its path there. It is not looked for where it is
    /// here: the links are gone when the command begins.
    std::string copyLinks(const fs::path& folder, const std::string& below, const std::string& name) {
        const std::string there = pathAt(m_place, below);
        if (const Ended made = runAt(m_place, {"mkdir", "-p", "--", there}); made.status != 0)
            refuseFolder(m_place, there, made.err);
        copyFolder(m_place, folder, there, name, progress(), terminationFlag(), rate());
        return there;
    }
    CopyProgress progress() {
        return [this](double share, const std::string& what) {
            if (m_stop())
                throw Error("copy.stopped", "Copying to " + m_place.name + " was stopped. Files already copied are kept.");
            m_report.progress(share, what);
        };
    }
    CopyRate rate() {
        return [this](double bytesPerSecond, double secondsLeft) { m_report.rate(bytesPerSecond, secondsLeft); };
    }

    const Place m_place;
    const std::string m_user;
    const std::function<bool()>& m_stop;
    Console& m_console;
    PlaceOutput m_output;
    CopyReport m_report;
    std::int64_t m_shown = -1; ///< tenths
    std::map<std::string, std::string> m_files; ///< files()
};

} // namespace

void clearThere(const RunPlace& where) {
    // A copy that is moved away before it is removed is never found half there.
    runAt(where.place, {"sh", "-c",
                        "rm -rf -- \"$1\"; cd -- \"$2\" 2>/dev/null || exit 0; for used in checkpoints-*/.used/\"$3\"; do [ -e \"$used\" ] || continue; "
                        "copy=${used%%/*}; rm -f -- \"$used\"; rmdir -- \"$copy/.used\" 2>/dev/null || continue; "
                        "rm -rf -- \".gone-$copy\"; mv -- \"$copy\" \".gone-$copy\" && rm -rf -- \".gone-$copy\"; done",
                        "headroom", where.folder, pathAt(where.place, "models"), userOf(where)});
}

WorkCommand commandThere(const CLI::App& command, RunPlace& where, const fs::path& out, const std::function<bool()>& stop, Console& console) {
    WorkCommand there;
    there.words.push_back(command.get_name());
    Inputs inputs(where, out, stop, console);
    const std::string checkpoint = valueOf(command, "--checkpoint");
    const auto addPath = [&](const std::string& at, const fs::path& here) {
        there.paths[there.words.size()] = here.string();
        there.words.push_back(at);
    };
    // An alignment may lie beside its recording.
    std::map<fs::path, std::string> recordingsThere;
    const auto recordings = [&](const std::string& wanted) {
        if (recordingsThere.empty()) {
            std::vector<fs::path> files;
            for (const std::string& from : kRecordings)
                if (const CLI::Option* option = command.get_option_no_throw(from))
                    for (const std::string& value : option->results()) {
                        if (from != "--alignment" || isAlignmentFile(value))
                            files.push_back(wholePath(value));
                    }
            const std::vector<std::string> at = inputs.bringFiles(files, "data");
            for (std::size_t i = 0; i < at.size(); ++i)
                recordingsThere[files[i]] = at[i];
        }
        return recordingsThere.at(wholePath(wanted));
    };
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_positional() ? std::string() : option->get_name();
        if (option->count() == 0 || kOwn.contains(name))
            continue;
        if (name == "--text" || name == "--id" || name == "--name") { // as StudyOptions writes them
            for (const std::string& value : option->results())
                there.words.push_back(name + "=" + value);
            continue;
        }
        if (!name.empty())
            there.words.push_back(name);
        if (option->get_items_expected_max() == 0) // a flag
            continue;
        const auto kind = kInputs.find(name);
        if (std::find(kRecordings.begin(), kRecordings.end(), name) != kRecordings.end()) {
            for (const std::string& value : option->results())
                if (name == "--alignment" && !isAlignmentFile(value))
                    there.words.push_back(value == kNoAlignment ? value : wholePath(value).string());
                else
                    addPath(recordings(value), wholePath(value));
            continue;
        }
        for (const std::string& value : option->results()) {
            std::error_code ignored;
            const fs::path here = wholePath(value);
            if (name == "--model" && !checkpoint.empty())
                addPath(inputs.bringCheckpoint(here, checkpoint), here);
            else if (const PathSetting setting = pathSettingOf(name, value); !setting.path.empty())
                there.words.push_back(setting.key + "=" + nlohmann::json(inputs.bringNamed(setting.path)).dump());
            else if (kind != kInputs.end() && fs::exists(value, ignored))
                addPath(inputs.bring(here, kind->second, name == "--data" ? usedBy(command) : UsedFiles()), here);
            else if (kind != kInputs.end() && name != "--subtract") // which may be a word
                refuseMissing(value);
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

} // namespace headroom::training
