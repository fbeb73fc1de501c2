// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/device_errors.h"

#include "models/layers/device.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <initializer_list>
#include <new>
#include <string_view>

namespace headroom::models {

namespace {

bool says(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

} // namespace

bool isOutOfMemory(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const c10::OutOfMemoryError*>(&error))
        return true;
    const auto* torch = dynamic_cast<const c10::Error*>(&error);
    if (!torch)
        return false;
    // The CPU's allocator, pinned memory and the libraries of CUDA have no type of error of their own.
    const std::string_view said = torch->what_without_backtrace();
    return says(said, {"DefaultCPUAllocator: ", "CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED"});
}

std::string outOfMemorySentence() {
    const std::string device = usedDeviceId();
    return device == "cpu" ? "This machine ran out of memory."
                           : "The device " + device + " ran out of memory.";
}

bool isDeviceLost(const std::exception& error) {
    const auto* refused = dynamic_cast<const c10::Error*>(&error); // a call that is not possible, on a device that goes on
    if (isOutOfMemory(error) ||
        (refused && says(refused->what_without_backtrace(), {"_STATUS_NOT_SUPPORTED", "_STATUS_INVALID_VALUE", "_STATUS_BAD_PARAM"})))
        return false;
    if (dynamic_cast<const c10::AcceleratorError*>(&error))
        return true;
    const auto* torch = dynamic_cast<const c10::Error*>(&error);
    if (!torch)
        return false;
    // The libraries of CUDA have no type of error of their own.
    const std::string_view said = torch->what_without_backtrace();
    return said.starts_with("CUDA error") || said.starts_with("CUDA driver error") ||
           said.starts_with("cuDNN error");
}

std::string deviceLostSentence(const std::exception& error) {
    const auto* torch = dynamic_cast<const c10::Error*>(&error);
    std::string said = torch ? torch->what_without_backtrace() : error.what();
    said.erase(std::min(said.find('\n'), said.size()));
    said.erase(said.find_last_not_of(". ") + 1);
    return "The device " + usedDeviceId() + " failed (" + said + ").";
}

} // namespace headroom::models
