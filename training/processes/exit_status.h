// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/wait.h>

namespace headroom::training {

/// A shell's status of a command that a signal ended: this and the signal's number.
inline constexpr int kStatusOfSignal = 128;

/// The exit status, as a shell gives it, of a process that has ended; `waited`: what waitpid() says of it.
inline int exitStatus(int waited) {
    return WIFEXITED(waited) ? WEXITSTATUS(waited) : kStatusOfSignal + WTERMSIG(waited);
}

} // namespace headroom::training
