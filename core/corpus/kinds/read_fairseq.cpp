// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_reading.h"
#include "core/corpus/kinds/column_table.h"
#include "core/corpus/kinds/text_lines.h"

#include <algorithm>
#include <array>

namespace headroom {

namespace fs = std::filesystem;

namespace {

bool isFairseqTable(const fs::path& file) {
    if (file.extension() != ".tsv")
        return false;
    const auto names = columnNames(file);
    constexpr std::array<const char*, 4> kNeeded{"id", "audio", "n_frames", "tgt_text"};
    return std::all_of(kNeeded.begin(), kNeeded.end(), [&](const char* needed) {
        return std::find(names.begin(), names.end(), needed) != names.end();
    });
}

/// "audio_root: /data/fbank" of a config*.yaml beside the tables; else the folder.
fs::path audioRoot(SourceReading& reading) {
    fs::path root = reading.folder();
    for (const auto& file : filesBelow(reading.folder(), 0, kEveryFile, [](const fs::path& each) {
             return each.filename().string().starts_with("config") && each.extension() == ".yaml";
         }))
        reading.eachLine(file, [&](const std::string& line, const SourcePlace&) {
            constexpr std::string_view kKey = "audio_root:";
            if (!line.starts_with(kKey))
                return;
            auto value = std::string(trimmedText(std::string_view(line).substr(kKey.size())));
            if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                value.back() == value.front())
                value = value.substr(1, value.size() - 2);
            if (!value.empty())
                root = reading.audioPath(value, reading.folder());
        });
    return root;
}

/// "train_st_de" → train, st_de; "train" → train and nothing.
std::pair<std::string, std::string> splitAndTask(const std::string& stem) {
    for (auto at = stem.find('_'); at != std::string::npos; at = stem.find('_', at + 1)) {
        const auto task = stem.substr(at + 1);
        for (const char* known : {"asr", "st", "mt", "s2t"})
            if (task == known || task.starts_with(std::string(known) + "_"))
                return {stem.substr(0, at), task};
    }
    return {stem, ""};
}

class FairseqTables {
public:
    explicit FairseqTables(SourceReading& reading) : m_reading(reading), m_root(audioRoot(reading)) {}

    void read(const fs::path& file) {
        const auto [split, task] = splitAndTask(file.stem().string());
        readColumnTable(m_reading, file, [&](const ColumnRow& row, const SourcePlace& place) {
            this->row(split, task, row, place);
        });
    }

private:
    /// The language of the target: the column, the end of the task's name, or "target".
    std::string targetOf(const std::string& task, const ColumnRow& row) const {
        if (auto named = row.field({"tgt_lang"}); !named.empty())
            return named;
        const auto last = task.rfind('_');
        if (last != std::string::npos && task.size() - last >= 3)
            return task.substr(last + 1);
        return "target";
    }

    void row(const std::string& split, const std::string& task, const ColumnRow& row,
             const SourcePlace& place) {
        const std::string id = row.field({"id"}), named = row.field({"audio"});
        if (id.empty())
            return m_reading.problem("corpus.noId", place, {}, "the utterance has no id");
        const auto name = audioName(m_reading.audioPath(named, m_root));
        if (auto source = row.field({"src_lang"}); !source.empty())
            m_reading.setLanguage(source);
        const bool translates = !task.starts_with("asr") && (!task.empty() || row.has("src_text"));
        const auto [at, fresh] = m_rows.try_emplace(split + "\n" + id, m_reading.utterances().size());
        if (!fresh) { // the same recording in the table of another task
            auto& known = m_reading.utterances()[at->second];
            if (known.place.file == place.file)
                return m_reading.problem("corpus.sameId", place, id,
                                         "line " + std::to_string(known.place.line) + " has the same id");
            if (known.audio != name.file || known.part != name.part || known.speed != name.speed)
                return m_reading.problem("corpus.sameId", place, id,
                                         known.place.file + " names another recording for it");
            addTexts(known, translates, task, row);
            return;
        }
        SourceUtterance utterance;
        utterance.split = split;
        utterance.id = id;
        utterance.speaker = row.field({"speaker"});
        utterance.audio = name.file;
        utterance.part = name.part;
        utterance.speed = name.speed;
        if (name.holdsFeatures())
            utterance.statedFrames = wholeNumber(row.field({"n_frames"}));
        utterance.place = place;
        addTexts(utterance, translates, task, row);
        m_reading.add(std::move(utterance));
    }

    void addTexts(SourceUtterance& utterance, bool translates, const std::string& task,
                  const ColumnRow& row) const {
        if (translates)
            utterance.texts[targetOf(task, row)] = row.field({"tgt_text"});
        const auto spoken = translates ? row.field({"src_text"}) : row.field({"tgt_text"});
        if (!spoken.empty())
            utterance.texts[m_reading.language()] = spoken;
    }

    SourceReading& m_reading;
    fs::path m_root;
    std::unordered_map<std::string, std::size_t> m_rows;
};

} // namespace

bool looksLikeFairseq(const fs::path& folder) {
    return !filesBelow(folder, 0, kEveryFile, isFairseqTable).empty();
}

void readFairseq(SourceReading& reading) {
    FairseqTables tables(reading);
    for (const auto& file : filesBelow(reading.folder(), 0, kEveryFile, isFairseqTable))
        tables.read(file);
}

} // namespace headroom
