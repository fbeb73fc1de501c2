// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/dropped_file.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/files/session_file.h"
#include "app/documents/items/open_model.h"
#include "app/documents/items/paths.h"
#include "core/alignment/readers.h"
#include "core/audio/sound_endings.h"
#include "core/audio/unread_sound.h"
#include "core/model_folders/hub_cache.h"
#include "core/model_folders/model_kind.h"
#include "widgets/look/translate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

namespace headroom::app {

namespace {

QString lowerSuffix(const std::filesystem::path& path) {
    return toQString(path.extension()).toLower().mid(1);
}

/// Whether config.json describes a Hugging Face model, of whatever family: the worker knows the families, and says
/// what a folder is that it cannot open. A damaged one is a model folder too.
bool isHuggingFaceFolder(const std::filesystem::path& folder) {
    std::ifstream stream(folder / "config.json");
    if (!stream)
        return false;
    const auto config = nlohmann::json::parse(stream, nullptr, false);
    if (config.is_discarded())
        return isOnDisk(folder / "model.safetensors");
    return config.is_object() && config.value("model_type", nlohmann::json()).is_string();
}

bool isRecording(const std::filesystem::directory_entry& entry) {
    std::error_code ignored;
    return isNamedAsSound(entry.path()) && entry.is_regular_file(ignored);
}

/// The names of the folders in it that hold recordings.
QStringList foldersOfRecordings(const std::filesystem::path& folder) {
    std::error_code failure;
    std::vector<std::filesystem::path> folders;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (std::error_code ignored; entry->is_directory(ignored))
            folders.push_back(entry->path());
    std::sort(folders.begin(), folders.end());
    QStringList names;
    for (const std::filesystem::path& inner : folders) {
        std::error_code unreadable;
        for (std::filesystem::directory_iterator entry(inner, unreadable), end; !unreadable && entry != end;
             entry.increment(unreadable))
            if (isRecording(*entry)) {
                names << toQString(inner.filename());
                break;
            }
    }
    return names;
}

/// That the folders in it were not opened with it, as one sentence.
QString notOpenedWith(const std::filesystem::path& folder, const QStringList& inner) {
    const QString where = toQString(folder.filename());
    if (inner.size() == 1)
        return tr("Only the recordings directly in %1 were opened, not those in its folder “%2”. Open that one too if you need them.")
            .arg(where, inner.front());
    const QString which = inner.size() == 2 ? tr("“%1” and “%2”").arg(inner[0], inner[1])
                                            : tr("“%1” and %2 more").arg(inner.front()).arg(inner.size() - 1);
    return tr("Only the recordings directly in %1 were opened, not those in its folders %2. Open these too if you need them.").arg(where, which);
}

/// What a folder has beside its recordings that holds sound and cannot be read, as one sentence; empty: no
/// such file. One whose sound was extracted (talk.mp4 beside talk.wav) is not meant.
QString unreadSoundIn(const std::filesystem::path& folder, const std::vector<DroppedFile>& found) {
    std::set<std::filesystem::path> stems;
    for (const DroppedFile& file : found)
        stems.insert(file.path.stem());
    QStringList names;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (std::error_code ignored; isUnreadSound(entry->path()) && !stems.contains(entry->path().stem()) &&
                                     entry->is_regular_file(ignored))
            names << toQString(entry->path().filename());
    if (names.isEmpty())
        return {};
    names.sort();
    const QString where = toQString(folder.filename());
    if (names.size() == 1)
        return tr("%1 in %2 is a video, or audio in a video format, and cannot be read. Extract the audio as "
                  "WAV or FLAC first, for example with ffmpeg.")
            .arg(names.front(), where);
    const QString which = names.size() == 2
                              ? names.join(tr(" and "))
                              : tr("%1 and %2 more files").arg(names.front()).arg(names.size() - 1);
    return tr("%1 in %2 are videos, or audio in video formats, and cannot be read. Extract the audio as WAV or "
              "FLAC first, for example with ffmpeg.")
        .arg(which, where);
}

std::vector<DroppedFile> classifyFolder(const std::filesystem::path& folder) {
    if (lowerSuffix(folder) == QLatin1String("headroom") || isOnDisk(folder / kSessionFileName))
        return {{DroppedFile::Kind::Session, folder, {}}};
    if (isOnDisk(folder / "architecture.json") || isHuggingFaceFolder(folder) || isRepository(folder))
        return {{DroppedFile::Kind::Model, folder, {}}};
    std::vector<DroppedFile> found;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (isRecording(*entry))
            found.push_back({DroppedFile::Kind::Audio, entry->path(), {}});
    if (holdsMaps(folder)) // beside its recordings, or alone
        found.push_back({DroppedFile::Kind::Model, folder, {}});
    std::sort(found.begin(), found.end(),
              [](const DroppedFile& a, const DroppedFile& b) { return a.path < b.path; });
    // What the worker refuses with a sentence of its own: an adapter, a pipeline, weights of another program.
    if (found.empty() &&
        (isOnDisk(folder / "adapter_config.json") || isOnDisk(folder / "model_index.json") ||
         !onlyArchive(folder).empty() || isOnDisk(folder / "config.yaml") || !otherFormat(folder).empty()))
        return {{DroppedFile::Kind::Model, folder, {}}};
    const QStringList inner = foldersOfRecordings(folder);
    if (found.empty() && !inner.isEmpty())
        return {{DroppedFile::Kind::Unknown, folder,
                 tr("%1 itself contains no recording, but its folder “%2” does. Open that one.")
                     .arg(toQString(folder.filename()), inner.front())}};
    if (const QString unread = unreadSoundIn(folder, found); !unread.isEmpty())
        found.push_back({DroppedFile::Kind::Unknown, folder, unread});
    if (!found.empty() && found.front().kind == DroppedFile::Kind::Audio && !inner.isEmpty())
        found.push_back({DroppedFile::Kind::Unknown, folder, notOpenedWith(folder, inner)});
    if (found.empty())
        return {{DroppedFile::Kind::Unknown, folder,
                 tr("%1 contains no recording and is neither a model (architecture.json, or config.json of "
                    "a Hugging Face model) nor a session (session.json).")
                     .arg(toQString(folder.filename()))}};
    return found;
}

} // namespace

std::vector<DroppedFile> classify(const std::filesystem::path& given) {
    const auto path = normalised(given);
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure))
        return classifyFolder(path);
    if (!isOnDisk(path))
        return {{DroppedFile::Kind::Unknown, path, tr("The file %1 does not exist.").arg(toQString(path))}};
    if (path.filename() == kSessionFileName)
        return {{DroppedFile::Kind::Session, path.parent_path(), {}}};
    if (looksLikeAlignment(path))
        return {{DroppedFile::Kind::Alignment, path, {}}};
    if (const QString suffix = lowerSuffix(path); suffix == QLatin1String("tsv") || suffix == QLatin1String("csv"))
        return {{DroppedFile::Kind::Unknown, path,
                 tr("%1 lists the recordings of a corpus; it is neither a recording nor an alignment. Open the recordings themselves, "
                    "or import the corpus in Train.")
                     .arg(toQString(path.filename()))}};
    if (lowerSuffix(path) == QLatin1String("txt"))
        return {{DroppedFile::Kind::Text, path, {}}};
    const bool isAdapter =
        lowerSuffix(path) == QLatin1String("safetensors"); // of a language, if there is a model
    if (lowerSuffix(path) == QLatin1String("npz") ||
        (standsForItself(path) && (!isAdapter || isHuggingFaceFolder(path.parent_path()))))
        return {{DroppedFile::Kind::Model, path, {}}};
    // A file of a model folder stands for its folder: people drop model.safetensors.
    for (const char* name : {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "config.json",
                             "architecture.json", "config.yaml"})
        if (path.filename() == name) {
            const auto folder = classifyFolder(path.parent_path());
            if (folder.front().kind == DroppedFile::Kind::Model)
                return folder;
        }
    return {{DroppedFile::Kind::Audio, path, {}}};
}

} // namespace headroom::app
