// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace headroom {

/// Call it first in main(). What is made after it is taken down when the process ends, and the libraries are not: torch takes 0.3 s to
/// forget its operators one by one, a third of a short command and more than most tests take. Sanitizers look for leaks after that,
/// so they get the whole end.
inline void endBeforeLibraries() {
#ifndef __SANITIZE_ADDRESS__
    ::on_exit(
        [](int status, void*) {
            std::fflush(nullptr);
            ::_exit(status);
        },
        nullptr);
#endif
}

} // namespace headroom
