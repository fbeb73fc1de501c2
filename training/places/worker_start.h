// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <string>

namespace headroom::training {

/// Returns why headroom-worker does not start at a place, as sentences with what to do: it is built for another processor, or for a
/// newer glibc. Asks the place what it has. `said`: what was said there when it was to start. Empty for other words. Throws what
/// runAt() throws.
std::string whyNoWorker(const Place& place, const std::string& said);

} // namespace headroom::training
