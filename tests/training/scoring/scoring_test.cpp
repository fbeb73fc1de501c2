// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_13a.h"
#include "core/text/unicode_text.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "training/scoring/bleu.h"
#include "training/scoring/chrf.h"
#include "training/scoring/ter.h"
#include "training/scoring/word_error_rate.h"

#include <QTest>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom::testing::scoring_test {

using namespace headroom::training;

namespace {

std::vector<std::string> words(const char* text) {
    return splitAtUnicodeBlanks(text);
}

std::vector<std::string> linesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

struct Golden {
    std::vector<std::string> references, hypotheses;
    nlohmann::json expected;
};

/// Of the current row.
Golden readGolden() {
    const auto folder = testing::goldens() / "parity/scoring";
    std::ifstream in(folder / "expected.json");
    return {linesOf(folder / "ref.txt"), linesOf(folder / "hyp.txt"), nlohmann::json::parse(in)};
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

} // namespace

class ScoringTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void errorsAreCountedByKind() {
        const auto errors = compareWords(words("a b c d e f g"), words("a x c e f g h"));
        QCOMPARE(errors.hits, 5);
        QCOMPARE(errors.substitutions, 1);
        QCOMPARE(errors.deletions, 1);
        QCOMPARE(errors.insertions, 1);
        QCOMPARE(errors.referenceWords(), 7);
        QCOMPARE(compareWords({}, words("a b")).insertions, 2);
        QCOMPARE(compareWords(words("a b"), {}).deletions, 2);
        QCOMPARE(compareWords(words("a b"), words("a b")).errors(), 0);
    }

    void plainWordsAreCutAtSpacesOnly() {
        const auto scored = scoredWords("  a\tb  c\u00a0d \t e ", WordRule::Plain);
        QVERIFY((scored == std::vector<std::string>{"a\tb", "c\u00a0d", "e"}));
    }

    void withoutAReferenceThereIsNoRate() {
        const std::vector<std::string> none{""}, some{"a"};
        QVERIFY(!wordErrorRate(none, some).percent());
        QCOMPARE(wordErrorRate(some, none).percent().value(), 100.0);
    }

    void differentNumbersOfLinesAreRefused() {
        const std::vector<std::string> one{"a"}, two{"a", "b"};
        QVERIFY_EXCEPTION_THROWN(wordErrorRate(one, two), Error);
        QVERIFY_EXCEPTION_THROWN(bleu(one, two), Error);
        QVERIFY_EXCEPTION_THROWN(chrf(one, two), Error);
        QVERIFY_EXCEPTION_THROWN(ter(one, two), Error);
    }

    void equalTextsScoreHundred() {
        const std::vector<std::string> same{"the cat sat on the mat", "a dog ran after the cat ."};
        QVERIFY(near(bleu(same, same).score, 100));
        QVERIFY(near(chrf(same, same).score, 100));
        QCOMPARE(ter(same, same).edits, 0);
    }

    void nothingInCommonScoresNothing() {
        const std::vector<std::string> reference{"aaa bbb ccc ddd"}, hypothesis{"xxx yyy zzz www"}, empty{""};
        QCOMPARE(bleu(reference, hypothesis).score, 0.0);
        QCOMPARE(chrf(reference, hypothesis).score, 0.0);
        QCOMPARE(bleu(reference, empty).score, 0.0);
        QCOMPARE(chrf(reference, empty).score, 0.0);
        QCOMPARE(bleu(empty, hypothesis).score, 0.0);
    }

    void aShiftIsOneEdit() {
        QCOMPARE(translationEdits(words("a b c d e f"), words("d e f a b c")), 1);
        QCOMPARE(translationEdits(words("a b c d"), words("a b d c")), 1);
        QCOMPARE(translationEdits({}, words("a b")), 2);
        QCOMPARE(translationEdits(words("a b"), {}), 2);
    }

    void tokensAreThoseOfSacrebleu_data() { testing::addGoldenFolders(); }
    void tokensAreThoseOfSacrebleu() {
        const Golden golden = readGolden();
        for (std::size_t i = 0; i < golden.references.size(); ++i) {
            const auto& expected = golden.expected["tokens_13a"];
            QCOMPARE(tokenize13a(golden.references[i]), expected["ref"][i].get<std::string>());
            QCOMPARE(tokenize13a(golden.hypotheses[i]), expected["hyp"][i].get<std::string>());
        }
    }

    void werIsFairseqs_data() { testing::addGoldenFolders(); }
    void werIsFairseqs() {
        const Golden golden = readGolden();
        const auto& expected = golden.expected["fairseq_wer"];
        const auto rate = wordErrorRate(golden.references, golden.hypotheses);
        for (std::size_t i = 0; i < rate.lines.size(); ++i) {
            QCOMPARE(rate.lines[i].errors(), expected["line_errors"][i].get<std::int64_t>());
            QCOMPARE(rate.lines[i].referenceWords(), expected["line_reference_words"][i].get<std::int64_t>());
        }
        QVERIFY(near(rate.percent().value(), expected["wer_percent"]));
    }

    void plainWerIsJiwers_data() { testing::addGoldenFolders(); }
    void plainWerIsJiwers() {
        const Golden golden = readGolden();
        const auto& expected = golden.expected["jiwer"];
        const auto rate = wordErrorRate(golden.references, golden.hypotheses, WordRule::Plain);
        for (std::size_t i = 0; i < rate.lines.size(); ++i) {
            const auto& line = expected["lines"][i];
            QCOMPARE(rate.lines[i].hits, line["correct"].get<std::int64_t>());
            QCOMPARE(rate.lines[i].substitutions, line["substitutions"].get<std::int64_t>());
            QCOMPARE(rate.lines[i].deletions, line["deletions"].get<std::int64_t>());
            QCOMPARE(rate.lines[i].insertions, line["insertions"].get<std::int64_t>());
        }
        QVERIFY(near(rate.percent().value(), 100 * expected["wer"].get<double>()));
    }

    void bleuIsSacrebleus_data() {
        QTest::addColumn<QString>("goldens");
        QTest::addColumn<QString>("key");
        QTest::addColumn<bool>("lower");
        QTest::addColumn<bool>("tokenize");
        for (const auto& [name, folder] : testing::goldenFolders()) {
            const QString path = QString::fromStdString(folder.string());
            QTest::addRow("13a, %s", name) << path << "bleu" << false << true;
            QTest::addRow("none, %s", name) << path << "bleu_tokenize_none" << false << false;
            QTest::addRow("lower case, %s", name) << path << "bleu_lowercase" << true << true;
        }
    }
    void bleuIsSacrebleus() {
        const Golden golden = readGolden();
        QFETCH(QString, key);
        QFETCH(bool, lower);
        QFETCH(bool, tokenize);
        const auto& expected = golden.expected[key.toStdString()];
        const auto result = bleu(golden.references, golden.hypotheses, {lower, tokenize, false});
        for (std::size_t n = 0; n < 4; ++n) {
            QCOMPARE(result.counts[n], expected["counts"][n].get<std::int64_t>());
            QCOMPARE(result.totals[n], expected["totals"][n].get<std::int64_t>());
            QVERIFY(near(result.precisions[n], expected["precisions"][n]));
        }
        QVERIFY(near(result.score, expected["score"]));
        QCOMPARE(result.signature, expected["signature"].get<std::string>());
        QCOMPARE(result.line(), expected["printed"].get<std::string>());
    }

    void sentenceBleuIsSacrebleus_data() { testing::addGoldenFolders(); }
    void sentenceBleuIsSacrebleus() {
        const Golden golden = readGolden();
        for (std::size_t i = 0; i < golden.references.size(); ++i) {
            const auto result = bleu(std::span(&golden.references[i], 1), std::span(&golden.hypotheses[i], 1),
                                     {false, true, true});
            QVERIFY(near(result.score, golden.expected["sentence_bleu"]["scores"][i]));
        }
    }

    void chrfIsSacrebleus_data() { testing::addGoldenFolders(); }
    void chrfIsSacrebleus() {
        const Golden golden = readGolden();
        const auto result = chrf(golden.references, golden.hypotheses);
        QVERIFY(near(result.score, golden.expected["chrf2"]["score"]));
        QCOMPARE(result.signature, golden.expected["chrf2"]["signature"].get<std::string>());
    }

    void terIsSacrebleus_data() { testing::addGoldenFolders(); }
    void terIsSacrebleus() {
        const Golden golden = readGolden();
        const auto result = ter(golden.references, golden.hypotheses);
        QCOMPARE(result.edits, golden.expected["ter"]["edits"].get<std::int64_t>());
        QVERIFY(near(result.score(), golden.expected["ter"]["score"]));
        QCOMPARE(result.signature, golden.expected["ter"]["signature"].get<std::string>());
    }
};

HEADROOM_TEST(ScoringTest)

} // namespace headroom::testing::scoring_test

#include "scoring_test.moc"
