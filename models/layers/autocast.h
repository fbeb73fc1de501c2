// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/DeviceType.h>

namespace at {
class Tensor;
}

namespace headroom::models {

// torch's autocast, of the calling thread. Here because its header brings every operation of ATen along, which takes a
// compiler ten seconds to read.

/// While it lives, and if `on`, products on this kind of device are computed in bfloat16. Copies of weights in bfloat16
/// end with the outermost scope: the next update makes them stale.
class Bfloat16Scope {
public:
    Bfloat16Scope(bool on, c10::DeviceType device);
    ~Bfloat16Scope();
    Bfloat16Scope(const Bfloat16Scope&) = delete;
    Bfloat16Scope& operator=(const Bfloat16Scope&) = delete;

private:
    bool m_on;
    c10::DeviceType m_device;
};

/// While it lives, copies of the weights in bfloat16 are not kept: those made without gradients serve no pass that needs one.
class NoAutocastCache {
public:
    NoAutocastCache();
    ~NoAutocastCache();
    NoAutocastCache(const NoAutocastCache&) = delete;
    NoAutocastCache& operator=(const NoAutocastCache&) = delete;

private:
    bool m_before;
};

bool isAutocast(c10::DeviceType device);

/// Whether what is computed from x is in float, on the CPU, and without gradients: there our own kernels serve.
bool infersOnCpu(const at::Tensor& x);

} // namespace headroom::models
