// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checks/checks.h"

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <functional>
#include <string>

namespace at {
class Tensor;
}

/// The parts of runChecks, one source file each. Every part draws its numbers from fixed seeds on the CPU, computes on
/// `device`, and compares with a reference that is computed in double on the CPU.
namespace headroom::models {

/// Takes each row of a part.
using CheckRows = std::function<void(const CheckRow&)>;

/// Compares contributions.h and profiles.h with the oracle, and centred windows with their definition in double.
void checkContributions(c10::Device device, const CheckRows& rows);

/// Compares banded.h, forward and backward, with banded_reference.h.
void checkBanded(c10::Device device, const CheckRows& rows);
/// The same of one length, reach and type.
void checkBand(std::int64_t tokens, std::int64_t reach, c10::ScalarType type, c10::Device device, const CheckRows& rows);

/// Compares every kind of attention with kinds_reference.h: a whole block in training with padding, forward
/// and backward (gradients of the input and every weight), in float32, float64, and bfloat16 under autocast.
void checkKinds(c10::Device device, const CheckRows& rows);

/// Compares ctc.h, loss and gradient, with at::ctc_loss in double on the CPU.
void checkCtc(c10::Device device, const CheckRows& rows);

/// Compares the mask of dropout with that of the CPU, bit for bit, in float32, float64 and bfloat16.
void checkDropout(c10::Device device, const CheckRows& rows);

/// Returns a row that has passed if `difference()` ≤ `bound`; NaN has not passed, nor has what it throws, which the row says.
CheckRow checkRow(const std::string& name, const char* precision, double bound, const std::function<double()>& difference);

/// Raises `worst` to the largest difference, as a share of the largest expected number where that is above 1.
/// NaN stays. `found` may be on another device.
void widenDifference(double& worst, const at::Tensor& found, const at::Tensor& expected);

} // namespace headroom::models
