// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// The bytes of a TextGrid as UTF-8 with LF line ends. UTF-8 with or without BOM; UTF-16 of both byte orders
/// with BOM, or without where the first character gives it away. `name` stands in the sentences. Throws Error
/// "alignment.badText".
std::string gridText(std::string_view bytes, const std::string& name);

} // namespace headroom
