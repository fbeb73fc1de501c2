// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace headroom::models {

/// The activations that run, by their names in Hugging Face's library. The first name of each is the one that
/// is written.
inline constexpr std::array<std::pair<std::string_view, Activation>, 8> kLibraryActivations{
    {{"gelu", Activation::Gelu},
     {"gelu_python", Activation::Gelu},
     {"gelu_new", Activation::GeluTanh},
     {"gelu_pytorch_tanh", Activation::GeluTanh},
     {"gelu_accurate", Activation::GeluTanh},
     {"relu", Activation::Relu},
     {"swish", Activation::Swish},
     {"silu", Activation::Swish}}};

/// Returns the activation of a name; `nullopt` if it does not run here.
inline std::optional<Activation> activationOfLibrary(std::string_view name) {
    for (const auto& [known, activation] : kLibraryActivations)
        if (known == name)
            return activation;
    return std::nullopt;
}

/// Returns the name to write; `nullopt` if the library has none.
inline std::optional<std::string> nameInLibrary(Activation activation) {
    for (const auto& [name, known] : kLibraryActivations)
        if (known == activation)
            return std::string(name);
    return std::nullopt;
}

} // namespace headroom::models
