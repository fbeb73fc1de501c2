// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <utility>

namespace headroom {

/// The architecture with what training adds to it: `withCtc` (loss.ctcWeight is above 0) gives an encoder that has no CTC output one over
/// the vocabulary.
inline Architecture trainedArchitecture(Architecture architecture, bool withCtc) {
    if (withCtc && !architecture.ctc && !architecture.languageModel)
        architecture.ctc = architecture.vocabulary;
    return architecture;
}

} // namespace headroom
