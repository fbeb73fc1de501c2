// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/framing.h"
#include "training/worker/serve/handlers.h"

#include <fstream>
#include <sched.h>
#include <unistd.h>

namespace headroom::training {

namespace {

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "processor of unknown name";
}

/// Processors that this process may use: fewer than the machine has in a cluster job.
int usableThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

} // namespace

protocol::InitializeResult describeWorker() {
    protocol::InitializeResult worker;
    worker.protocol = protocol::kVersion;
    worker.version = HEADROOM_VERSION;
    worker.build = HEADROOM_BUILD;
    worker.devices = {{"cpu", processorName()}};
    worker.threads = usableThreads();
    worker.memoryBytes = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
    return worker;
}

} // namespace headroom::training
