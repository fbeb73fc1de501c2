// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

namespace headroom::testing {

/// A finished study of a kind with drawn numbers of plausible size; what is drawn follows from the kind
/// alone.
struct SyntheticStudy {
    Study study;
    StudyArrays arrays, example;
};
SyntheticStudy syntheticStudy(StudyKind kind, int models = 1, int layers = 12, int heads = 4);

} // namespace headroom::testing
