// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <string>

namespace headroom {

// Thrown inside this folder without the file's name, which ArrowFile adds.

/// The bytes are not what the format promises.
inline Error damagedArrow(const std::string& what) {
    return {"arrow.damaged", what};
}
/// A form that this reader does not know.
inline Error unreadArrow(const std::string& what) {
    return {"arrow.unread", what};
}

} // namespace headroom
