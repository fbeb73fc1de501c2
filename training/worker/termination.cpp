// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/termination.h"

#include "training/processes/exit_status.h"

#include <csignal>

namespace headroom::training {

namespace {

std::atomic<bool> terminating{false};
std::atomic<int> terminationSignal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler writes them");

void note(int signal) {
    terminationSignal = signal;
    terminating = true;
}

} // namespace

void catchTermination() {
    struct sigaction action {};
    action.sa_handler = note;
    ::sigemptyset(&action.sa_mask);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        // A second Ctrl-C ends at once. SIGTERM may come twice: Slurm sends it to a job's script, which passes it on, and to
        // what the script has started.
        action.sa_flags = signal == SIGTERM ? SA_RESTART : static_cast<int>(SA_RESETHAND | SA_RESTART);
        ::sigaction(signal, &action, nullptr);
    }
}

const std::atomic<bool>& terminationFlag() {
    return terminating;
}

int terminationStatus() {
    return terminationSignal == 0 ? 0 : kStatusOfSignal + terminationSignal;
}

} // namespace headroom::training
