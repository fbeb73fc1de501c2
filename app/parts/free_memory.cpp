// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/free_memory.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace headroom::app {

std::optional<double> freeMemory() {
    std::ifstream stream("/proc/meminfo");
    for (std::string line; std::getline(stream, line);)
        if (line.rfind("MemAvailable:", 0) == 0)
            return std::strtod(line.c_str() + 13, nullptr) * 1024;
    return std::nullopt;
}

} // namespace headroom::app
