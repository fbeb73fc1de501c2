// SPDX-License-Identifier: GPL-3.0-or-later
// Text as in Python, sacreBLEU's tokens, and the words that WER counts.
#include "core/text/scored_words.h"
#include "core/text/tokenizer_13a.h"
#include "core/text/unicode_text.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::scored_words_test {

class ScoredWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void punctuationIsNoWordAndSymbolsAre() {
        const auto scored = scoredWords("Well, \u201CYES\u201D - $5 + 3!");
        QVERIFY((scored == std::vector<std::string>{"well", "\u201Cyes\u201D", "$", "5", "+", "3"}));
        QVERIFY(scoredWords("... !? \u2014").empty());
    }

    void lowerCaseIsPythons() {
        QCOMPARE(lowerCase("ABC ÄÖÜ Éß"), std::string("abc äöü éß"));
        QCOMPARE(lowerCase("İ"), std::string("i\u0307"));
        QCOMPARE(lowerCase("ΟΔΟΣ ΣΑΣ. Σ"), std::string("οδος σας. σ"));
        QCOMPARE(lowerCase("ẞ"), std::string("ß"));
    }

    void bytesThatAreNoTextAreCountedNotSkipped() {
        QCOMPARE(codePoints("a\xFF\xC3").size(), std::size_t(3));
        QCOMPARE(utf8(codePoints("a\xFFz")), std::string("a\uFFFDz"));
    }

    void blanksAreUnicodes() {
        QCOMPARE(splitAtUnicodeBlanks("a\u00a0b\u3000c\u2028d\u200be").size(), std::size_t(4)); // U+200B is none
        QCOMPARE(withoutTrailingBlanks("a \u00a0\n"), std::string("a"));
    }

    void tokensOf13a_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("tokens");
        const auto row = [](const char* line, const char* tokens) { QTest::newRow(line) << line << tokens; };
        row("Hello, world.", "Hello , world .");
        row("1,000.5 and 3-4 and a-b", "1,000.5 and 3 - 4 and a-b");
        row("...", ". . .");
        row("It's &quot;so&quot; &amp;lt;", "It's \" so \" <");
        row("a.b,c", "a . b , c");
        row("\u00ABtout\u00BB", "\u00ABtout\u00BB");
        row("5.", "5 .");
        row("", "");
    }
    void tokensOf13a() {
        QFETCH(QString, line);
        QFETCH(QString, tokens);
        QCOMPARE(QString::fromStdString(tokenize13a(line.toStdString())), tokens);
    }
};

HEADROOM_TEST(ScoredWordsTest)

} // namespace headroom::testing::scored_words_test

#include "scored_words_test.moc"
