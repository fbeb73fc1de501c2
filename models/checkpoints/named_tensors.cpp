// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/named_tensors.h"

namespace headroom::models {

bool NamedTensors::add(const std::string& name, TensorView tensor) {
    if (!m_tensors.emplace(name, std::move(tensor)).second)
        return false;
    m_names.push_back(name);
    return true;
}

} // namespace headroom::models
