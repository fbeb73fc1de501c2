// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/yaml_segments.h"

#include "core/corpus/kinds/text_lines.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/yaml/yaml_events.h"

#include <cstdio>
#include <memory>
#include <set>

namespace headroom {

namespace {

struct YamlFileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using YamlFile = std::unique_ptr<std::FILE, YamlFileCloser>;

YamlFile openYaml(const std::filesystem::path& file, const std::string& name) {
    YamlFile opened(std::fopen(file.c_str(), "rb"));
    std::error_code ignored;
    if (!opened || !std::filesystem::is_regular_file(file, ignored))
        throw Error("corpus.missingTable", name + " is not there.", {{"file", name}});
    if (std::filesystem::file_size(file, ignored) == 0)
        throw Error("corpus.emptyFile", name + " has 0 bytes; copy or download it again.", {{"file", name}});
    return opened;
}

/// The events of a list of segments: what is not a scalar of a map in a list is an error.
class SegmentYaml {
public:
    explicit SegmentYaml(const std::filesystem::path& file)
        : m_name(displayName(file))
        , m_file(openYaml(file, m_name))
        , m_events(m_file.get()) {}

    yaml_event_type_t next() {
        if (!m_events.next()) {
            const char* problem = m_events.parser().problem;
            fail(m_events.parser().problem_mark.line,
                 problem ? std::string("this is not YAML: ") + problem : std::string("this is not YAML"));
        }
        return type();
    }
    yaml_event_type_t type() const { return m_events.type(); }
    int line() const { return static_cast<int>(m_events.line()) + 1; }
    std::string scalar() const { return m_events.scalar(); }
    [[noreturn]] void fail(std::size_t lineFromZero, const std::string& what) const {
        throw Error("corpus.badYaml",
                    m_name + ", line " + std::to_string(lineFromZero + 1) + ": " + what + ".",
                    {{"file", m_name}, {"line", lineFromZero + 1}});
    }
    [[noreturn]] void failHere(const std::string& what) const { fail(m_events.line(), what); }

private:
    std::string m_name;
    YamlFile m_file;
    YamlEvents m_events;
};

/// Skips a value that is not needed: a scalar, a list or a map.
void skipYamlValue(SegmentYaml& events) {
    int depth = 0;
    do {
        switch (events.next()) {
        case YAML_SEQUENCE_START_EVENT:
        case YAML_MAPPING_START_EVENT:
            ++depth;
            break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            --depth;
            break;
        case YAML_ALIAS_EVENT:
            events.failHere("aliases are not read");
        default:
            break;
        }
    } while (depth > 0);
}

YamlSegment readYamlSegment(SegmentYaml& events) {
    YamlSegment segment;
    segment.line = events.line();
    std::set<std::string> keys;
    while (events.next() != YAML_MAPPING_END_EVENT) {
        if (events.type() != YAML_SCALAR_EVENT)
            events.failHere("a key is a word");
        const std::string key = events.scalar();
        if (!keys.insert(key).second)
            events.failHere("the segment has “" + key + "” twice");
        if (key != "wav" && key != "speaker_id" && key != "offset" && key != "duration") {
            skipYamlValue(events);
            continue;
        }
        if (events.next() != YAML_SCALAR_EVENT)
            events.failHere("“" + key + "” is not a plain value");
        if (key == "wav") {
            segment.wav = events.scalar();
        } else if (key == "speaker_id") {
            segment.speaker = events.scalar();
        } else {
            const auto value = decimalNumber(events.scalar());
            if (!value)
                events.failHere("“" + key + "” is “" + events.scalar() +
                                "”, which is not a number of seconds");
            (key == "offset" ? segment.offset : segment.duration) = *value;
        }
    }
    for (const char* needed : {"wav", "offset", "duration"})
        if (!keys.contains(needed))
            events.fail(static_cast<std::size_t>(segment.line) - 1,
                        "the segment has no “" + std::string(needed) + "”");
    return segment;
}

} // namespace

std::vector<YamlSegment> readYamlSegments(const std::filesystem::path& file) {
    SegmentYaml events(file);
    std::vector<YamlSegment> segments;
    events.next(); // the stream
    if (events.next() != YAML_DOCUMENT_START_EVENT || events.next() != YAML_SEQUENCE_START_EVENT)
        events.failHere("a list of segments is expected, “- {duration: …, offset: …, wav: …}”");
    while (events.next() != YAML_SEQUENCE_END_EVENT) {
        if (events.type() != YAML_MAPPING_START_EVENT)
            events.failHere("a segment is a map, “{duration: …, offset: …, wav: …}”");
        segments.push_back(readYamlSegment(events));
    }
    return segments;
}

} // namespace headroom
