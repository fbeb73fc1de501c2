// SPDX-License-Identifier: GPL-3.0-or-later
// The lists that came with LibriSpeech's alignments, and TIMIT's files, whose times are samples.
#include "core/alignment/list_text.h"

#include "core/errors/count_text.h"
#include "core/time/units.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

/// ID "…" "…"; nothing for another line.
struct QuotedLine {
    std::string_view id, words, times;
};
std::optional<QuotedLine> quotedLine(std::string_view line) {
    const auto pieces = splitAt(trimmed(line), '"');
    if (pieces.size() != 5 || !trimmed(pieces[2]).empty() || !trimmed(pieces[4]).empty())
        return std::nullopt;
    const QuotedLine result{trimmed(pieces[0]), pieces[1], pieces[3]};
    if (result.id.empty() || result.id.find_first_of(" \t") != std::string_view::npos)
        return std::nullopt;
    return result;
}

struct TimitLine {
    double start, end;
    std::string label;
};
std::optional<TimitLine> timitLine(std::string_view line) {
    const auto cells = splitAtBlanks(line);
    if (cells.size() != 3)
        return std::nullopt;
    const auto start = finiteNumber(cells[0]), end = finiteNumber(cells[1]);
    if (!start || !end || *start != std::floor(*start) || *end != std::floor(*end) ||
        cells[0].find('.') != std::string_view::npos)
        return std::nullopt;
    return TimitLine{*start, *end, std::string(cells[2])};
}

std::string_view firstLine(std::string_view text) {
    TextLines lines(text);
    while (const auto line = lines.next())
        if (!trimmed(line->text).empty())
            return line->text;
    return {};
}

} // namespace

bool looksLikeLibriSpeech(std::string_view text) {
    return quotedLine(firstLine(text)).has_value();
}

bool looksLikeTimit(std::string_view text) {
    const auto line = firstLine(text);
    return line.find('\t') == std::string_view::npos && timitLine(line);
}

AlignmentList parseLibriSpeech(std::string_view text, const std::string& name) {
    AlignmentList list;
    TextLines lines(text);
    while (const auto line = lines.next()) {
        if (trimmed(line->text).empty())
            continue;
        const auto row = quotedLine(line->text);
        if (!row)
            refuseLine("alignment.badRow", name, line->number,
                       "an utterance, its words and their end times are expected here, the last two in "
                       "quotes");
        const auto words = splitAt(row->words, ','), times = splitAt(row->times, ',');
        const std::string id(row->id);
        auto [at, isNew] = list.emplace(id, ListedAlignment{});
        auto& listed = at->second;
        if (!isNew)
            refuseLine("alignment.badRow", name, line->number, "“" + id + "” occurs twice in the list");
        if (words.size() != times.size()) {
            const auto reason = "“" + id + "” has " + counted(static_cast<std::int64_t>(words.size()), "word") + " and " +
                                counted(static_cast<std::int64_t>(times.size()), "time");
            listed.error = Error("alignment.badSize",
                                 name + ", line " + std::to_string(line->number) + ": " + reason + ".",
                                 {{"file", name}, {"line", line->number}, {"reason", reason}});
            continue;
        }
        TierRows rows;
        double start = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto end = finiteNumber(times[i]);
            if (!end)
                refuseLine("alignment.badNumber", name, line->number,
                           "“" + std::string(times[i]) + "” is not a number of seconds");
            rows.add(Seconds(start), Seconds(*end), std::string(trimmed(words[i])), line->number);
            start = *end;
        }
        listed.words = rows.take(listed, name, id);
    }
    return list;
}

AlignmentList parseTimit(std::string_view text, const std::string& name) {
    TierRows rows;
    TextLines lines(text);
    while (const auto line = lines.next()) {
        if (trimmed(line->text).empty())
            continue;
        const auto row = timitLine(line->text);
        if (!row)
            refuseLine("alignment.badRow", name, line->number,
                       "first sample, last sample and label are expected here");
        constexpr double kRate = kModelSampleRate.hertz(); // TIMIT's own
        rows.add(Seconds(row->start / kRate), Seconds(row->end / kRate), row->label, line->number);
    }
    ListedAlignment listed;
    const bool phones = holdsPhones(name).value_or(rows.looksLikePhones());
    auto intervals = rows.take(listed, name, {});
    (phones ? listed.phones : listed.words) = std::move(intervals);
    AlignmentList list;
    list.emplace(std::string(), std::move(listed));
    return list;
}

} // namespace headroom
