// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/memory.h"
#include "training/devices/devices.h"
#include "training/worker/commands.h"

namespace headroom::training {

void devices(Console& console) {
    const ComputeDevices found = computeDevices();
    auto list = nlohmann::json::array();
    for (const ComputeDevice& device : found.list) {
        std::string line = device.id + "  " + device.name;
        if (device.id == "cpu")
            line += found.threads == 1 ? ", 1 thread" : ", " + std::to_string(found.threads) + " threads";
        if (device.memoryBytes > 0)
            line += ", " + models::bytesText(device.memoryBytes);
        if (device.freeBytes >= 0)
            line += ", " + models::bytesText(device.freeBytes) + " free";
        if (!device.driver.empty())
            line += ", driver " + device.driver;
        if (!device.usable())
            line += "; not usable: " + device.missing;
        else if (const std::string note = translationNote(device); !note.empty())
            line += "; " + note;
        console.line(line);
        nlohmann::json row{{"id", device.id},
                           {"name", device.name},
                           {"memoryBytes", device.memoryBytes > 0 ? nlohmann::json(device.memoryBytes) : nullptr},
                           {"freeBytes", device.freeBytes >= 0 ? nlohmann::json(device.freeBytes) : nullptr},
                           {"driver", device.driver.empty() ? nlohmann::json() : nlohmann::json(device.driver)},
                           {"usable", device.usable()},
                           {"missing", device.usable() ? nlohmann::json() : nlohmann::json(device.missing)}};
        if (device.id == "cpu")
            row["threads"] = found.threads;
        list.push_back(std::move(row));
    }
    if (!found.noGpu.empty())
        console.line(found.noGpu);
    console.document({{"format", "headroom/devices"},
                      {"version", 1},
                      {"devices", std::move(list)},
                      {"auto", chooseDevice("auto", found)},
                      {"noGpu", found.noGpu.empty() ? nlohmann::json() : nlohmann::json(found.noGpu)}});
}

} // namespace headroom::training
