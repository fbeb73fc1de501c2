// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "training/scoring/mapping_rules.h"
#include "training/scoring/sclite.h"

#include <QFile>
#include <QTest>

namespace headroom::testing::mapping_rules_test {

using namespace headroom::training;

namespace {

const std::string kStart = ";; rules of a test\n* case_sensitive = 'F'\n";

QString mapped(const std::string& rules, const char* text, bool caseSensitive = false) {
    return QString::fromStdString(MappingRules::parse(kStart + rules, "x.glm").apply(text, caseSensitive));
}

QString refusal(const std::string& text) {
    try {
        MappingRules::parse(text, "x.glm");
    } catch (const Error& error) {
        return QString(error.what());
    }
    return {};
}

} // namespace

class MappingRulesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wordsAreReplacedInTheirContext() {
        const std::string rules = "[CAN NOT] => [CANNOT] / [ ] __ [ ] ;; two words\n"
                                  "[DOCTOR] => [DR.] / __ [ ]\n"
                                  "\n"
                                  "\"UH\" => \"\" / [ ] __ [ ]\n";
        QCOMPARE(mapped(rules, "You can not"), QString("YOU CANNOT"));
        QCOMPARE(mapped(rules, "you  can\tnot, can nothing"), QString("YOU CAN NOT, CAN NOTHING"));
        QCOMPARE(mapped(rules, "a codoctor said uh yes"), QString("A CODR. SAID YES"));
        QCOMPARE(mapped(rules, "uh"), QString());
        QCOMPARE(mapped(rules, "can not can not"), QString("CANNOT CANNOT")); // contexts may share a blank
    }

    void textsAreThoseOfCsrfilt_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("caseSensitive");
        QTest::newRow("capital letters") << "csrfilt.trn" << false;
        QTest::newRow("-s") << "csrfilt-s.trn" << true;
    }
    void textsAreThoseOfCsrfilt() {
        QFETCH(QString, file);
        QFETCH(bool, caseSensitive);
        const auto linesOf = [](const QString& name) {
            QFile golden(QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/mapping-rules/") + name);
            const bool opened = golden.open(QIODevice::ReadOnly);
            return opened ? QString::fromUtf8(golden.readAll()).split(QLatin1Char('\n')) : QStringList();
        };
        const auto rules = MappingRules::parse(linesOf("rules.glm").join('\n').toStdString(), "rules.glm");
        const QStringList text = linesOf("text.trn"), expected = linesOf(file);
        QVERIFY(text.size() > 20);
        QCOMPARE(text.size(), expected.size());
        for (qsizetype line = 0; line < text.size(); ++line) {
            if (text[line].startsWith(";;") || text[line].isEmpty()) // no utterance
                continue;
            const auto id = text[line].lastIndexOf('(');
            const QString found =
                QString::fromStdString(rules.apply(text[line].left(id).toStdString(), caseSensitive));
            QCOMPARE((found + ' ' + text[line].mid(id)).trimmed(), expected[line]);
        }
    }

    void wordsInParenthesesMayEachBeLeftOut() {
        QCOMPARE(mapped("[UH] => [A B] / [ ] __ [ ]\n", "(uh) x (can not)"), QString("(A) (B) X (CAN) (NOT)"));
    }

    void theFirstRuleThatFitsIsApplied() {
        QCOMPARE(mapped("AB => x\nA => y\nB => z\n", "ab a b"), QString("x y z"));
        QCOMPARE(mapped("A => y\nAB => x\n", "ab"), QString("yB"));
        QCOMPARE(mapped("A => AA\n", "aa"), QString("AAAA")); // what a rule wrote is not looked at again
    }

    void caseIsFoldedUnlessTheFileOrTheCallSaysOtherwise() {
        const std::string kept = ";; x\n* case_sensitive = 'T'\n[colour] => [color]\n";
        QCOMPARE(mapped("[colour] => [color]\n", "Colour"), QString("color"));
        QCOMPARE(mapped("[colour] => [color]\n", "Colour Blue", true), QString("color Blue"));
        const MappingRules rules = MappingRules::parse(kept, "x.glm");
        QCOMPARE(rules.apply("Colour colour", true), std::string("Colour color"));
        QCOMPARE(rules.apply("colour", false), std::string("COLOUR")); // capital letters come first
        // Without the line a file is case-sensitive, as in rfilter1.
        QCOMPARE(MappingRules::parse(";; x\n[b] => [c]\n", "x.glm").apply("b B", true), std::string("c B"));
    }

    void charactersThatNoRuleReplacesMayBeLeftOut() {
        QCOMPARE(mapped("* copy_no_hit = 'F'\nA => A\n[ ] => [ ]\n", "a1b a"), QString("A A"));
    }

    void alternativesCountAsScliteCountsThem() {
        const std::string rules = "[GONNA] => [{ GOING TO / GONNA }] / [ ] __ [ ]\n";
        const auto filter = MappingRules::parse(kStart + rules, "x.glm");
        QCOMPARE(filter.apply("I'm gonna go", false), std::string("I'M { GOING TO / GONNA } GO"));
        const auto errors = [&](const char* hypothesis) {
            return scliteScore({{"s_1", filter.apply("I'm gonna go", false)}}, {{"s_1", filter.apply(hypothesis, false)}})
                .front()
                .errors;
        };
        QCOMPARE(errors("i'm going to go").substitutions + errors("i'm going to go").insertions, std::int64_t(0));
        QCOMPARE(errors("i'm gonna go").substitutions, std::int64_t(0));
        QCOMPARE(errors("i'm going go").deletions + errors("i'm going go").substitutions, std::int64_t(1));
        // A slash in brackets is no context.
        QCOMPARE(mapped("[A] => [{ B / C }]\n", "a"), QString("{ B / C }"));
        QCOMPARE(mapped("[A/B] => [C]\n", "a/b"), QString("C"));
    }

    void parenthesesAreWordsOfTheirOwnForRules() {
        QCOMPARE(mapped("[HM] => [%HESITATION] / [ ] __ [ ]\n", "well (hm) yes"), QString("WELL (%HESITATION) YES"));
    }

    void rulesMayHoldForSomeTypesOnly() {
        const std::string rules = ";; INPUT_DEPENDENT_APPLICATION = \"ctm\"\nA => b\n"
                                  ";; INPUT_DEPENDENT_APPLICATION = \"(TRN|stm)\"\nC => d\n";
        QCOMPARE(mapped(rules, "a c"), QString("A d"));
    }

    void badFilesAreRefusedWithTheirLine() {
        QCOMPARE(refusal(""), QString("x.glm is empty."));
        QVERIFY(refusal("A => B\n").startsWith("x.glm, line 1: a file of mapping rules begins with a comment"));
        QVERIFY(refusal(";; x\nA = B\n").startsWith("x.glm, line 2: there is no “=>”"));
        QVERIFY(refusal(";; x\n[] => B\n").contains("the text to replace is missing"));
        QVERIFY(refusal(";; x\n[A] => [B] / [ ] [ ]\n").contains("no place “__”"));
        QVERIFY(refusal(";; x\n* format = 'NIST2'\n").contains("NIST2"));
        QVERIFY(refusal(";; x\n* format = NIST1\n").contains("a value in quotes is missing"));
        QVERIFY(refusal(";; INPUT_DEPENDENT_APPLICATION = \"(\"\n").contains("not a regular expression"));
        QCOMPARE(refusal(";; x\r\n\r\n[A] => [B] / [ ] __ [ ]\r\n"), QString());
    }
};

HEADROOM_TEST(MappingRulesTest)

} // namespace headroom::testing::mapping_rules_test

#include "mapping_rules_test.moc"
