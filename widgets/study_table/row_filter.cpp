// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_table/row_filter.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace headroom::widgets {

namespace {

/// Of numbers that name a row, in the order in which bare ones mean them. Tokens do so beside the model; further right they are counted.
std::vector<std::size_t> numberColumns(const StudyTable& table) {
    static const std::array<std::string, 3> kKeys{"layer", "head", "tokens"};
    std::vector<std::size_t> columns;
    for (const std::string& key : kKeys)
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            if (table.columns[column].key == key && !table.columns[column].text && (key != kKeys.back() || column < 2))
                columns.push_back(column);
    return columns;
}

std::vector<std::size_t> textColumns(const StudyTable& table) {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (table.columns[column].text)
            columns.push_back(column);
    return columns;
}

/// A line for each cell.
QString textOf(const std::vector<StudyCell>& row, const std::vector<std::size_t>& columns) {
    QString all;
    for (const std::size_t column : columns)
        if (const auto* text = column < row.size() ? std::get_if<std::string>(&row[column]) : nullptr)
            all += QString::fromStdString(*text) + u'\n';
    return all;
}

/// A number at either end is a whole one: "seed 2" is not in "seed 20".
bool contains(const QString& text, const QString& part) {
    for (qsizetype at = text.indexOf(part, 0, Qt::CaseInsensitive); at >= 0; at = text.indexOf(part, at + 1, Qt::CaseInsensitive)) {
        const qsizetype end = at + part.size();
        const bool goesOnBefore = part.front().isDigit() && at > 0 && (text[at - 1].isDigit() || text[at - 1] == u'.');
        const bool goesOnBehind = part.back().isDigit() && end < text.size() && text[end].isDigit();
        if (!goesOnBefore && !goesOnBehind)
            return true;
    }
    return false;
}

/// "6/4", "6,4" and "6." are numbers; "v1.2" is a word.
QStringList wordsOf(const QString& typed) {
    static const QRegularExpression kBlank(QStringLiteral("\\s+")), kBetween(QStringLiteral("[,;:./]+")), kLetter(QStringLiteral("[^\\d,;:./]"));
    QStringList words;
    for (QString word : typed.split(kBlank, Qt::SkipEmptyParts)) {
        if (!word.contains(kLetter)) {
            words += word.split(kBetween, Qt::SkipEmptyParts);
            continue;
        }
        while (QStringLiteral(",;:").contains(word.back()))
            word.chop(1);
        words << word;
    }
    return words;
}

bool isNumber(const QString& word) {
    return !word.isEmpty() && std::ranges::all_of(word, [](QChar letter) { return letter.isDigit(); });
}

} // namespace

std::vector<std::size_t> RowFilter::searchedColumns(const StudyTable& table) {
    std::vector<std::size_t> columns = numberColumns(table);
    const std::vector<std::size_t> texts = textColumns(table);
    columns.insert(columns.end(), texts.begin(), texts.end());
    return columns;
}

RowFilter::RowFilter(const QString& words, const StudyTable& table) : m_texts(textColumns(table)) {
    const std::vector<std::size_t> named = numberColumns(table);
    std::vector<std::size_t> open = named; // which a bare number may mean, the next one first
    const QStringList all = wordsOf(words);
    QStringList bare; // which follow no "layer" or "head"
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString& word = all[i];
        if (isNumber(word)) {
            bare << word;
            continue;
        }
        const QString next = isNumber(all.value(i + 1)) ? all[i + 1] : QString();
        const auto column = std::ranges::find_if(named, [&](std::size_t at) {
            return QString::fromStdString(table.columns[at].title).startsWith(word, Qt::CaseInsensitive);
        });
        if (column != named.end()) {
            if (next.isEmpty())
                continue; // the number is still to be typed
            m_isImpossible = m_isImpossible || std::erase(open, *column) == 0;
            m_numbers.emplace_back(*column, next.toDouble());
            ++i;
            continue;
        }
        const QString phrase = word + u' ' + next; // "seed 2" of a model's name
        const bool isPhrase =
            !next.isEmpty() && std::ranges::any_of(table.rows, [&](const auto& row) { return contains(textOf(row, m_texts), phrase); });
        m_parts << (isPhrase ? phrase : word);
        i += isPhrase;
    }
    for (const QString& number : bare)
        if (open.empty())
            m_parts << number;
        else {
            m_numbers.emplace_back(open.front(), number.toDouble());
            open.erase(open.begin());
        }
}

bool RowFilter::accepts(const std::vector<StudyCell>& row) const {
    if (m_isImpossible)
        return false;
    const bool hasNumbers = std::ranges::all_of(m_numbers, [&](const auto& one) {
        const auto* value = one.first < row.size() ? std::get_if<double>(&row[one.first]) : nullptr;
        return value && *value == one.second;
    });
    if (!hasNumbers || m_parts.isEmpty())
        return hasNumbers;
    const QString text = textOf(row, m_texts);
    return std::ranges::all_of(m_parts, [&](const QString& part) { return contains(text, part); });
}

} // namespace headroom::widgets
