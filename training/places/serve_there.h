// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

namespace headroom::training {

/// `headroom-worker serve --place P`: speaks the protocol of `serve` (core/protocol/README.md) on two
/// descriptors and has a worker at the place answer. A model folder that the window opens is copied there
/// first, unless it is there (copy_there.h). A sound goes there once: later requests name it by its hash.
/// `device`: as --device takes it; empty: what the place says. Returns the exit status: 0 when the input
/// ended; 1, with one sentence on standard error, when the connection did. One thread. Throws Error
/// "place.version" if the worker there has another version, and as ssh's problemOf() does, if there is no
/// connection at all.
int serveThere(const Place& place, const std::string& device, int input, int output);

} // namespace headroom::training
