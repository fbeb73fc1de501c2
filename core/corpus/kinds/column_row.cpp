// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/column_row.h"

#include "core/corpus/kinds/text_lines.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::initializer_list<const char*> kText{"text", "transcript", "transcription", "sentence",
                                                   "normalized_text"};
constexpr std::initializer_list<const char*> kSpeaker{"speaker", "speaker_id", "spk_id", "client_id"};

} // namespace

void addColumnRow(SourceReading& reading, const FieldOf& field, const fs::path& base,
                  const std::string& split, const SourcePlace& place) {
    const auto named = field(kAudioColumns);
    if (named.empty())
        return reading.problem("corpus.noAudio", place, {}, "no recording is named");
    SourceUtterance utterance;
    utterance.split = split.empty() ? std::string(trimmedText(field({"split", "set"}))) : split;
    if (utterance.split.empty())
        utterance.split = "all";
    const auto name = audioName(reading.audioPath(named, base));
    utterance.audio = name.file;
    utterance.part = name.part;
    utterance.speed = name.speed;
    utterance.id = field({"id", "utt_id", "utterance_id", "id_utt"});
    const bool isNamed = !utterance.id.empty();
    if (!isNamed) {
        utterance.id = fs::path(named).replace_extension().generic_string();
        while (utterance.id.starts_with("./") || utterance.id.starts_with("/"))
            utterance.id.erase(0, utterance.id.starts_with("/") ? 1 : 2);
    }
    utterance.speaker = field(kSpeaker);
    const auto start = field({"start", "offset", "begin", "start_time"}),
               end = field({"end", "stop", "end_time"}), duration = field({"duration", "seconds"});
    if (!start.empty()) {
        const auto from = decimalNumber(start);
        const auto length = !end.empty() ? decimalNumber(end) : decimalNumber(duration);
        if (!from || (!length && !(end.empty() && duration.empty())))
            return reading.problem("corpus.badSegment", place, utterance.id,
                                   "the segment from “" + start + "” to “" + (end.empty() ? duration : end) +
                                       "” is not in seconds");
        utterance.start = Seconds(*from);
        if (length)
            utterance.duration = Seconds(end.empty() ? *length : *length - *from);
    }
    if (!isNamed && (utterance.part || utterance.start)) // a recording has several
        utterance.id = reading.segmentId(utterance, utterance.id);
    if (auto language = field({"language", "lang", "locale", "src_lang"}); !language.empty())
        reading.setLanguage(language);
    utterance.texts[reading.language()] = field(kText);
    if (auto translation = field({"translation", "tgt_text"}); !translation.empty()) {
        const auto target = field({"tgt_lang", "target_lang"});
        utterance.texts[target.empty() ? kUnnamedTarget : target] = translation;
    }
    utterance.place = place;
    reading.add(std::move(utterance));
}

} // namespace headroom
