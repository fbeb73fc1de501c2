// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace headroom::far_device {

/// The same memory, as the CPU sees it.
at::Tensor near(const at::Tensor& tensor);
/// A copy on the device; what is undefined stays so.
at::Tensor far(const at::Tensor& tensor);

} // namespace headroom::far_device
