// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <string>

namespace headroom {

/// Returns what is worth knowing of weights of `model` that fit `architecture` and start it, as sentences: layers that are left out,
/// a CTC output that the model lacks, other positions (noteOnPositions). Empty if everything is taken over as it is. `architecture` has
/// what training adds (trained_architecture.h).
std::string noteOnStart(const Architecture& model, const Architecture& architecture, bool encoderOnly);

} // namespace headroom
