// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yaml/yaml_events.h"

#include <new>

namespace headroom {

YamlEvents::YamlEvents() {
    if (!yaml_parser_initialize(&m_parser))
        throw std::bad_alloc();
}

YamlEvents::YamlEvents(std::string_view text)
    : YamlEvents() {
    yaml_parser_set_input_string(&m_parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

YamlEvents::YamlEvents(std::FILE* file)
    : YamlEvents() {
    yaml_parser_set_input_file(&m_parser, file);
}

YamlEvents::~YamlEvents() {
    yaml_event_delete(&m_event);
    yaml_parser_delete(&m_parser);
}

bool YamlEvents::next() {
    yaml_event_delete(&m_event);
    m_event = {};
    return yaml_parser_parse(&m_parser, &m_event) != 0;
}

std::string YamlEvents::scalar() const {
    return {reinterpret_cast<const char*>(m_event.data.scalar.value), m_event.data.scalar.length};
}

} // namespace headroom
