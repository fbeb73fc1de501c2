// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "core/corpus/corpus.h"

#include <span>

namespace headroom {

/// File name of a corpus's own phone map.
inline constexpr const char* kPhoneMapFile = "phones.tsv";

/// Counts the phone labels in the alignments of these utterances; unreadable alignments count as empty.
/// Blocks: reads every alignment, but no recording.
LabelCounts phoneLabels(std::span<const Utterance> utterances);

/// Returns the phone map of a corpus: `choice` (a file, or the name of an included map); if empty,
/// `phones.tsv` in the corpus's folder; otherwise the included map that fits the labels best. Blocks. Throws
/// the errors of PhoneMap::read and PhoneMap::named.
PhoneMap phoneMapOf(const Corpus& corpus, std::span<const Utterance> utterances,
                    const std::string& choice = {});

} // namespace headroom
