// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/exports/exported_split.h"
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <zlib.h>

namespace headroom {

namespace fs = std::filesystem;

namespace {

using Line = nlohmann::ordered_json;

void writeGzipFile(const fs::path& file, const std::string& text) {
    gzFile out = gzopen(file.c_str(), "wb");
    bool written = out != nullptr;
    for (std::size_t at = 0; written && at < text.size();) {
        const auto block = std::min<std::size_t>(text.size() - at, 1u << 20);
        written = gzwrite(out, text.data() + at, static_cast<unsigned>(block)) == static_cast<int>(block);
        at += block;
    }
    if (out)
        written = gzclose(out) == Z_OK && written;
    if (!written)
        throw Error("corpus.unwritable", file.string() + " could not be written.", {{"file", file.string()}});
}

Line nemoLine(const ExportedUtterance& utterance, const std::string& source, const std::string& target) {
    Line line{{"audio_filepath", utterance.row.audio.string()}, {"duration", utterance.duration()}};
    if (utterance.row.part)
        line["offset"] = utterance.start();
    line["text"] = utterance.text(target);
    line["id"] = utterance.row.id;
    if (!utterance.row.speaker.empty())
        line["speaker"] = utterance.row.speaker;
    line["source_lang"] = source;
    line["target_lang"] = target;
    line["taskname"] = source == target ? "asr" : "ast";
    return line;
}

} // namespace

void writeNemoSplit(const ExportedSplit& split, const fs::path& folder) {
    std::string text;
    for (const auto& utterance : split.utterances) {
        if (utterance.row.texts.contains(split.language) || utterance.row.texts.empty())
            text += nemoLine(utterance, split.language, split.language).dump() + "\n";
        for (const auto& language : split.translations)
            if (utterance.row.texts.contains(language))
                text += nemoLine(utterance, split.language, language).dump() + "\n";
    }
    writeAtomically(folder / (split.name + ".json"), text, "corpus.unwritable");
}

void writeLhotseSplit(const ExportedSplit& split, const fs::path& folder) {
    std::string recordings, supervisions;
    std::set<std::string> written;
    for (const auto& utterance : split.utterances) {
        const auto& facts = utterance.facts;
        auto channels = Line::array();
        for (int channel = 0; channel < facts.channels; ++channel)
            channels.push_back(channel);
        if (written.insert(utterance.recording).second)
            recordings +=
                Line{{"id", utterance.recording},
                     {"sources",
                      {{{"type", "file"}, {"channels", channels}, {"source", utterance.row.audio.string()}}}},
                     {"sampling_rate", facts.rate.hertz()},
                     {"num_samples", facts.samples},
                     {"duration", facts.rate.duration(Samples(facts.samples)).value()},
                     {"channel_ids", channels}}
                    .dump() +
                "\n";
        Line line{{"id", utterance.row.id},
                  {"recording_id", utterance.recording},
                  {"start", utterance.start()},
                  {"duration", utterance.duration()},
                  {"channel", facts.channels == 1 ? Line(0) : channels}};
        if (utterance.row.texts.contains(split.language))
            line["text"] = utterance.text(split.language);
        line["language"] = split.language;
        if (!utterance.row.speaker.empty())
            line["speaker"] = utterance.row.speaker;
        auto translated = Line::object();
        for (const auto& language : split.translations)
            if (utterance.row.texts.contains(language))
                translated[language] = utterance.text(language);
        if (!translated.empty())
            line["custom"] = {{"translated_text", translated}};
        supervisions += line.dump() + "\n";
    }
    writeGzipFile(folder / ("recordings_" + split.name + ".jsonl.gz"), recordings);
    writeGzipFile(folder / ("supervisions_" + split.name + ".jsonl.gz"), supervisions);
}

} // namespace headroom
