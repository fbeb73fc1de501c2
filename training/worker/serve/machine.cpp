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
    // The one that computes. Asking a GPU's driver again would take seconds.
    const ComputeDevice device = chosenDevice();
    worker.devices.push_back({device.id, device.name});
    worker.threads = usableThreads();
    worker.memoryBytes = device.memoryBytes > 0 ? device.memoryBytes : computeCpu().memoryBytes;
    return worker;
}

} // namespace headroom::training
