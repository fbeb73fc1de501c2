// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/errors/count_text.h"

#include <algorithm>
#include <set>

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// The 24 speakers of TIMIT's core test set.
const std::set<std::string> kCoreTest{"mdab0", "mwbt0", "felc0", "mtas1", "mwew0", "fpas0", "mjmp0", "mlnt0",
                                      "fpkt0", "mlll0", "mtls0", "fjlm0", "mbpm0", "mklt0", "fnlp0", "mcmj0",
                                      "mjdh0", "fmgd0", "mgrt0", "mnjm0", "fdhc0", "mjln0", "mpam0", "fmld0"};

bool isTimitText(const fs::path& file) {
    // TRAIN/DR1/FCJF0/SA1.TXT
    const auto region = lowered(file.parent_path().parent_path().filename().string());
    return lowered(file.extension().string()) == ".txt" && region.size() == 3 && region.starts_with("dr");
}

fs::path besideAnyCase(const SourceReading& reading, const fs::path& file,
                       std::initializer_list<const char*> endings) {
    for (const char* ending : endings)
        if (const auto other = fs::path(file).replace_extension(ending); reading.isFile(other))
            return other;
    return fs::path(file).replace_extension(*endings.begin());
}

void readTimitText(SourceReading& reading, const fs::path& file) {
    const auto speaker = lowered(file.parent_path().filename().string());
    const auto split = lowered(file.parent_path().parent_path().parent_path().filename().string());
    SourceUtterance utterance;
    utterance.split = split;
    utterance.id = speaker + "-" + lowered(file.stem().string());
    utterance.speaker = speaker;
    // NIST's own and, beside it in newer copies, the same as RIFF: “SA1.WAV.wav”
    utterance.audio = besideAnyCase(reading, file, {".WAV", ".wav", ".flac", ".WAV.wav"});
    const auto phones = besideAnyCase(reading, file, {".PHN", ".phn"});
    if (reading.isFile(phones))
        utterance.alignment = phones;
    reading.eachLine(file, [&](const std::string& line, const SourcePlace& place) {
        // first sample, last sample, sentence
        utterance.texts[reading.language()] = firstWord(firstWord(line).second).second;
        utterance.place = place;
    });
    if (utterance.place.file.empty())
        utterance.place = {reading.relativeName(file), 0};
    if (reading.isAsked("core-test") && split == "test" && kCoreTest.contains(speaker)) {
        auto core = utterance;
        core.split = "core-test";
        reading.add(std::move(core));
    }
    reading.add(std::move(utterance));
}

bool isAishellTranscript(const fs::path& file) {
    const auto name = file.filename().string();
    return name.starts_with("aishell_transcript") && name.ends_with(".txt");
}

} // namespace

bool looksLikeTimit(const fs::path& folder) {
    return !filesBelow(folder, 4, 3000, isTimitText).empty();
}

void readTimit(SourceReading& reading) {
    reading.setLanguage("en");
    std::int64_t dialect = 0;
    for (const auto& file : filesBelow(reading.folder(), 5, kEveryFile, isTimitText)) {
        if (lowered(file.stem().string()).starts_with("sa"))
            ++dialect;
        else
            readTimitText(reading, file);
    }
    if (dialect > 0)
        reading.note(
            counted(dialect, "recording") + " of the sentences SA1 and SA2, which every speaker reads, " +
            (dialect == 1 ? "is" : "are") + " left out as usual.");
}

bool looksLikeAishell(const fs::path& folder) {
    return !filesBelow(folder, 2, 3000, isAishellTranscript).empty();
}

void readAishell(SourceReading& reading) {
    reading.setLanguage("zh");
    std::map<std::string, fs::path> sounds;
    std::set<fs::path> packed;
    for (const auto& file : filesBelow(reading.folder(), 4, kEveryFile, [](const fs::path& each) {
             return each.extension() == ".wav" || each.extension() == ".flac" || each.extension() == ".gz";
         })) {
        if (file.extension() == ".gz")
            packed.insert(file);
        else
            sounds.try_emplace(file.stem().string(), file);
    }
    for (const auto& archive : packed) { // wav/S0002.tar.gz beside the speakers' folders
        const auto speaker = archive.stem().stem().string();
        const bool isUnpacked = std::any_of(sounds.begin(), sounds.end(), [&](const auto& sound) {
            return sound.second.parent_path().filename().string() == speaker;
        });
        std::error_code ignored;
        if (!isUnpacked)
            reading.problem("corpus.packed", {reading.relativeName(archive), 0}, {},
                            fs::file_size(archive, ignored) == 0
                                ? "the archive has 0 bytes; download it again"
                                : "the archive is not unpacked");
    }
    std::int64_t silent = 0;
    for (const auto& file : filesBelow(reading.folder(), 3, kEveryFile, isAishellTranscript))
        reading.eachLine(file, [&](const std::string& line, const SourcePlace& place) {
            auto [id, text] = firstWord(line);
            const auto sound = sounds.find(id);
            if (sound == sounds.end()) {
                ++silent; // the published transcript has some for which there is no recording
                return;
            }
            std::erase(text, ' '); // blanks between words are of the annotators, not of the language
            SourceUtterance utterance;
            const auto speaker = sound->second.parent_path();
            utterance.split = speaker.parent_path().filename().string();
            utterance.id = id;
            utterance.speaker = speaker.filename().string();
            utterance.audio = sound->second;
            utterance.texts[reading.language()] = text;
            utterance.place = place;
            reading.add(std::move(utterance));
        });
    if (silent > 0)
        reading.note(counted(silent, "transcript") + (silent == 1 ? " has" : " have") + " no recording.");
}

} // namespace headroom
