// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

/// How busy a machine is now. A value; numbers below 0 are unknown.
struct PlaceLoad {
    struct Gpu {
        int number = 0; ///< as nvidia-smi counts, which is not CUDA's number where CUDA_VISIBLE_DEVICES is set
        std::string uuid, name;
        double memoryBytes = -1, usedBytes = -1, busy = -1; ///< busy: 0 … 1
    };
    double load = -1; ///< processes that compute or wait to, mean of a minute
    int threads = 0;  ///< processors of the machine; 0: unknown
    double memoryBytes = -1, freeBytes = -1;
    std::vector<Gpu> gpus;
};

/// Reads what the script of loadAt() prints; lines of another form are passed over. Pure.
PlaceLoad loadIn(const std::string& printed);
/// Asks a place, or this machine if its host is empty, with one constant script: nothing of Headroom needs to be there. Throws what the
/// connection throws.
PlaceLoad loadAt(const Place& place);

/// Looks at this machine and at the hosts of `places` every `pause`, each on a thread, until `stop`. A place that does not answer is asked
/// less often, at most every minute. `tell`: a document for each look, from one thread at a time: {place (empty: this machine), seconds (until
/// a command that does nothing has answered), load, threads, memoryBytes, freeBytes, gpus: [{id, uuid, name, memoryBytes, usedBytes, busy}], error}; unknown numbers are null, and
/// with an `error` (a sentence) there are none.
void monitorPlaces(const std::vector<Place>& places, std::chrono::milliseconds pause, const std::function<void(const nlohmann::json&)>& tell,
                   const std::atomic<bool>& stop);

} // namespace headroom::training
