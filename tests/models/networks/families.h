// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace headroom::testing {

/// Small members of every family that is built, by name: two or four layers, 16 to 32 wide.
struct Family {
    std::string name;
    Architecture architecture;
};
std::vector<Family> smallFamilies();
const Architecture& smallFamily(const std::string& name);

/// Weights as training draws them, then norms, biases and running statistics moved from where they start, so
/// that nothing hides behind a 0 or a 1. Requires no gradients.
models::Parameters madeWeights(const Architecture& architecture, std::uint64_t seed = 1);

/// Made features of so many frames each, [batch, longest, columns ≤ 80], zeros behind.
at::Tensor madeBatch(const std::vector<std::int64_t>& frames, unsigned seed = 1, std::int64_t columns = 80);

/// max |x|.
double largest(const at::Tensor& x);

/// Whether the encoder's output of a pass that nobody observed is that of an observed one: bit for bit, or within 1e-5 of
/// the largest value where a map goes through the fused kernel.
bool sameAsObserved(const Architecture& architecture, const at::Tensor& observed, const at::Tensor& alone);

} // namespace headroom::testing
