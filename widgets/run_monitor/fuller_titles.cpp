// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/fuller_titles.h"

#include <QList>
#include <QStringList>

#include <algorithm>

namespace headroom::widgets {

namespace {

constexpr QChar kLeftOut(0x2026);
const QString kBetween = QStringLiteral(", ");

/// A part of a title, with what separates it from the one before.
struct TitlePart {
    QString text;
    bool isShown = false;
    bool isSeparator() const { return text.trimmed().isEmpty() || text == kBetween; }
};

/// Cut before each ", ": " of digits", ", asr".
void addParts(QList<TitlePart>& parts, const QString& text) {
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype next = text.indexOf(kBetween, at + 1);
        parts.push_back({text.mid(at, next < 0 ? -1 : next - at)});
        at = next < 0 ? text.size() : next;
    }
}

/// Where a name stands as words of their own: "a" is not in "Evaluate". Below 0: nowhere.
qsizetype placeOfName(const QString& title, const QString& name) {
    for (qsizetype at = title.indexOf(name); at >= 0; at = title.indexOf(name, at + 1)) {
        const QString behind = title.mid(at + name.size(), 1);
        if ((at == 0 || title[at - 1] == u' ') && (behind.isEmpty() || behind == u" " || behind == u","))
            return at;
    }
    return -1;
}

QString shownOf(const QList<TitlePart>& parts) {
    QString title;
    bool isLeftOut = false;
    for (const TitlePart& part : parts) {
        if (part.isSeparator() && isLeftOut)
            continue;
        if (!part.isShown && !part.isSeparator()) {
            isLeftOut = true;
            continue;
        }
        QString text = part.text;
        if (isLeftOut && text.startsWith(kBetween))
            text = text.mid(kBetween.size());
        title += isLeftOut && !title.isEmpty() ? u' ' + (kLeftOut + (u' ' + text.trimmed())) : text;
        isLeftOut = false;
    }
    return isLeftOut ? title + kLeftOut : title;
}

} // namespace

QString fullerTitle(const QString& whole, const QString& brief, const QFontMetrics& metrics, int width) {
    struct Place {
        qsizetype from, size;
    };
    QList<Place> kept; // what the brief title keeps, the name first
    for (QString part : brief.split(kLeftOut, Qt::SkipEmptyParts)) {
        part = part.trimmed();
        if (part.isEmpty())
            return {};
        const auto behindName = [&] {
            const qsizetype behind = kept.front().from + kept.front().size;
            const qsizetype ofItsOwn = whole.indexOf(kBetween + part, behind); // "beam 3", and not that of "CTC beam 3"
            return ofItsOwn >= 0 ? ofItsOwn + kBetween.size() : whole.indexOf(part, behind);
        };
        const qsizetype from = kept.isEmpty() ? placeOfName(whole, part) : behindName();
        if (from < 0)
            return {};
        kept.push_back({from, part.size()});
    }
    if (kept.size() < 2)
        return {};
    const qsizetype split = kept[1].from;
    std::ranges::sort(kept, {}, &Place::from);
    QList<TitlePart> parts;
    qsizetype at = kept.front().from, afterSplit = 0; // without the verb
    for (const Place& place : kept) {
        if (place.from < at)
            return {};
        addParts(parts, whole.mid(at, place.from - at));
        parts.push_back({whole.mid(place.from, place.size), true});
        at = place.from + place.size;
        if (place.from == split)
            afterSplit = parts.size();
    }
    addParts(parts, whole.mid(at));
    const auto fits = [&] { return metrics.horizontalAdvance(shownOf(parts)) <= width; };
    if (!fits())
        return {};
    const auto showIfItFits = [&](TitlePart& part) {
        if (part.isShown || part.isSeparator())
            return;
        part.isShown = true;
        part.isShown = fits();
    };
    std::for_each(parts.begin() + afterSplit, parts.end(), showIfItFits);
    std::for_each(parts.begin(), parts.begin() + afterSplit, showIfItFits);
    return shownOf(parts);
}

} // namespace headroom::widgets
