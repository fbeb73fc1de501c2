// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/gloo.h"

// LibTorch's wheel has Gloo's code and c10d's header for it, but not Gloo's own headers, which that header includes.
// gloo_headers/ declares the few names that it needs; nothing of them is called here.
#define USE_C10D_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <chrono>
#include <cstdlib>

namespace headroom::training {

c10::intrusive_ptr<c10d::Backend> glooGroup(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place) {
    using c10d::ProcessGroupGloo;
    // Torch's flight recorder adds each new group to a map without a lock, so two ranks in one process could crash.
    [[maybe_unused]] static const int once = ::setenv("TORCH_FR_BUFFER_SIZE", "0", 0);
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::hours(24));
    const bool local = place.address.starts_with("127.") || place.address == "localhost";
    auto options = local ? ProcessGroupGloo::Options::create(limit) : ProcessGroupGloo::Options::create_default(limit);
    options->timeout = limit;
    if (local)
        options->devices.push_back(ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    return c10::make_intrusive<ProcessGroupGloo>(store, place.rank, place.world, options);
}

} // namespace headroom::training
