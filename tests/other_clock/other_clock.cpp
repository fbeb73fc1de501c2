// SPDX-License-Identifier: GPL-3.0-or-later
// A clock that is wrong by OTHER_CLOCK_SECONDS, for a program and all that it starts. A library to be preloaded:
// LD_PRELOAD=libother_clock.so OTHER_CLOCK_SECONDS=3600 headroom-worker places follow …
//
// Times of files stay those of the kernel, as if another machine, whose clock is right, served them.
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

time_t wrongBy() {
    static const char* const seconds = std::getenv("OTHER_CLOCK_SECONDS");
    return seconds ? static_cast<time_t>(std::atoll(seconds)) : 0;
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
    const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += wrongBy();
    return result;
}

int gettimeofday(timeval* now, void*) noexcept {
    timespec exact{};
    const int result = clock_gettime(CLOCK_REALTIME, &exact);
    *now = {exact.tv_sec, exact.tv_nsec / 1000};
    return result;
}

time_t time(time_t* copy) noexcept {
    timespec exact{};
    clock_gettime(CLOCK_REALTIME, &exact);
    if (copy)
        *copy = exact.tv_sec;
    return exact.tv_sec;
}

} // extern "C"
