// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/termination.h"

#include <csignal>

namespace headroom::training {

namespace {

std::atomic<bool> terminating{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void note(int) {
    terminating = true;
}

} // namespace

void catchTermination() {
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigemptyset(&action.sa_mask);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

const std::atomic<bool>& terminationFlag() {
    return terminating;
}

} // namespace headroom::training
