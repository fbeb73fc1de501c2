// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "core/studies/study.h"

#include <optional>
#include <span>
#include <string>

namespace headroom::training {

class PhoneSummary;

/// The reference of coverage: the mean over heads and the lower layers of another model (Shim et al. 2022,
/// Eq. 6).
struct PhoneReference {
    Matrix<double> map; ///< [36, 36]
    std::string
        text; ///< "layers 1 to 8 of st-small (0a1b2c3d)", and for another study its data and n
    std::string weightsHash; ///< empty for imported maps
    int model = 0;           ///< its number in the study, from 1; 0: of another study
};

/// The settings of a reference.
struct ReferenceChoice {
    std::string
        reference; ///< "": none; "model 2": of this study; otherwise the folder of a finished study of phones
    std::int64_t model = 1;  ///< which model of that study
    std::int64_t layers = 0; ///< number of lowest layers; 0: the lower half
    bool allowSame = false;
    std::string mode,
        phoneMap; ///< averaging mode and phone map fingerprint of this study, which must agree with the
                   ///< reference's
};

/// Checks the choice before anything is measured. Throws Error "study.reference" for a missing model, a
/// folder that is not a finished study of phones, a model that would be measured against itself, and maps
/// averaged in another mode or with another phone map.
void checkReference(const ReferenceChoice& choice, std::span<const StudyModel> models);

/// Returns the reference; `nullopt` if none was chosen. Throws like checkReference.
std::optional<PhoneReference> phoneReference(const ReferenceChoice& choice, const Study& study,
                                             std::span<const PhoneSummary> summaries);

} // namespace headroom::training
