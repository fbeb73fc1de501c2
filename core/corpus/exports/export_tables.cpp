// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/exports/exported_split.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"

#include <nlohmann/json.hpp>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kUnwritten = "corpus.unwritable";

/// The shortest decimal that reads as the same number.
std::string shortestDecimal(double value) {
    return nlohmann::json(value).dump();
}

/// Kaldi separates by blanks and line breaks and has no escape.
void refuseBlanks(const std::string& name, const char* what) {
    if (name.empty() || name.find_first_of(" \t\r\n") != std::string::npos)
        throw Error("corpus.notExported",
                    "Kaldi allows no blanks in the " + std::string(what) + " “" + validText(name) + "”.");
}

std::string kaldiText(const std::string& id, const std::string& text) {
    if (text.find_first_of("\r\n") != std::string::npos)
        throw Error("corpus.notExported",
                    "The text of " + validText(id) + " has line breaks, which Kaldi cannot hold.");
    return text;
}

class KaldiTables {
public:
    explicit KaldiTables(const ExportedSplit& split) : m_split(split) {
        for (const auto& utterance : split.utterances)
            m_segmented = m_segmented || utterance.row.part;
        for (const auto& utterance : split.utterances)
            add(utterance);
    }

    void write(const fs::path& folder) const {
        fs::create_directories(folder);
        for (const auto& [name, rows] : m_tables) {
            std::string text;
            for (const auto& [key, value] : rows)
                text += key + (value.empty() ? "" : " ") + value + "\n";
            writeAtomically(folder / name, text, kUnwritten);
        }
    }

private:
    void add(const ExportedUtterance& utterance) {
        const auto& id = utterance.row.id;
        refuseBlanks(id, "id");
        const auto recording = m_segmented ? utterance.recording : id;
        const auto path = utterance.row.audio.string();
        if (path.ends_with('|') || path.find('\n') != std::string::npos)
            throw Error("corpus.notExported",
                        "Kaldi would run the name of " + validText(path) + " as a command.");
        m_tables["wav.scp"][recording] = path;
        if (m_segmented)
            m_tables["segments"][id] =
                recording + " " + shortestDecimal(utterance.start()) + " " + shortestDecimal(utterance.end());
        m_tables["text"][id] = kaldiText(id, utterance.text(m_split.language));
        for (const auto& language : m_split.translations)
            if (const auto text = utterance.text(language); !text.empty())
                m_tables["text." + language][id] = kaldiText(id, text);
        // Kaldi's way to say that a speaker is not known: the utterance is one of its own.
        const auto& speaker = utterance.row.speaker.empty() ? id : utterance.row.speaker;
        refuseBlanks(speaker, "speaker");
        m_tables["utt2spk"][id] = speaker;
        auto& spoken = m_tables["spk2utt"][speaker];
        spoken += (spoken.empty() ? "" : " ") + id;
        m_tables["utt2lang"][id] = m_split.language;
    }

    const ExportedSplit& m_split;
    bool m_segmented = false;
    std::map<std::string, std::map<std::string, std::string>>
        m_tables; ///< sorted by bytes, as Kaldi wants it
};

} // namespace

void writeKaldiSplit(const ExportedSplit& split, const fs::path& folder) {
    KaldiTables(split).write(folder / split.name);
}

void writeFairseqSplit(const ExportedSplit& split, const fs::path& folder) {
    const auto table = [&](const std::string& task, const std::string& language, bool translates) {
        std::vector<std::string> header{"id",      "audio",    "n_frames", "tgt_text",
                                        "speaker", "src_lang", "tgt_lang"};
        if (translates)
            header.emplace_back("src_text");
        std::string text = tabSeparatedLine(header);
        bool isEmpty = true;
        for (const auto& utterance : split.utterances) {
            const auto target = utterance.text(language);
            if (target.empty() && (translates || !utterance.row.texts.empty()))
                continue;
            isEmpty = false;
            std::vector<std::string> row{
                utterance.row.id,
                AudioName{utterance.row.audio, utterance.row.part, utterance.row.speed}.path().string(),
                std::to_string(utterance.frames().value()),
                target,
                utterance.row.speaker,
                split.language,
                language};
            if (translates)
                row.push_back(utterance.text(split.language));
            text += tabSeparatedLine(row);
        }
        if (!isEmpty)
            writeAtomically(folder / corpusTableName(split.name, task), text, kUnwritten);
    };
    table("asr", split.language, false);
    for (const auto& language : split.translations)
        table("st_" + language, language, true);
}

} // namespace headroom
