// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/kept_memory.h"

#include <cstdlib>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headroom::models {
namespace {

std::mutex& keeping() {
    static std::mutex mutex;
    return mutex;
}
int keepers = 0; // guarded by keeping()

} // namespace

KeptMemory::KeptMemory() {
    const std::lock_guard lock(keeping());
    if (keepers++ > 0)
        return;
#ifdef __GLIBC__
    ::mallopt(M_MMAP_MAX, 0);        // large tensors too come from the heap
    ::mallopt(M_TRIM_THRESHOLD, -1); // whose end is not given back
    ::mallopt(M_TOP_PAD, 64 << 20);  // and which grows in few steps
#endif
}

KeptMemory::~KeptMemory() {
    const std::lock_guard lock(keeping());
    if (--keepers > 0)
        return;
#ifdef __GLIBC__
    // What glibc itself arrives at once a block of 32 MB was freed.
    ::mallopt(M_MMAP_MAX, 65'536);
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
    ::mallopt(M_TOP_PAD, 128 << 10);
    ::malloc_trim(0);
#endif
}

} // namespace headroom::models
