// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>

namespace headroom {

/// Writes all bytes to a descriptor, even if the system takes them in pieces or is interrupted by a signal. Returns false, with the reason
/// in errno, if it cannot: the disk is full, or the reader of a pipe is gone.
inline bool writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), 1u << 30));
        if (count > 0)
            bytes.remove_prefix(static_cast<std::size_t>(count));
        else if (count < 0 && errno != EINTR)
            return false;
    }
    return true;
}

} // namespace headroom
