// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/edits.h"
#include "core/architecture/head_groups.h"
#include "core/architecture/nearest.h"
#include "core/errors/count_text.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <array>
#include <fstream>
#include <QRegularExpression>
#include <QtTest>
#include <random>

namespace headroom::testing::heads_test {

class HeadsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void canonicalTextComesBack_data() {
        QTest::addColumn<QString>("text");
        for (const auto* text : {"4 full",
                                 "4 local 17",
                                 "1 local 1",
                                 "2 local 64 block + 2 conv 5/2",
                                 "4 full relaxed 0.01 fuzzy 0.03",
                                 "4 reuse 3",
                                 "4 masked",
                                 "4 full relaxed 0.25",
                                 "4 full relaxed 0.1 matched fuzzy 0.03",
                                 "8 full smoothed",
                                 "4 full suppressed 0.5",
                                 "4 local 129 suppressed 0.5",
                                 "2 conv 8/4 speechformer + 2 conv 5/2 separable",
                                 "2 conv 5/2 normal + 2 conv 5/2 normal",
                                 "4 full relaxed 0 suppressed 1e-05",
                                 "4 reuse 3 relaxed 0.1",
                                 "1024 full",
                                 "4 local 99999",
                                 "4 masked 17",
                                 "2 masked 1 + 2 masked",
                                 "4 masked 99999 suppressed 0.5"})
            QTest::newRow(text) << QString(text);
    }

    void canonicalTextComesBack() {
        QFETCH(QString, text);
        const auto groups = parseHeads(text.toStdString());
        QCOMPARE(QString::fromStdString(toText(groups)), text);
        QVERIFY(parseHeads(toText(groups)) == groups);
    }

    void groupsHoldWhatTheTextSays() {
        const auto groups =
            parseHeads("2 local 64 block + 2 conv 5/2 separable relaxed 0.25 fuzzy 0.03 matched");
        QCOMPARE(groups.size(), std::size_t(2));
        QCOMPARE(groups[0].kind, HeadKind::LocalBlock);
        QCOMPARE(groups[0].window, 64);
        QCOMPARE(groups[1].kind, HeadKind::Conv);
        QCOMPARE(groups[1].convKernel, 5);
        QCOMPARE(groups[1].convStride, 2);
        QCOMPARE(groups[1].convForm, ConvForm::Separable);
        QCOMPARE(groups[1].relaxed.value(), 0.25);
        QCOMPARE(groups[1].relaxedFuzzy.value(), 0.03);
        QVERIFY(groups[1].relaxedMatched);
        QCOMPARE(headCount(groups), 4);
    }

    void blanksAndOrderOfModifiersAreFree() {
        QCOMPARE(toText(parseHeads("  2   full+2 local\t17 ")), std::string("2 full + 2 local 17"));
        QCOMPARE(toText(parseHeads("4 full suppressed 0.50 relaxed .1")),
                 std::string("4 full relaxed 0.1 suppressed 0.5"));
    }

    void mistakesNameTheWordAndTheNearestText_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("position");
        QTest::addColumn<QString>("suggestions");
        const auto row = [](const char* text, int position, const char* suggestions) {
            QTest::newRow(text) << QString(text) << position << QString(suggestions);
        };
        row("", 0, "4 full");
        row("4 local 16", 8, "4 local 15|4 local 17");
        row("2 full + 2 local 64", 17, "2 full + 2 local 63|2 full + 2 local 65");
        row("4 locl 17", 2, "4 local 17");
        row("4 lcoal 17", 2, "4 local 17");
        row("4 Full", 2, "4 full");
        row("4 locl 16", 2, "4 local 15|4 local 17");
        row("4 sparse", 2, "");
        row("local 17", 0, "1 local 17");
        row("4x local 17", 0, "4 local 17");
        row("0 full", 0, "1 full");
        row("-3 full", 0, "1 full");
        row("99999999999 full", 0, "1024 full");
        row("4", 1, "4 full");
        row("4 local", 7, "4 local 17");
        row("4 local wide", 8, "4 local 17");
        row("4 local 0", 8, "4 local 1");
        row("4 local -5", 8, "4 local 1");
        row("4 local 17.5", 8, "4 local 17");
        row("4 local 215.5", 8, "4 local 215"); // of what was typed
        row("4 local 23x", 8, "4 local 23");
        row("4 local 24x", 8, "4 local 23|4 local 25");
        row("4 local 24x block", 8, "4 local 24 block");
        row("4 local 1,000", 8, "4 local 17");
        row("4 local 0.5", 8, "4 local 17");
        row("4 local 99999999999999999999", 8, "4 local 99999");
        row("4 local 2 block", 8, "4 local 3 block");
        row("4 local 64 blok", 11, "4 local 64 block");
        row("4 full block", 7, "4 full");
        row("4 block 21", 2, "4 local 21 block");
        row("2 block 2 + 2 block", 2, "2 local 3 block + 2 local 64 block");
        row("4 conv 5", 7, "4 conv 5/2");
        row("4 conv", 6, "4 conv 5/2");
        row("4 conv 2/5", 7, "4 conv 2/2");
        row("4 conv 0/0", 7, "4 conv 5/2");
        row("4 conv 5/2 seperable", 11, "4 conv 5/2 separable");
        row("4 reuse", 7, "4 reuse 1");
        row("4 reuse 0", 8, "4 reuse 1");
        row("4 reuse 2x", 8, "4 reuse 2");
        row("4 full relaxed", 14, "4 full relaxed 0.1");
        row("4 full relaxd 0.1", 7, "4 full relaxed 0.1");
        row("4 full relaxed 1.5", 15, "4 full relaxed 0.1");
        row("4 full relaxed nan", 15, "4 full relaxed 0.1");
        row("4 full relaxed inf", 15, "4 full relaxed 0.1");
        row("4 full fuzzy 0.03", 7, "4 full relaxed 0.1 fuzzy 0.03");
        row("4 full relaxed 0.1 relaxed 0.2", 19, "4 full relaxed 0.1");
        row("4 full smoothed smoothed", 16, "4 full smoothed");
        row("4 full smoothed suppressed 0.5", 16, "4 full smoothed");
        row("4 masked relaxed 0.1", 9, "4 masked");
        row("4 masked 16", 9, "4 masked 15|4 masked 17");
        row("4 masked 29.5", 9, "4 masked 29");
        row("4 masked 0", 9, "4 masked 1");
        row("4 masked 17 relaxed 0.1", 12, "4 masked 17");
        row("4 masked 17 block", 12, "4 masked 17");
        row("2 masked 2 local 17", 9, "2 masked + 2 local 17");
        row("4 full +", 7, "4 full");
        row("+ 4 full", 0, "");
        row("2 full 2 local 17", 7, "2 full + 2 local 17");
        row("2 full local 17", 7, "");
    }

    void mistakesNameTheWordAndTheNearestText() {
        QFETCH(QString, text);
        QFETCH(int, position);
        QFETCH(QString, suggestions);
        try {
            parseHeads(text.toStdString());
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("architecture.heads"));
            QStringList found;
            for (const auto& one : error.values()["suggestions"])
                found << QString::fromStdString(one.get<std::string>());
            QCOMPARE(found.join('|'), suggestions);
            QCOMPARE(error.values()["position"].get<int>(), position);
            const QString sentence = error.what();
            QVERIFY2(sentence.startsWith("“" + text + "”: ") && sentence.endsWith('.'), error.what());
            for (const auto& one : found)
                QVERIFY2(sentence.contains("“" + one + "”"), error.what());
        }
    }

    void noTextOfKnownWordsCrashes() {
        const std::array<const char*, 22> words{
            "4",          "17",     "16",    "full",        "local", "block",   "conv",  "5/2",
            "separable",  "masked", "reuse", "relaxed",     "0.1",   "matched", "fuzzy", "smoothed",
            "suppressed", "+",      "-",     "99999999999", "x",     "relaxd"};
        std::mt19937 random(7);
        int accepted = 0;
        for (int trial = 0; trial < 20000; ++trial) {
            std::string text;
            for (auto left = random() % 9; left > 0; --left)
                text += std::string(words[random() % words.size()]) + (random() % 8 ? " " : "");
            try {
                const auto groups = parseHeads(text);
                QVERIFY2(parseHeads(toText(groups)) == groups, text.c_str());
                ++accepted;
            } catch (const Error& error) {
                for (const auto& one : error.values()["suggestions"])
                    parseHeads(one.get<std::string>()); // what is suggested is correct
            }
        }
        QVERIFY(accepted > 20);
    }

    void everyArchitectureOfThePapersIsSpelt_data() { headroom::testing::addGoldenFolders(); }
    void everyArchitectureOfThePapersIsSpelt() {
        std::ifstream in(headroom::testing::goldens() / "papers" / "architectures.tsv");
        std::string line;
        std::getline(in, line);
        int layers = 0;
        while (std::getline(in, line)) {
            const auto cells = QString::fromStdString(line).split('\t');
            for (auto range : cells.at(9).split("; ", Qt::SkipEmptyParts)) {
                // Their grammar writes 4x local 17, and a reusing layer as “4x full reuse 3”; ours names
                // reuse as the kind.
                auto text = range.section(": ", 1);
                text.replace(QRegularExpression("(\\d+)x "), "\\1 ").replace("full reuse", "reuse");
                QVERIFY2(!parseHeads(text.toStdString()).empty(), qPrintable(text));
                QCOMPARE(QString::fromStdString(toText(parseHeads(text.toStdString()))), text);
                ++layers;
            }
        }
        QVERIFY(layers > 200);
    }

    void aWindowTurnsFullHeadsIntoLocalOnes() {
        const auto edited = [](const char* text, std::optional<int> window) {
            return toText(withWindow(parseHeads(text), window));
        };
        QCOMPARE(edited("4 full", 17), std::string("4 local 17"));
        QCOMPARE(edited("4 local 17", 5), std::string("4 local 5"));
        QCOMPARE(edited("4 local 17", std::nullopt), std::string("4 full"));
        QCOMPARE(edited("2 full + 2 local 5", 9), std::string("4 local 9"));
        QCOMPARE(edited("2 full relaxed 0.1 + 2 local 5", 9),
                 std::string("2 local 9 relaxed 0.1 + 2 local 9"));
        QCOMPARE(edited("2 local 64 block + 2 conv 5/2", 9), std::string("2 local 64 block + 2 conv 5/2"));
        QCOMPARE(edited("1 full + 1 conv 5/2 + 1 conv 5/2 + 1 full", 3),
                 std::string("1 local 3 + 1 conv 5/2 + 1 conv 5/2 + 1 local 3"));
        QCOMPARE(edited("4 reuse 1", 3), std::string("4 reuse 1"));
        QCOMPARE(edited("4 masked", 9), std::string("4 masked 9"));
        QCOMPARE(edited("2 masked 5 + 2 masked", 9), std::string("4 masked 9"));
        QCOMPARE(edited("4 masked 5", std::nullopt), std::string("4 masked"));
        QCOMPARE(edited("2 masked + 2 full", 9),
                 std::string("2 masked + 2 local 9")); // the mask is a choice there
        QVERIFY(takesWindow(parseHeads("4 masked")) && !takesWindow(parseHeads("2 masked + 2 conv 5/2")));
        QCOMPARE(oneWindowOf(parseHeads("2 masked + 2 masked")), std::optional(0));
        QCOMPARE(oneWindowOf(parseHeads("4 masked 9")), std::optional(9));
        QVERIFY(!oneWindowOf(parseHeads("2 masked 9 + 2 masked")) &&
                !oneWindowOf(parseHeads("2 masked 9 + 2 local 9")));
        QCOMPARE(windowOf(parseHeads("2 masked + 2 masked 9")), std::optional(9));
        QCOMPARE(windowOf(parseHeads("2 local 5 + 2 local 9")).value(), 9);
        QVERIFY(!windowOf(parseHeads("2 full + 2 local 64 block")));
    }

    void anEvenWindowOffersItsNeighbours() {
        for (const auto& [window, nearest] : std::vector<std::pair<int, std::vector<int>>>{
                 {16, {15, 17}}, {0, {1}}, {-3, {1}}, {100001, {99999}}})
            try {
                withWindow(parseHeads("4 full"), window);
                QFAIL("accepted");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("architecture.evenWindow"));
                QCOMPARE(error.values()["suggestions"].get<std::vector<int>>(), nearest);
                QVERIFY(std::string(error.what()).find(grouped(nearest.back())) != std::string::npos);
            }
    }

    void distancesCountEdits() {
        QCOMPARE(editDistance("local", "local"), 0);
        QCOMPARE(editDistance("locl", "local"), 1);
        QCOMPARE(editDistance("lcoal", "local"), 1);
        QCOMPARE(editDistance("LOCAL", "local"), 0);
        QCOMPARE(editDistance("", "local"), 5);
        QCOMPARE(editDistance("kitten", "sitting"), 3);
    }
};

HEADROOM_TEST(HeadsTest)

} // namespace headroom::testing::heads_test

#include "heads_test.moc"
