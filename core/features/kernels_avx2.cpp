// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -mavx2 -mfma: only what bestKernels() has asked the processor about may be called from
// outside.
#ifdef HEADROOM_AVX2_KERNELS // not on other processors
#define HEADROOM_KERNELS avx2
#include "core/features/kernels_body.h"

namespace headroom::lanes {

extern const Kernels kAvx2Kernels;
constinit const Kernels kAvx2Kernels{avx2::logMel, avx2::spectrum};

} // namespace headroom::lanes
#endif
