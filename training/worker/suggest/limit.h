// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace headroom::training {

/// The limit of `suggest`.
struct SuggestionLimit {
    enum class Of { Macs, Loss } of = Of::Macs;
    double value = 1; ///< 0 … 1: share of the attention's MACs, or mean CL over the layers

    /// "macs=0.5", "loss=0.1"; `nullopt` for anything else.
    static std::optional<SuggestionLimit> parse(const std::string& text);
};

} // namespace headroom::training
