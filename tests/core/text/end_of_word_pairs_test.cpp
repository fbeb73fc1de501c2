// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/text/moses_words.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_text.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::end_of_word_pairs_test {

using Words = std::vector<std::string>;
namespace fs = std::filesystem;

class EndOfWordPairsTest : public QObject {
    Q_OBJECT

    static fs::path folder() { return repositoryGoldens() / "parity/decoding/text/model"; }

private Q_SLOTS:
    void wordsBecomePiecesAndBack() {
        const Tokenizer tokenizer(folder() / "vocab-src.json");
        QCOMPARE(tokenizer.size(), 28);
        QVERIFY(tokenizer.hasSpeechToTextIds());
        // a b → ab; ab c</w> → abc</w>; d is by itself at the end of a word. The folder asks for small
        // letters.
        const auto ids = tokenizer.encode("ABC cd d");
        Words pieces;
        for (const int id : ids)
            pieces.push_back(tokenizer.piece(id));
        QCOMPARE(pieces, (Words{"abc</w>", "c", "d</w>", "d</w>"}));
        QCOMPARE(tokenizer.decode(ids), std::string("abc cd d"));
        QCOMPARE(tokenizer.encode("z"), std::vector<int>{tokenizer.unknownId()});
        QCOMPARE(tokenizer.decode(std::vector<int>{0, 1, 2}), std::string());
    }

    void mergesOrVocabularyThatAreMissingOrDamagedAreSaid() {
        QTemporaryDir place;
        const fs::path copy = place.path().toStdString();
        fs::copy(folder() / "vocab-src.json", copy / "vocab-src.json");
        const auto refusal = [&] {
            try {
                Tokenizer tokenizer(copy / "vocab-src.json");
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        QVERIFY(refusal().find("merges.txt") != std::string::npos);
        std::ofstream(copy / "merges.txt") << "a b 3\nalone\n";
        QVERIFY(refusal().find("“alone”, which is not a pair") != std::string::npos);
        std::ofstream(copy / "merges.txt") << "a b\n";
        QCOMPARE(refusal(), std::string());
        std::ofstream(copy / "vocab-src.json") << R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "a": 3})";
        QVERIFY(refusal().find("needs one of its own") != std::string::npos);
    }

    void textIsCutAsMosesCutsIt_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("marks") << "Hello, world!"
                               << "Hello , world !";
        QTest::newRow("numbers") << "It costs 1,000.50 euros."
                                 << "It costs 1,000.50 euros .";
        QTest::newRow("contractions") << "don't, it's the '90s"
                                      << "don &apos;t , it &apos;s the &apos; 90s";
        QTest::newRow("dash") << "a well-known fact"
                              << "a well @-@ known fact";
        QTest::newRow("dots") << "Well... no"
                              << "Well ... no";
        QTest::newRow("abbreviation") << "Mr. Smith met J. R. in the U.S. today."
                                      << "Mr. Smith met J. R. in the U.S. today .";
        QTest::newRow("escapes") << "a & [b] \"c\""
                                 << "a &amp; &#91; b &#93; &quot; c &quot;";
    }
    void textIsCutAsMosesCutsIt() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        std::string joined;
        for (const auto& word : mosesWords(text.toStdString(), "en"))
            joined += (joined.empty() ? "" : " ") + word;
        QCOMPARE(QString::fromStdString(joined), words);
    }

    void wordsAreJoinedAgain_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"Hello, world!", "It costs 1,000.50 euros.", "don't say it's well-known",
                                 "He said \"yes\" (twice).", "Well... no", "50% of it"})
            QTest::newRow(text) << text;
    }
    void wordsAreJoinedAgain() {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(mosesText(mosesWords(text.toStdString(), "en"), "en")), text);
    }

    void languagesCutContractionsInTheirWay() {
        QCOMPARE(mosesWords("l'eau", "fr"), (Words{"l&apos;", "eau"}));
        QCOMPARE(mosesText({"l&apos;", "eau"}, "fr"), std::string("l'eau"));
        QCOMPARE(mosesWords("Dr. Ä geht bzw. steht.", "de"),
                 (Words{"Dr.", "Ä", "geht", "bzw.", "steht", "."}));
        QCOMPARE(lowerCase("ÄÖ Straße"), std::string("äö straße"));
    }
};

HEADROOM_TEST(EndOfWordPairsTest)

} // namespace headroom::testing::end_of_word_pairs_test

#include "end_of_word_pairs_test.moc"
