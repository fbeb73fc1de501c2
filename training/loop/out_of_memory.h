// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/runs/recipe.h"
#include "core/runs/run_folder.h"
#include "training/data/loader.h"

#include <cstdint>
#include <exception>
#include <new>

namespace headroom::training {

/// Makes LibTorch throw where memory is refused. It does by default, but libsentencepiece has a flag of the same name as one of
/// LibTorch's, and where the linker joins them, writes over the one behind it, by which LibTorch ends the process instead.
void letRefusalsThrow();

/// A batch for which memory was refused; the weights are unchanged.
struct OutOfMemory : std::bad_alloc {
    explicit OutOfMemory(const Batch& batch);
    std::int64_t utterances, longest; ///< frames of the longest
};

/// Error "train.memory": the update (from 0), the batch if one was in work (null: none), the last checkpoint, and the setting
/// to lower.
Error outOfMemory(const RunPaths& run, const Recipe& recipe, std::int64_t update, const OutOfMemory* batch);
/// Error "device.lost" (models/layers/device_errors.h): what was said of the device, the update (from 0) and the last checkpoint.
Error deviceLost(const RunPaths& run, std::int64_t update, const std::exception& error);

} // namespace headroom::training
