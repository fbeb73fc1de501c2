// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/ranks/place.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace headroom::training {

/// Opens libheadroom-nccl.so and returns c10d's NCCL group of all ranks, one GPU each; every rank calls it. Throws Error
/// "ranks.noNccl", which says what is missing.
c10::intrusive_ptr<c10d::Backend> ncclGroup(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place);

} // namespace headroom::training
