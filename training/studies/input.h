// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "training/studies/study_work.h"

#include <optional>

namespace headroom::training {

/// Returns the message of an error about an utterance, with the file name in front if it is missing (models
/// know features, not files).
std::string sentenceAbout(const StudyUtterance& utterance, const Error& error);

/// Returns whether the utterance has an alignment whose file is gone.
bool hasLostAlignment(const StudyUtterance& utterance);
/// Returns the alignment as in its file, uncut; `nullopt` if there is none or it cannot be read.
std::optional<Alignment> alignmentAsWritten(const StudyUtterance& utterance);
/// Returns whether the alignment has a phone other than silence.
bool hasPhones(const Alignment& alignment);
/// Returns a hash of what is measured of an alignment: of a list, only this utterance's entry; of the file if
/// it cannot be read. Includes the version of the validator's rules, so that changed rules invalidate the
/// cache. Throws Error if the file is missing.
std::string alignmentIdentity(const StudyUtterance& utterance, const std::optional<Alignment>& written);

/// Loads recording, features, and words and phones checked with `phones` and the audio (also for a source
/// without audio, if the recording exists).
/// - Required: a missing or invalid alignment throws Error "study.alignment" with the first error.
/// - Words: the same, but what is wrong with the phones alone (none, or labels that `phones` does not know) is no matter.
/// - IfThere: such an alignment counts as missing.
/// - Throws the errors of reading, and Error "study.silent" for a recording without anything above −80 dBFS.
/// - `seconds` receives the duration of the recording. Thread-safe.
enum class AlignmentUse { None, IfThere, Words, Required };
StudyInput loadInput(int index, const StudyUtterance& utterance, AlignmentUse use, LayerSource& source,
                     const PhoneMap& phones, double& seconds);
/// Returns whether what loadInput() reads of an utterance for `a` serves `b` too. Texts are cut by each model's own tokenizer.
bool readAlike(LayerSource& a, LayerSource& b);

} // namespace headroom::training
