// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

/// The memory of the device: every byte has two addresses. The one that tensors hold cannot be read or written, as that of a GPU cannot
/// by its host, so that a program that tries ends with SIGSEGV; operators use the other one. Any thread.
namespace headroom::far_device {

/// Returns the device's address of new memory, aligned to 64 bytes. Throws std::bad_alloc.
void* takeMemory(std::size_t bytes);
/// `place`: of takeMemory().
void giveBackMemory(void* place, std::size_t bytes);
/// The address at which operators find what `place`, somewhere in the device's memory, stands for; of any other place itself.
void* readable(const void* place);

} // namespace headroom::far_device
