// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/rank_devices.h"

#include <sstream>

namespace headroom::training {

namespace {

std::string kindOf(const RankDevice& device) {
    return device.id.substr(0, device.id.find(':'));
}

} // namespace

std::string toText(const RankDevice& device) {
    return device.host + "\n" + device.id + "\n" + device.gpu;
}

RankDevice rankDeviceFrom(const std::string& text) {
    RankDevice device;
    std::istringstream lines(text);
    std::getline(lines, device.host);
    std::getline(lines, device.id);
    std::getline(lines, device.gpu);
    return device;
}

std::string problemOfDevices(const std::vector<RankDevice>& devices) {
    for (std::size_t rank = 1; rank < devices.size(); ++rank) {
        const RankDevice &device = devices[rank], &first = devices.front();
        if (kindOf(device) != kindOf(first))
            return "Rank " + std::to_string(rank) + " would compute on " + device.id + " of " + device.host +
                   ", and rank 0 on " + first.id + " of " + first.host + ". Give all ranks the same kind of --device.";
        for (std::size_t other = 0; kindOf(device) == "cuda" && other < rank; ++other) {
            const RankDevice& taken = devices[other];
            const bool known = !device.gpu.empty() && !taken.gpu.empty();
            if (taken.host == device.host && (known ? taken.gpu == device.gpu : taken.id == device.id))
                return "Ranks " + std::to_string(other) + " and " + std::to_string(rank) + " would both compute on " +
                       taken.id + " of " + device.host +
                       ". Every rank needs a GPU of its own: use fewer ranks, and --device cuda so that each takes another.";
        }
    }
    return {};
}

} // namespace headroom::training
