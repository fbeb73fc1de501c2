// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/mixing.h"
#include "core/errors/error.h"
#include "core/studies/table.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

#include <cmath>

namespace headroom::testing::study_table_test {

namespace {

StudyTable example() {
    return {"windows",
            "Windows",
            "CL = 1 − D(w) & “μ + σ”, 65 %; model_a #3.",
            {{"name", "Layer", "", 0, true}, {"mean", "μ", "tokens", 2, false}},
            {{std::string("a, \"b\"\nc\td"), 0.1},
             {std::string("–5"), -0.001},
             {std::string(), -1.005},
             {std::monostate(), std::nan("")}}};
}

} // namespace

class StudyTableTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unknownCellsAreNeverZero();
    void csvQuotesAndReadsBackExactly();
    void tsvKeepsOneLinePerRow();
    void latexIsEscaped();
    void latexWithoutACaptionHasTheTitle();
    void latexTakesEveryMark();
    void jsonReadsBack();
};

void StudyTableTest::unknownCellsAreNeverZero() {
    const StudyTable table = example();
    const StudyColumn& column = table.columns[1];
    QCOMPARE(shownText(column, std::monostate()), std::string("–"));
    QCOMPARE(shownText(column, std::nan("")), std::string("–"));
    QCOMPARE(shownText(column, -1.005), std::string("−1.00"));
    QCOMPARE(shownText(column, -0.001), std::string("0.00")); // no minus before nothing
    QCOMPARE(shownText(column, 12.0), std::string("12.00"));
    QCOMPARE(toJson(table)["rows"][3], nlohmann::json::parse("[null, null]"));
}

void StudyTableTest::csvQuotesAndReadsBackExactly() {
    QCOMPARE(csvText(example()),
             std::string("name,mean\n\"a, \"\"b\"\"\nc\td\",0.1\n–5,-0.001\n,-1.005\n,\n"));
    StudyTable third = example();
    third.rows = {{std::string("x"), 1.0 / 3}};
    const auto text = csvText(third);
    QCOMPARE(std::stod(text.substr(text.find("x,") + 2)), 1.0 / 3);
}

void StudyTableTest::tsvKeepsOneLinePerRow() {
    QCOMPARE(tsvText(example()), std::string("Layer\tμ, tokens\na, \"b\" c d\t0.1\n–5\t-0.001\n\t-1.005\n\t\n"));
}

void StudyTableTest::latexIsEscaped() {
    const auto text = latexText(example());
    for (const char* part : {"\\caption{CL = 1 $-$ D(w) \\& ``$\\mu$ + $\\sigma$'', 65 \\%; model\\_a \\#3.}",
                             "\\label{tab:windows}", "\\begin{tabular}{lr}", "Layer & $\\mu$ (tokens) \\\\",
                             "\\toprule", "\\midrule", "\\bottomrule", "-- & -- \\\\", " & $-$1.00 \\\\"})
        QVERIFY2(text.find(part) != std::string::npos, (std::string(part) + " in " + text).c_str());
}

/// The tables of experiments had none: “\caption{}”.
void StudyTableTest::latexWithoutACaptionHasTheTitle() {
    StudyTable table = example();
    table.caption.clear();
    QVERIFY(latexText(table).find("  \\caption{Windows}\n  \\label{tab:windows}\n") != std::string::npos);
    table.title.clear();
    QVERIFY(latexText(table).find("  \\centering\n  \\label{tab:windows}\n") != std::string::npos);
}

void StudyTableTest::latexTakesEveryMark() {
    // Every mark that captions are written with has a command: LaTeX stops at one that it does not know.
    StudyTable table = example();
    table.caption = "∫ D(r) dr, ⌈μ + σ⌉, ½ … ¼, ‖W_O z‖₂, ≤ ≥ × ± · → −";
    for (const MixingFacts& facts : mixingFacts())
        table.caption += " " + explained({facts.kind, false}) + " " + explained({facts.kind, true});
    const auto text = latexText(table);
    // Letters with their indices are formulas, not "α^h_ij" as text.
    for (const char* formula : {"$\\delta_{ij}$ $x_{i}$", "$A_{ij}$ = mean", "$\\alpha^{h}_{ij}$", "$\\|$$T_{ij}$$\\|$$_2$", "$b_{V}^{h}$", "$W_{O}^{h}$"})
        QVERIFY2(text.find(formula) != std::string::npos, (std::string(formula) + " in " + text).c_str());
    for (const char* plain : {"\\_ij", "\\textasciicircum"})
        QVERIFY2(text.find(plain) == std::string::npos, text.c_str());
    table.caption = "model_i, x_large, a_b and wav_ij_2";
    QVERIFY(latexText(table).find("model\\_i, x\\_large, a\\_b and wav\\_ij\\_2") != std::string::npos);
    QVERIFY2(text.find("$\\int$ D(r) dr") != std::string::npos, text.c_str());
    for (const char letter : text)
        QVERIFY2(static_cast<unsigned char>(letter) < 0x80, text.c_str());
}

void StudyTableTest::jsonReadsBack() {
    const auto document = toJson(example());
    QVERIFY(toJson(studyTableFrom(document, "study.json")) == document);
    auto bad = document;
    bad["rows"][0][1] = true;
    QVERIFY_EXCEPTION_THROWN(studyTableFrom(bad, "study.json"), Error);
    bad = document;
    bad["columns"][0]["decimals"] = 90;
    QVERIFY_EXCEPTION_THROWN(studyTableFrom(bad, "study.json"), Error);
}

HEADROOM_TEST(StudyTableTest)

} // namespace headroom::testing::study_table_test

#include "study_table_test.moc"
