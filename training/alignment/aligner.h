// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/matrix/matrix.h"
#include "training/alignment/aligner_record.h"
#include "training/alignment/spoken_phones.h"

#include <filesystem>
#include <memory>
#include <string>

namespace headroom::training {

/// What an aligner found in one utterance.
struct AlignedUtterance {
    Alignment alignment; ///< words and phones, gap-free; origin says who made it and how good that is
    double confidence =
        0; ///< mean over the phones of the mean log-probability of their tokens; NaN without phones
};

/// Forced alignment: where in a recording the phones of a known text are (ctc_alignment.h) according to a
/// phone model. One thread at a time per object.
class Aligner {
public:
    /// A model folder with aligner.json in it. Throws Error "aligner.…" and what opening a model throws.
    static std::unique_ptr<Aligner> open(const std::filesystem::path& folder);
    virtual ~Aligner() = default;

    virtual const AlignerRecord& record() const = 0;

    /// `features` [frames, 80] after utterance CMVN of a recording of `duration`. Boundaries lie half-way
    /// between tokens, 20 ms apart in the built-in model. Pauses are only found between words. Where
    /// `confidence` is below the record's limit: warning "align.doubtful", the text may not be what is said.
    /// A text without words: all silence.
    ///
    /// Throws Error "align.tooManyPhones" (values {phones, tokens}) where the recording is too short for the
    /// text, "align.unknownPhone", and what the model throws (too long, not finite).
    virtual AlignedUtterance align(MatrixView<const float> features, Seconds duration,
                                   const SpokenPhones& text) = 0;
};

/// The built-in one: resources/aligner beside the program's resources (HEADROOM_RESOURCES, then
/// ../share/headroom beside the program, then the source tree it was built from). Empty where it is nowhere.
std::filesystem::path builtInAlignerFolder();

} // namespace headroom::training
