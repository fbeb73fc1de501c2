// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/pickle_graph.h"

#include <cstddef>
#include <span>
#include <string>

namespace headroom {

/// One pickle, protocol 2 to 5, as torch.save writes them. Executes nothing and looks nothing up: names stay
/// names, calls that checkpoints are made of (pickle_classes.h) become tensors, containers and stubs, and
/// every other name is refused. Bytes after the pickle are left alone: `used` is where it ended.
///
/// Bounded, whatever the bytes say: 64 MiB of pickle, a million values, 4 million elements and copied bytes.
/// `name` stands in the sentences. Throws Error "pickle.truncated", "pickle.badData", "pickle.forbidden"
/// (values {callable}), "pickle.tooLarge", "pickle.tooDeep", "pickle.cyclic", "pickle.badTensor" (outside its
/// storage).
struct Pickle {
    PickleGraph graph;
    std::size_t used = 0;
};
Pickle readPickle(std::span<const std::byte> bytes, const std::string& name);

} // namespace headroom
