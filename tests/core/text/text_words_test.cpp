// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_words.h"

#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::text_words_test {

class TextWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blanksPartWords() {
        const std::string text = "\t The  dog,\r\nhe\u00a0said ";
        QVERIFY((wordsOfText(text) == std::vector<std::string_view>{"The", "dog,", "he\u00a0said"}));
        QCOMPARE(wordCount(text), 3);
        QCOMPARE(wordCount(" \t\r\n"), 0);
        QCOMPARE(wordCount(""), 0);
    }
};

HEADROOM_TEST(TextWordsTest)

} // namespace headroom::testing::text_words_test

#include "text_words_test.moc"
