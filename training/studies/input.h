// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "training/studies/study_work.h"

namespace headroom::training {

/// The sentence of an error about an utterance; the file's name is put before where it is not in it (a model
/// knows features, not files).
std::string sentenceAbout(const StudyUtterance& utterance, const Error& error);

/// Recording, features and, where `withAlignment`, words and phones, checked with `phones`: an alignment with
/// errors throws Error "study.alignment" with the first. `required`: one that is missing too, else it is left
/// empty. Throws what reading throws, and Error "study.silent" for a recording that holds nothing above −80
/// dBFS. `seconds` gets the recording's duration. No sound is read for a source that does not hear. Safe from
/// every thread.
enum class AlignmentUse { None, IfThere, Required };
StudyInput loadInput(int index, const StudyUtterance& utterance, AlignmentUse use, LayerSource& source,
                     const PhoneMap& phones, double& seconds);

} // namespace headroom::training
