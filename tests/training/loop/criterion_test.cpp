// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/loop/requests.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::criterion_test {

using namespace headroom::training;

class CriterionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lowerIsBetterForEveryCriterion() {
        Validation result;
        result.loss = 3;
        result.nll = 2;
        result.wer = 40;
        result.bleu = 17;
        result.cer = 12;
        result.chrf = 55;
        result.ter = 61;
        result.ctc = 4;
        QCOMPARE(criterionOf(result, "loss"), 3.0);
        QCOMPARE(criterionOf(result, "nll"), 2.0);
        QCOMPARE(criterionOf(result, "ctc"), 4.0);
        QCOMPARE(criterionOf(result, "wer"), 40.0);
        QCOMPARE(criterionOf(result, "cer"), 12.0);
        QCOMPARE(criterionOf(result, "ter"), 61.0);
        QCOMPARE(criterionOf(result, "bleu"), -17.0);
        QCOMPARE(criterionOf(result, "chrf"), -55.0);
    }

    void theLossDecidesWhereThereIsNoSuchScore() {
        Validation result;
        result.loss = 3;
        for (const char* best : {"wer", "cer", "ter", "chrf", "ctc"})
            QCOMPARE(criterionOf(result, best), 3.0);
    }

    /// Two validations with 100 % WER: the first one stayed the best, though the loss of the second was lower.
    void equalScoresAreDecidedByTheLoss() {
        Validation result;
        result.loss = 5;
        QVERIFY(standingOf(result, 100, nullptr) == Standing::Better);
        QVERIFY(standingOf(result, NAN, nullptr) == Standing::NotBetter);
        nlohmann::json best = scoresOf(result);
        best["score"] = 100;
        QVERIFY(standingOf(result, 100, best) == Standing::NotBetter);
        result.loss = 4.7;
        QVERIFY(standingOf(result, 100, best) == Standing::AsGood);
        QVERIFY(standingOf(result, 101, best) == Standing::NotBetter);
        result.loss = 6;
        QVERIFY(standingOf(result, 100, best) == Standing::NotBetter);
        QVERIFY(standingOf(result, 99, best) == Standing::Better);
    }

    void theScoreIsRecordedBesideTheOthers() {
        Validation result;
        QVERIFY(!scoresOf(result).contains("cer"));
        result.cer = 12.5;
        QCOMPARE(scoresOf(result)["cer"].get<double>(), 12.5);
        QVERIFY(sentenceOf(result).find(", CER 12.50 %") != std::string::npos);
    }

    /// The WER of 40 utterances was logged as that of validation.
    void aScoreOfSomeUtterancesSaysSo() {
        Validation result;
        result.wer = 1.25;
        result.hypotheses.resize(2);
        result.utterances = 2;
        QVERIFY2(sentenceOf(result).ends_with("BLEU 0.00"), sentenceOf(result).c_str());
        result.utterances = 1063;
        QVERIFY2(sentenceOf(result).ends_with("BLEU 0.00 (2 of 1,063 utterances decoded)"), sentenceOf(result).c_str());
        QCOMPARE(scoresOf(result)["validated"].get<int>(), 1063);
        result.perplexity = 3; // nothing is decoded
        QVERIFY2(sentenceOf(result).ends_with("perplexity 3.00"), sentenceOf(result).c_str());
    }
};

HEADROOM_TEST(CriterionTest)

} // namespace headroom::testing::criterion_test

#include "criterion_test.moc"
