// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/person.h"

#include "core/audio/audio_name.h"
#include "core/corpus/corpus.h"

namespace headroom {

std::string speedPrefix(double speed) {
    return speed == 1 ? std::string() : AudioName{{}, {}, speed}.suffix().substr(1) + "-";
}

std::string_view personOf(const Utterance& utterance) {
    std::string_view person = utterance.speaker;
    const auto named = audioSuffix(utterance.audio.native());
    const std::string prefix = named ? speedPrefix(named->speed) : std::string();
    if (person.size() > prefix.size() && person.starts_with(prefix))
        person.remove_prefix(prefix.size());
    return person;
}

} // namespace headroom
