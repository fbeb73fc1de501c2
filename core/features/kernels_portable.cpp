// SPDX-License-Identifier: GPL-3.0-or-later
#define HEADROOM_KERNELS portable
#include "core/features/kernels_body.h"

namespace headroom::lanes {

const Kernels& portableKernels() {
    static constexpr Kernels kernels{portable::logMel, portable::spectrum};
    return kernels;
}

} // namespace headroom::lanes
