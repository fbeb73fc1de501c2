// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>

/// What goes wrong on the device that networks compute on (device.h), and what to say of it.
namespace headroom::models {

/// Whether a request for memory was refused: std::bad_alloc, or LibTorch's allocators of the CPU or a GPU.
bool isOutOfMemory(const std::exception& error);
/// Returns "This machine ran out of memory.", or which device did.
std::string outOfMemorySentence();

/// Whether a GPU failed or no longer answers: it fell off the bus, its driver was replaced, a kernel crashed
/// on it. Nothing more can be computed on it in this process. A refused request for memory is none.
bool isDeviceLost(const std::exception& error);
/// Returns "The device cuda:0 failed (…)." with what was said of it.
std::string deviceLostSentence(const std::exception& error);

} // namespace headroom::models
