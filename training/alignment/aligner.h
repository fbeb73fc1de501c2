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

/// The result of aligning one utterance.
struct AlignedUtterance {
    Alignment alignment; ///< words and phones, gap-free; origin says who made it and its accuracy
    double confidence =
        0; ///< mean over the phones of the mean log-probability of their tokens; NaN without phones
};

/// Forced alignment: finds the phones of a known text in a recording (ctc_alignment.h) with a phone model.
/// One thread at a time per object.
class Aligner {
public:
    /// Opens a model folder with an aligner.json. Throws Error "aligner.…" and the errors of opening a model.
    static std::unique_ptr<Aligner> open(const std::filesystem::path& folder);
    virtual ~Aligner() = default;

    virtual const AlignerRecord& record() const = 0;

    /// Aligns `features` [frames, 80] after utterance CMVN of a recording of `duration`. Boundaries lie
    /// half-way between tokens, which are 20 ms apart in the built-in model. Pauses are found only between
    /// words. If `confidence` is below the record's limit: warning "align.doubtful", the text may not match.
    /// A text without words: all silence.
    ///
    /// Throws Error "align.tooManyPhones" (values {phones, tokens}) if the recording is too short for the
    /// text, "align.unknownPhone", and the errors of the model (too long, not finite).
    virtual AlignedUtterance align(MatrixView<const float> features, Seconds duration,
                                   const SpokenPhones& text) = 0;
};

/// Returns the folder of the built-in aligner: resources/aligner beside the program's resources
/// (HEADROOM_RESOURCES, then ../share/headroom beside the program, then the source tree). Empty if it is
/// missing.
std::filesystem::path builtInAlignerFolder();

} // namespace headroom::training
