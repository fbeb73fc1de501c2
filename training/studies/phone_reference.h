// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "core/studies/study.h"

#include <optional>
#include <span>
#include <string>

namespace headroom::training {

class PhoneSummary;

/// What coverage is measured against: the mean over heads and the lower layers of some model (Shim et al.
/// 2022, Eq. 6), which must not be the model itself.
struct PhoneReference {
    Matrix<double> map; ///< [36, 36]
    std::string
        text; ///< "layers 1 to 8 of st-small (0a1b2c3d)", and where it is another study its data and n
    std::string weightsHash; ///< empty for maps from elsewhere
    int model = 0;           ///< its number in the study, from 1; 0: of another study
};

/// The settings of a reference.
struct ReferenceChoice {
    std::string
        reference; ///< "": none; "model 2": of this study; else the folder of a finished study of phones
    std::int64_t model = 1;  ///< which one of that study
    std::int64_t layers = 0; ///< the lowest so many; 0: the lower half
    bool allowSame = false;
    std::string mode,
        phoneMap; ///< how this study averages, and its map's fingerprint: the other's must agree
};

/// Whether the choice can be kept, before anything is measured. Throws Error "study.reference" in words: a
/// model that is not there, a folder that is no finished study of phones, a model that would be measured
/// against itself, maps that were averaged in another mode or read by another phone map.
void checkReference(const ReferenceChoice& choice, std::span<const StudyModel> models);

/// The reference itself; nothing where none was chosen. Throws as above.
std::optional<PhoneReference> phoneReference(const ReferenceChoice& choice, const Study& study,
                                             std::span<const PhoneSummary> summaries);

} // namespace headroom::training
