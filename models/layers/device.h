// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/sent.h"
#include "models/layers/parameters.h"

#include <string>

namespace c10 {
struct Device;
}

/// Where the networks of this process compute. One process computes on one device, as torch has one number of threads for
/// the process: the CPU, until useDevice() says otherwise.
namespace headroom::models {

/// Sets the device: "cpu", "cuda:0", or torch's name of any other whose library is loaded. Called once, before a model is
/// opened, from the thread that opens it. Throws Error "device.absent" if torch cannot make a tensor there.
void useDevice(const std::string& id);

/// Returns the device that was set, and its id. Any thread.
c10::Device usedDevice();
std::string usedDeviceId();

/// Returns `tensor` on usedDevice(), or itself if it is there.
at::Tensor onDevice(const at::Tensor& tensor);

/// As sent(), for what is large: it makes its way while the device computes, and only what uses it waits (a second stream).
at::Tensor sentAside(const at::Tensor& made, c10::Device device);

/// Returns parameters on usedDevice(): new leaves that learn where these do, or the same if they are there.
Parameters onDevice(const Parameters& parameters);

/// Waits until usedDevice() has done everything that it was given. The CPU has.
void waitForDevice();

/// Returns memory in bytes that is free on usedDevice(); −1: unknown.
std::int64_t freeDeviceMemory();
/// Returns the memory of usedDevice() in bytes that torch's allocator has taken from it for this process, now and at the
/// peak; −1: unknown. The CPU's is unknown here: torch does not count it.
std::int64_t takenDeviceMemory();
std::int64_t peakDeviceMemory();

} // namespace headroom::models
