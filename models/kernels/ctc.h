// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

/// CTC (Graves et al. 2006) without waiting for the device: lengths and texts are read on the host, and everything that depends
/// on them goes there in one copy. at::ctc_loss copies them in every call and waits.
namespace headroom::models {

/// Σ over the recordings of −log Σ_paths Π_t p_t, in nats, on any device; a text that does not fit its recording counts 0, and so
/// does its gradient (at::ctc_loss with zero_infinity).
/// - `logProbabilities` [batch, token, vocabulary], float or double: a log-softmax; `tokens` and `texts` of each recording, which
///   may be empty.
/// - Paths are summed in double. Two calls give the same bits.
/// - The gradient is that of the sum in front of the log-softmax: it leaves out the part that the latter makes 0.
at::Tensor ctcLoss(const at::Tensor& logProbabilities, const std::vector<std::int64_t>& tokens,
                   const std::vector<std::vector<int>>& texts, int blank);

/// The sums over paths, log Σ, that end in each state: A_t(s) = E_t(s) + log(e^A_{t−1}(s) + e^A_{t−1}(s − 1) + e^(A_{t−1}(s − 2) +
/// skip(s))), A_0(s) = E_0(s) for s ≤ 1, −∞ otherwise.
/// - `emissions` E [token, path, state], `skips` [path, state], 0 or −∞: double, contiguous, one device.
/// - Returns [token, path, state + 2] behind two columns of −∞: state s is column s + 2.
at::Tensor ctcPaths(const at::Tensor& emissions, const at::Tensor& skips);

/// The plain form on the CPU, for any such pointers.
void ctcPathsPlain(const double* emissions, const double* skips, std::int64_t tokens, std::int64_t rows, std::int64_t states,
                   double* paths);

} // namespace headroom::models
