// SPDX-License-Identifier: GPL-3.0-or-later
// How a key is laid out in rows.
#include "widgets/curves/curve_key_private.h"
#include "widgets/curves/plot_style.h"

#include <algorithm>
#include <utility>

namespace headroom::widgets {

namespace {

struct KeyWidths {
    double fixed, name; ///< what cannot give way, and the whole name
};

std::vector<KeyWidths> keyWidths(const std::vector<KeyEntry>& entries) {
    const QFontMetricsF font(Sizes::small());
    std::vector<KeyWidths> widths;
    for (const KeyEntry& entry : entries)
        widths.push_back({keySample(entry) + (entry.detail.isEmpty() ? 0
                                                               : font.horizontalAdvance(entry.detail) +
                                                                     Sizes::unit() * 0.75),
                          font.horizontalAdvance(entry.name) + 1});
    return widths;
}

/// The room for each name where all share `room` fairly: the largest equal share that uses no more.
double fairShare(const std::vector<KeyWidths>& widths, std::size_t from, std::size_t to, double room) {
    std::vector<double> names;
    for (std::size_t i = from; i < to; ++i) {
        names.push_back(widths[i].name);
        room -= widths[i].fixed + (i > from ? keySpacing() : 0);
    }
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double share = room / static_cast<double>(names.size() - i);
        if (names[i] > share)
            return share;
        room -= names[i];
    }
    return names.empty() ? 0 : names.back();
}

/// Where the rows of whole names begin, filled from the left. A name that alone is wider than `width` has a row of its own.
std::vector<std::size_t> wholeRows(const std::vector<KeyWidths>& widths, double width) {
    std::vector<std::size_t> starts;
    double used = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const double needed = widths[i].fixed + widths[i].name;
        if (starts.empty() || used + keySpacing() + needed > width - 0.01) { // sums are rounded
            starts.push_back(i);
            used = needed;
        } else {
            used += keySpacing() + needed;
        }
    }
    return starts;
}

/// How many names to put into each row, so that as few rows as possible leave every name readable: in `most` rows.
std::size_t evenRows(const std::vector<KeyWidths>& widths, double width, std::size_t most) {
    const double readable = 9 * Sizes::unit();
    const std::size_t count = widths.size();
    for (std::size_t rows = 1;; ++rows) {
        const std::size_t each = (count + rows - 1) / rows;
        double smallest = readable;
        for (std::size_t from = 0; from < count; from += each) {
            const std::size_t to = std::min(from + each, count);
            const double share = fairShare(widths, from, to, width);
            double longest = 0;
            for (std::size_t i = from; i < to; ++i)
                longest = std::max(longest, widths[i].name);
            smallest = std::min(smallest, share >= longest ? readable : share);
        }
        if (smallest >= readable || rows >= most || each == 1)
            return each;
    }
}

/// Of a name that is cut more than this is left: shorter ones are whole.
constexpr qsizetype kFewestLetters = 7;

/// Whether `text`, a name cut in its middle, could be another one as well.
bool standsFor(const QString& text, const QString& other) {
    const qsizetype cut = text.indexOf(QChar(0x2026));
    return cut >= 0 && other.startsWith(text.first(cut)) && other.endsWith(text.sliced(cut + 1));
}

bool tells(const QString& text, const KeyEntry& entry, const std::vector<KeyEntry>& all) {
    return text == entry.name || (text.size() > kFewestLetters && std::none_of(all.begin(), all.end(), [&](const KeyEntry& other) {
                                      return other.name != entry.name && standsFor(text, other.name);
                                  }));
}

/// The least room for each name in which it can be told from the others; no more than a row has.
std::vector<double> leastRooms(const std::vector<KeyEntry>& entries, const std::vector<KeyWidths>& widths, double width) {
    const QFontMetricsF font(Sizes::small());
    std::vector<double> rooms;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        double room = 3.5 * Sizes::unit();
        while (room < widths[i].name && !tells(elidedInMiddle(entries[i].name, font, room), entries[i], entries))
            room += Sizes::unit() / 2;
        rooms.push_back(std::max(std::min({room, widths[i].name, width - widths[i].fixed}), 0.0));
    }
    return rooms;
}

/// Names that have between their least room and all of it: the largest share of all for which `fits` holds, which must hold for 0.
template <class Fits>
std::vector<KeyWidths> withShare(const std::vector<KeyWidths>& widths, const std::vector<double>& least, const Fits& fits) {
    const auto at = [&](double share) {
        std::vector<KeyWidths> given = widths;
        for (std::size_t i = 0; i < given.size(); ++i)
            given[i].name = std::min(given[i].name, std::max(share, least[i]));
        return given;
    };
    double low = 0, high = 0;
    for (const KeyWidths& one : widths)
        high = std::max(high, one.name);
    if (fits(at(high)))
        return at(high);
    while (high - low > 0.25) {
        const double middle = (low + high) / 2;
        (fits(at(middle)) ? low : high) = middle;
    }
    return at(low);
}

/// A key with rows of unlike numbers of names, each of which can be told from the others; the last ones are counted where not all have
/// room in `most` rows.
KeyRows packKey(const std::vector<KeyEntry>& entries, double width, std::size_t most) {
    const QFontMetricsF font(Sizes::small());
    std::vector<KeyWidths> widths = keyWidths(entries);
    std::vector<double> least = leastRooms(entries, widths, width);
    KeyRows laid;
    const auto areRows = [&](const std::vector<KeyWidths>& given) { return wholeRows(given, width).size() <= most; };
    const auto atLeast = [&] {
        std::vector<KeyWidths> given = widths;
        for (std::size_t i = 0; i < given.size(); ++i)
            given[i].name = least[i];
        return given;
    };
    while (widths.size() > 1 && !areRows(atLeast())) {
        if (laid.left == 0) {
            width -= font.horizontalAdvance(QStringLiteral("and 99 more")) + keySpacing();
            least = leastRooms(entries, widths, width);
        }
        widths.pop_back();
        least.pop_back();
        ++laid.left;
    }
    std::vector<std::size_t> starts = wholeRows(withShare(widths, least, areRows), width);
    starts.push_back(widths.size());
    for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
        const auto from = static_cast<std::ptrdiff_t>(starts[row]), to = static_cast<std::ptrdiff_t>(starts[row + 1]);
        const std::vector<KeyWidths> given =
            withShare({widths.begin() + from, widths.begin() + to}, {least.begin() + from, least.begin() + to},
                      [&](const std::vector<KeyWidths>& names) { return wholeRows(names, width).size() == 1; });
        double x = 0;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const QString text = elidedInMiddle(entries[starts[row] + i].name, font, given[i].name);
            const double used = given[i].fixed + std::min(font.horizontalAdvance(text) + 1, given[i].name);
            laid.entries.push_back({QRectF(x, laid.height, used, keyRowHeight()), text});
            x += used + keySpacing();
        }
        laid.height += keyRowHeight();
    }
    return laid;
}

} // namespace

bool isReadable(const std::vector<KeyEntry>& entries, const KeyRows& rows) {
    for (std::size_t i = 0; i < rows.entries.size(); ++i)
        if (const QString& text = rows.entries[i].text; !text.isEmpty() && text != entries[i].brief && !tells(text, entries[i], entries))
            return false;
    return rows.left == 0;
}

KeyRows layKey(const std::vector<KeyEntry>& entries, double width, int mostRows) {
    KeyRows laid;
    if (entries.empty())
        return laid;
    const auto widths = keyWidths(entries);
    const QFontMetricsF font(Sizes::small());
    const double least = 3.5 * Sizes::unit();
    const auto most = static_cast<std::size_t>(std::max(mostRows, 1));
    std::vector<std::size_t> starts = wholeRows(widths, width);
    const auto isBrief = [](const KeyEntry& entry) { return !entry.brief.isEmpty(); };
    if (starts.size() > most && std::any_of(entries.begin(), entries.end(), isBrief)) {
        std::vector<KeyEntry> brief;
        std::vector<bool> isShown;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            isShown.push_back(i == 0 || !isBrief(entries[i]) || entries[i].brief != entries[i - 1].brief);
            if (!isShown.back())
                continue;
            brief.push_back(entries[i]);
            if (isBrief(entries[i]))
                brief.back().name = std::exchange(brief.back().brief, {});
        }
        const KeyRows shown = layKey(brief, width, mostRows);
        KeyRows all{{}, shown.left, shown.height};
        for (std::size_t i = 0, at = 0; i < entries.size() && (!isShown[i] || at < shown.entries.size()); ++i)
            all.entries.push_back(isShown[i] ? shown.entries[at++] : KeyRows::Placed());
        return all;
    }
    if (starts.size() > most) {
        const std::size_t each = evenRows(widths, width, most);
        starts.clear();
        for (std::size_t from = 0; from < entries.size(); from += each) {
            const std::size_t to = std::min(from + each, entries.size());
            double longest = 0;
            for (std::size_t i = from; i < to; ++i)
                longest = std::max(longest, widths[i].name);
            if (fairShare(widths, from, to, width) < std::min(least, longest))
                return packKey(entries, width, most);
            starts.push_back(from);
        }
    }
    double y = 0;
    for (std::size_t row = 0; row < starts.size(); ++row) {
        const std::size_t from = starts[row], to = row + 1 < starts.size() ? starts[row + 1] : entries.size();
        const double share = fairShare(widths, from, to, width);
        double x = 0;
        for (std::size_t i = from; i < to; ++i) {
            const double room = std::max(std::min(widths[i].name, share), least);
            const QString text =
                widths[i].name <= room ? entries[i].name : elidedInMiddle(entries[i].name, font, room);
            const double used = widths[i].fixed + std::min(font.horizontalAdvance(text) + 1, room);
            laid.entries.push_back({QRectF(x, y, used, keyRowHeight()), text});
            x += used + keySpacing();
        }
        y += keyRowHeight();
    }
    laid.height = y;
    return isReadable(entries, laid) ? laid : packKey(entries, width, most);
}

double widestKeyEntry(const std::vector<KeyEntry>& entries) {
    double widest = 0;
    for (const KeyWidths& one : keyWidths(entries))
        widest = std::max(widest, one.fixed + one.name);
    return widest;
}

} // namespace headroom::widgets
