// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/fitted_titles.h"

#include "widgets/look/translate.h"
#include "widgets/run_monitor/fuller_titles.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <iterator>

namespace headroom::widgets {

namespace {

constexpr QChar kMark(0x2026);
constexpr int kLetters = 4; ///< of a name that are left of it at least

/// Between the parts of a brief title.
QString gap() {
    return QStringLiteral(" ") + kMark + QStringLiteral(" ");
}

/// Where ", seed 2" begins; −1: there is no seed. What follows a gap may have that of a language model.
qsizetype seedOf(const QString& title) {
    const QString words = tr("%1, seed %2");
    const auto from = words.indexOf(QLatin1String("%1")) + 2, to = words.indexOf(QLatin1String("%2"));
    return to > from ? title.section(gap(), 0, 0).lastIndexOf(words.mid(from, to - from)) : -1;
}

/// Empty where the seed does not stay.
QString fittedWithSeed(const QString& title, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(title) <= width)
        return title;
    const auto seed = seedOf(title);
    const QString end = seed < 0 ? QString() : title.mid(seed);
    const int room = width - metrics.horizontalAdvance(end);
    const qsizetype least = std::min<qsizetype>(kLetters, seed);
    if (seed <= 0 || room < metrics.horizontalAdvance(title.left(least) + kMark))
        return {};
    const QString cut = metrics.elidedText(title.left(seed), Qt::ElideMiddle, room);
    return (cut.indexOf(kMark) < least ? metrics.elidedText(title.left(seed), Qt::ElideRight, room) : cut) + end; // no "s…d, seed 1"
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

/// As many of the words as fit, the first ones of `wanted` first. Empty where none of `anyOf` is kept.
QString fittedOf(const QStringList& words, const QList<int>& wanted, const QList<int>& anyOf, const QString& end, const QFontMetrics& metrics, int width) {
    QSet<int> kept;
    QString fitting;
    for (const int word : wanted) {
        if (word < 0 || word >= words.size() || kept.contains(word))
            continue;
        kept.insert(word);
        if (const QString text = joined(words, kept, end); metrics.horizontalAdvance(text) <= width)
            fitting = text;
        else
            kept.remove(word);
    }
    const bool tells = std::any_of(anyOf.begin(), anyOf.end(), [&](int word) { return kept.contains(word); });
    return tells ? fitting : QString();
}

/// Empty where not one of the words that tell it apart has room.
QString fittedWithWords(const Titles& titles, const QFontMetrics& metrics, int width) {
    const QStringList words = wordsOf(titles.whole);
    const int count = static_cast<int>(words.size());
    const QList<int> apart(titles.apart.crbegin(), titles.apart.crend()); // what tells it from the most similar ones comes first
    QList<int> others;
    for (const int word : titles.apart) // "window 13" rather than "13"
        others << word - 1;
    for (int i = 0; i < count; ++i) // from both ends
        others << (i % 2 ? count - 1 - i / 2 : i / 2);
    const auto seed = seedOf(titles.whole);
    const QString end = seed < 0 ? QString() : titles.whole.mid(seed);
    // With its first word if there is room for what tells it from the most similar one: "… 4 … 300 …" names nothing.
    const QList<int> most{apart.front()};
    if (const QString begins = fittedOf(words, QList<int>{0} + apart + others, most, end, metrics, width); !begins.isEmpty())
        return begins;
    const auto endsPart = [&](int word) { return words.value(word).endsWith(QStringLiteral(", ")); };
    QList<int> beside; // "… audio, all, …" rather than "… of … audio, …", but "… window 13 …": the name of a value goes first
    for (int i = 1; i < count; ++i)
        for (const int at : apart) {
            const int onward = endsPart(at) && endsPart(at - 1) ? 1 : -1;
            beside << at + onward * i << at - onward * i;
        }
    if (const QString tells = fittedOf(words, apart + beside, most, end, metrics, width); !tells.isEmpty())
        return tells;
    const QString begins = fittedOf(words, QList<int>{0} + apart + others, apart, end, metrics, width);
    return begins.isEmpty() ? fittedOf(words, apart + beside, apart, end, metrics, width) : begins;
}

/// The letters around the first one in which it differs from the most similar of these names: two numbers may differ in their middles.
QString fittedWithLetters(const QStringList& names, const QString& name, const QFontMetrics& metrics, int width) {
    qsizetype from = 0;
    for (const QString& other : names)
        if (other != name)
            from = std::max<qsizetype>(from, std::mismatch(name.begin(), name.end(), other.begin(), other.end()).first - name.begin());
    from = std::min(from, name.size() - 1);
    qsizetype to = from;
    const auto cut = [&](qsizetype first, qsizetype end) {
        return (first > 0 ? QString(kMark) : QString()) + name.mid(first, end - first) + (end < name.size() ? QString(kMark) : QString());
    };
    const auto fits = [&](qsizetype first, qsizetype end) { return metrics.horizontalAdvance(cut(first, end)) <= width; };
    for (bool grows = true; grows;) {
        grows = false;
        if (to < name.size() && fits(from, to + 1))
            ++to, grows = true;
        if (from > 0 && fits(from - 1, to))
            --from, grows = true;
    }
    return cut(from, to);
}

/// The name and the seed stay as long as what tells it apart has room beside them.
QString fittedWithEnd(const Titles& titles, const QFontMetrics& metrics, int width) {
    const qsizetype at = titles.least.indexOf(gap());
    const QString name = titles.least.left(at), end = titles.least.mid(at);
    const auto seed = seedOf(name);
    for (const QString& head : {name.left(kLetters) + kMark + (seed < 0 ? QString() : name.mid(seed)), name.left(3) + kMark + name.right(1)}) {
        const QString cut = metrics.elidedText(end, Qt::ElideRight, width - metrics.horizontalAdvance(head));
        if (cut == end || cut.size() > titles.tells)
            return head + cut;
    }
    return metrics.elidedText(titles.least, Qt::ElideLeft, width);
}

/// What follows the name of a model in the title of an evaluation: "at update 50", "on test of digits", "asr", "best checkpoint".
QStringList partsAfter(const QString& name, const QString& title) {
    QStringList parts;
    for (const QString& part : title.mid(title.indexOf(name) + name.size()).trimmed().split(QStringLiteral(", "), Qt::SkipEmptyParts))
        if (!parts.isEmpty() && seedOf(QStringLiteral(", ") + part) == 0) // of a language model
            parts.back() += QStringLiteral(", ") + part;
        else
            parts << part;
    return parts;
}

/// How many letters of `end` no part of the others begins with: whole words, "best " of "best checkpoint".
qsizetype lettersApart(const QString& end, const QList<QStringList>& others) {
    const auto isOfAnother = [&](const QString& begin) {
        return std::ranges::any_of(others, [&](const QStringList& parts) {
            return std::ranges::any_of(parts, [&](const QString& part) { return part.startsWith(begin); });
        });
    };
    for (qsizetype space = end.indexOf(u' '); space > 0; space = end.indexOf(u' ', space + 1))
        if (!isOfAnother(end.left(space)))
            return space;
    return end.size();
}

/// The one of these parts that none of the others has, else as many as it takes. The last one, which was chosen in the dialogue, says the most.
QString partsApart(const QStringList& parts, QList<QStringList> others) {
    QStringList wanted = parts;
    if (!wanted.isEmpty())
        wanted.prepend(wanted.takeLast());
    for (const QString& part : wanted)
        if (std::ranges::none_of(others, [&](const QStringList& other) { return other.contains(part); }))
            return part;
    QStringList kept;
    for (const QString& part : wanted)
        if (others.removeIf([&](const QStringList& other) { return !other.contains(part); }) > 0)
            kept << part;
    QStringList inOrder;
    std::ranges::copy_if(parts, std::back_inserter(inOrder), [&](const QString& part) { return kept.contains(part); });
    return inOrder.join(QStringLiteral(", "));
}

} // namespace

QString fittedTitle(const QString& title, const QFontMetrics& metrics, int width) {
    return fittedTitle(Titles{title, {}}, metrics, width);
}

QString fittedTitle(const Titles& titles, const QFontMetrics& metrics, int width) {
    if (!titles.apart.isEmpty() && metrics.horizontalAdvance(titles.whole) > width)
        if (const QString fitted = fittedWithWords(titles, metrics, width); !fitted.isEmpty())
            return fitted;
    if (!titles.brief.isEmpty() && metrics.horizontalAdvance(titles.whole) > width)
        if (const QString fuller = fullerTitle(titles.whole, titles.brief, metrics, width); !fuller.isEmpty())
            return fuller;
    for (const QString& title : {titles.whole, titles.brief, titles.least})
        if (const QString fitted = fittedWithSeed(title, metrics, width); !fitted.isEmpty())
            return fitted;
    if (!titles.least.isEmpty())
        return fittedWithEnd(titles, metrics, width);
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

QHash<QString, Titles> evaluationsApart(const QHash<QString, QString>& briefs) {
    QHash<QString, QStringList> ofName; // the titles of the evaluations of one model
    for (auto one = briefs.cbegin(); one != briefs.cend(); ++one)
        ofName[one.value().section(gap(), 0, 0)] << one.key();
    QHash<QString, Titles> apart;
    for (auto model = ofName.cbegin(); model != ofName.cend(); ++model)
        for (const QString& title : model.value()) {
            const QString brief = briefs.value(title);
            QList<QStringList> others, alike; // those with the same brief title
            for (const QString& other : model.value())
                if (other != title) {
                    others << partsAfter(model.key(), other);
                    if (briefs.value(other) == brief)
                        alike << others.back();
                }
            Titles& titles = apart[title] = {title, brief};
            const QStringList parts = partsAfter(model.key(), title);
            const QString end = alike.isEmpty() ? QString() : partsApart(parts, alike);
            if (end.isEmpty())
                continue;
            titles.brief = (brief.endsWith(kMark) ? brief.chopped(1) : brief) + gap() + end;
            const QString least = partsApart(parts, others);
            titles.least = model.key() + gap() + least;
            titles.tells = gap().size() + (parts.contains(least) ? lettersApart(least, others) : least.size()); // of several, each is needed
        }
    return apart;
}

bool couldBe(const QString& shown, const QString& whole) {
    const QStringList parts = shown.split(kMark);
    if (parts.size() == 1)
        return shown == whole;
    const QString first = parts.front().trimmed(), last = parts.back().trimmed();
    if (first.size() + last.size() > whole.size() || !whole.startsWith(first) || !whole.endsWith(last))
        return false;
    qsizetype at = first.size();
    for (qsizetype i = 1; i + 1 < parts.size(); ++i) {
        const QString part = parts[i].trimmed();
        const qsizetype found = whole.indexOf(part, at);
        if (found < 0 || found + part.size() > whole.size() - last.size())
            return false;
        at = found + part.size();
    }
    return true;
}

QString fittedAmong(const QStringList& names, const QString& name, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(name) <= width)
        return name;
    const QString first = fittedTitle(Titles{name, {}, wordsApart(names).value(name)}, metrics, width);
    // The room behind the last word is that of a part of the next one: "s2t-refe…", not "s2t-…".
    QString fuller = metrics.elidedText(name, Qt::ElideRight, width);
    const qsizetype cut = fuller.size() - 1;
    const bool goesOn = !first.isEmpty() && first.indexOf(kMark) == first.size() - 1 && fuller.startsWith(first.chopped(1));
    if (!goesOn || (cut > 0 && name[cut - 1].isDigit() && name[cut].isDigit()))
        fuller = first;
    for (const QString& shown : {fuller, first, fittedTitle(name, metrics, width), metrics.elidedText(name, Qt::ElideRight, width),
                                 metrics.elidedText(name, Qt::ElideLeft, width), fittedWithLetters(names, name, metrics, width)})
        if (std::none_of(names.begin(), names.end(), [&](const QString& other) { return other != name && couldBe(shown, other); }))
            return shown;
    return first;
}

} // namespace headroom::widgets
