// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/session_file.h"

#include "app/documents/items/paths.h"
#include "core/tensors/sha256.h"
#include "core/text/tokenizer.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace headroom::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t kLargestFile = 64u << 20; // a session names files; one larger than this is none

/// Reads one object strictly: every key is asked for exactly once, what is left over is unknown.
class SessionReader {
public:
    SessionReader(const json& object, std::string place, const std::string& file)
        : m_object(object)
        , m_place(std::move(place))
        , m_file(file) {
        if (!object.is_object())
            fail(m_place, "is no object");
    }

    [[noreturn]] void fail(const std::string& place, const std::string& what) const {
        throw Error("session.badKey",
                    m_file + ": " + (place.empty() ? "the document" : place) + " " + what + ".",
                    {{"file", m_file}, {"place", place}});
    }
    std::string placeOf(const std::string& key) const { return m_place.empty() ? key : m_place + "." + key; }

    const json* optional(const std::string& key) {
        const auto found = m_object.find(key);
        if (found == m_object.end())
            return nullptr;
        m_known.push_back(key);
        return &*found;
    }
    const json& required(const std::string& key) {
        if (const json* value = optional(key))
            return *value;
        fail(placeOf(key), "is missing");
    }
    std::string text(const std::string& key) {
        const json& value = required(key);
        if (!value.is_string())
            fail(placeOf(key), "is no text");
        return value.get<std::string>();
    }
    bool flag(const std::string& key, bool otherwise) {
        const json* value = optional(key);
        if (value && !value->is_boolean())
            fail(placeOf(key), "is neither true nor false");
        return value ? value->get<bool>() : otherwise;
    }
    int index(const std::string& key, int least, std::size_t end) {
        const json& value = required(key);
        if (!value.is_number_integer() || value < least || value >= static_cast<std::int64_t>(end))
            fail(placeOf(key), "is " + value.dump() + ", outside " + std::to_string(least) + " … " +
                                   std::to_string(static_cast<std::int64_t>(end) - 1));
        return value.get<int>();
    }
    const json& list(const std::string& key) {
        const json& value = required(key);
        if (!value.is_array())
            fail(placeOf(key), "is no list");
        return value;
    }
    void done() const {
        if (m_known.size() == m_object.size())
            return;
        for (const auto& [key, value] : m_object.items())
            if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
                fail(placeOf(key), "is not known in version " + std::to_string(kSessionVersion));
    }

private:
    const json& m_object;
    std::string m_place;
    const std::string& m_file;
    std::vector<std::string> m_known;
};

SessionDocument::FileEntry readFileEntry(const json& value, const std::string& place, const std::string& file,
                                         const fs::path& folder) {
    SessionReader reader(value, place, file);
    SessionDocument::FileEntry entry;
    const std::string path = reader.text("path");
    if (path.empty())
        reader.fail(reader.placeOf("path"), "is empty");
    entry.path = normalised(folder / fs::path(std::u8string(path.begin(), path.end())));
    if (value.contains("sha256"))
        entry.sha256 = reader.text("sha256");
    reader.done();
    return entry;
}

SessionDocument::UtteranceEntry readUtterance(const json& value, const std::string& place,
                                              const std::string& file, const fs::path& folder, int version) {
    SessionReader reader(value, place, file);
    SessionDocument::UtteranceEntry entry;
    entry.name = QString::fromStdString(reader.text("name"));
    if (version >= 2 && value.contains("text")) {
        entry.text = QString::fromStdString(reader.text("text"));
        if (value.contains("target"))
            entry.target = QString::fromStdString(reader.text("target"));
        reader.done();
        return entry;
    }
    entry.audio = readFileEntry(reader.required("audio"), reader.placeOf("audio"), file, folder);
    if (const json* alignment = reader.optional("alignment"))
        entry.alignment = readFileEntry(*alignment, reader.placeOf("alignment"), file, folder);
    if (version >= 3)
        for (const auto& [key, text] : {std::pair{"transcript", &entry.texts.transcript}, std::pair{"translation", &entry.texts.translation}})
            if (value.contains(key))
                *text = QString::fromStdString(reader.text(key));
    entry.recorded = reader.flag("recorded", false);
    if (const json* part = reader.optional("part")) {
        const bool pair =
            part->is_array() && part->size() == 2 && (*part)[0].is_number() && (*part)[1].is_number();
        if (!pair || !((*part)[0].get<double>() >= 0 && (*part)[1].get<double>() > (*part)[0].get<double>()))
            reader.fail(reader.placeOf("part"), "is no pair of seconds, start before end");
        entry.part = Part{Seconds((*part)[0].get<double>()), Seconds((*part)[1].get<double>())};
    }
    reader.done();
    return entry;
}

/// `utterances`: how many there are.
SessionDocument::ModelEntry readModel(const json& value, const std::string& place, const std::string& file,
                                      const fs::path& folder, int version, std::size_t utterances) {
    SessionReader reader(value, place, file);
    SessionDocument::ModelEntry entry;
    entry.name = QString::fromStdString(reader.text("name"));
    const std::string path = reader.text("folder");
    if (path.empty())
        reader.fail(reader.placeOf("folder"), "is empty");
    entry.folder = normalised(folder / fs::path(std::u8string(path.begin(), path.end())));
    entry.enabled = reader.flag("enabled", true);
    if (value.contains("colour"))
        entry.colour = reader.index("colour", 0, kModelStyles);
    if (version >= 4 && value.contains("mapsOf"))
        entry.mapsOf = reader.index("mapsOf", 0, utterances);
    if (const json* hashes = reader.optional("sha256")) {
        if (!hashes->is_object())
            reader.fail(reader.placeOf("sha256"), "is no object");
        for (const auto& [name, hash] : hashes->items()) {
            if (!hash.is_string())
                reader.fail(reader.placeOf("sha256." + name), "is no text");
            entry.sha256[name] = hash.get<std::string>();
        }
    }
    if (const json* draft = reader.optional("draft"))
        try {
            entry.draft = parseArchitecture(draft->dump(), file + ": " + reader.placeOf("draft"));
        } catch (const Error& failure) { // no reason to refuse the rest of the session
            entry.unreadDraft = draft->dump(2) + "\n";
            entry.whyUnread = failure.what();
        }
    reader.done();
    return entry;
}

json parseFile(const fs::path& path, const std::string& file) {
    std::error_code failure;
    const auto size = fs::file_size(path, failure);
    if (failure)
        throw Error("session.missing", file + " is not there: this folder is no session.", {{"file", file}});
    if (size > kLargestFile)
        throw Error("session.notSession",
                    file + " is no session: it has " + std::to_string(size / 1000000) + " MB.",
                    {{"file", file}});
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    try {
        return json::parse(bytes);
    } catch (const json::exception& broken) {
        std::size_t position = 0;
        if (const auto* parse = dynamic_cast<const json::parse_error*>(&broken))
            position = parse->byte;
        throw Error("session.notSession",
                    file + " is no session: it is not JSON at byte " + std::to_string(position) + ".",
                    {{"file", file}, {"byte", position}});
    }
}

/// Returns `root` with the view in view.json; nullopt if that is missing or of another session.json.
std::optional<json> withKeptView(json root, const fs::path& folder, const fs::path& session) {
    std::error_code ignored;
    const fs::path path = folder / kViewFileName;
    if (!fs::exists(path, ignored))
        return std::nullopt;
    const json kept = parseFile(path, path.string());
    if (!kept.is_object() || !kept.contains("current") || !kept.contains("view") ||
        kept.value("session", json()) != json(hashOfFile(session)))
        return std::nullopt;
    root["current"] = kept["current"];
    root["view"] = kept["view"];
    return root;
}

MapSource readSource(SessionReader& reader) {
    const std::string text = reader.text("source");
    if (const auto source = mapSourceOf(text))
        return *source;
    reader.fail(reader.placeOf("source"), "is “" + text + "”, not contributions, mean, head H, head H raw or mixing MEASURE");
}

SessionDocument documentOf(const json& root, const fs::path& folder, const std::string& file) {
    if (!root.is_object() || !root.contains("format") || root["format"] != "headroom/session")
        throw Error("session.notSession", file + " is no session: its format is not headroom/session.",
                    {{"file", file}});
    const json version = root.value("version", json());
    if (!version.is_number_integer() || version < 1 || version > kSessionVersion)
        throw Error("session.badVersion",
                    file + " is a session of version " + version.dump() + "; this Headroom reads versions up to " +
                        std::to_string(kSessionVersion) + ". A newer Headroom opens it.",
                    {{"file", file}, {"version", version}, {"supported", kSessionVersion}});
    SessionReader reader(root, "", file);
    reader.required("format");
    reader.required("version");
    SessionDocument document;
    for (const json& entry : reader.list("utterances"))
        document.utterances.push_back(readUtterance(
            entry, "utterances[" + std::to_string(document.utterances.size()) + "]", file, folder, version.get<int>()));
    for (const json& entry : reader.list("models"))
        document.models.push_back(
            readModel(entry, "models[" + std::to_string(document.models.size()) + "]", file, folder, version.get<int>(),
                      document.utterances.size()));
    SessionReader current(reader.required("current"), "current", file);
    document.currentUtterance = current.index("utterance", -1, document.utterances.size());
    document.currentModel = current.index("model", -1, document.models.size());
    document.currentLayer = current.index("layer", 1, 10000);
    document.source = readSource(current);
    current.done();
    document.view = reader.required("view");
    if (!document.view.is_object())
        reader.fail("view", "is no object");
    reader.done();
    return document;
}

} // namespace

SessionDocument readSession(const fs::path& given, const fs::path& view) {
    const fs::path folder = normalised(given);
    const fs::path path = folder / kSessionFileName;
    const std::string file = path.string();
    const json root = parseFile(path, file);
    try {
        if (const auto looked = withKeptView(root, view.empty() ? folder : view, path))
            return documentOf(*looked, folder, file);
    } catch (const std::exception&) { // of a newer program, or damaged: the view that was saved is shown
    }
    return documentOf(root, folder, file);
}

KeptChanges readRecovery(const fs::path& given) {
    const fs::path path = normalised(given);
    const std::string file = path.string();
    const json root = parseFile(path, file);
    SessionReader reader(root, "", file);
    KeptChanges changes;
    changes.ofSession = reader.text("session");
    changes.document = documentOf(reader.required("changed"), path.parent_path(), file);
    reader.done();
    return changes;
}

std::string hashOfFile(const fs::path& file) {
    try {
        return sha256OfFile(file);
    } catch (const Error&) {
        return {};
    }
}

std::map<std::string, std::string> hashOfModel(const fs::path& folder) {
    std::map<std::string, std::string> hashes;
    for (const char* name :
         {"architecture.json", "config.json", "front_end.json", "preprocessor_config.json",
          "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "sentencepiece.model",
          "source.sentencepiece.model",
          kNumberedPieces, "vocab.json"})
        if (std::string hash = hashOfFile(folder / name); !hash.empty())
            hashes[name] = std::move(hash);
    return hashes;
}

} // namespace headroom::app
