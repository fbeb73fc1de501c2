// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/word_filter.h"

#include <algorithm>

namespace headroom::widgets {

namespace {

/// Nobody has a key for the ellipsis in "Evaluate…": three dots stand for it.
QString withDots(QString text) {
    return text.replace(QChar(u'\u2026'), QStringLiteral("..."));
}

} // namespace

void WordFilter::setWords(const QString& text) {
    m_words = withDots(text).split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool WordFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (m_words.isEmpty())
        return true;
    return hasWords(textOf(row, parent));
}

bool WordFilter::hasWords(const QString& text) const {
    const QString all = withDots(text);
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

QString WordFilter::textOf(int row, const QModelIndex& parent) const {
    QString all;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
        all += sourceModel()->index(row, column, parent).data().toString() + u'\n';
    return all;
}

} // namespace headroom::widgets
