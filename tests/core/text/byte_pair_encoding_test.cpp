// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/text/byte_pair_encoding.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::byte_pair_encoding_test {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// GPT-2's letters of the 256 bytes, in the order of its vocabulary.
std::vector<std::string> letters() {
    std::vector<std::string> result;
    const auto add = [&](int point) { result.push_back(QString(QChar(point)).toStdString()); };
    for (int point = 0x21; point <= 0x7E; ++point)
        add(point);
    for (int point = 0xA1; point <= 0xFF; ++point)
        if (point != 0xAD)
            add(point);
    for (int point = 256; result.size() < 256; ++point)
        add(point);
    return result;
}

/// A small vocabulary: the letters, "Ġt" 256, "he" 257, "Ġthe" 258, "<|endoftext|>" 259, and added tokens.
class Folder {
public:
    Folder() {
        for (const std::string& letter : letters())
            vocabulary[letter] = static_cast<int>(vocabulary.size());
        for (const char* piece : {"Ġt", "he", "Ġthe", "<|endoftext|>"})
            vocabulary[piece] = static_cast<int>(vocabulary.size());
    }
    fs::path vocabFile() const {
        write("vocab.json", vocabulary.dump());
        write("merges.txt", merges);
        if (!added.is_null())
            write("added_tokens.json", added.dump());
        return path("vocab.json");
    }
    fs::path tokenizerFile(bool pairs) const {
        json list = json::array();
        for (const auto& [left, right] :
             std::vector<std::pair<std::string, std::string>>{{"Ġ", "t"}, {"h", "e"}, {"Ġt", "he"}})
            list.push_back(pairs ? json::array({left, right}) : json(left + " " + right));
        json tokens = json::array();
        for (const auto& [content, id] : added.items())
            tokens.push_back({{"id", id}, {"content", content}, {"special", true}});
        write("tokenizer.json", json{{"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", list}}},
                                     {"added_tokens", tokens}}
                                    .dump());
        return path("tokenizer.json");
    }
    fs::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    void write(const char* name, const std::string& text) const { std::ofstream(path(name)) << text; }

    json vocabulary = json::object(), added;
    std::string merges = "#version: 0.2\nĠ t\nh e\nĠt he\n";

private:
    QTemporaryDir m_folder;
};

QString refusal(const fs::path& file) {
    try {
        BytePairEncoding encoding(file);
    } catch (const Error& error) {
        return QString::fromStdString(error.code() + ": " + error.what());
    }
    return "accepted";
}

std::vector<int> ids(std::initializer_list<int> list) {
    return list;
}

} // namespace

class BytePairEncodingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsAreCutAsByGpt2_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("spaces belong to words")
            << "the man's hat" << QStringList{"the", " man", "'s", " hat"};
        QTest::newRow("several spaces") << "a  b \n c" << QStringList{"a", " ", " b", " \n", " c"};
        QTest::newRow("spaces at the end") << "a  " << QStringList{"a", "  "};
        QTest::newRow("a line between") << "a\nb" << QStringList{"a", "\n", "b"};
        QTest::newRow("numbers and signs") << "x12 €5..." << QStringList{"x", "12", " €", "5", "..."};
        QTest::newRow("letters of the world")
            << " über Ωmega 東京 ½" << QStringList{" über", " Ωmega", " 東京", " ½"};
        QTest::newRow("contractions") << "I'll don't 'S" << QStringList{"I", "'ll", " don", "'t", " '", "S"};
    }
    void wordsAreCutAsByGpt2() {
        QFETCH(QString, text);
        QStringList found;
        const std::string utf8 = text.toStdString();
        for (const std::string_view word : gpt2Words(utf8))
            found << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
        QTEST(found, "words");
    }

    void mergesAreAppliedByRank() {
        Folder folder;
        const BytePairEncoding encoding(folder.vocabFile());
        QCOMPARE(encoding.size(), 260);
        const int t = 't' - 0x21, h = 'h' - 0x21, e = 'e' - 0x21;
        QCOMPARE(encoding.encode(" the"), ids({258}));
        QCOMPARE(encoding.encode("the"), ids({t, 257}));
        QCOMPARE(encoding.encode(" thhee"), ids({256, h, 257, e}));
        QCOMPARE(encoding.encode(""), ids({}));
        for (const char* text : {" the über 東京\n", "\t\x7F", "ha  ha"})
            QCOMPARE(encoding.decode(encoding.encode(text)), std::string(text));
    }

    void bytesThatAreNoTextAreReplaced() {
        Folder folder;
        const BytePairEncoding encoding(folder.vocabFile());
        std::vector<int> euro = encoding.encode("€x");
        QCOMPARE(euro.size(), std::size_t(4));
        euro.erase(euro.begin() + 2); // two of three bytes are one ill-formed part
        QCOMPARE(encoding.decode(euro), std::string("\xEF\xBF\xBDx"));
    }

    void specialTokensDecodeToNothing() {
        Folder folder;
        folder.added = {{"<|startoftranscript|>", 260}, {"<|notimestamps|>", 261}};
        for (const bool pairs : {false, true}) {
            for (const fs::path& file : {folder.vocabFile(), folder.tokenizerFile(pairs)}) {
                const Tokenizer tokenizer(file);
                QCOMPARE(tokenizer.decode(ids({260, 258, 262, 259})), std::string(" the"));
                QCOMPARE(tokenizer.piece(261), std::string("<|notimestamps|>"));
                QCOMPARE(tokenizer.piece(262), std::string("<|0.00|>")); // not listed, but always the next
                QCOMPARE(tokenizer.piece(262 + 226), std::string("<|4.52|>"));
                QCOMPARE(tokenizer.size(), 262); // as listed
                QVERIFY_EXCEPTION_THROWN(tokenizer.decode(ids({262 + 1501})), Error);
            }
        }
    }

    void badFilesAreRefused() {
        {
            Folder folder;
            folder.vocabFile();
            fs::remove(folder.path("merges.txt"));
            QVERIFY(refusal(folder.path("vocab.json")).contains("merges.txt, which could not be read."));
        }
        {
            Folder folder;
            folder.merges += "one two three\n";
            QVERIFY(refusal(folder.vocabFile())
                        .contains("contains the line “one two three”, which is not a pair."));
        }
        {
            Folder folder;
            folder.vocabulary["more"] = 300;
            QVERIFY(refusal(folder.vocabFile()).contains("has no piece with the number 260."));
        }
        {
            Folder folder;
            folder.vocabulary["again"] = 0;
            QVERIFY(refusal(folder.vocabFile()).contains("gives the number 0 to"));
        }
        {
            Folder folder;
            folder.vocabulary["Ġt"] = "x";
            QVERIFY(refusal(folder.vocabFile()).contains("gives the piece “Ġt” no number."));
        }
        Folder folder;
        folder.write("vocab.json", "{\"<unk>\": 0, \"|\": 1, \"e\": 2}");
        folder.write("merges.txt", "");
        QVERIFY(refusal(folder.path("vocab.json")).contains("which a vocabulary of bytes needs."));
        folder.write("vocab.json", "[1]");
        QVERIFY(refusal(folder.path("vocab.json")).startsWith("text.notBytePairs"));
        QVERIFY(refusal(folder.path("nowhere.json")).startsWith("text.missing"));
    }

    void publishedTextsAreMatched_data() {
        QTest::addColumn<QString>("family");
        QTest::newRow("80") << "whisper-80";
        QTest::newRow("128") << "whisper-128";
    }
    void publishedTextsAreMatched() {
        if (sharedData().empty())
            QSKIP(kNoSharedData);
        QFETCH(QString, family);
        const auto folder = sharedData() / "parity" / "encoders" / family.toStdString();
        std::ifstream stream(folder / "expected" / "expected.json");
        const json decoder = json::parse(stream)["decoder"];
        for (const char* file : {"vocab.json", "tokenizer.json"}) {
            const BytePairEncoding encoding(folder / file);
            QCOMPARE(encoding.decode(decoder["ids"].get<std::vector<int>>()),
                     decoder["text"].get<std::string>());
            const auto prompt = decoder["prompt"].get<std::vector<int>>();
            for (std::size_t i = 0; i < prompt.size(); ++i)
                QCOMPARE(encoding.piece(prompt[i]), decoder["prompt_text"][i].get<std::string>());
        }
    }
};

HEADROOM_TEST(BytePairEncodingTest)

} // namespace headroom::testing::byte_pair_encoding_test

#include "byte_pair_encoding_test.moc"
