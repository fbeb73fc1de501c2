// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_phones.h"

#include "core/alignment/readers.h"

#include <algorithm>
#include <limits>

namespace headroom {

LabelCounts phoneLabels(std::span<const Utterance> utterances) {
    constexpr Seconds kWhole{std::numeric_limits<double>::infinity()};
    LabelCounts labels;
    for (const auto& utterance : utterances) {
        if (utterance.alignment.empty())
            continue;
        try {
            for (const auto& phone : readAlignment(utterance.alignment, {utterance.id, utterance.audio}, kWhole).phones)
                ++labels[phone.label];
        } catch (const Error&) { // said where the utterance is studied
        }
    }
    return labels;
}

PhoneMap phoneMapOf(const Corpus& corpus, std::span<const Utterance> utterances, const std::string& choice) {
    if (!choice.empty()) {
        const auto& names = PhoneMap::names();
        const bool comesAlong = std::find(names.begin(), names.end(), choice) != names.end();
        return comesAlong ? PhoneMap::named(choice) : PhoneMap::read(choice);
    }
    std::error_code ignored;
    if (const auto own = corpus.folder() / kPhoneMapFile; std::filesystem::is_regular_file(own, ignored))
        return PhoneMap::read(own);
    return PhoneMap::fitting(phoneLabels(utterances));
}

} // namespace headroom
