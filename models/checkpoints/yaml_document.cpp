// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/yaml_document.h"

#include "core/errors/error.h"
#include "core/yaml/yaml_events.h"

#include <algorithm>
#include <charconv>

namespace headroom::models {
namespace {

using nlohmann::json;

constexpr int kDeepestYaml = 32;
constexpr std::size_t kMostYaml = 16u << 20;

json plainScalar(const std::string& text) {
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
        return nullptr;
    if (text == "true" || text == "True" || text == "TRUE")
        return true;
    if (text == "false" || text == "False" || text == "FALSE")
        return false;
    const char *first = text.data() + (text[0] == '+'), *last = text.data() + text.size();
    std::int64_t whole = 0;
    if (const auto [end, problem] = std::from_chars(first, last, whole);
        problem == std::errc() && end == last)
        return whole;
    double real = 0; // PyYAML writes 1e-05, which YAML 1.1 calls a text
    if (const auto [end, problem] = std::from_chars(first, last, real);
        problem == std::errc() && end == last && text.find_first_of("0123456789") != std::string::npos)
        return real;
    return text;
}

/// Builds JSON from the events of libyaml, which come before it builds anything itself.
class YamlDocument {
public:
    YamlDocument(std::string_view text, const std::string& name)
        : m_text(text)
        , m_name(name)
        , m_events(text) {
        if (text.size() > kMostYaml)
            refuse(0, "is too long for a model description");
    }

    json read() {
        next(); // the stream
        if (next() == YAML_STREAM_END_EVENT)
            return json::object();
        next();
        json found = value(1);
        next(); // the end of the document
        if (next() != YAML_STREAM_END_EVENT)
            refuse(line(), "begins a second document");
        return found;
    }

private:
    [[noreturn]] void refuse(std::size_t lineFromZero, const std::string& what) const {
        const std::size_t number = lineFromZero + 1;
        throw Error("model.badConfig",
                    m_name + ", line " + std::to_string(number) + ": the line " + what + ".",
                    {{"file", m_name}, {"line", number}});
    }
    [[noreturn]] void refuseAnchor() const {
        refuse(line(), "has an anchor or alias, which this version does not read");
    }
    std::size_t line() const { return m_events.line(); }

    yaml_event_type_t next() {
        if (!m_events.next())
            refuseProblem();
        return m_events.type();
    }

    /// Says libyaml's problem in the words of a file of settings.
    [[noreturn]] void refuseProblem() const {
        const yaml_parser_t& parser = m_events.parser();
        const std::string problem = parser.problem ? parser.problem : "",
                          context = parser.context ? parser.context : "";
        const auto within = [&](const char* words) { return context.find(words) != std::string::npos; };
        if (parser.error == YAML_MEMORY_ERROR)
            throw std::bad_alloc();
        if (parser.error == YAML_READER_ERROR) {
            const auto bad = m_text.begin() +
                             static_cast<std::ptrdiff_t>(std::min(parser.problem_offset, m_text.size()));
            refuse(static_cast<std::size_t>(std::count(m_text.begin(), bad, '\n')), "is not UTF-8 text");
        }
        const std::size_t at = parser.problem_mark.line, from = parser.context_mark.line;
        if (within("quoted scalar"))
            refuse(from, problem.starts_with("found unexpected") ? "has a text whose quotes do not match"
                                                                 : "has an unknown escape in a text");
        if (within("flow"))
            refuse(from, "has no closing bracket");
        if (within("anchor") || within("alias"))
            refuse(from, "has an anchor or alias, which this version does not read");
        if (within("tag") || problem.find("tag") != std::string::npos)
            refuse(at, "has a tag; tags are never executed");
        if (indentedWithTab(at))
            refuse(at, "is indented with a tab");
        refuse(at, "does not fit the lines above it");
    }

    bool indentedWithTab(std::size_t lineFromZero) const {
        std::size_t begin = 0;
        for (; lineFromZero > 0 && begin < m_text.size(); --lineFromZero)
            begin = std::min(m_text.find('\n', begin), m_text.size() - 1) + 1;
        const std::size_t first = m_text.find_first_not_of(' ', begin);
        return first != std::string_view::npos && m_text[first] == '\t';
    }

    /// Refuses what could name a type or another value.
    void check(const yaml_char_t* anchor, const yaml_char_t* tag) const {
        if (tag)
            refuse(line(), "has the tag “" + std::string(reinterpret_cast<const char*>(tag)).substr(0, 60) +
                               "”; tags are never executed");
        if (anchor)
            refuseAnchor();
    }

    /// The value that the current event begins; the event is its last one afterwards.
    json value(int depth) {
        switch (m_events.type()) {
        case YAML_SCALAR_EVENT: {
            const auto& scalar = m_events.event().data.scalar;
            check(scalar.anchor, scalar.tag);
            std::string text = m_events.scalar();
            return scalar.style == YAML_PLAIN_SCALAR_STYLE ? plainScalar(text) : json(std::move(text));
        }
        case YAML_SEQUENCE_START_EVENT: {
            check(m_events.event().data.sequence_start.anchor, m_events.event().data.sequence_start.tag);
            checkDepth(depth);
            json result = json::array();
            while (next() != YAML_SEQUENCE_END_EVENT)
                result.push_back(value(depth + 1));
            return result;
        }
        case YAML_MAPPING_START_EVENT: {
            check(m_events.event().data.mapping_start.anchor, m_events.event().data.mapping_start.tag);
            checkDepth(depth);
            json result = json::object();
            while (next() != YAML_MAPPING_END_EVENT) {
                const std::size_t keyLine = line();
                const json key = value(depth + 1);
                if (key.is_structured())
                    refuse(keyLine, "has a key that is a list or a mapping");
                const std::string name = key.is_string() ? key.get<std::string>() : key.dump();
                if (result.contains(name))
                    refuse(keyLine, "repeats the key “" + name.substr(0, 60) + "”");
                next();
                result[name] = value(depth + 1);
            }
            return result;
        }
        default: // an alias
            refuseAnchor();
        }
    }
    void checkDepth(int depth) const {
        if (depth > kDeepestYaml)
            refuse(line(), "is nested more than " + std::to_string(kDeepestYaml) + " deep");
    }

    std::string_view m_text;
    const std::string& m_name;
    YamlEvents m_events;
};

} // namespace

json parseYaml(std::string_view text, const std::string& name) {
    return YamlDocument(text, name).read();
}

} // namespace headroom::models
