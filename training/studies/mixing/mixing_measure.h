// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/mixing.h"
#include "training/studies/study_work.h"

#include <vector>

namespace headroom::training {

/// What the kind `mixing` measures with, from its settings.
struct MixingPlan {
    enum class Units { Tokens, Phones, Words };
    std::vector<MixingMeasure> measures; ///< at least one
    Units units = Units::Tokens;
    UnitPooling pooling = UnitPooling::Mean;
    std::int64_t window = 17; ///< of CL, in units
};
/// Reads settings as readStudySettings() gives them. `measures` may be "quick" (all but value zeroing) or "all".
/// Throws Error "mixing.unknown".
MixingPlan mixingPlan(const nlohmann::json& settings);

/// The numbers of one utterance, layer by layer; NaN where a layer does not have a measure.
struct UtteranceMixing {
    std::vector<std::vector<double>> ccd, diagonal, loss;    ///< [layer][measure]: CCD, D(1), CL(window)
    std::vector<std::vector<std::vector<double>>> rho;       ///< [layer][measure][measure]
    std::vector<std::string> reasons;                        ///< of layers that lack a measure: one sentence each
};

/// Measures and returns arrays: `diagonality` f64 [L, M, 3] (CCD, D(1), CL), `rho` f64 [L, M, M], `reason.l` u8.
/// Throws Error "study.alignment" where the alignment has no such units.
Measurement measureMixing(LayerSource& source, const StudyInput& input, const MixingPlan& plan,
                          const models::CancelFlag& cancel);
/// NaN everywhere if the utterance failed. Throws Error "study.badMeasurement".
UtteranceMixing readMixing(const Measurement& measurement, int layers, std::size_t measures);

} // namespace headroom::training
