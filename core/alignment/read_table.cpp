// SPDX-License-Identifier: GPL-3.0-or-later
// Tables with a header (tabs or commas) and Audacity's labels, which have none.
#include "core/alignment/list_text.h"

#include "core/errors/count_text.h"

#include <algorithm>
#include <array>

namespace headroom {

namespace {

using Cells = std::vector<std::string>;

/// With commas, a cell in quotes may hold them; a doubled quote is one.
Cells cellsOf(std::string_view line, char separator) {
    Cells cells;
    if (separator == '\t') {
        for (const auto cell : splitAt(line, separator))
            cells.emplace_back(trimmed(cell));
        return cells;
    }
    std::string cell;
    bool quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (c == '"' && quoted && at + 1 < line.size() && line[at + 1] == '"')
            cell += line[at++];
        else if (c == '"')
            quoted = !quoted;
        else if (c == separator && !quoted) {
            cells.emplace_back(trimmed(cell));
            cell.clear();
        } else {
            cell += c;
        }
    }
    cells.emplace_back(trimmed(cell));
    return cells;
}

std::string plainHead(const std::string& head) {
    std::string result;
    for (const char c : head)
        result += c == ' ' || c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

template <std::size_t N>
int columnOf(const Cells& heads, const std::array<std::string_view, N>& names) {
    for (const auto name : names) // the earlier name counts where a table has two of them
        for (std::size_t i = 0; i < heads.size(); ++i)
            if (plainHead(heads[i]) == name)
                return static_cast<int>(i);
    return -1;
}

struct Columns {
    int utterance, start, end, duration, label, tier;
    bool phoneHead = false, wordHead = false;

    explicit Columns(const Cells& heads)
        : utterance(columnOf(heads, std::to_array<std::string_view>({"utterance", "utterance_id", "utt_id",
                                                                     "utt", "id", "recording", "file",
                                                                     "filename", "file_name", "audio"})))
        , start(columnOf(heads, std::to_array<std::string_view>({"start", "begin", "start_time", "begin_time",
                                                                 "xmin", "tmin", "onset", "from"})))
        , end(columnOf(heads, std::to_array<std::string_view>(
                                  {"end", "stop", "end_time", "xmax", "tmax", "offset", "to"})))
        , duration(columnOf(heads, std::to_array<std::string_view>({"duration", "dur", "length"})))
        , label(columnOf(heads, std::to_array<std::string_view>({"label", "phone", "phoneme", "word", "text",
                                                                 "segment", "mark", "symbol"})))
        , tier(columnOf(heads, std::to_array<std::string_view>({"tier", "type", "level"}))) {
        if (label >= 0) {
            const auto head = plainHead(heads[static_cast<std::size_t>(label)]);
            phoneHead = head.starts_with("phon");
            wordHead = head == "word";
        }
    }
    bool complete() const { return start >= 0 && (end >= 0 || duration >= 0) && label >= 0; }
};

char separatorOf(std::string_view line) {
    return line.find('\t') != std::string_view::npos ? '\t' : ',';
}

bool isAudacity(const Cells& cells) {
    return cells.size() == 3 && finiteNumber(cells[0]) && finiteNumber(cells[1]);
}

struct TableRows {
    TierRows words, phones, unsaid;
};

/// Words, phones, or unsaid where neither the column nor the heads tell.
TierRows* tierOf(TableRows& rows, const std::string* tier, const Columns& columns) {
    if (tier == nullptr)
        return columns.phoneHead ? &rows.phones : columns.wordHead ? &rows.words : &rows.unsaid;
    const auto name = plainHead(*tier);
    if (name.find("phon") != std::string::npos)
        return &rows.phones;
    return name.find("word") != std::string::npos ? &rows.words : nullptr; // notes, gestures, other tiers
}

} // namespace

bool looksLikeTable(std::string_view text) {
    TextLines lines(text);
    while (const auto line = lines.next()) {
        if (trimmed(line->text).empty())
            continue;
        const auto cells = cellsOf(line->text, separatorOf(line->text));
        return Columns(cells).complete() || (separatorOf(line->text) == '\t' && isAudacity(cells));
    }
    return false;
}

AlignmentList parseTable(std::string_view text, const std::string& name) {
    std::map<std::string, TableRows> found;
    std::optional<Columns> columns;
    char separator = '\t';
    std::size_t width = 0;
    TextLines lines(text);
    while (const auto line = lines.next()) {
        if (trimmed(line->text).empty())
            continue;
        if (!columns) {
            separator = separatorOf(line->text);
            const auto heads = cellsOf(line->text, separator);
            const bool bare = separator == '\t' && isAudacity(heads);
            columns.emplace(bare ? Cells{"start", "end", "label"} : heads);
            if (!columns->complete())
                refuseLine("alignment.noColumn", name, line->number,
                           "the columns start, end (or duration) and label are expected here");
            width = heads.size();
            if (!bare)
                continue;
        }
        const auto cells = cellsOf(line->text, separator);
        if (cells.size() > width || cells.size() + 1 < width) // an empty last cell is often left off
            refuseLine("alignment.badRow", name, line->number,
                       std::string(cells.size() == 1 ? "there is " : "there are ") + counted(static_cast<std::int64_t>(cells.size()), "cell") +
                           ", but the header has " + counted(static_cast<std::int64_t>(width), "column"));
        const auto cell = [&](int column) {
            return static_cast<std::size_t>(column) < cells.size() ? cells[static_cast<std::size_t>(column)]
                                                                   : std::string();
        };
        const auto seconds = [&](int column) {
            const auto value = finiteNumber(cell(column));
            if (!value)
                refuseLine("alignment.badNumber", name, line->number,
                           "“" + cell(column) + "” is not a number of seconds");
            return Seconds(*value);
        };
        const auto start = seconds(columns->start);
        const auto end = columns->end >= 0 ? seconds(columns->end) : start + seconds(columns->duration);
        auto& rows = found[columns->utterance >= 0 ? cell(columns->utterance) : std::string()];
        const auto tier = columns->tier >= 0 ? cell(columns->tier) : std::string();
        if (auto* target = tierOf(rows, columns->tier >= 0 ? &tier : nullptr, *columns))
            target->add(start, end, cell(columns->label), line->number);
    }
    AlignmentList list;
    for (auto& [utterance, rows] : found) {
        ListedAlignment listed;
        if (!rows.unsaid.empty())
            (holdsPhones(name).value_or(rows.unsaid.looksLikePhones()) ? rows.phones : rows.words) =
                std::move(rows.unsaid);
        listed.words = rows.words.take(listed, name, utterance);
        listed.phones = rows.phones.take(listed, name, utterance);
        list.emplace(utterance, std::move(listed));
    }
    return list;
}

} // namespace headroom
