// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/command_line.h"

#include <nlohmann/json.hpp>

namespace headroom {

void CommandLine::option(const char* name, double value) {
    option(name, nlohmann::json(value).dump());
}

} // namespace headroom
