// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"
#include "core/text/unknown_characters.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::unknown_characters_test {

class UnknownCharactersTest : public QObject {
    Q_OBJECT

    using Counts = std::map<std::string, std::int64_t>;
    static Tokenizer opened(const QTemporaryDir& folder, const char* vocabulary) {
        const auto file = std::filesystem::path(folder.path().toStdString()) / "vocab.json";
        std::ofstream(file) << vocabulary;
        return Tokenizer(file);
    }

private Q_SLOTS:
    void aCharacterCountsOnceForEachText() {
        const QTemporaryDir folder;
        const Tokenizer tokenizer = opened(folder, "{\"<pad>\": 0, \"<unk>\": 1, \"|\": 2, \"a\": 3, \"é\": 4}");
        UnknownCharacters unknown(tokenizer);
        for (const char* text : {"a é", "", "aßß€", "€a"})
            unknown.add(text);
        QCOMPARE(unknown.texts(), std::int64_t(2));
        QVERIFY(unknown.characters() == (Counts{{"ß", 1}, {"€", 2}}));
    }

    void aVocabularyWithoutAnUnknownPieceIsAskedLikewise() {
        const QTemporaryDir folder;
        const Tokenizer tokenizer = opened(folder, "{\"<pad>\": 0, \"|\": 1, \"a\": 2}");
        UnknownCharacters unknown(tokenizer);
        unknown.add("a b");
        QVERIFY(unknown.characters() == (Counts{{"b", 1}}));
    }

    void subwordsAreAskedLetterByLetter() {
        const Tokenizer tokenizer(std::filesystem::path(HEADROOM_SOURCE_DIR) /
                                  "tests/data/s2t-reference/sentencepiece.bpe.model");
        UnknownCharacters unknown(tokenizer);
        unknown.add("her heavy village");
        QCOMPARE(unknown.texts(), std::int64_t(0));
        unknown.add("her ☃ village");
        QVERIFY(unknown.characters() == (Counts{{"☃", 1}}));
    }
};

HEADROOM_TEST(UnknownCharactersTest)

} // namespace headroom::testing::unknown_characters_test

#include "unknown_characters_test.moc"
