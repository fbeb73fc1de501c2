// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/fitted_titles.h"

#include "widgets/look/translate.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace headroom::widgets {

namespace {

constexpr QChar kMark(0x2026);

/// Where ", seed 2" begins; −1: there is no seed.
qsizetype seedOf(const QString& title) {
    const QString words = tr("%1, seed %2");
    const auto from = words.indexOf(QLatin1String("%1")) + 2, to = words.indexOf(QLatin1String("%2"));
    return to > from ? title.lastIndexOf(words.mid(from, to - from)) : -1;
}

/// Empty where the seed does not stay.
QString fittedWithSeed(const QString& title, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(title) <= width)
        return title;
    const auto seed = seedOf(title);
    const QString end = seed < 0 ? QString() : title.mid(seed);
    const int room = width - metrics.horizontalAdvance(end);
    const bool fits = seed > 0 && room >= metrics.horizontalAdvance(title.left(std::min<qsizetype>(4, seed)) + kMark);
    return fits ? metrics.elidedText(title.left(seed), Qt::ElideMiddle, room) + end : QString();
}

/// What stands before the seed, in words with the separator behind each: "demo, ", "layers ", "1–8: ", "local-", "5".
QStringList wordsOf(const QString& title) {
    const QString name = title.left(seedOf(title));
    QStringList words(1);
    for (qsizetype at = 0; at < name.size(); ++at) {
        words.back() += name[at];
        const bool isBetween = name[at] == u' ' || name[at] == u'-' || name[at] == u'_' || name[at] == u'/';
        if (isBetween && at + 1 < name.size() && name[at + 1] != u' ')
            words << QString();
    }
    return words;
}

/// "demo, " and "demo" are the same word.
QString wordKey(QString word) {
    while (word.endsWith(u' ') || word.endsWith(u',') || word.endsWith(u':'))
        word.chop(1);
    return word;
}

/// The words that are kept, with a mark in place of those that are not.
QString joined(const QStringList& words, const QSet<int>& kept, const QString& end) {
    QString text;
    for (int word = 0; word < words.size(); ++word)
        if (kept.contains(word))
            text += words[word];
        else if (const bool endsHere = word + 1 == words.size() || kept.contains(word + 1); endsHere)
            text += words[word].endsWith(u' ') ? kMark + QStringLiteral(" ") : QString(kMark);
    return text + end;
}

/// Empty where not one of the words that tell it apart has room.
QString fittedWithWords(const Titles& titles, const QFontMetrics& metrics, int width) {
    const QStringList words = wordsOf(titles.whole);
    const int count = static_cast<int>(words.size());
    QList<int> wanted(titles.apart.crbegin(), titles.apart.crend()); // what tells it from the most similar ones comes first
    const auto known = wanted.size();
    wanted << 0;
    for (const int word : titles.apart) // "window 13" rather than "13"
        wanted << word - 1;
    for (int i = 0; i < count; ++i) // from both ends
        wanted << (i % 2 ? count - 1 - i / 2 : i / 2);
    const auto seed = seedOf(titles.whole);
    const QString end = seed < 0 ? QString() : titles.whole.mid(seed);
    QSet<int> kept;
    QString fitting;
    for (int i = 0; i < wanted.size(); ++i) {
        if (i == known && kept.isEmpty())
            return {};
        if (wanted[i] < 0 || wanted[i] >= count || kept.contains(wanted[i]))
            continue;
        kept.insert(wanted[i]);
        if (const QString text = joined(words, kept, end); metrics.horizontalAdvance(text) <= width)
            fitting = text;
        else
            kept.remove(wanted[i]);
    }
    return fitting;
}

} // namespace

QString fittedTitle(const QString& title, const QFontMetrics& metrics, int width) {
    return fittedTitle(Titles{title, {}}, metrics, width);
}

QString fittedTitle(const Titles& titles, const QFontMetrics& metrics, int width) {
    if (!titles.apart.isEmpty() && metrics.horizontalAdvance(titles.whole) > width)
        if (const QString fitted = fittedWithWords(titles, metrics, width); !fitted.isEmpty())
            return fitted;
    for (const QString& title : {titles.whole, titles.brief})
        if (const QString fitted = fittedWithSeed(title, metrics, width); !fitted.isEmpty())
            return fitted;
    return metrics.elidedText(titles.brief.isEmpty() ? titles.whole : titles.brief, Qt::ElideMiddle, width);
}

QHash<QString, QList<int>> wordsApart(const QStringList& titles) {
    QHash<QString, QSet<QString>> next; // how titles begin → the words that follow; an empty one: it ends there
    QHash<QString, QStringList> begins; // of each title, before each of its words and at its end
    for (const QString& title : titles) {
        QStringList begin(1);
        for (const QString& word : wordsOf(title)) {
            next[begin.back()] << wordKey(word);
            begin << begin.back() + u'\n' + wordKey(word);
        }
        next[begin.back()] << QString();
        begins.insert(title, begin);
    }
    QHash<QString, QList<int>> apart;
    for (auto title = begins.cbegin(); title != begins.cend(); ++title) {
        const QStringList& begin = title.value();
        QList<int> found;
        const int words = static_cast<int>(begin.size()) - 1;
        for (int word = 0; word < words; ++word)
            if (next[begin[word]].size() > 1)
                found << word;
        if (next[begin.back()].size() > 1 && !found.contains(words - 1)) // another one goes on where it ends
            found << words - 1;
        apart.insert(title.key(), found);
    }
    return apart;
}

} // namespace headroom::widgets
