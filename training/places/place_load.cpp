// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/place_load.h"

#include "training/places/connection.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <thread>

namespace headroom::training {

using nlohmann::json;

namespace {

constexpr const char* kLoadScript = "LC_ALL=C; export LC_ALL; echo \"load $(cut -d' ' -f1 /proc/loadavg)\"; echo \"threads $(nproc --all 2>/dev/null || nproc)\"; "
                                    "grep -E '^(MemTotal|MemAvailable):' /proc/meminfo; "
                                    "nvidia-smi --query-gpu=index,uuid,name,memory.total,memory.used,utilization.gpu --format=csv,noheader,nounits "
                                    "2>/dev/null | sed 's/^/gpu /'; true";
constexpr double kKibibyte = 1024, kMebibyte = 1024 * 1024;
constexpr std::chrono::seconds kLongestSilence{60};
constexpr std::chrono::milliseconds kLookAtStop{100};

/// −1 for what is no number, as "[N/A]".
double numberIn(const std::string& text) {
    double number = 0;
    char more = 0;
    return std::sscanf(text.c_str(), " %lf %c", &number, &more) == 1 && number >= 0 ? number : -1;
}

/// "0, GPU-6f1c…, NVIDIA H200, 143771, 18000, 97".
void readGpu(const std::string& line, PlaceLoad& load) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, ',');)
        fields.push_back(field.substr(std::min(field.find_first_not_of(' '), field.size())));
    if (fields.size() != 6 || numberIn(fields[0]) < 0)
        return;
    const auto scaled = [&](std::size_t i, double scale) { return numberIn(fields[i]) < 0 ? -1 : numberIn(fields[i]) * scale; };
    load.gpus.push_back({static_cast<int>(numberIn(fields[0])), fields[1], fields[2], scaled(3, kMebibyte), scaled(4, kMebibyte), scaled(5, 0.01)});
}

json numberOf(double number) {
    return number < 0 ? json() : json(number);
}

json documentOf(const std::string& place, double seconds, const PlaceLoad& load) {
    json gpus = json::array();
    for (const PlaceLoad::Gpu& gpu : load.gpus)
        gpus.push_back({{"id", "cuda:" + std::to_string(gpu.number)},
                        {"uuid", gpu.uuid},
                        {"name", gpu.name},
                        {"memoryBytes", numberOf(gpu.memoryBytes)},
                        {"usedBytes", numberOf(gpu.usedBytes)},
                        {"busy", numberOf(gpu.busy)}});
    return {{"place", place},
            {"seconds", seconds},
            {"load", numberOf(load.load)},
            {"threads", load.threads > 0 ? json(load.threads) : json()},
            {"memoryBytes", numberOf(load.memoryBytes)},
            {"freeBytes", numberOf(load.freeBytes)},
            {"gpus", std::move(gpus)},
            {"error", nullptr}};
}

} // namespace

PlaceLoad loadIn(const std::string& printed) {
    PlaceLoad load;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        const auto space = line.find(' ');
        const std::string key = line.substr(0, space), value = space == std::string::npos ? std::string() : line.substr(space + 1);
        if (key == "load")
            load.load = numberIn(value);
        else if (key == "threads")
            load.threads = std::max(0, static_cast<int>(numberIn(value)));
        else if (key == "gpu")
            readGpu(value, load);
        else if (key == "MemTotal:" || key == "MemAvailable:") {
            const double kibibytes = numberIn(value.substr(0, value.rfind(" kB")));
            (key == "MemTotal:" ? load.memoryBytes : load.freeBytes) = kibibytes < 0 ? -1 : kibibytes * kKibibyte;
        }
    }
    return load;
}

PlaceLoad loadAt(const Place& place) {
    return loadIn(runAt(place, {"sh", "-c", kLoadScript}).out);
}

void monitorPlaces(const std::vector<Place>& places, std::chrono::milliseconds pause, const std::function<void(const json&)>& tell,
                   const std::atomic<bool>& stop) {
    std::mutex telling;
    const auto watch = [&](const Place& place) {
        std::chrono::milliseconds wait = pause;
        while (!stop.load()) {
            json document;
            try {
                const PlaceLoad load = loadAt(place); // its first call also opens the connection
                const auto begin = std::chrono::steady_clock::now();
                runAt(place, {"true"});
                document = documentOf(place.name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), load);
                wait = pause;
            } catch (const std::exception& error) {
                document = {{"place", place.name}, {"error", error.what()}};
                wait = std::min<std::chrono::milliseconds>(wait * 2, std::max<std::chrono::milliseconds>(pause, kLongestSilence));
            }
            if (stop.load())
                return;
            {
                const std::lock_guard lock(telling);
                tell(document);
            }
            const auto until = std::chrono::steady_clock::now() + wait;
            while (!stop.load() && std::chrono::steady_clock::now() < until)
                std::this_thread::sleep_for(kLookAtStop);
        }
    };
    std::vector<std::thread> threads;
    threads.emplace_back(watch, Place()); // this machine
    for (const Place& place : places)
        if (place.isRemote())
            threads.emplace_back(watch, place);
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace headroom::training
