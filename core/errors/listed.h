// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// Lists texts for a message: one, two, three.
template <class Texts> std::string listed(const Texts& texts) {
    std::string list;
    for (const std::string_view text : texts)
        list.append(list.empty() ? "" : ", ").append(text);
    return list;
}

/// “one”, “two”, “three”.
template <class Texts> std::string listedInQuotes(const Texts& texts) {
    std::string list;
    for (const std::string_view text : texts)
        list.append(list.empty() ? "“" : ", “").append(text).append("”");
    return list;
}

} // namespace headroom
