// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::app {

/// The longest word of a text that is copied: it stays whole, because a copied path must not have hidden characters.
inline constexpr qsizetype kCopiedWord = 40;

/// File names are long words: here they may break, by a zero-width space, behind their joints and after each twelve
/// characters without one; else a wrapped line would be cut, or would widen its panel. Words of at most `whole` characters
/// stay as they are.
inline QString breakable(const QString& text, qsizetype whole = 0) {
    constexpr qsizetype kUnbroken = 24, kPiece = 12;
    QString all;
    for (qsizetype from = 0; from < text.size();) {
        qsizetype end = from;
        while (end < text.size() && !text[end].isSpace())
            ++end;
        qsizetype pieceEnds = 0; // of the word, from where a piece of a long one is counted
        for (qsizetype at = from; at < end; ++at) {
            all += text[at];
            if (end - from <= whole || text[at].isHighSurrogate())
                continue;
            const bool isJoint = text[at] == u'_' || text[at] == u'-' || text[at] == u'/';
            const bool isLong = end - from > kUnbroken && at - from - pieceEnds >= kPiece && at + 1 < end && !text[at + 1].isMark();
            if (!isJoint && !isLong)
                continue;
            all += QChar(0x200B);
            pieceEnds = at - from;
        }
        if (end < text.size())
            all += text[end];
        from = end + 1;
    }
    return all;
}

} // namespace headroom::app
