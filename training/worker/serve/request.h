// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::training {

/// One request in the thread of requests. The reader thread sets `stop` and `superseded`; the rest is fixed.
struct Request {
    std::int64_t id = 0;
    std::string method;
    nlohmann::json params;
    std::map<std::string, Tensor> arrays;
    std::string tag;                      ///< of an `analyse`; empty: none
    std::atomic<bool> stop = false;       ///< the CancelFlag of the models
    std::atomic<bool> superseded = false; ///< why: a newer request with the same tag
};

} // namespace headroom::training
