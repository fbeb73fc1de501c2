// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA kernels as C++: the launchers of models/kernels/*_device.h for tests on the CPU.
#include "tests/support/block_runner.h"

#include "models/kernels/banded_cuda.cu"
#include "models/kernels/banded_tiles_cuda.cu"
#include "models/kernels/contributions_cuda.cu"
#include "models/kernels/ctc_cuda.cu"
#include "models/kernels/dropout_cuda.cu"
