// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// Converts the bytes of a TextGrid to UTF-8 with LF line ends. Accepts UTF-8 with or without BOM, and UTF-16
/// of both byte orders with BOM, or without if the first character reveals it. `name` is used in error
/// messages. Throws Error "alignment.badText".
std::string gridText(std::string_view bytes, const std::string& name);

} // namespace headroom
