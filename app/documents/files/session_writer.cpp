// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/alignment_again.h"
#include "app/documents/files/session_file.h"
#include "app/documents/items/paths.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace headroom::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string relativeText(const fs::path& path, const fs::path& folder) {
    const auto relative = normalised(path).lexically_relative(folder);
    const auto text = (relative.empty() ? path : relative).generic_u8string();
    return std::string(text.begin(), text.end());
}

ordered_json fileEntry(const SessionDocument::FileEntry& entry, const fs::path& folder) {
    ordered_json value{{"path", relativeText(entry.path, folder)}};
    if (!entry.sha256.empty())
        value["sha256"] = entry.sha256;
    return value;
}

/// A name for a recording's file: letters and digits of any script, spaces, dots, minus; never empty, never a
/// path.
QString fileStem(const QString& name) {
    QString stem;
    for (const QChar character : name.simplified())
        stem += character.isLetterOrNumber() || QStringLiteral(" .-_").contains(character) ? character
                                                                                           : QLatin1Char('_');
    while (stem.startsWith(QLatin1Char('.')))
        stem.remove(0, 1);
    return stem.isEmpty() ? QStringLiteral("recording") : stem.left(100);
}

fs::path freeName(const fs::path& folder, const QString& name, std::set<fs::path>& taken) {
    for (int number = 1;; ++number) {
        const QString stem =
            number == 1 ? fileStem(name) : fileStem(name) + QStringLiteral(" %1").arg(number);
        const fs::path candidate = folder / toPath(stem + QStringLiteral(".wav"));
        std::error_code ignored;
        if (!fs::exists(candidate, ignored) && taken.insert(candidate).second)
            return candidate;
    }
}

/// Returns whether there is a file to copy. What cannot be read stays where it is, and its row says so; what is there must not be lost with
/// the folder that it lies in. Throws Error "session.unwritable".
bool copyFile(const fs::path& from, const fs::path& to) {
    if (!std::ifstream(from))
        return false;
    std::error_code failure, ignored;
    if (fs::copy_file(from, to, failure); !failure)
        return true;
    fs::remove(to, ignored); // a part of it
    throw Error("session.unwritable", from.string() + " could not be copied to " + to.parent_path().string() + ": " + failure.message() + ".",
                {{"file", to.string()}});
}

/// Copies the alignment of a recording from the folder of another session, which may go, such as that of an autosave. Empty: it lies
/// elsewhere, or is missing. Throws Error "session.unwritable".
fs::path takeAlignment(const SessionDocument::UtteranceEntry& entry, const fs::path& recordings, const fs::path& audio) {
    if (!entry.alignment)
        return {};
    const fs::path from = normalised(entry.alignment->path), there = from.parent_path();
    if (there == recordings || there.filename() != kRecordingsName || there.parent_path().extension() != kSessionSuffix)
        return {};
    const fs::path file = unusedName(fs::path(audio).replace_extension(from.extension()));
    return copyFile(from, file) ? file : fs::path();
}

/// Brings everything that was recorded here into `recordings/`: samples that are in no file yet, and files
/// that lie in another session's folder. Returns where each of them is now.
PlacedByRow writeRecordings(const fs::path& folder, const SessionDocument& document) {
    PlacedByRow placed;
    const fs::path recordings = folder / kRecordingsName;
    std::set<fs::path> taken;
    for (std::size_t i = 0; i < document.utterances.size(); ++i) {
        const auto& entry = document.utterances[i];
        if (!entry.recorded)
            continue;
        PlacedFiles files;
        if (entry.unsaved || normalised(entry.audio.path).parent_path() != recordings) {
            fs::create_directories(recordings);
            files.audio = freeName(recordings, entry.name, taken);
            if (entry.unsaved)
                saveWav(files.audio, entry.unsaved->samples, kModelSampleRate);
            else if (!copyFile(entry.audio.path, files.audio))
                continue; // it was missing when the session was opened
        }
        files.alignment = takeAlignment(entry, recordings, files.audio.empty() ? normalised(entry.audio.path) : files.audio);
        if (!files.audio.empty() || !files.alignment.empty())
            placed[i] = std::move(files);
    }
    return placed;
}

ordered_json currentJson(const SessionDocument& document) {
    return {{"utterance", document.currentUtterance},
            {"model", document.currentModel},
            {"layer", document.currentLayer},
            {"source", sourceText(document.source)}};
}

ordered_json toJson(const SessionDocument& document, const PlacedByRow& placed, const fs::path& folder) {
    ordered_json utterances = ordered_json::array(), models = ordered_json::array();
    for (std::size_t i = 0; i < document.utterances.size(); ++i) {
        const auto& entry = document.utterances[i];
        if (entry.text) {
            utterances.push_back({{"name", entry.name.toStdString()}, {"text", entry.text->toStdString()}});
            if (!entry.target.isEmpty())
                utterances.back()["target"] = entry.target.toStdString();
            continue;
        }
        auto audio = entry.audio;
        auto alignment = entry.alignment;
        if (const auto found = placed.find(i); found != placed.end()) {
            if (const fs::path& file = found->second.audio; !file.empty())
                audio = {file, hashOfFile(file)};
            if (!found->second.alignment.empty())
                alignment->path = found->second.alignment;
        }
        ordered_json value{{"name", entry.name.toStdString()}, {"audio", fileEntry(audio, folder)}};
        if (alignment)
            value["alignment"] = fileEntry(*alignment, folder);
        if (!entry.texts.transcript.isEmpty())
            value["transcript"] = entry.texts.transcript.toStdString();
        if (!entry.texts.translation.isEmpty())
            value["translation"] = entry.texts.translation.toStdString();
        if (entry.recorded)
            value["recorded"] = true;
        if (entry.part)
            value["part"] = {entry.part->start.value(), entry.part->end.value()};
        utterances.push_back(std::move(value));
    }
    for (const auto& entry : document.models) {
        ordered_json value{{"name", entry.name.toStdString()},
                           {"folder", relativeText(entry.folder, folder)}};
        if (!entry.sha256.empty())
            value["sha256"] = entry.sha256;
        value["enabled"] = entry.enabled;
        if (entry.colour)
            value["colour"] = *entry.colour;
        if (entry.mapsOf)
            value["mapsOf"] = *entry.mapsOf;
        if (entry.draft)
            value["draft"] = ordered_json::parse(canonicalText(*entry.draft));
        models.push_back(std::move(value));
    }
    const bool hasTexts = std::any_of(document.utterances.begin(), document.utterances.end(),
                                      [](const auto& entry) { return entry.text.has_value(); });
    const bool hasCorpusTexts = std::any_of(document.utterances.begin(), document.utterances.end(),
                                            [](const auto& entry) { return entry.texts != CorpusTexts(); });
    const bool hasAssignedMaps = std::any_of(document.models.begin(), document.models.end(),
                                             [](const auto& entry) { return entry.mapsOf.has_value(); });
    return {{"format", "headroom/session"},
            {"version", hasAssignedMaps ? kSessionVersion : hasCorpusTexts ? 3 : hasTexts ? 2 : 1},
            {"utterances", std::move(utterances)},
            {"models", std::move(models)},
            {"current", currentJson(document)},
            {"view", document.view}};
}

/// Makes the folder and returns what `write` returns. Throws Error "session.unwritable" with the folder.
template <typename Write> auto writing(const fs::path& folder, const Write& write) {
    try {
        fs::create_directories(folder);
        return write();
    } catch (const fs::filesystem_error& failure) {
        throw Error("session.unwritable",
                    folder.string() + " could not be written: " + failure.code().message() + ".",
                    {{"file", folder.string()}});
    } catch (const nlohmann::json::type_error&) {
        throw Error("session.unwritable",
                    folder.string() + " was not written: the name of a file in it is not UTF-8.",
                    {{"file", folder.string()}});
    }
}

} // namespace

PlacedByRow writeSession(const fs::path& given, const SessionDocument& document) {
    const fs::path folder = normalised(given);
    return writing(folder, [&] {
        auto placed = writeRecordings(folder, document);
        writeAtomically(folder / kSessionFileName, toJson(document, placed, folder).dump(2) + "\n",
                        "session.unwritable");
        std::error_code ignored;
        fs::remove(folder / kViewFileName, ignored); // it was of the session.json before
        return placed;
    });
}

PlacedByRow writeRecovery(const fs::path& given, const KeptChanges& changes) {
    const fs::path file = normalised(given), folder = file.parent_path();
    return writing(folder, [&] {
        auto placed = writeRecordings(folder, changes.document);
        const ordered_json kept{{"session", changes.ofSession}, {"changed", toJson(changes.document, placed, folder)}};
        writeAtomically(file, kept.dump(2) + "\n", "session.unwritable");
        return placed;
    });
}

void writeView(const fs::path& given, const SessionDocument& document, const std::string& ofSession) {
    const fs::path folder = normalised(given);
    writing(folder, [&] {
        const ordered_json kept{{"session", ofSession}, {"current", currentJson(document)}, {"view", document.view}};
        writeAtomically(folder / kViewFileName, kept.dump(2) + "\n", "session.unwritable");
    });
}

} // namespace headroom::app
