// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/ranks/place.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace headroom::training {

/// Returns c10d's Gloo group of all ranks; every rank calls it. Through the loopback device where rank 0 is at a
/// loopback address, else through the interface that GLOO_SOCKET_IFNAME names or the one of this host's name. Operations
/// have no time limit of their own: a rank may write a checkpoint for minutes.
c10::intrusive_ptr<c10d::Backend> glooGroup(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place);

} // namespace headroom::training
