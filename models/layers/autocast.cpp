// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/autocast.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

namespace headroom::models {

Bfloat16Scope::Bfloat16Scope(bool on, c10::DeviceType device)
    : m_on(on)
    , m_device(device) {
    if (!m_on)
        return;
    at::autocast::set_autocast_enabled(m_device, true);
    at::autocast::set_autocast_dtype(m_device, at::kBFloat16);
    at::autocast::increment_nesting();
}

Bfloat16Scope::~Bfloat16Scope() {
    if (!m_on)
        return;
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(m_device, false);
}

NoAutocastCache::NoAutocastCache()
    : m_before(at::autocast::is_autocast_cache_enabled()) {
    at::autocast::set_autocast_cache_enabled(false);
}

NoAutocastCache::~NoAutocastCache() {
    at::autocast::set_autocast_cache_enabled(m_before);
}

bool isAutocast(c10::DeviceType device) {
    return at::autocast::is_autocast_enabled(device);
}

bool infersOnCpu(const at::Tensor& x) {
    return x.is_cpu() && x.scalar_type() == at::kFloat && c10::InferenceMode::is_enabled() && !isAutocast(at::kCPU);
}

} // namespace headroom::models
