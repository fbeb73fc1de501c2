// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/kept_memory.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headroom::training {

void keepFreedMemory() {
#ifdef __GLIBC__
    ::mallopt(M_MMAP_MAX, 0);        // large tensors too come from the heap
    ::mallopt(M_TRIM_THRESHOLD, -1); // whose end is never given back
    ::mallopt(M_TOP_PAD, 64 << 20);  // and which grows in few steps
#endif
}

} // namespace headroom::training
