// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <string>

namespace headroom::far_device {

/// What a program asked of the device; the first comment of far_device.cpp says what each number is.
struct Counts {
    std::atomic<long> reads{0}, sent{0}, fetched{0}, waited{0}, aside{0}, synchronised{0}, requests{0}, launched{0};
};
extern Counts counts;

/// While an operator computes on copies: those are not the program's.
struct InOperator {
    InOperator() { ++depth; }
    ~InOperator() { --depth; }
    static thread_local int depth;
};

/// Counts `times` starts of something that a GPU would compute. Any thread.
void countLaunch(const std::string& operation, long times = 1);

/// Writes what FAR_DEVICE_LOG and FAR_DEVICE_OPERATIONS ask for.
void writeReport();

} // namespace headroom::far_device
