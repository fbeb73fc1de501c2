// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"
#include "training/corpus/grammar.h"
#include "training/corpus/sentence_pieces.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

namespace headroom::testing::sentence_pieces_test {

using namespace headroom::training;

class SentencePiecesTest : public QObject {
    Q_OBJECT

    static std::vector<std::string> sentences(std::size_t count) {
        Random random({42});
        std::vector<std::string> all;
        while (all.size() < count)
            all.push_back(randomSentence(random).spanish);
        return all;
    }

private Q_SLOTS:
    void idsAreFairseqs() {
        const auto all = sentences(500);
        const auto pieces = learnSentencePieces(all, 200);
        QCOMPARE(pieces.size, 200);
        QVERIFY(pieces.vocabulary.starts_with("<s>\t0\n<pad>\t0\n</s>\t0\n<unk>\t0\n"));
        QCOMPARE(std::count(pieces.vocabulary.begin(), pieces.vocabulary.end(), '\n'), 200);
        const QTemporaryDir folder;
        const auto file = folder.filePath("x.model").toStdString();
        std::ofstream(file, std::ios::binary) << pieces.model;
        const Tokenizer tokenizer(file);
        QCOMPARE(tokenizer.size(), 200);
        for (const auto& [id, piece] : {std::pair{0, "<s>"}, {1, "<pad>"}, {2, "</s>"}, {3, "<unk>"}})
            QCOMPARE(tokenizer.piece(id), std::string(piece));
        for (const auto& sentence : all) {
            const auto ids = tokenizer.encode(sentence);
            QVERIFY(std::all_of(ids.begin(), ids.end(),
                                [](int id) { return id > 3; })); // every character is covered
            QCOMPARE(tokenizer.decode(ids), sentence);
        }
    }

    void equalSentencesGiveEqualBytes() {
        const auto one = learnSentencePieces(sentences(200), 150),
                   two = learnSentencePieces(sentences(200), 150);
        QVERIFY(one.model == two.model && one.vocabulary == two.vocabulary);
        QVERIFY(learnSentencePieces(sentences(201), 150).model != one.model);
    }

    void fewSentencesGiveFewerPieces() {
        const auto pieces = learnSentencePieces({"Sí."}, 256);
        QVERIFY(pieces.size >= 4 + 3 && pieces.size < 256);
    }

    void nothingToLearnFromIsRefused() { QVERIFY_EXCEPTION_THROWN(learnSentencePieces({}, 100), Error); }
};

HEADROOM_TEST(SentencePiecesTest)

} // namespace headroom::testing::sentence_pieces_test

#include "sentence_pieces_test.moc"
