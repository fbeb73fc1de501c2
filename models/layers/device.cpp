// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/device.h"

#include "core/errors/error.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Device.h>

namespace headroom::models {

namespace {

c10::Device& current() {
    static c10::Device device(c10::kCPU);
    return device;
}

} // namespace

void useDevice(const std::string& id) {
    try {
        c10::Device device(id);
        if (!device.is_cpu() && !device.has_index())
            device.set_index(0);
        at::empty({1}, at::TensorOptions().device(device)).zero_();
        current() = device;
    } catch (const c10::Error& error) {
        const std::string said = error.what_without_backtrace();
        throw Error("device.absent", "Torch cannot compute on " + id + ": " + said.substr(0, said.find('\n')) + ".",
                    {{"device", id}});
    }
}

c10::Device usedDevice() {
    return current();
}

std::string usedDeviceId() {
    return current().str();
}

at::Tensor onDevice(const at::Tensor& tensor) {
    return tensor.to(current());
}

Parameters onDevice(const Parameters& parameters) {
    Parameters result = parameters; // the order and what are buffers; then other tensors
    parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        if (tensor.device() != current())
            result.set(name, tensor.detach().to(current()).set_requires_grad(tensor.requires_grad()));
    });
    return result;
}

std::int64_t freeDeviceMemory() {
    auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(current().type()));
    if (!allocator)
        return -1;
    try {
        return static_cast<std::int64_t>(allocator->getMemoryInfo(current().index()).first);
    } catch (const c10::Error&) { // an allocator need not know
        return -1;
    }
}

} // namespace headroom::models
