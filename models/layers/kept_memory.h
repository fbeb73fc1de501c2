// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::models {

/// While one lives, this process keeps freed memory for its next tensors. Every layer of an analysis needs the same memory
/// again, and the system would have to clear each page first. What is free is given back when the last one goes. Affects
/// the whole process; any thread; glibc only.
class KeptMemory {
public:
    KeptMemory();
    ~KeptMemory();
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;
};

} // namespace headroom::models
