// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/changed_text.h"

#include "app/parts/word_marks.h"
#include "core/text/word_alignment.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <string>
#include <vector>

namespace headroom::app {

namespace {

std::vector<std::string> wordsOfText(const QString& text) {
    std::vector<std::string> words;
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    return words;
}

/// The blanks before, between and behind the words of a text as they are shown. More than one between two words, and any at an end,
/// has marks: a line of rich text would not show it, and it may be all that differs.
QStringList shownBlanks(const QString& text, QString (*mark)(const QString&)) {
    QStringList blanks{{}};
    bool isInWord = false;
    for (const QChar one : text) {
        if (one == u' ')
            blanks.last() += QStringLiteral("␣");
        else if (!isInWord)
            blanks << QString(); // begins behind this word
        isInWord = one != u' ';
    }
    for (qsizetype i = 0; i < blanks.size(); ++i) {
        const bool isBetween = i > 0 && i + 1 < blanks.size();
        if (isBetween && blanks[i].size() == 1)
            blanks[i] = QStringLiteral(" ");
        else if (!blanks[i].isEmpty())
            blanks[i] = (isBetween ? QStringLiteral(" ") : QString()) + mark(blanks[i].mid(isBetween ? 1 : 0));
    }
    return blanks;
}

/// Words between their blanks, of which there is one more.
QString between(const QStringList& blanks, const QStringList& words) {
    QString text = blanks.value(0);
    for (qsizetype i = 0; i < words.size(); ++i)
        text += words[i] + blanks.value(i + 1);
    return text;
}

} // namespace

QString changedText(const QString& before, const QString& after) {
    const auto escaped = [](const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); };
    QStringList gone, come;
    for (const AlignedWords& word : alignWords(wordsOfText(before), wordsOfText(after))) {
        if (word.reference)
            gone << (word.isHit() ? escaped(*word.reference) : missingWordMark(escaped(*word.reference)));
        if (word.hypothesis)
            come << (word.isHit() ? escaped(*word.hypothesis) : addedWordMark(escaped(*word.hypothesis)));
    }
    return QStringLiteral("<p>%1 %2<br>%3 %4</p>")
        .arg(tr("before:"), between(shownBlanks(before, missingWordMark), gone), tr("after:"), between(shownBlanks(after, addedWordMark), come));
}

} // namespace headroom::app
