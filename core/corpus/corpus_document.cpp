// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_document.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <span>
#include <sstream>

namespace headroom {

namespace {

using json = nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kLargest = 1u << 20; // a few names; anything larger is another file

class Reader {
public:
    explicit Reader(std::string name) : m_name(std::move(name)) {}

    [[noreturn]] void refuse(const std::string& place, const std::string& reason) const {
        throw Error("corpus.badDocument", m_name + ", " + place + ": " + reason + ".",
                    {{"file", m_name}, {"place", place}});
    }
    void keys(const json& object, const std::string& place, std::span<const std::string_view> known) const {
        if (!object.is_object())
            refuse(place, "this must be an object, { … }");
        for (const auto& [key, ignored] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                refuse(place, "there is no key \"" + key + "\" here");
    }
    std::string text(const json& object, const std::string& place, const char* key,
                     bool optional = false) const {
        if (!object.contains(key)) {
            if (optional)
                return {};
            refuse(place, "the key \"" + std::string(key) + "\" is missing");
        }
        if (!object[key].is_string())
            refuse(key, "this must be a string in quotes");
        return object[key];
    }
    std::int64_t whole(const json& object, const char* key, std::int64_t least, std::int64_t most) const {
        if (!object.contains(key))
            refuse("document", "the key \"" + std::string(key) + "\" is missing");
        const auto& value = object[key];
        const bool fits = value.is_number_unsigned()
                              ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most) &&
                                    value.get<std::uint64_t>() >= static_cast<std::uint64_t>(least)
                              : value.is_number_integer() && value.get<std::int64_t>() >= least &&
                                    value.get<std::int64_t>() <= most;
        if (!fits)
            refuse(key, "this must be a whole number from " + grouped(least) + " to " + grouped(most));
        return value.get<std::int64_t>();
    }
    std::vector<std::string> names(const json& object, const char* key, std::string_view marks) const {
        if (!object.contains(key))
            refuse("document", "the key \"" + std::string(key) + "\" is missing");
        if (!object[key].is_array() || object[key].empty())
            refuse(key, "this must be a list of names, [\"train\", …]");
        std::vector<std::string> result;
        for (const auto& value : object[key]) {
            if (!value.is_string())
                refuse(key, "each name must be a text in quotes");
            result.push_back(value);
            check(result.back(), key, marks);
            if (std::count(result.begin(), result.end(), result.back()) > 1)
                refuse(key, "\"" + result.back() + "\" occurs twice");
        }
        return result;
    }
    /// Names become parts of file names, so they hold nothing that could lead out of the folder.
    void check(const std::string& name, const std::string& place, std::string_view marks) const {
        const auto plain = [&](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   marks.find(c) != std::string_view::npos;
        };
        if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), plain) ||
            name[0] == '.')
            refuse(place, "\"" + name + "\" is not a valid name. Use at most 64 letters, digits and any of " +
                              std::string(marks) + ", and do not start with a dot");
    }

private:
    std::string m_name;
};

/// JSON's parser keeps the last of two equal keys in silence; this stops at the second.
json parseOnce(std::string_view text, const std::string& name) {
    std::vector<std::set<std::string>> open;
    const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
        if (depth > 32)
            throw Error("corpus.badJson", name + " is nested too deeply for a corpus document.", {{"file",
                name}});
        if (event == json::parse_event_t::object_start)
            open.emplace_back();
        else if (event == json::parse_event_t::object_end)
            open.pop_back();
        else if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
            throw Error("corpus.badDocument",
                        name + " has the key \"" + parsed.get<std::string>() + "\" twice in one object.",
                        {{"file", name}});
        return true;
    };
    try {
        return json::parse(text.begin(), text.end(), watch);
    } catch (const json::parse_error& error) {
        const auto until = std::min<std::size_t>(error.byte > 0 ? error.byte - 1 : 0, text.size());
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(until), '\n');
        throw Error("corpus.badJson", name + ", line " + std::to_string(line) + ": this is not JSON.",
                    {{"file", name}, {"line", line}});
    } catch (const json::exception&) {
        throw Error("corpus.badJson", name + " is not JSON: a number in it is invalid.",
                    {{"file", name}});
    }
}

CorpusTask readTask(const Reader& reader, const json& value, const std::vector<std::string>& languages) {
    constexpr std::array<std::string_view, 4> kKeys{"name", "source", "target", "input"};
    reader.keys(value, "tasks", kKeys);
    CorpusTask task{reader.text(value, "tasks", "name"), reader.text(value, "tasks", "source"),
                    reader.text(value, "tasks", "target")};
    const std::string input = reader.text(value, "tasks", "input", true);
    if (!input.empty() && input != "text")
        reader.refuse("tasks", "\"input\" is \"text\" or absent, and here it is \"" + input + "\"");
    task.isText = !input.empty();
    reader.check(task.name, "tasks", "-_");
    for (const auto& language : {task.source, task.target})
        if (std::find(languages.begin(), languages.end(), language) == languages.end())
            reader.refuse("tasks", "the task " + task.name + " has the language \"" + language +
                                       "\", which is not among \"languages\"");
    return task;
}

bool hasOnlyText(const CorpusDocument& document) {
    return std::all_of(document.tasks.begin(), document.tasks.end(), [](const CorpusTask& task) { return task.isText; });
}

} // namespace

CorpusDocument parseCorpusDocument(std::string_view text, const std::string& name) {
    if (text.size() > kLargest)
        throw Error("corpus.badJson", name + " is too large for a corpus document: more than 1 MB.",
                    {{"file", name}});
    const auto value = parseOnce(text, name);
    const Reader reader(name);
    if (!value.is_object() || value.value("format", json()) != "headroom/corpus")
        reader.refuse("format", "this must be \"headroom/corpus\"");
    const auto version = reader.whole(value, "version", 1, 1'000'000);
    if (version > kVersion)
        throw Error("corpus.newer",
                    name + " has version " + std::to_string(version) +
                        "; this Headroom reads up to version " + std::to_string(kVersion) + ".",
                    {{"file", name}, {"version", version}, {"known", kVersion}});
    constexpr std::array<std::string_view, 9> kKeys{"format",    "version", "name",  "about", "sampleRate",
                                                    "languages", "splits",  "tasks", "made"};
    reader.keys(value, "document", kKeys);
    CorpusDocument document;
    document.name = reader.text(value, "document", "name");
    document.about = reader.text(value, "document", "about", true);
    document.languages = reader.names(value, "languages", "-_");
    document.splits = reader.names(value, "splits", "-."); // '_' ends the split in a table's name
    if (!value.contains("tasks") || !value["tasks"].is_array() || value["tasks"].empty())
        reader.refuse("tasks", "this must be a list of tasks, [{\"name\": \"asr\", …}]");
    for (const auto& item : value["tasks"]) {
        document.tasks.push_back(readTask(reader, item, document.languages));
        const auto same = [&](const CorpusTask& task) { return task.name == document.tasks.back().name; };
        if (std::count_if(document.tasks.begin(), document.tasks.end(), same) > 1)
            reader.refuse("tasks", "\"" + document.tasks.back().name + "\" occurs twice");
    }
    if (!hasOnlyText(document) || value.contains("sampleRate"))
        document.sampleRate =
            SampleRate(static_cast<int>(reader.whole(value, "sampleRate", 100, 1'000'000)));
    if (value.contains("made"))
        document.made = value["made"];
    return document;
}

const CorpusTask* CorpusDocument::task(std::string_view wanted) const {
    const auto found = std::find_if(tasks.begin(), tasks.end(), [&](const CorpusTask& one) { return one.name == wanted; });
    return found == tasks.end() ? nullptr : &*found;
}

CorpusDocument readCorpusDocument(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored;
    if (!in || !std::filesystem::is_regular_file(file, ignored))
        throw Error("corpus.missing", unreadText(file),
                    {{"file", displayName(file)}});
    std::string text(kLargest + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return parseCorpusDocument(text, displayName(file));
}

std::string corpusDocumentText(const CorpusDocument& document) {
    auto tasks = nlohmann::ordered_json::array();
    for (const auto& task : document.tasks) {
        tasks.push_back({{"name", task.name}, {"source", task.source}, {"target", task.target}});
        if (task.isText)
            tasks.back()["input"] = "text";
    }
    nlohmann::ordered_json value{
        {"format", "headroom/corpus"}, {"version", kVersion}, {"name", document.name}};
    if (!document.about.empty())
        value["about"] = document.about;
    if (!hasOnlyText(document))
        value["sampleRate"] = document.sampleRate.hertz();
    value["languages"] = document.languages;
    value["splits"] = document.splits;
    value["tasks"] = tasks;
    if (!document.made.is_null())
        value["made"] = nlohmann::ordered_json::parse(document.made.dump());
    return value.dump(2) + "\n";
}

void writeCorpusDocument(const std::filesystem::path& file, const CorpusDocument& document) {
    writeAtomically(file, corpusDocumentText(document), "corpus.unwritable");
}

std::string corpusTableName(std::string_view split, std::string_view task) {
    return std::string(split) + "_" + std::string(task) + ".tsv";
}

std::string corpusTokenizerName(std::string_view task) {
    return std::string(task) + ".sentencepiece.model";
}

std::string corpusSourceTokenizerName(std::string_view task) {
    return corpusTokenizerName(std::string(task) + ".source");
}

} // namespace headroom
