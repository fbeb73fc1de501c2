// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace gloo {
class Context {
public:
    void setTimeout(std::chrono::milliseconds timeout); // in LibTorch
};
} // namespace gloo
