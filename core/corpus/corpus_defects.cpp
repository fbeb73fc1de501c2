// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_defects.h"

#include "core/corpus/tab_separated.h"
#include "core/text/unicode_text.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace headroom {

namespace {

struct BracketPair {
    std::string_view opening, closing;
    bool mayBeSpeech = false; ///< what a person says stands between round ones, too
};
constexpr BracketPair kSoundBrackets[] = {{"(", ")", true}, {"（", "）", true}, {"[", "]"}, {"<", ">"}};

constexpr std::size_t kMostSoundWords = 2, kMostAbbreviated = 4;

bool isCapital(char32_t letter) {
    const std::u32string one(1, letter);
    return isAlpha(letter) && lowerCase(utf8(one)) != utf8(one);
}

/// "NATO", "U.S." and the "Mr." of "Mr. Smith". "LAUGHTER" is longer, and stops at the end of "(Applause. Cheers...)" end sentences.
bool isAbbreviation(const std::string& word, bool isLast) {
    const std::u32string all = codePoints(word);
    const std::u32string letters = all.substr(0, all.find_last_not_of(U".…") + 1);
    if (letters.find(U'.') != std::u32string::npos)
        return true;
    if (letters.size() > kMostAbbreviated)
        return false;
    return (!isLast && all == letters + U'.') || (letters.size() > 1 && std::ranges::all_of(letters, isCapital));
}

/// Whether this is how a sound between brackets is written (namedSound).
bool isSound(std::string_view inside, bool mayBeSpeech) {
    const auto words = splitAtUnicodeBlanks(inside);
    if (words.empty() || words.size() > kMostSoundWords)
        return false;
    for (const auto& word : words)
        if (!isAlpha(codePoints(word).front()))
            return false;
    const bool isAbbreviated = std::ranges::any_of(words, [&](const auto& word) { return isAbbreviation(word, &word == &words.back()); });
    return !mayBeSpeech || !(isAbbreviated || isLowerCase(codePoints(words.front()).front()));
}

struct DefectName {
    std::string_view code, title;
};
constexpr DefectName kDefectNames[] = {
    {"corpus.missingTable", "Table missing"},
    {"corpus.unreadTable", "Table not read"},
    {"corpus.noHeader", "Table without a header"},
    {"corpus.noColumn", "Column missing"},
    {"corpus.badRow", "Wrong number of fields"},
    {"corpus.badText", "Text is not UTF-8"},
    {"corpus.badFrames", "Length is not a number"},
    {"corpus.noId", "No id"},
    {"corpus.sameId", "Id used twice"},
    {"corpus.missingAudio", "Recording missing"},
    {"corpus.noAudio", "No recording named"},
    {"corpus.slice", "Part of an archive"},
    {"corpus.features", "Stored features cannot be used"},
    {"corpus.outside", "File outside the corpus"},
    {"corpus.emptyText", "Empty transcript"},
    {"corpus.badAlignment", "Alignment cannot be read"},
    {"corpus.pipe", "Recording is a command"},
    {"corpus.cutShort", "Recording cut short"},
    {"corpus.beyond", "Segment beyond the recording"},
    {"corpus.badSegment", "Segment without length"},
    {"corpus.overshoot", "Segment ends too late"},
    {"corpus.channel", "Channel missing"},
    {"corpus.rate", "Other sample rate"},
    {"corpus.noTranscript", "No transcript"},
    {"corpus.unequal", "Texts and segments differ in number"},
    {"corpus.badJson", "Broken JSON"},
    {"corpus.badYaml", "Broken YAML"},
    {"corpus.longLine", "Line too long"},
    {"corpus.missingShard", "Part of the corpus missing"},
    {"corpus.emptyFile", "Empty file"},
    {"corpus.packed", "Recording in an archive"},
    {"corpus.sameAudio", "Recording used twice"},
    {"corpus.misread", "Mangled letters"},
    {"corpus.tooFast", "More words than fit"},
    {"corpus.sounds", "Sounds in the text"},
    {"corpus.unreadable", "Recording cannot be read"},
    {"corpus.otherLength", "Length differs from the table"},
    {"corpus.badName", "Table with another name"},
    {"corpus.noSplit", "No split named"},
    {"audio.empty", "Recording empty"},
    {"audio.notAudio", "Not a recording"},
    {"audio.noSamples", "Recording without samples"},
    {"audio.unreadable", "Recording unreadable"},
    {"audio.badRate", "Sample rate not supported"},
    {"audio.tooLong", "Recording over six hours"},
};

} // namespace

std::string defectTitle(std::string_view code) {
    for (const auto& name : kDefectNames)
        if (name.code == code)
            return std::string(name.title);
    return std::string(code);
}

std::string_view defectWord(DefectKind kind) {
    return kind == DefectKind::Unusable     ? "unusable"
           : kind == DefectKind::Suspicious ? "suspicious"
                                            : "to know";
}

bool looksMisread(std::string_view text) {
    for (std::size_t i = 0; i + 3 < text.size(); ++i) {
        const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
        if (byte(0) == 0xC3 && (byte(1) == 0x83 || byte(1) == 0x82) && byte(2) == 0xC2)
            return true;
    }
    return false;
}

std::string_view namedSound(std::string_view text) {
    for (const BracketPair& brackets : kSoundBrackets)
        for (auto from = text.find(brackets.opening); from != std::string_view::npos; from = text.find(brackets.opening, from + 1)) {
            const auto first = from + brackets.opening.size(), last = text.find(brackets.closing, first);
            if (last == std::string_view::npos)
                break;
            if (isSound(text.substr(first, last - first), brackets.mayBeSpeech))
                return text.substr(from, last + brackets.closing.size() - from);
        }
    return {};
}

std::string idOfProblem(const CorpusProblem& problem) {
    const std::string place =
        problem.file + (problem.line > 0 ? ", line " + std::to_string(problem.line) : std::string()) + ", ";
    if (!problem.sentence.starts_with(place))
        return {};
    return problem.sentence.substr(place.size(), problem.sentence.find(": ", place.size()) - place.size());
}

std::vector<CorpusProblem> readProblems(const std::filesystem::path& folder) {
    std::vector<CorpusProblem> problems;
    std::ifstream stream(folder / "problems.tsv", std::ios::binary);
    if (!stream)
        return problems;
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    const std::string text = std::move(bytes).str();
    TabSeparatedReader reader(text);
    const auto header = reader.next();
    const std::vector<std::string> ours{"file", "line", "code", "left_out", "problem"};
    if (!header || header->fields != ours)
        return problems;
    while (const auto row = reader.next()) {
        if (row->fields.size() != ours.size())
            continue;
        CorpusProblem problem{row->fields[2], row->fields[4], row->fields[0], 0, row->fields[3] == "1"};
        const std::string& line = row->fields[1];
        std::from_chars(line.data(), line.data() + line.size(), problem.line);
        problems.push_back(std::move(problem));
    }
    return problems;
}

} // namespace headroom
