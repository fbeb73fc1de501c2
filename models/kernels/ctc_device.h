// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// The launcher of ctc_cuda.cu.
namespace headroom::models::device {

/// ctcPaths() of ctc.h: `emissions` [token, path, state], `skips` [path, state] → `paths` [token, path, state + 2]. Starts the
/// kernel on `stream` (a cudaStream_t). Throws std::runtime_error if it cannot be started.
void launchCtcPaths(const double* emissions, const double* skips, std::int64_t tokens, std::int64_t rows, std::int64_t states,
                    double* paths, void* stream);

} // namespace headroom::models::device
