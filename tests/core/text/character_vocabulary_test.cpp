// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/model_folders/language_adapter.h"
#include "core/text/tokenizer.h"
#include "core/text/written_vocabulary.h"
#include "tests/support/runner.h"

#include <fstream>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::character_vocabulary_test {

namespace {

constexpr const char* kLetters = R"({"<pad>": 0, "<unk>": 1, "|": 2, "A": 3, "B": 4, "é": 5})";
constexpr const char* kLanguages =
    R"({"eng": {"<pad>": 0, "|": 1, "a": 2}, "fra": {"<pad>": 0, "|": 1, "é": 2, "a": 3}})";

} // namespace
} // namespace headroom::testing::character_vocabulary_test

namespace headroom::testing::character_vocabulary_test { // moc stumbles over the braces in the texts above

class CharacterVocabularyTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;

    std::filesystem::path path(const char* name) const {
        return std::filesystem::path(m_folder->path().toStdString()) / name;
    }
    void write(const char* name, const char* text) const { std::ofstream(path(name)) << text; }

    Tokenizer opened(const char* vocabulary, const char* config = "{}") {
        write("vocab.json", vocabulary);
        write("tokenizer_config.json", config);
        return Tokenizer(path("vocab.json"));
    }
    std::string refusal(const char* vocabulary, const char* config = "{}") {
        try {
            opened(vocabulary, config);
        } catch (const Error& error) {
            return error.code() + ": " + error.what();
        }
        return {};
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theDelimiterIsASpaceAndThePaddingNothing() {
        const auto tokenizer = opened(kLetters);
        QCOMPARE(tokenizer.size(), 6);
        QCOMPARE(tokenizer.decode(std::vector<int>{2, 3, 0, 2, 4, 5, 2}), std::string("A Bé"));
        QCOMPARE(tokenizer.unknownId(), 1);
    }

    void textBecomesCharacters() {
        const auto tokenizer = opened(kLetters);
        QCOMPARE(tokenizer.encode("ab é?"), (std::vector<int>{3, 4, 2, 5, 1}));
    }

    void theLanguageInUseDecides() {
        QCOMPARE(opened(kLanguages, R"({"target_lang": "fra"})").piece(2), std::string("é"));
        QCOMPARE(opened(kLanguages, R"({"target_lang": "eng"})").piece(2), std::string("a"));
        QVERIFY(refusal(kLanguages).find("“target_lang”") != std::string::npos);
    }

    void theFileOfALanguageStandsForItsVocabulary() {
        opened(kLanguages, R"({"target_lang": "eng"})"); // the configuration says otherwise
        const std::filesystem::path folder = m_folder->path().toStdString(),
                                    french = adapterOf(folder, "fra");
        QCOMPARE(Tokenizer(french).piece(2), std::string("é"));
        QCOMPARE(Tokenizer(french).size(), 4);
        const auto written = writtenVocabulary(french);
        QVERIFY(written && written->first == "vocab.json");
        QVERIFY(!writtenVocabulary(folder / "vocab.json"));
        for (const auto& [name, file] :
             filesOfTokenizer(french)) // the vocabulary is written, what is beside it copied
            QCOMPARE(name, std::string("tokenizer_config.json"));
        write("vocab.json", written->second.c_str());
        QCOMPARE(Tokenizer(folder / "vocab.json").piece(2), std::string("é"));
        write("vocab.json", kLanguages);
        try {
            Tokenizer(adapterOf(folder, "deu"));
            QFAIL("opened");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what())
                         .ends_with("has no vocabulary of the language “deu”; it has eng, fra."),
                     error.what());
        }
    }

    void languagesAreThoseOfTheFilesInAFolder() {
        const std::filesystem::path folder = m_folder->path().toStdString();
        for (const char* name : {"adapter.fra.safetensors", "adapter.eng.safetensors", "adapter.deu.bin",
                                 "adapter.safetensors", "model.safetensors"})
            write(name, "");
        QVERIFY(adapterLanguages(folder) == (std::vector<std::string>{"eng", "fra"}));
        QVERIFY(adapterLanguages(folder / "none").empty());
        QCOMPARE(ownLanguage(folder / "none"), std::string());
        write("tokenizer_config.json", R"({"target_lang": "fra"})");
        QCOMPARE(ownLanguage(folder), std::string("fra"));
        write("tokenizer_config.json", R"({"target_lang": 3})");
        QCOMPARE(ownLanguage(folder), std::string());
        QCOMPARE(languageOfAdapter("/a/adapter.zh-script_traditional.safetensors"),
                 std::string("zh-script_traditional"));
        QCOMPARE(languageOfAdapter("/a/adapter..safetensors"), std::string());
    }

    void addedPiecesCount() {
        write("added_tokens.json", R"({"<s>": 6})");
        QCOMPARE(opened(kLetters).piece(6), std::string("<s>"));
    }

    void otherFilesAreRefused() {
        QVERIFY(refusal("[1]").starts_with("text.notCharacters"));
        QVERIFY(refusal(R"({"a": -1})").find("“a”") != std::string::npos);
        QVERIFY(refusal(R"({"a": 0, "b": 0})").find("the id 0") != std::string::npos);
    }
};

HEADROOM_TEST(CharacterVocabularyTest)

} // namespace headroom::testing::character_vocabulary_test

#include "character_vocabulary_test.moc"
