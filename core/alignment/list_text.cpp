// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/list_text.h"

#include "core/alignment/phone_map.h"
#include "core/alignment/phones.h"
#include "core/alignment/plain_number.h"
#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

namespace headroom {

namespace {

/// Starts and durations are rounded to 10 ms on their own, so that a span may reach this far into the next.
constexpr double kOverlap = 0.015;

Error atLine(const std::string& code, const std::string& name, std::size_t line, const std::string& reason,
             double seconds) {
    return {code,
            name + ", line " + std::to_string(line) + ": " + reason + ".",
            {{"file", name}, {"line", line}, {"reason", reason}, {"seconds", seconds}}};
}

} // namespace

std::optional<TextLines::Line> TextLines::next() {
    if (m_at >= m_text.size())
        return std::nullopt;
    const auto end = std::min(m_text.find('\n', m_at), m_text.size());
    const Line line{m_text.substr(m_at, end - m_at), ++m_number};
    m_at = end + 1;
    return line;
}

std::vector<std::string_view> splitAt(std::string_view text, char separator) {
    std::vector<std::string_view> cells;
    while (true) {
        const auto end = text.find(separator);
        cells.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return cells;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> splitAtBlanks(std::string_view text) {
    std::vector<std::string_view> cells;
    while (true) {
        const auto start = text.find_first_not_of(" \t");
        if (start == std::string_view::npos)
            return cells;
        text.remove_prefix(start);
        const auto end = std::min(text.find_first_of(" \t"), text.size());
        cells.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::string_view trimmed(std::string_view text) {
    const auto start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos)
        return {};
    return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

std::optional<double> finiteNumber(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value == 0 ? 0 : value;
}

std::string bytesOf(const std::filesystem::path& file, const std::string& code) {
    std::error_code ignored;
    std::ifstream in(file, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(file, ignored))
        throw Error(code, unreadText(file), {{"file", file.string()}});
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return std::move(bytes).str();
}

void refuseLine(const std::string& code, const std::string& name, std::size_t line,
                const std::string& reason) {
    throw Error(code, name + ", line " + std::to_string(line) + ": " + reason + ".",
                {{"file", name}, {"line", line}, {"reason", reason}});
}

void TierRows::add(Seconds start, Seconds end, std::string label, std::size_t line) {
    m_rows.push_back({{start, end, std::move(label)}, line});
}

bool TierRows::looksLikePhones() const {
    LabelCounts labels;
    std::int64_t spoken = 0, known = 0;
    for (const auto& row : m_rows)
        if (!isSilence(row.interval.label)) {
            ++labels[row.interval.label];
            ++spoken;
        }
    const auto map = PhoneMap::fitting(labels);
    for (const auto& [label, count] : labels)
        known += map.knows(label) ? count : 0;
    return spoken > 0 && 10 * known >= 9 * spoken;
}

std::vector<Interval> TierRows::take(ListedAlignment& listed, const std::string& name,
                                     const std::string& utterance) {
    const auto whose = utterance.empty() ? std::string() : "of “" + utterance + "” ";
    const auto refuse = [&](const std::string& code, const Row& row, const std::string& reason) {
        if (!listed.error)
            listed.error = atLine(code, name, row.line, reason, row.interval.start.value());
    };
    const auto before = [](const Row& a, const Row& b) { return a.interval.start < b.interval.start; };
    if (const auto out = std::is_sorted_until(m_rows.begin(), m_rows.end(), before); out != m_rows.end()) {
        listed.warnings.push_back({"alignment.order", name + ", line " + std::to_string(out->line) +
                                                          ": the rows " + whose +
                                                          "are not in time order and were sorted."});
        std::stable_sort(m_rows.begin(), m_rows.end(), before);
    }
    std::vector<Interval> intervals;
    for (auto& row : m_rows) {
        auto& interval = row.interval;
        if (interval.end < interval.start)
            refuse("alignment.reversed", row,
                   "“" + interval.label + "” " + whose + "ends at " + plainNumber(interval.end.value()) +
                       " s, before it starts at " + plainNumber(interval.start.value()) + " s");
        if (!intervals.empty() && interval.start < intervals.back().end) {
            auto& last = intervals.back();
            if (interval.start.value() < last.end.value() - kOverlap)
                refuse("alignment.overlap", row,
                       "“" + interval.label + "” " + whose + "begins at " +
                           plainNumber(interval.start.value()) + " s, before “" + last.label + "” ends at " +
                           plainNumber(last.end.value()) + " s");
            last.end = std::max(interval.start, last.start);
        }
        intervals.push_back(std::move(interval));
    }
    m_rows.clear();
    if (listed.error)
        intervals.clear();
    return intervals;
}

std::optional<bool> holdsPhones(const std::string& name) {
    std::string lower;
    for (const char c : name)
        lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower.find("phon") != std::string::npos || lower.ends_with(".phn"))
        return true;
    if (lower.find("word") != std::string::npos || lower.ends_with(".wrd"))
        return false;
    return std::nullopt;
}

} // namespace headroom
