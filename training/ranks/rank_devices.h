// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::training {

/// What a rank computes on. A value.
struct RankDevice {
    std::string host, id; ///< "node-7", "cuda:0"
    std::string gpu;      ///< the GPU's own number (UUID), which is another where ids are not; empty: not a GPU, or unknown
};

std::string toText(const RankDevice& device);
RankDevice rankDeviceFrom(const std::string& text);

/// Returns why these ranks, by number, cannot train together, as a sentence; empty: they can. All are of one
/// kind, and every rank has a GPU of its own, because NCCL refuses two on one.
std::string problemOfDevices(const std::vector<RankDevice>& devices);

} // namespace headroom::training
