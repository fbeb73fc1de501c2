// SPDX-License-Identifier: GPL-3.0-or-later
// Word errors and their paired test against NIST's sclite and sc_stats.
#include "core/text/unicode_text.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "training/scoring/matched_pairs.h"
#include "training/scoring/sclite.h"
#include "training/scoring/sclite_report.h"
#include "training/scoring/significance.h"

#include <QTest>

#include <map>
#include <sstream>

namespace headroom::testing::sclite_test {

using namespace headroom::training;

namespace {

std::string edits(const char* reference, const char* hypothesis) {
    std::string text;
    for (const AlignedWord& pair : scliteAlignment(splitAtUnicodeBlanks(reference), splitAtUnicodeBlanks(hypothesis)))
        text += static_cast<char>(pair.edit);
    return text;
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

std::vector<TrnLine> trn(const std::filesystem::path& file) {
    return parseTrn(textOf(file), file.filename().string());
}

std::vector<ScliteUtterance> scored(const char* references, const char* hypotheses,
                                    const ScliteOptions& options = {}) {
    return scliteScore(parseTrn(references, "ref.trn"), parseTrn(hypotheses, "hyp.trn"), options);
}

std::vector<std::int64_t> counts(const WordErrors& errors) {
    return {errors.hits, errors.substitutions, errors.deletions, errors.insertions};
}

} // namespace

class ScliteTest : public QObject {
    Q_OBJECT
    std::filesystem::path m_parity;

private Q_SLOTS:
    void initTestCase() { m_parity = testing::sharedData() / "parity"; }

    void aSubstitutionCostsLessThanTwoGaps() {
        QCOMPARE(edits("a b c", "a x c"), std::string("CSC"));
        QCOMPARE(edits("a b", "b"), std::string("DC"));
        QCOMPARE(edits("b", "a b"), std::string("IC"));
        QCOMPARE(edits("", "a"), std::string("I"));
        // Levenshtein: three substitutions; here two gaps cost 6 and save 12.
        QCOMPARE(edits("a b c", "b c d"), std::string("DCCI"));
        QCOMPARE(edits("a a", "a"), std::string("DC")); // of equals the last pair
    }

    void transcriptsHaveIdsCommentsAndAlternatives() {
        const auto score =
            scored(";; a comment\n{ two words / one } x;noun @ (s_1)\r\nA (s_2)\n", "one x (s_1)\na (s_2)\n");
        QCOMPARE(counts(score[0].errors), (std::vector<std::int64_t>{2, 0, 0, 0}));
        QCOMPARE(score[0].speaker, std::string("s"));
        QCOMPARE(score[1].errors.errors(), 0);
        QCOMPARE(scored("A (s_2)", "a (s_2)", {true, false})[0].errors.substitutions, 1);
        QCOMPARE(counts(scored("ab c (s_2)", "a bd (s_2)", {true, true})[0].errors),
                 (std::vector<std::int64_t>{2, 1, 0, 0}));
    }

    /// sclite 2.4.10 keeps the place of "@", and there insertions come first among alignments of equal cost.
    void noWordHasAPlace() {
        const auto one = scored("w898 w1846 w1302 w1579 { w1001 / @ } w1609 w949 w1230 w1011 w957 (s0-1)",
                                "w1187 w1579 w1005 w562 w1609 w1848 w1168 w1905 (s0-1)");
        QCOMPARE(counts(one[0].errors), (std::vector<std::int64_t>{2, 4, 3, 2}));
        const auto other = scored("w1042 (w1758) w1723 w796 { w217 / w707 w1180 } w254 w1788 { w1176 / @ } w1166 (s0-2)",
                                  "w103 w1695 w649 w1788 w453 w920 w836 (s0-2)");
        QCOMPARE(counts(other[0].errors), (std::vector<std::int64_t>{1, 4, 3, 2}));
    }

    void alignmentsAreAsWideAsTheirBytes() { // as sclite's, with -e utf-8 too; an utterance without words has no lines
        const std::string text = scliteAlignments(scored("naïve x (s_1)\n (s_2)", "x (s_1)\n (s_2)"), "mine", false);
        QVERIFY2(text.find("REF:  NAïVE x \nHYP:  ****** x \nEval: D        \n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("id: (s_2)\nScores: (#C #S #D #I) 0 0 0 0\n\n") != std::string::npos, text.c_str());
    }

    void badTranscriptsAreNamed() {
        const auto message = [](const char* text) -> std::string {
            try {
                parseTrn(text, "bad.trn");
            } catch (const Error& error) {
                return error.what();
            }
            return "";
        };
        QCOMPARE(message("words\n"),
                 std::string("Line 1 of bad.trn does not end with an id in parentheses, as "
                             "in “the text (speaker_01)”."));
        QCOMPARE(message("a (x)\nb (x)\n"), std::string("bad.trn has the id x in lines 1 and 2."));
        QVERIFY_EXCEPTION_THROWN(scored("a (x)", "a (y)"), Error);
        QVERIFY_EXCEPTION_THROWN(scored("a (x)", "a (x)\nb (y)"), Error);
        QVERIFY_EXCEPTION_THROWN(scored("{ a / b (x)", "a (x)"), Error);
    }

    void segmentsBeginAndEndWithTwoWordsThatBothHaveRight() {
        const auto references = "a b c d e f g h i j (s_1)";
        const auto first = scored(references, "a b x d e f g h i j (s_1)"),
                   second = scored(references, "a b c d e f g h y z (s_1)");
        const auto result = matchedPairs(first, second);
        QCOMPARE(result.segments.size(), std::size_t(2));
        QVERIFY((result.segments[0] == ErrorSegment{5, {1, 0}})); // a b x d e
        QVERIFY((result.segments[1] == ErrorSegment{4, {0, 2}})); // g h i j
        QCOMPARE(result.mean, -0.5);
        QVERIFY(std::abs(result.standardDeviation - std::sqrt(4.5)) < 1e-12);
        QVERIFY(std::abs(result.z - -0.5 / 1.5) < 1e-12);
        QVERIFY(std::abs(result.p - 0.7388826803635273) < 1e-12);
    }

    void anInsertionInterruptsAndOneBehindTheLastWordCounts() {
        const auto references = "a b c d (s_1)";
        const auto exact = scored(references, references);
        // a x b: the insertion starts a segment; "b c" ends it; the last insertion is one of its own.
        const auto wrong = scored(references, "a x b c d y (s_1)");
        const auto result = matchedPairs(exact, wrong);
        QCOMPARE(result.segments.size(), std::size_t(2));
        QVERIFY((result.segments[0] == ErrorSegment{3, {0, 1}}));
        QVERIFY((result.segments[1] == ErrorSegment{2, {0, 1}}));
        QVERIFY(matchedPairs(exact, exact).segments.empty());
        QCOMPARE(matchedPairs(exact, exact).p, 1.0);
        QVERIFY_EXCEPTION_THROWN(matchedPairs(exact, scored("a b (s_1)", "a b (s_1)")), Error);
    }

    void theSummaryHasEverySpeaker() {
        const std::string table =
            scliteSummary(scored("a b (x_1)\nc d (y_1)", "a b (x_1)\nc e (y_1)"), "mine");
        QVERIFY(table.find("| x      |    1      2 |100.0    0.0    0.0    0.0    0.0    0.0 |") !=
                std::string::npos);
        QVERIFY(table.find("| Sum/Avg|    2      4 | 75.0   25.0    0.0    0.0   25.0   50.0 |") !=
                std::string::npos);
    }

    void speakersAreInTheOrderOfTheirFirstUtterances() {
        const std::string text = scliteSummary(scored("a (z_1)\nb (x_1)\nc (z_2)", "a (z_1)\nb (x_1)\nd (z_2)"), "mine");
        QVERIFY(text.find("| z ") < text.find("| x "));
        const std::string pairs = scliteAlignments(scored("a (z_1)\nb (x_1)\nc (z_2)", "a (z_1)\nb (x_1)\nd (z_2)"), "mine", false);
        QVERIFY(pairs.find("0:  z") < pairs.find("1:  x"));
    }

    /// As sclite: the column is as wide as its widest entry, and only percentages have a “Sum/Avg”.
    void theColumnOfSpeakersIsAsWideAsNeeded() {
        const auto utterances = scored("a b (x_1)\nc d (y_1)", "a b (x_1)\nc e (y_1)");
        const std::string counts = scliteSummary(utterances, "mine", {true, false});
        QVERIFY(counts.find("| SPKR | # Snt") != std::string::npos);
        QVERIFY(counts.find("| Sum  |    2      4 |") != std::string::npos);
        QVERIFY(counts.find("|Median|") != std::string::npos);
        QVERIFY(scliteSummary(utterances, "mine").find("| Sum/Avg|") != std::string::npos);
    }

    void countsAreSclites() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        const auto folder = m_parity / "scoring";
        const auto expected = testing::readJson(folder / "expected.json");
        for (const bool sensitive : {true, false}) {
            const auto& lines = expected[sensitive ? "sclite_case_sensitive" : "sclite_default"]["lines"];
            const auto found =
                scliteScore(trn(folder / "ref.trn"), trn(folder / "hyp.trn"), {sensitive, false});
            QCOMPARE(found.size(), lines.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                QCOMPARE(counts(found[i].errors),
                         (std::vector<std::int64_t>{lines[i]["correct"], lines[i]["substitutions"],
                                                    lines[i]["deletions"], lines[i]["insertions"]}));
        }
    }

    void trapsAreSclites() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        const auto folder = m_parity / "scoring";
        const auto expected = testing::readJson(folder / "sclite_traps.json");
        for (const bool sensitive : {true, false}) {
            const auto found = scliteScore(trn(folder / "sclite_traps.ref.trn"),
                                           trn(folder / "sclite_traps.hyp.trn"), {sensitive, false});
            const auto& lines = expected[sensitive ? "case_sensitive" : "default"]["lines"];
            for (const auto& one : found) {
                const auto& line = lines[one.id];
                QVERIFY2(counts(one.errors) ==
                             (std::vector<std::int64_t>{line["correct"], line["substitutions"],
                                                        line["deletions"], line["insertions"]}),
                         one.id.c_str());
            }
        }
    }

    void systemsAreSclites_data() {
        QTest::addColumn<bool>("characters");
        QTest::newRow("words") << false;
        QTest::newRow("characters") << true;
    }
    void systemsAreSclites() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        QFETCH(bool, characters);
        const auto folder = m_parity / "decoding/significance";
        const std::string unit = characters ? "characters" : "words";
        const auto golden = testing::readJson(folder / "wer.json")[unit];
        const auto references = trn(folder / "wer.ref.trn");
        std::map<std::string, std::vector<ScliteUtterance>> systems;
        for (const std::string system : {"one", "two", "three"}) {
            const auto& found = systems[system] =
                scliteScore(references, trn(folder / ("wer." + system + ".trn")), {true, characters});
            const auto& expected = golden["systems"][system];
            std::map<std::string, WordErrors> speakers;
            for (std::size_t i = 0; i < found.size(); ++i) {
                QCOMPARE(counts(found[i].errors), expected["lines"][i].get<std::vector<std::int64_t>>());
                speakers[found[i].speaker] += found[i].errors;
            }
            for (const auto& [speaker, errors] : speakers)
                QCOMPARE(counts(errors), expected["by_speaker"][speaker].get<std::vector<std::int64_t>>());
            const auto prefix = "sclite." + unit + "." + system;
            QCOMPARE(scliteSummary(found, system, {false, characters}), textOf(folder / (prefix + ".sys")));
            QCOMPARE(scliteSummary(found, system, {true, characters}), textOf(folder / (prefix + ".raw")));
            if (std::filesystem::exists(folder / (prefix + ".pra")))
                QCOMPARE(scliteAlignments(found, system, true), textOf(folder / (prefix + ".pra")));
            const auto statistics = wordErrorStatistics(found);
            const auto interval = bootstrapInterval(statistics, 300);
            QVERIFY(std::abs(statistics.scoreOfAll() - expected["error_percent"].get<double>()) < 1e-9);
            QVERIFY(std::abs(interval.mean - expected["bootstrap"]["mean"].get<double>()) < 1e-9);
            QVERIFY(std::abs(interval.low - expected["bootstrap"]["sorted_7_and_292"][0].get<double>()) <
                    1e-9);
            QVERIFY(std::abs(interval.high - expected["bootstrap"]["sorted_7_and_292"][1].get<double>()) <
                    1e-9);
        }
        for (const auto& [pair, expected] : golden["pairs"].items()) {
            const auto space = pair.find(' ');
            const auto found =
                matchedPairs(systems.at(pair.substr(0, space)), systems.at(pair.substr(space + 1)));
            const auto& again = expected["recomputed"];
            QCOMPARE(found.segments.size(), again["segments"].get<std::size_t>());
            QCOMPARE(found.referenceWords, again["reference_words"].get<std::int64_t>());
            QCOMPARE(found.errors[0], again["errors"][0].get<std::int64_t>());
            QCOMPARE(found.errors[1], again["errors"][1].get<std::int64_t>());
            QVERIFY(std::abs(found.mean - again["mean"].get<double>()) < 1e-9);
            QVERIFY(std::abs(found.standardDeviation - again["standard_deviation"].get<double>()) < 1e-9);
            QVERIFY(std::abs(found.z - again["z"].get<double>()) < 1e-9);
            QVERIFY(std::abs(found.p - again["p_two_sided"].get<double>()) < 1e-9);
            QCOMPARE(found.printedP(), expected["printed_p"].get<std::string>());
            QCOMPARE(found.line(287), expected["printed"].get<std::string>());
            if (expected["segments"].is_array())
                for (std::size_t i = 0; i < found.segments.size(); ++i)
                    QVERIFY((found.segments[i] ==
                             ErrorSegment{expected["segments"][i][0],
                                          {expected["segments"][i][1], expected["segments"][i][2]}}));
        }
    }
};

HEADROOM_TEST(ScliteTest)

} // namespace headroom::testing::sclite_test

#include "sclite_test.moc"
