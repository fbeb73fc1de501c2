// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <exception>

namespace headroom::models {

/// Polled between layers and inside long ones. May be set on any thread to stop, which throws Cancelled.
using CancelFlag = std::atomic<bool>;
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

} // namespace headroom::models
