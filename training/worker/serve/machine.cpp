// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/framing.h"
#include "training/devices/devices.h"
#include "training/worker/serve/handlers.h"

namespace headroom::training {

protocol::InitializeResult describeWorker() {
    protocol::InitializeResult worker;
    worker.protocol = protocol::kVersion;
    worker.version = HEADROOM_VERSION;
    worker.build = HEADROOM_BUILD;
    // Asking a GPU's driver takes seconds, and this worker computes on the CPU alone.
    const ComputeDevice cpu = computeCpu();
    worker.devices.push_back({cpu.id, cpu.name});
    worker.threads = usableThreads();
    worker.memoryBytes = cpu.memoryBytes;
    return worker;
}

} // namespace headroom::training
