// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/text/metaspace_vocabulary.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom::testing::metaspace_vocabulary_test {

namespace {

using nlohmann::json;

const json kMetaspace = {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}};

json unigram() {
    json vocabulary = json::array();
    for (const auto& [piece, score] : {std::pair{"<unk>", 0.0},
                                       {"▁", -2},
                                       {"a", -2.1},
                                       {"b", -2.2},
                                       {"c", -2.3},
                                       {"▁a", -2.4},
                                       {"bc", -2.5},
                                       {"▁ab", -3}})
        vocabulary.push_back(json::array({piece, score}));
    return {{"added_tokens",
             {{{"id", 0}, {"content", "<unk>"}, {"special", true}},
              {{"id", 8}, {"content", "<pad>"}, {"special", true}}}},
            {"decoder", kMetaspace},
            {"model", {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", vocabulary}}}};
}

json bytePairs() {
    return {{"added_tokens", {{{"id", 0}, {"content", "<unk>"}, {"special", true}}}},
            {"decoder", kMetaspace},
            {"model",
             {{"type", "BPE"},
              {"unk_token", "<unk>"},
              {"vocab", {{"<unk>", 0}, {"▁", 1}, {"a", 2}, {"b", 3}, {"ab", 4}, {"▁ab", 5}, {"▁a", 6}}},
              {"merges", {"a b", json::array({"▁", "ab"}), "▁ a"}}}}};
}

class Written {
public:
    explicit Written(const json& document) { std::ofstream(path()) << document.dump(); }
    std::filesystem::path path() const { return m_folder.path().toStdString() + "/tokenizer.json"; }

private:
    QTemporaryDir m_folder;
};

using Ids = std::vector<int>;

} // namespace

class MetaspaceVocabularyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aUnigramModelTakesTheMostProbablePieces() {
        const Written file(unigram());
        const MetaspaceVocabulary vocabulary(file.path());
        QCOMPARE(vocabulary.size(), 9);
        QCOMPARE(vocabulary.encode("abc a"), (Ids{5, 6, 5})); // ▁a bc: -4.9, ▁ab c: -5.3
        QCOMPARE(vocabulary.encode("axyb"), (Ids{5, 0, 3}));  // unknown letters side by side are one
        QCOMPARE(vocabulary.encode(""), Ids());
    }

    /// As a vocabulary of characters in capitals takes a text in lower case.
    void capitalsAreWrittenInLowerCaseWhereThereAreNone() {
        const Written file(unigram());
        const MetaspaceVocabulary vocabulary(file.path());
        QCOMPARE(vocabulary.encode("ABC a"), vocabulary.encode("abc a"));
        QCOMPARE(vocabulary.decode(vocabulary.encode("ABC a")), std::string("abc a"));
        json both = unigram();
        both["model"]["vocab"].push_back(json::array({"A", -2.6}));
        both["added_tokens"][1]["id"] = 9;
        const Written other(both);
        const MetaspaceVocabulary capitals(other.path());
        QCOMPARE(capitals.encode("aA"), (Ids{5, 8}));
    }

    void bytePairsAreMergedByRank() {
        const Written file(bytePairs());
        const MetaspaceVocabulary vocabulary(file.path());
        QCOMPARE(vocabulary.encode("ab"), Ids{5});
        QCOMPARE(vocabulary.encode("ba a"), (Ids{1, 3, 2, 6}));
        QCOMPARE(vocabulary.encode("aq"), (Ids{6, 0}));
    }

    void spacesAreCutAtTheEndsAndSpecialPiecesLeftOut() {
        const Written file(unigram());
        const Tokenizer tokenizer(file.path());
        QCOMPARE(tokenizer.decode(Ids{5, 6, 5, 3, 1}), std::string("abc ab"));
        QCOMPARE(tokenizer.decode(Ids{8, 7, 8}), std::string("ab"));
        QCOMPARE(tokenizer.decode(Ids{2, 0}), std::string("a<unk>"));
        QCOMPARE(tokenizer.piece(7), std::string("▁ab"));
    }

    void whatIsNoSuchVocabularyIsRefused() {
        const auto code = [](const json& document) {
            try {
                const Written file(document);
                MetaspaceVocabulary{file.path()};
            } catch (const Error& error) {
                return error.code();
            }
            return std::string();
        };
        json other = unigram();
        other["decoder"] = {{"type", "ByteLevel"}};
        QCOMPARE(code(other), std::string("text.notMetaspace"));
        other = unigram();
        other["model"]["vocab"][2] = "a";
        QCOMPARE(code(other), std::string("text.notMetaspace"));
        other = unigram();
        other["model"]["type"] = "WordPiece";
        QCOMPARE(code(other), std::string("text.notMetaspace"));
        other = unigram();
        other["added_tokens"][1]["id"] = 3;
        QCOMPARE(code(other), std::string("text.notMetaspace"));
        other = bytePairs();
        other["added_tokens"][0]["id"] = -1;
        QCOMPARE(code(other), std::string("text.notMetaspace"));
        other = bytePairs();
        other["model"]["merges"] = {"alone"};
        QCOMPARE(code(other), std::string("text.notMetaspace"));
    }
};

HEADROOM_TEST(MetaspaceVocabularyTest)

} // namespace headroom::testing::metaspace_vocabulary_test

#include "metaspace_vocabulary_test.moc"
