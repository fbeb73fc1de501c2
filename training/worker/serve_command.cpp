// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/serve_there.h"
#include "training/worker/commands.h"
#include "training/worker/serve/server.h"

#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace headroom::training {

int serve(const std::string& place, const std::string& device) {
    // Standard output carries frames and nothing else: we keep its descriptor for ourselves, and what a
    // library prints goes to the log.
    std::fflush(stdout);
    const int frames = ::dup(STDOUT_FILENO);
    if (frames < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        std::fprintf(stderr, "Standard output could not be kept for frames.\n");
        return 1;
    }
    std::signal(SIGPIPE, SIG_IGN); // a window that went away is an end, not a crash
    if (!place.empty() && place != kThisMachine)
        try {
            return serveThere(findPlace(readPlaces(placesFile()), place), device, STDIN_FILENO, frames);
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
            return 1;
        }
    return Server(STDIN_FILENO, frames).run();
}

} // namespace headroom::training
