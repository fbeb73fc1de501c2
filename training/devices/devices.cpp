// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/devices/devices.h"

#include "core/errors/error.h"
#include "models/checks/checks.h"
#include "models/contributions/memory.h"
#include "models/kernels/device_operators.h"
#include "models/layers/device.h"
#include "training/processes/child_process.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace headroom::training {

namespace {

constexpr std::int64_t kMebibyte = 1024 * 1024;
constexpr std::string_view kOtherDevices = "privateuseone"; ///< torch's name of devices that a library adds to it
constexpr std::chrono::seconds kPatience(60); // a driver that wakes its GPUs takes seconds

// CUDA 13 asks for this driver; models/CMakeLists.txt compiles our kernels for the generations 8.x and 9.x, and PTX for later ones.
constexpr int kOldestDriver = 580, kOldestCapability = 80, kNewestCompiled = 99, kOldestCuda = 13000;

bool isOldDriver(const ComputeDevice& gpu) {
    const int driver = std::atoi(gpu.driver.c_str()); // "570.86.15"
    return driver > 0 && driver < kOldestDriver;
}

/// Makes torch compute there. What CUDA says of an old driver nobody understands.
void useAvailable(const std::string& id, const ComputeDevices& devices) {
    try {
        models::useDevice(id);
    } catch (const Error& error) {
        for (const ComputeDevice& device : devices.list)
            if (device.id == id && isOldDriver(device))
                throw Error(error.code(), std::string(error.what()) + " The driver is " + device.driver + "; CUDA 13 needs " +
                                              std::to_string(kOldestDriver) + " or newer. NVIDIA's package for forward compatibility "
                                              "stands in for it on data-centre GPUs only.");
        throw;
    }
}

/// What the driver's own program lists; empty if it cannot be started, fails or does not answer.
std::string gpuList() {
    // An old driver does not know compute_cap, and then lists nothing.
    for (const char* fields : {"--query-gpu=index,name,memory.total,memory.free,driver_version,uuid,compute_cap",
                               "--query-gpu=index,name,memory.total,memory.free,driver_version,uuid"})
        try {
            Ended ended = runToEnd({"nvidia-smi", fields, "--format=csv,noheader,nounits"}, {}, kPatience);
            if (ended.status == 0)
                return std::move(ended.out);
        } catch (const Error&) {
            return {};
        }
    return {};
}

/// 90 for "9.0"; 0 for what is no such number.
int capabilityOf(const std::string& text) {
    const auto point = text.find('.');
    if (point == 0 || point > 2 || point + 2 != text.size() || text.find_first_not_of("0123456789.") != std::string::npos)
        return 0;
    return 10 * std::stoi(text) + (text[point + 1] - '0');
}

std::string capabilityText(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

ComputeDevice& chosen() {
    static ComputeDevice device = computeCpu();
    return device;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string idsOf(const ComputeDevices& devices) {
    std::string ids;
    for (const ComputeDevice& device : devices.list)
        if (device.usable())
            ids += (ids.empty() ? "" : ", ") + device.id;
    return ids;
}

} // namespace

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "this machine";
}

int usableThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int usable = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    const char* wanted = std::getenv("OMP_NUM_THREADS"); // a list counts by its first number
    const int most = wanted ? std::atoi(wanted) : 0;
    return most > 0 ? std::min(most, usable) : usable;
}

ComputeDevice computeCpu() {
    return {"cpu", processorName(), static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE),
            models::freeMemory(), {}, {}};
}

std::vector<ComputeDevice> parseGpuList(const std::string& output) {
    std::vector<ComputeDevice> found;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields;
        std::istringstream row(line);
        for (std::string field; std::getline(row, field, ',');)
            fields.push_back(trimmed(field));
        const auto isNumber = [&](std::size_t i) {
            return !fields[i].empty() && fields[i].size() < 10 &&
                   fields[i].find_first_not_of("0123456789") == std::string::npos;
        };
        if (fields.size() < 5 || fields.size() > 7 || !isNumber(0))
            continue;
        // Memory is "[N/A]" where it is shared with the processor.
        found.push_back({"cuda:" + fields[0], fields[1], isNumber(2) ? std::stoll(fields[2]) * kMebibyte : 0,
                         isNumber(3) ? std::stoll(fields[3]) * kMebibyte : -1, fields[4], {},
                         fields.size() > 5 ? fields[5] : std::string(), fields.size() > 6 ? capabilityOf(fields[6]) : 0});
    }
    return found;
}

int cudaOfDriverLibrary() {
    static const int version = [] {
        int found = 0;
        void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        // Needs no cuInit(), and wakes no GPU.
        if (auto* ask = library ? reinterpret_cast<int (*)(int*)>(::dlsym(library, "cuDriverGetVersion")) : nullptr; ask && ask(&found) != 0)
            found = 0;
        return found;
    }();
    return version;
}

std::string unfitFor(const ComputeDevice& gpu, int library) {
    if (isOldDriver(gpu) && library < kOldestCuda)
        return "its driver " + gpu.driver + " is too old for CUDA 13; install driver " + std::to_string(kOldestDriver) + " or newer";
    if (gpu.capability > 0 && gpu.capability < kOldestCapability)
        return "its compute capability is " + capabilityText(gpu.capability) + ", and " + capabilityText(kOldestCapability) +
               " or newer is needed";
    return {};
}

std::string translationNote(const ComputeDevice& gpu) {
    if (gpu.capability <= kNewestCompiled)
        return {};
    return "Headroom's kernels were not compiled for compute capability " + capabilityText(gpu.capability) + " (" + gpu.name +
           "). Its driver translates them at the first use, which takes a while.";
}

std::vector<ComputeDevice> visibleGpus(const std::vector<ComputeDevice>& gpus, const char* list) {
    if (!list)
        return gpus;
    std::vector<ComputeDevice> visible;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');) {
        name = trimmed(name);
        const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const ComputeDevice& gpu) {
            return gpu.id == "cuda:" + name || (name.size() > 4 && gpu.number.starts_with(name)); // CUDA takes a beginning
        });
        if (found != gpus.end())
            visible.push_back(*found);
        else if (name.starts_with("MIG-")) // a part of a GPU, of which the driver's list says nothing
            visible.push_back({"", "part of a GPU (MIG)", 0, -1, gpus.empty() ? std::string() : gpus.front().driver, {}, name,
                               gpus.empty() ? 0 : gpus.front().capability});
        else
            break; // as CUDA does
        visible.back().id = "cuda:" + std::to_string(visible.size() - 1);
    }
    return visible;
}

ComputeDevices computeDevices() {
    ComputeDevices devices;
    devices.threads = usableThreads();
    devices.list.push_back(computeCpu());
    const auto there = parseGpuList(gpuList());
    std::error_code ignored;
    if (there.empty() && !std::filesystem::exists("/proc/driver/nvidia/version", ignored)) {
        devices.noGpu = "There is no NVIDIA driver on this machine.";
        return devices;
    }
    const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
    auto gpus = visibleGpus(there, list);
    for (ComputeDevice& gpu : gpus)
        if ((gpu.missing = unfitFor(gpu, cudaOfDriverLibrary())).empty())
            gpu.missing = models::missingForCuda();
    if (gpus.empty() && !there.empty())
        devices.noGpu = std::string("CUDA_VISIBLE_DEVICES is “") + list + "” and hides every GPU of this machine.";
    else if (gpus.empty())
        devices.noGpu = "The NVIDIA driver is loaded, but nvidia-smi lists no GPU. Run nvidia-smi to see why.";
    devices.list.insert(devices.list.end(), gpus.begin(), gpus.end());
    return devices;
}

std::string chooseDevice(const std::string& wanted, const ComputeDevices& devices) {
    const std::string id = wanted == "cuda" ? "cuda:0" : wanted;
    const bool gpu = id.starts_with("cuda:") && id.size() > 5 && id.size() < 9 &&
                     id.find_first_not_of("0123456789", 5) == std::string::npos;
    if (!gpu && id != "auto" && id != "cpu")
        throw Error("device.unknown",
                    "Unknown device “" + wanted + "”; use auto, cpu, cuda or cuda:K, for example cuda:0.",
                    {{"device", wanted}});
    if (id == "auto") {
        for (const ComputeDevice& device : devices.list)
            if (device.usable() && device.id != "cpu")
                return device.id;
        return "cpu";
    }
    for (const ComputeDevice& device : devices.list) {
        if (device.id != id)
            continue;
        if (device.usable())
            return id;
        throw Error("device.absent",
                    "The device " + id + " (" + device.name + ") cannot be used: " + device.missing + ". Use " +
                        idsOf(devices) + ".",
                    {{"device", wanted}});
    }
    throw Error("device.absent",
                "There is no device " + id + ". " +
                    (devices.noGpu.empty() ? "headroom-worker devices lists the available ones."
                                           : devices.noGpu + " Use " + idsOf(devices) + "."),
                {{"device", wanted}});
}

std::string deviceOfRank(const std::string& wanted, int rankOfHost, const ComputeDevices& devices) {
    if (rankOfHost < 0 || (wanted != "auto" && wanted != "cuda"))
        return wanted;
    std::vector<std::string> gpus;
    for (const ComputeDevice& device : devices.list)
        if (device.usable() && device.id != "cpu")
            gpus.push_back(device.id);
    return gpus.empty() ? wanted : gpus[static_cast<std::size_t>(rankOfHost) % gpus.size()];
}

int usableGpus(const ComputeDevices& devices) {
    return static_cast<int>(std::count_if(devices.list.begin(), devices.list.end(), [](const ComputeDevice& device) {
        return device.id != "cpu" && device.usable();
    }));
}

std::string useChosenDevice(const std::string& wanted, bool toCheck, int rankOfHost) {
    // Asking the driver takes up to seconds, and neither the CPU nor torch's other devices are the driver's.
    if (wanted != "cpu" && !wanted.starts_with(kOtherDevices)) {
        ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0); // the order of nvidia-smi; CUDA's own is by speed
        ComputeDevices devices = computeDevices();
        const std::string id = chooseDevice(deviceOfRank(wanted, rankOfHost, devices), devices);
        for (ComputeDevice& device : devices.list) // only who is chosen is worth seconds of loading
            if (device.id == id && id != "cpu")
                device.missing = toCheck ? models::loadDeviceKernels() : models::loadTorchForCuda();
        if (!toCheck)
            models::loadDeviceKernels(); // where they are absent, torch's own operations do
        useAvailable(chooseDevice(id, devices), devices);
        if (id != "cpu" && !toCheck && models::loadDeviceKernels().empty())
            requireRightNumbers(id, models::checkTensorCores(id));
        for (const ComputeDevice& device : devices.list)
            if (device.id == id)
                chosen() = device;
        return id;
    }
    models::useDevice(wanted);
    if (wanted != "cpu")
        chosen() = {models::usedDeviceId(), models::usedDeviceId(), 0, models::freeDeviceMemory(), {}, {}};
    return wanted;
}

void requireRightNumbers(const std::string& id, const models::CheckRow& found) {
    if (!found.passed)
        throw Error("device.kernels", "The kernels of libheadroom-cuda.so do not work on " + id + " (" + found.name + ": " + found.detail +
                                          "). “headroom-worker check --device " + id +
                                          "” lists what works. Without that file, LibTorch's own operations are used.",
                    {{"device", id}});
}

ComputeDevice chosenDevice() {
    return chosen();
}

} // namespace headroom::training
