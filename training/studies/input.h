// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "training/studies/study_work.h"

#include <optional>

namespace headroom::training {

/// The sentence of an error about an utterance; the file's name is put before where it is not in it (a model
/// knows features, not files).
std::string sentenceAbout(const StudyUtterance& utterance, const Error& error);

/// What an alignment says as it stands in its file, uncut; nothing where there is none, or it cannot be read.
std::optional<Alignment> alignmentAsWritten(const StudyUtterance& utterance);
/// Whether a phone is said in it; a tier of silence alone is none.
bool hasPhones(const Alignment& alignment);
/// Hash of what is measured of an alignment: of a list, this utterance's entry alone. Of the file where it
/// cannot be read. With the validator's rules, so that what they refuse today is not known from yesterday.
/// Throws Error where the file is not there.
std::string alignmentIdentity(const StudyUtterance& utterance, const std::optional<Alignment>& written);

/// Recording, features, and words and phones checked with `phones` and with the sound (also for a source that
/// does not hear, where the recording is there). Required: an alignment that is missing, or has errors,
/// throws Error "study.alignment" with the first. IfThere: such a one counts as none. Throws what reading
/// throws, and Error "study.silent" for a recording that holds nothing above −80 dBFS. `seconds` gets the
/// recording's duration. Safe from every thread.
enum class AlignmentUse { None, IfThere, Required };
StudyInput loadInput(int index, const StudyUtterance& utterance, AlignmentUse use, LayerSource& source,
                     const PhoneMap& phones, double& seconds);

} // namespace headroom::training
