// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/text/token_rules.h"
#include "tests/support/runner.h"

#include <cmath>
#include <limits>

#include <QTest>

namespace headroom::testing::token_rules_test {

namespace {

using Ids = std::vector<int>;
constexpr int kVocabulary =
    20; // 0 … 7 text, 8 end, 9 start, 10 en, 11 de, 12, 13 tasks, 14 no times, 15 … times

TokenRules whisper() {
    TokenRules rules;
    rules.start = 9;
    rules.end = 8;
    rules.languages = {{"en", 10}, {"de", 11}};
    rules.tasks = {{"transcribe", 12}, {"translate", 13}};
    rules.noTimes = 14;
    rules.latestFirstTime = 2;
    rules.suppressed = {3, 9, 10, 11, 12, 13, 99};
    rules.suppressedFirst = {1, 8};
    return rules;
}

/// The tokens that may follow `text`, all being equally likely unless `likely` is far likelier than the rest.
Ids open(const Ids& text, bool times, int likely = -1) {
    std::vector<float> logits(kVocabulary, 0.0F);
    if (likely >= 0)
        logits[static_cast<std::size_t>(likely)] = 50;
    whisper().close(text, times, logits);
    Ids ids;
    for (int id = 0; id < kVocabulary; ++id)
        if (std::isfinite(logits[static_cast<std::size_t>(id)]))
            ids.push_back(id);
    return ids;
}

QString refusal(const TokenRules& rules, const std::string& spoken, bool times, int vocabulary) {
    try {
        rules.prompt(spoken, times, vocabulary);
    } catch (const Error& error) {
        return QString::fromStdString(error.code() + ": " + error.what());
    }
    return "accepted";
}

} // namespace

class TokenRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void promptsNameLanguageAndTask() {
        TokenRules rules = whisper();
        QCOMPARE(rules.prompt("de", false, kVocabulary), (Ids{9, 11, 12, 14}));
        QCOMPARE(rules.prompt("de", true, kVocabulary), (Ids{9, 11, 12}));
        rules.task = "translate";
        rules.language = "en"; // set once, it stands above what was heard
        QCOMPARE(rules.prompt("de", false, kVocabulary), (Ids{9, 10, 13, 14}));
        QCOMPARE(TokenRules().prompt("", false, 100), (Ids{2}));
        TokenRules english = whisper();
        english.languages.clear();
        english.tasks.clear();
        QCOMPARE(english.prompt("", false, kVocabulary), (Ids{9, 14}));
    }

    void whatAModelLacksIsNamed() {
        QCOMPARE(refusal(whisper(), "xx", false, kVocabulary),
                 QString("text.noSuchLanguage: This model has no language “xx”; it has de, en."));
        QCOMPARE(
            refusal(TokenRules(), "en", false, 100),
            QString("text.noSuchLanguage: This model has no language tokens, so “en” cannot be chosen."));
        QCOMPARE(refusal(whisper(), "en", true, 15), QString("text.noTimes: This model has no time tokens."));
        TokenRules rules = whisper();
        rules.task = "sing";
        QCOMPARE(refusal(rules, "en", false, kVocabulary),
                 QString("text.noSuchTask: This model has no task “sing”; it has transcribe, translate."));
    }

    void theLikeliestLanguageWins() {
        std::vector<float> logits(kVocabulary, 0.0F);
        logits[5] = 9; // a word is no language
        logits[11] = 1;
        QCOMPARE(whisper().bestLanguage(logits), std::string("de"));
        QCOMPARE(TokenRules().bestLanguage(logits), std::string());
    }

    void suppressedTokensAreClosed() {
        QCOMPARE(open({}, false), (Ids{0, 2, 4, 5, 6, 7, 14, 15, 16, 17, 18, 19}));
        QCOMPARE(open({4}, false), (Ids{0, 1, 2, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19}));
    }

    void timesComeInPairs() {
        QCOMPARE(open({}, true), (Ids{15, 16, 17}));                  // a time first, and an early one
        QCOMPARE(open({16}, true, 4), (Ids{0, 1, 2, 4, 5, 6, 7, 8})); // it opens a segment: text
        QCOMPARE(open({16, 4}, true, 4), (Ids{0, 1, 2, 4, 5, 6, 7, 8, 17, 18, 19})); // never back
        QCOMPARE(open({16, 4, 18}, true, 8), (Ids{8, 18, 19})); // it closes one: its twin, or the end
        QCOMPARE(open({16, 4, 18, 18}, true, 4), (Ids{0, 1, 2, 4, 5, 6, 7, 8}));
        QCOMPARE(open({16, 4, 18, 18, 5}, true, 4), (Ids{0, 1, 2, 4, 5, 6, 7, 8, 19}));
    }

    void timesCutATextIntoSegments() {
        const auto cut = whisper().segments(Ids{16, 4, 5, 18, 18, 6, 8}, kVocabulary);
        QCOMPARE(cut.size(), std::size_t(2));
        QCOMPARE(cut[0].start, 0.02);
        QVERIFY(cut[0].end && std::abs(*cut[0].end - 0.06) < 1e-12);
        QCOMPARE(cut[0].ids, (Ids{4, 5}));
        QVERIFY(!cut[1].end); // the text ended first
        QCOMPARE(cut[1].ids, (Ids{6}));
        QVERIFY(whisper().segments(Ids{4, 5, 8}, kVocabulary).empty());
        QVERIFY(TokenRules().segments(Ids{4, 5, 2}, 100).empty());
    }

    void timesThatAreLikelierTogetherStayAlone() {
        // Three times of the same logit as each word are likelier together than any word.
        QCOMPARE(open({16, 4}, true), (Ids{17, 18, 19}));
        QCOMPARE(open({16, 4}, true, 18), (Ids{17, 18, 19}));
    }
};

HEADROOM_TEST(TokenRulesTest)

} // namespace headroom::testing::token_rules_test

#include "token_rules_test.moc"
