// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gloo::transport {
class Device;
/// Never made or destroyed here.
class UnboundBuffer {
public:
    virtual ~UnboundBuffer();
};
} // namespace gloo::transport
