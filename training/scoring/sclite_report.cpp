// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/sclite_report.h"

#include "core/text/unicode_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace headroom::training {
namespace {

/// The utterances of each speaker. Speakers are in the order in which they are first heard.
using Speakers = std::vector<std::pair<std::string, std::vector<const ScliteUtterance*>>>;

Speakers speakersOf(const std::vector<ScliteUtterance>& utterances) {
    Speakers speakers;
    std::map<std::string, std::size_t> places;
    for (const ScliteUtterance& one : utterances) {
        const auto [place, isNew] = places.emplace(one.speaker, speakers.size());
        if (isNew)
            speakers.push_back({one.speaker, {}});
        speakers[place->second].second.push_back(&one);
    }
    return speakers;
}

/// Sentences, words, correct, substituted, deleted, inserted, errors, sentences with errors.
using Row = std::array<double, 8>;

Row countsOf(const std::vector<const ScliteUtterance*>& utterances) {
    WordErrors total;
    std::int64_t wrong = 0;
    for (const ScliteUtterance* one : utterances) {
        total += one->errors;
        wrong += one->errors.errors() > 0;
    }
    return {static_cast<double>(utterances.size()), static_cast<double>(total.referenceWords()),
            static_cast<double>(total.hits),        static_cast<double>(total.substitutions),
            static_cast<double>(total.deletions),   static_cast<double>(total.insertions),
            static_cast<double>(total.errors()),    static_cast<double>(wrong)};
}

Row inPercent(Row row) {
    for (std::size_t i = 2; i < 8; ++i) {
        const double whole = i == 7 ? row[0] : row[1];
        row[i] = whole > 0 ? 100 * row[i] / whole : 0;
    }
    return row;
}

std::string number(double value, bool whole, std::size_t width) {
    std::array<char, 48> text{};
    if (!whole)
        value = std::floor(value * 10 + 0.5) / 10; // sclite rounds halves up: 81.25 is 81.3
    std::snprintf(text.data(), text.size(), whole ? "%*.0f" : "%*.1f", static_cast<int>(width), value);
    return text.data();
}

/// `places`: whole numbers in the first two columns, and in the others.
std::string numbers(const Row& row, bool wholeCounts, bool wholeErrors) {
    std::string text = "|";
    for (std::size_t i = 0; i < 8; ++i) {
        text += number(row[i], i < 2 ? wholeCounts : wholeErrors, i == 0 || i == 2 ? 5 : 7);
        if (i == 1)
            text += " |";
    }
    return text + " |";
}

std::string centred(const std::string& text, std::size_t width) {
    const std::size_t letters = codePoints(text).size(), free = width > letters ? width - letters : 0;
    return std::string(free / 2, ' ') + text + std::string(free - free / 2, ' ');
}

std::string filled(const std::string& text, std::size_t width) {
    const std::size_t letters = codePoints(text).size();
    return text + std::string(width > letters ? width - letters : 0, ' ');
}

std::string filledBytes(const std::string& text, std::size_t width) {
    return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

/// Mean, standard deviation (n − 1) and median of each column.
std::array<Row, 3> spreadOf(const std::vector<Row>& rows) {
    std::array<Row, 3> spread{};
    const auto n = static_cast<double>(rows.size());
    for (std::size_t i = 0; i < 8; ++i) {
        std::vector<double> column;
        for (const Row& row : rows)
            column.push_back(row[i]);
        std::sort(column.begin(), column.end());
        for (const double value : column)
            spread[0][i] += value / n;
        for (const double value : column)
            spread[1][i] += (value - spread[0][i]) * (value - spread[0][i]);
        spread[1][i] = column.size() > 1 ? std::sqrt(spread[1][i] / (n - 1)) : 0;
        const std::size_t middle = column.size() / 2;
        spread[2][i] = column.size() % 2 ? column[middle] : (column[middle - 1] + column[middle]) / 2;
    }
    return spread;
}

std::string inCase(std::string word, bool upper) {
    for (char& letter : word) {
        if (upper && letter >= 'a' && letter <= 'z')
            letter = static_cast<char>(letter - 'a' + 'A');
        if (!upper && letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    }
    return word;
}

} // namespace

std::string scliteSummary(const std::vector<ScliteUtterance>& utterances, const std::string& system,
                          const ScliteSummaryOptions& options) {
    const bool counts = options.counts;
    const Speakers speakers = speakersOf(utterances);
    std::size_t names = counts ? 4 : 6; // SPKR; Sum/Avg
    for (const auto& [name, own] : speakers)
        names = std::max(names, codePoints(name).size());
    const std::size_t width = names + 2 + 1 + 13 + 1 + 41;
    const std::string indent(width + 2 < 80 ? (80 - width - 2) / 2 : 0, ' ');
    std::string text = "\n\n\n" + centred("SYSTEM SUMMARY PERCENTAGES by SPEAKER", 80) + "\n\n";
    const auto line = [&](const std::string& words) { text += indent + words + "\n"; };
    const std::string rule =
        "|" + std::string(names + 2, '-') + "+" + std::string(13, '-') + "+" + std::string(41, '-') + "|";
    const std::string doubleRule = "|" + std::string(width, '=') + "|";
    line("," + std::string(width, '-') + ".");
    line("|" + centred(system, width) + "|");
    line("|" + std::string(width, '-') + "|");
    line("| " + filled("SPKR", names) + " | # Snt # " + (options.characters ? "Chr" : "Wrd") +
         " | Corr    Sub    Del    Ins    Err  S.Err |");
    std::vector<Row> rows;
    std::vector<const ScliteUtterance*> all;
    for (const auto& [name, own] : speakers) {
        const Row row = countsOf(own);
        rows.push_back(counts ? row : inPercent(row));
        all.insert(all.end(), own.begin(), own.end());
        line(rule);
        line("| " + filled(name, names) + " " + numbers(rows.back(), true, counts));
    }
    line(doubleRule);
    const Row total = countsOf(all);
    line("| " + filled(counts ? "Sum" : "Sum/Avg", names + 1) +
         numbers(counts ? total : inPercent(total), true, counts));
    line(doubleRule);
    if (!rows.empty()) {
        const auto spread = spreadOf(rows);
        const char* labels[] = {"Mean", "S.D.", "Median"};
        for (std::size_t i = 0; i < 3; ++i)
            line("|" + centred(labels[i], names + 2) + numbers(spread[i], false, false));
    }
    line("`" + std::string(width, '-') + "'");
    return text;
}

std::string scliteAlignments(const std::vector<ScliteUtterance>& utterances, const std::string& system,
                             bool caseSensitive) {
    const Speakers speakers = speakersOf(utterances);
    std::string text =
        "\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\nSystem name:   " + system + "\n\nSpeakers: \n";
    std::array<char, 32> place{};
    int index = 0;
    for (const auto& [name, own] : speakers) {
        std::snprintf(place.data(), place.size(), "%5d", index++);
        text += place.data() + (":  " + name) + "\n";
    }
    text += "\n";
    index = 0;
    for (const auto& [name, own] : speakers) {
        std::snprintf(place.data(), place.size(), "%4d", index++);
        text += "Speaker sentences" + std::string(place.data()) + ":  " + name +
                "   #utts: " + std::to_string(own.size()) + "\n";
        for (const ScliteUtterance* one : own) {
            const WordErrors& e = one->errors;
            std::string reference = "REF:  ", hypothesis = "HYP:  ", marks = "Eval: ";
            for (const AlignedWord& pair : one->words) {
                const bool right = pair.edit == WordEdit::Correct;
                const auto shown = [&](const std::string& word) {
                    return caseSensitive ? word : inCase(word, !right);
                };
                const std::size_t width = std::max(pair.reference.size(), pair.hypothesis.size()); // bytes, as sclite
                const std::string gap(width, '*');
                reference += filledBytes(pair.reference.empty() ? gap : shown(pair.reference), width) + " ";
                hypothesis += filledBytes(pair.hypothesis.empty() ? gap : shown(pair.hypothesis), width) + " ";
                marks += filledBytes(right ? "" : std::string(1, static_cast<char>(pair.edit)), width) + " ";
            }
            text += "id: (" + one->id + ")\nScores: (#C #S #D #I) " + std::to_string(e.hits) + " " +
                    std::to_string(e.substitutions) + " " + std::to_string(e.deletions) + " " +
                    std::to_string(e.insertions) + "\n";
            if (caseSensitive)
                text += "Attributes: Case_sensitve \n"; // sclite's own spelling
            if (one->words.empty()) // nothing was said and nothing was found
                text += "\n";
            else
                text += reference + "\n" + hypothesis + "\n" + marks + "\n\n";
        }
    }
    return text + "\n";
}

} // namespace headroom::training
