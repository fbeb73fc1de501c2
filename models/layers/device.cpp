// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/device.h"

#include "core/errors/error.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Device.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/core/StreamGuard.h>

namespace headroom::models {

namespace {

c10::Device& current() {
    static c10::Device device(c10::kCPU);
    return device;
}

constexpr auto kOfAllPools = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);

/// What the allocator of the device answers; −1 where it has no such figures. Nothing of CUDA is linked for it.
template <class Ask>
std::int64_t fromAllocator(const Ask& ask) {
    auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(current().type()));
    if (!allocator)
        return -1;
    try {
        return ask(*allocator);
    } catch (const c10::Error&) { // an allocator need not know
        return -1;
    }
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

at::Tensor sentAside(const at::Tensor& made, c10::Device device) {
    if (device.is_cpu() || device.is_meta() || !made.is_cpu())
        return made.to(device);
    const c10::impl::VirtualGuardImpl streams(device.type());
    const c10::Stream computing = streams.getStream(device);
    static const c10::Stream aside = streams.getStreamFromGlobalPool(device); // a process computes on one device
    at::Tensor there;
    {
        const c10::StreamGuard guard(aside);
        there = sent(made, device);
    }
    c10::Event arrived(device.type());
    arrived.record(aside);
    arrived.block(computing);
    there.record_stream(computing); // its memory is that of the other stream
    return there;
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

void waitForDevice() {
    if (!current().is_cpu() && !current().is_meta())
        c10::impl::VirtualGuardImpl(current().type()).synchronizeDevice(current().index());
}

std::int64_t freeDeviceMemory() {
    return fromAllocator([](c10::DeviceAllocator& allocator) {
        return static_cast<std::int64_t>(allocator.getMemoryInfo(current().index()).first);
    });
}

std::int64_t takenDeviceMemory() {
    return fromAllocator([](c10::DeviceAllocator& allocator) {
        return allocator.getDeviceStats(current().index()).reserved_bytes[kOfAllPools].current;
    });
}

std::int64_t peakDeviceMemory() {
    return fromAllocator([](c10::DeviceAllocator& allocator) {
        return allocator.getDeviceStats(current().index()).reserved_bytes[kOfAllPools].peak;
    });
}

} // namespace headroom::models
