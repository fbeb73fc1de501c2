// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <fstream>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::tokenizer_test {

class TokenizerTest : public QObject {
    Q_OBJECT

private:
    static Tokenizer demo() {
        return Tokenizer(std::filesystem::path(HEADROOM_SOURCE_DIR) /
                         "tests/data/s2t-reference/sentencepiece.bpe.model");
    }

    static QString refusal(const std::filesystem::path& file) {
        try {
            Tokenizer tokenizer(file);
        } catch (const Error& error) {
            const auto named = QString(error.what()).contains(QString::fromStdString(displayNameInFolder(file)));
            return (named ? "" : "unnamed ") + QString::fromStdString(error.code());
        }
        return "accepted";
    }

private Q_SLOTS:
    void textComesBack() {
        const auto tokenizer = demo();
        QCOMPARE(tokenizer.size(), 256);
        const auto ids = tokenizer.encode("her heavy village hears my driver");
        QVERIFY(ids.size() >= 6);
        QCOMPARE(tokenizer.decode(ids), std::string("her heavy village hears my driver"));
        QVERIFY(tokenizer.encode("").empty());
        QCOMPARE(tokenizer.decode({}), std::string());
    }

    void controlPiecesDecodeToNothing() {
        const auto tokenizer = demo();
        auto ids = tokenizer.encode("her village");
        ids.insert(ids.begin(), 2);
        ids.push_back(2);
        ids.push_back(1);
        QCOMPARE(tokenizer.decode(ids), std::string("her village"));
        QCOMPARE(tokenizer.piece(2), std::string("</s>"));
    }

    void idsOutsideAreRefused() {
        const auto tokenizer = demo();
        for (const int id : {-1, 256, 1 << 30}) {
            QVERIFY_EXCEPTION_THROWN(tokenizer.decode(std::vector<int>{id}), Error);
            QVERIFY_EXCEPTION_THROWN(tokenizer.piece(id), Error);
        }
    }

    /// In a Speech2Text folder, vocab.json only numbers the pieces.
    void thePiecesOfAFolderComeBeforeTheirNumbers() {
        const auto demoFolder = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference";
        QCOMPARE(tokenizerIn(demoFolder), demoFolder / "sentencepiece.bpe.model");
        QTemporaryDir folder;
        const std::filesystem::path own = folder.path().toStdString();
        std::ofstream(own / "vocab.json") << "{}";
        QCOMPARE(tokenizerIn(own), own / "vocab.json");
        QVERIFY(sentencePieceIn(own).empty());
        std::ofstream(own / "sentencepiece.model");
        QCOMPARE(tokenizerIn(own), own / "sentencepiece.model");
    }

    void whatIsNoModelIsRefused() {
        QTemporaryDir folder;
        const auto file = [&](const char* name) {
            return std::filesystem::path(folder.filePath(name).toStdString());
        };
        QCOMPARE(refusal(file("nowhere.model")), QString("text.missing"));
        QCOMPARE(refusal(folder.path().toStdString()), QString("text.missing"));
        std::ofstream(file("empty.model"));
        QCOMPARE(refusal(file("empty.model")), QString("text.notSentencePiece"));
        std::ofstream(file("text.model")) << "this is no model";
        QCOMPARE(refusal(file("text.model")), QString("text.notSentencePiece"));
        std::ifstream whole(HEADROOM_SOURCE_DIR "/tests/data/s2t-reference/sentencepiece.bpe.model",
                            std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
        std::ofstream(file("cut.model"), std::ios::binary) << bytes.substr(0, bytes.size() / 2);
        QCOMPARE(refusal(file("cut.model")), QString("text.notSentencePiece"));
        QCOMPARE(refusal(HEADROOM_SOURCE_DIR "/tests/data/s2t-reference/model.safetensors"),
                 QString("text.notSentencePiece"));
    }

    void idsAreThoseOfThePublishedLibrary_data() { headroom::testing::addGoldenFolders(); }
    void idsAreThoseOfThePublishedLibrary() {
        const auto data = headroom::testing::goldens();
        const Tokenizer tokenizer(data / "parity/s2t-tiny/sentencepiece.bpe.model");
        QCOMPARE(tokenizer.size(), 200);
        std::ifstream in(data / "parity/s2t-tiny/expected/utterances.json");
        const auto utterances = nlohmann::json::parse(in);
        int count = 0;
        for (const auto& utterance : utterances) {
            const auto expected = utterance.at("tokens").get<std::vector<int>>();
            QCOMPARE(tokenizer.encode(utterance.at("text").get<std::string>()), expected);
            QCOMPARE(tokenizer.decode(expected), utterance.at("text").get<std::string>());
            ++count;
        }
        QCOMPARE(count, 3);
    }

    void normalisationIsThePublishedLibrarys() {
        std::ifstream in(headroom::testing::repositoryGoldens() / "parity/tokens/demo.json");
        const auto expected = nlohmann::json::parse(in);
        const Tokenizer tokenizer(std::filesystem::path(HEADROOM_SOURCE_DIR) /
                                  expected.at("tokenizer").get<std::string>());
        QCOMPARE(tokenizer.size(), expected.at("size").get<int>());
        for (const auto& row : expected.at("texts")) {
            const auto text = row.at("text").get<std::string>();
            const auto ids = row.at("ids").get<std::vector<int>>();
            QVERIFY2(tokenizer.encode(text) == ids, text.c_str());
            QCOMPARE(QString::fromStdString(tokenizer.decode(ids)),
                     QString::fromStdString(row.at("decoded").get<std::string>()));
        }
    }
};

HEADROOM_TEST(TokenizerTest)

} // namespace headroom::testing::tokenizer_test

#include "tokenizer_test.moc"
