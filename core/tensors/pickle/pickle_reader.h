// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/pickle_graph.h"

#include <cstddef>
#include <span>
#include <string>

namespace headroom {

/// Reads one pickle, protocol 2 to 5, as written by torch.save. Executes nothing and looks nothing up: the
/// calls that checkpoints use (pickle_classes.h) become tensors, containers and stubs, and every other name
/// is rejected. Bytes after the pickle are ignored; `used` is where it ended.
///
/// Limits: 64 MiB of pickle, a million values, 4 million elements and copied bytes. `name` is used in
/// messages. Throws Error "pickle.truncated", "pickle.badData", "pickle.forbidden" (values {callable}),
/// "pickle.tooLarge", "pickle.tooDeep", "pickle.cyclic", "pickle.badTensor" (outside its storage).
struct Pickle {
    PickleGraph graph;
    std::size_t used = 0;
};
Pickle readPickle(std::span<const std::byte> bytes, const std::string& name);

} // namespace headroom
