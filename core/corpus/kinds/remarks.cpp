// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/remarks.h"

#include "core/corpus/corpus_defects.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"

#include <set>

namespace headroom {

namespace {

/// Names and the splits they are in.
using SplitsOf = std::map<std::string, std::set<std::string>>;

/// "2 speakers are in more than one split; the first is anna (dev, train)."
void remarkShared(const SplitsOf& splits, const std::string& noun, std::vector<std::string>& remarks) {
    std::int64_t count = 0;
    std::string first;
    for (const auto& [name, in] : splits) {
        if (in.size() < 2 || count++ > 0)
            continue;
        for (const auto& split : in)
            first += (first.empty() ? validText(name) + " (" : ", ") + split;
    }
    if (count > 0)
        remarks.push_back(counted(count, noun) + (count == 1 ? " is" : " are") +
                          " in more than one split; the first is " + first + ").");
}

} // namespace

std::vector<std::string> remarksAbout(const std::vector<SourceUtterance>& utterances) {
    SplitsOf speakers;
    std::int64_t misread = 0;
    std::string first;
    for (const auto& utterance : utterances) {
        if (!utterance.speaker.empty())
            speakers[utterance.speaker].insert(utterance.split);
        for (const auto& [language, text] : utterance.texts)
            if (looksMisread(text) && misread++ == 0)
                first = utterance.id;
    }
    std::vector<std::string> remarks;
    remarkShared(speakers, "speaker", remarks);
    if (misread > 0)
        remarks.push_back(counted(misread, "text") + (misread == 1 ? " looks" : " look") +
                          " as if UTF-8 had been read as Latin-1 (“Ã¼” for “ü”); the first is of " +
                          validText(first) + ".");
    return remarks;
}

std::string remarkAboutRates(const std::map<int, std::int64_t>& rates) {
    std::string text;
    for (const auto& [rate, count] : rates)
        text += (text.empty() ? "" : ", ") + counted(count, "utterance") + " of " + grouped(rate) + " Hz";
    return "The recordings have several sample rates (" + text + "); all are resampled to 16,000 Hz while loading.";
}

} // namespace headroom
