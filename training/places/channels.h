// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace headroom::training {

/// The end at the place of a session that several conversations share, `headroom-worker places channels`:
/// does each in a process of its own, which is forked, so that LibTorch is loaded once, and passes on what it
/// reads and writes. README.md of this folder has the lines and frames. `follow`: what such a process does
/// with a run's folder, on its standard input and output. Returns when the reader is gone; then all those
/// processes end. Call it from a process with one thread. Throws Error "stream.bad".
void serveChannels(int input, int output, const std::function<void(const std::string& run)>& follow);

} // namespace headroom::training
