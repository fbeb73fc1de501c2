// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <yaml.h>

namespace headroom {

/// The events of one YAML stream, one after the other, before libyaml builds anything of them: a tag names nothing here, and
/// nothing is executed or expanded. Who reads them says in its own words what is wrong. Not thread-safe. Throws
/// std::bad_alloc.
class YamlEvents {
public:
    explicit YamlEvents(std::string_view text); ///< borrows it
    explicit YamlEvents(std::FILE* file);       ///< borrows it
    ~YamlEvents();
    YamlEvents(const YamlEvents&) = delete;
    YamlEvents& operator=(const YamlEvents&) = delete;

    /// Goes to the next event. False: this is not YAML, and parser() says why and where.
    [[nodiscard]] bool next();
    const yaml_event_t& event() const { return m_event; }
    yaml_event_type_t type() const { return m_event.type; }
    std::size_t line() const { return m_event.start_mark.line; } ///< of the event, from 0
    std::string scalar() const;                                  ///< the text of a scalar; type() must say that it is one
    const yaml_parser_t& parser() const { return m_parser; }

private:
    YamlEvents();
    yaml_parser_t m_parser{};
    yaml_event_t m_event{};
};

} // namespace headroom
