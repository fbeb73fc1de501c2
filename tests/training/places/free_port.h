// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRandomGenerator>

#include <cstdint>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace headroom::testing {

/// A port that nobody listens on; 0 where there is none. It is below those that the system gives to connections, so that
/// no other program gets it before the server of a test does, or while that is down.
inline int freePort() {
    for (int attempt = 0; attempt < 100; ++attempt) {
        const int port = QRandomGenerator::global()->bounded(12000, 32000);
        const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        const bool bound = ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
        ::close(listener);
        if (bound)
            return port;
    }
    return 0;
}

} // namespace headroom::testing
