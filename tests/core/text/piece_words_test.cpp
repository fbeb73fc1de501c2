// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/piece_words.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::piece_words_test {

class PieceWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWordHasThePiecesThatWriteIt() {
        const std::vector<std::string> growing{"He", "He pict", "He pictures", "He pictures."};
        const std::vector<PieceWord> expected{{"He", 0, 1}, {"pictures.", 1, 4}};
        QCOMPARE(wordsOfGrowingText(growing), expected);
    }

    void aSeparatorIsPartOfNoWord() {
        const std::vector<std::string> growing{"", "H", "HI", "HI", "HI A", "HI A"};
        const std::vector<PieceWord> expected{{"HI", 1, 3}, {"A", 4, 5}};
        QCOMPARE(wordsOfGrowingText(growing), expected);
    }

    void aPieceWithASpaceInsideWritesTwoWords() {
        const std::vector<std::string> growing{"of th", "of the cat"};
        const std::vector<PieceWord> expected{{"of", 0, 1}, {"the", 0, 2}, {"cat", 1, 2}};
        QCOMPARE(wordsOfGrowingText(growing), expected);
    }

    void aLetterOfSeveralPiecesIsOneLetter() {
        const std::vector<std::string> growing{"a", "a \xEF\xBF\xBD", "a \xC3\xA9"};
        const std::vector<PieceWord> expected{{"a", 0, 1}, {"\xC3\xA9", 1, 3}};
        QCOMPARE(wordsOfGrowingText(growing), expected);
    }

    void noPiecesHaveNoWords() { QVERIFY(wordsOfGrowingText({}).empty()); }
};

HEADROOM_TEST(PieceWordsTest)

} // namespace headroom::testing::piece_words_test

#include "piece_words_test.moc"
