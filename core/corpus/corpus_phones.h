// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "core/corpus/corpus.h"

#include <span>

namespace headroom {

/// What a corpus' own phone map is called, in its folder.
inline constexpr const char* kPhoneMapFile = "phones.tsv";

/// How often each label of phones occurs in the alignments of these utterances; those that cannot be read
/// count nothing. Blocks: reads every alignment, no recording.
LabelCounts phoneLabels(std::span<const Utterance> utterances);

/// The map that a corpus is studied with: `choice`, a file or the name of a map that comes along; where it is
/// empty `phones.tsv` in the corpus' folder; else of the maps that come along the one that fits the labels
/// best. Blocks. Throws what PhoneMap::read and PhoneMap::named throw.
PhoneMap phoneMapOf(const Corpus& corpus, std::span<const Utterance> utterances,
                    const std::string& choice = {});

} // namespace headroom
