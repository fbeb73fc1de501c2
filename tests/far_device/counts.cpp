// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/far_device/counts.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace headroom::far_device {

Counts counts;
thread_local int InOperator::depth = 0;

namespace {

using Named = std::map<std::string, long>;

/// What was launched, by name; not destroyed, as threads may go on to the end.
Named& operations() {
    static auto* all = new Named;
    return *all;
}
std::mutex operationsGuard;

Named named() {
    return {{"reads", counts.reads},   {"sent", counts.sent},   {"fetched", counts.fetched},           {"waited", counts.waited},
            {"aside", counts.aside},   {"requests", counts.requests}, {"synchronised", counts.synchronised}, {"launched", counts.launched}};
}

void write(const char* variable, const Named& numbers) {
    const char* path = std::getenv(variable);
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file)
        return;
    for (const auto& [name, count] : numbers)
        std::fprintf(file, "%s %ld\n", name.c_str(), count);
    std::fclose(file);
}

} // namespace

void countLaunch(const std::string& operation, long times) {
    if (InOperator::depth > 0)
        return;
    counts.launched += times;
    static const bool byName = std::getenv("FAR_DEVICE_OPERATIONS") != nullptr;
    if (!byName)
        return;
    const std::lock_guard guard(operationsGuard);
    operations()[operation] += times;
}

void writeReport() {
    write("FAR_DEVICE_LOG", named());
    const std::lock_guard guard(operationsGuard);
    write("FAR_DEVICE_OPERATIONS", operations());
}

} // namespace headroom::far_device

/// One of the counts until now, for a test that has loaded this library itself.
extern "C" __attribute__((visibility("default"))) long far_device_count(const char* name) {
    return headroom::far_device::named().at(name);
}
