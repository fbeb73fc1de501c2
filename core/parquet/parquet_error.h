// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <string>

namespace headroom {

// Thrown inside this folder without the file's name, which ParquetFile adds.

/// The bytes are not what the format promises.
inline Error damagedParquet(const std::string& what) {
    return {"parquet.damaged", what};
}
/// A form that this reader does not know.
inline Error unreadParquet(const std::string& what) {
    return {"parquet.unread", what};
}

} // namespace headroom
