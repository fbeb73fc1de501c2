// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

namespace headroom::testing::token_list_test {

namespace fs = std::filesystem;

class TokenListTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;

    fs::path path(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    Tokenizer opened(const std::string& config) const {
        std::ofstream(path("config.yaml")) << config;
        return Tokenizer(path("config.yaml"));
    }
    std::string refusal(const std::string& config) const {
        try {
            opened(config);
        } catch (const Error& error) {
            return error.code() + ": " + error.what();
        }
        return {};
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void charactersHaveASpaceOfTheirOwn() {
        const auto tokenizer = opened("encoder_conf:\n    tokens: [a, {b: c}]\ntoken_type: char\n"
                                      "token_list:\n- <blank>\n- <unk>\n- <space>\n- 'N'\n- é\n- '1'\n- <sos/eos>\n");
        QCOMPARE(tokenizer.size(), 7);
        QCOMPARE(tokenizer.decode(std::vector{2, 3, 4, 0, 2, 5, 6, 2}), std::string("Né 1"));
        QCOMPARE(tokenizer.encode("é N?"), (std::vector{4, 2, 3, 1}));
        QCOMPARE(tokenizer.unknownId(), 1);
    }

    void wordsStandApart() {
        const auto tokenizer = opened("token_type: word\ntoken_list: [<blank>, the, man]\n");
        QCOMPARE(tokenizer.decode(std::vector{1, 0, 2}), std::string("the man"));
        QCOMPARE(tokenizer.encode(" the  man"), (std::vector{1, 2}));
        QVERIFY_EXCEPTION_THROWN(tokenizer.encode("the woman"), Error); // no token for what is unknown
    }

    /// A plain 08 is a number in YAML, and here a piece of two digits.
    void piecesAreJoinedAtTheirMark() {
        const auto tokenizer = opened("bpemodel: null\ntoken_list:\n- <blank>\n- <unk>\n- ▁the\n- s\n- 08\n- ▁\n- \"\\u2581m\"\n");
        QCOMPARE(tokenizer.decode(std::vector{2, 3, 6, 4, 1, 5}), std::string("thes m08 \xE2\x81\x87"));
        QCOMPARE(tokenizer.piece(4), std::string("08"));
        try {
            tokenizer.encode("the");
            QFAIL("cut without its model");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("text.noPieces"));
            QVERIFY(std::string(error.what()).find("config.yaml") != std::string::npos);
        }
    }

    void textIsCutByTheRecipesModel() {
        const fs::path demo = fs::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference/sentencepiece.bpe.model";
        const Tokenizer pieces(demo);
        std::string config = "bpemodel: data/token_list/some.model\ntoken_list:\n- <blank>\n- <unk>\n";
        const std::vector<int> ids = pieces.encode("the man");
        std::vector<int> expected;
        for (std::size_t i = 0; i < ids.size(); ++i) { // the other way round
            QCOMPARE(std::count(ids.begin(), ids.end(), ids[i]), 1);
            config += "- '" + pieces.piece(ids[ids.size() - 1 - i]) + "'\n";
            expected.push_back(static_cast<int>(2 + ids.size() - 1 - i));
        }
        fs::copy_file(demo, path("some.model"));
        const auto tokenizer = opened(config);
        QCOMPARE(tokenizer.encode("the man"), expected);
        QCOMPARE(tokenizer.decode(expected), std::string("the man"));
        const auto files = filesOfTokenizer(path("config.yaml"));
        QCOMPARE(files.size(), std::size_t(2));
        for (const auto& [name, file] : files) {
            fs::create_directories(path("ours"));
            fs::copy_file(file, path("ours") / fs::path(name));
        }
        QCOMPARE(tokenizerIn(path("ours")), path("ours/token_list.yaml"));
        QCOMPARE(Tokenizer(tokenizerIn(path("ours"))).encode("the man"), expected);
    }

    void whatIsNoListIsRefused() {
        QVERIFY(refusal("token_type: phn\ntoken_list: [a]\n").find("text.notTokens: ") == 0);
        QVERIFY(refusal("token_type: phn\ntoken_list: [a]\n").find("“phn”") != std::string::npos);
        QVERIFY(refusal("token_type: char\ntoken_list: tokens.txt\n").find("lists no tokens") != std::string::npos);
        QVERIFY(refusal("token_list: [a, [b]]\n").find("line 1") != std::string::npos);
        QVERIFY(refusal("token_list: [a, b\n").find("not valid YAML") != std::string::npos);
        QVERIFY(refusal("- a\n").find("not a configuration of ESPnet") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(Tokenizer(path("none.yaml")), Error);
    }
};

HEADROOM_TEST(TokenListTest)

} // namespace headroom::testing::token_list_test

#include "token_list_test.moc"
