// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace headroom {

/// A table of resources/phones, compiled into the program.
struct PhoneTable {
    std::string_view name, title, text;
};
extern const std::array<PhoneTable, 4> kPhoneTables;

} // namespace headroom
