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
    const ComputeDevices found = computeDevices();
    for (const ComputeDevice& device : found.list)
        if (device.usable())
            worker.devices.push_back({device.id, device.name});
    worker.threads = found.threads;
    worker.memoryBytes = found.list.front().memoryBytes;
    return worker;
}

} // namespace headroom::training
