// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/measure.h"

#include "models/layers/device.h"

#include <ATen/Parallel.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <string>

namespace headroom::benchmarks {
namespace {

/// What the allocator of the device tells torch's profiler.
class Ledger : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device device) override {
        if (device.type() != models::usedDevice().type())
            return;
        m_now += bytes;
        m_peak = std::max(m_peak, m_now);
    }
    bool memoryProfilingEnabled() const override { return true; }
    std::int64_t peak() const { return m_peak; }

private:
    std::int64_t m_now = 0, m_peak = 0;
};

/// A field of /proc/self/status in bytes, 0 where the system has none.
double status(const std::string& field) {
    std::ifstream file("/proc/self/status");
    std::string name;
    double kibibytes = 0;
    for (std::string line; std::getline(file, line);)
        if (line.rfind(field + ":", 0) == 0)
            kibibytes = std::strtod(line.c_str() + field.size() + 1, nullptr);
    return kibibytes * 1024;
}

} // namespace

double secondsOf(const std::function<void()>& work) {
    models::waitForDevice();
    const auto start = std::chrono::steady_clock::now();
    work();
    models::waitForDevice();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double processorSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

PairedTimes pairedTimes(const std::function<void()>& ours, const std::function<void()>& alternative, int pairs) {
    ours();
    alternative();
    std::vector<double> mine, theirs, ratios;
    double total = 0;
    const auto enough = [&] {
        const auto done = static_cast<int>(mine.size());
        return done >= 101 || (done >= pairs && ((total >= 0.3 && done >= 5) || (total >= 2 && done >= 3)));
    };
    while (!enough()) {
        mine.push_back(secondsOf(ours));
        theirs.push_back(secondsOf(alternative));
        ratios.push_back(theirs.back() / mine.back());
        total += mine.back() + theirs.back();
    }
    return {median(mine), median(theirs), median(ratios), static_cast<int>(mine.size())};
}

double peakTensorBytes(const std::function<void()>& work) {
    const auto ledger = std::make_shared<Ledger>();
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, ledger);
    work();
    return static_cast<double>(ledger->peak());
}

double peakResidentRise(const std::function<void()>& work) {
    malloc_trim(0); // freed pages that are still resident would hide the rise
    const double before = status("VmRSS");
    std::ofstream("/proc/self/clear_refs") << "5"; // sets the peak back to now
    work();
    return std::max(0.0, status("VmHWM") - before);
}

Threads::Threads(int count) : m_before(at::get_num_threads()) {
    at::set_num_threads(count);
}
Threads::~Threads() {
    at::set_num_threads(m_before);
}

} // namespace headroom::benchmarks
