// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/head_grid.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>

namespace headroom::testing::head_grid_test {

class HeadGridTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cellsAndGroupsAreTheSameText();
    void convGroupsThatStandApartStayApart();
    void writingIntoSomeHeadsSplitsTheLayer();
    void aWindowAloneIsALocalHead();
    void groupsWithCountsFillTheLayerOrTheSelection();
    void aNumberTooManyIsNoCount();
    void anotherSignThanPlusIsNamed();
    void blocksAreSaidHowToWrite();
    void groupsWithoutACountStayAsWritten();
    void groupsWithoutACountAreNamedWithTheirCount_data();
    void groupsWithoutACountAreNamedWithTheirCount();
    void theFirstLayerIsOfferedNoReuse();
    void countsThatDoNotFitStayAsWritten();
    void aMistakeKeepsTheLastValidHeads();
    void sentencesNameWhatToUse_data();
    void sentencesNameWhatToUse();
    void whatStandsAroundIsJudgedInItsPlace_data();
    void whatStandsAroundIsJudgedInItsPlace();
    void theNearestMapIsFound();
    void reuseIsTheWholeLayers();
    void aLayerWhoseMapIsNeededIsHeldBack();
    void mendingOneMistakeLeavesTheOther();

private:
    static HeadGrid grid(std::initializer_list<const char*> layers) {
        std::vector<Architecture::Layer> result;
        for (const char* text : layers)
            result.push_back({parseHeads(text)});
        return HeadGrid(result);
    }
    static QString written(const HeadGrid& grid, int layer) {
        return QString::fromStdString(textOf(grid.layer(layer).cells));
    }
    static QString valid(const HeadGrid& grid, int layer) {
        return QString::fromStdString(toText(grid.layer(layer).heads));
    }
};

void HeadGridTest::cellsAndGroupsAreTheSameText() {
    for (const char* text :
         {"4 full", "2 local 64 block + 2 conv 5/2", "3 full relaxed 0.01 fuzzy 0.03 + 1 masked"}) {
        const auto groups = parseHeads(text);
        QCOMPARE(cellsOf(groups).size(), std::size_t(4));
        QCOMPARE(textOf(cellsOf(groups)), std::string(text));
    }
}

void HeadGridTest::convGroupsThatStandApartStayApart() {
    auto one = grid({"2 conv 5/2 + 2 conv 5/2"});
    one.settle();
    QCOMPARE(valid(one, 1), QStringLiteral("2 conv 5/2 + 2 conv 5/2"));
    one.write(1, 1, 4, "conv 5/2");
    one.settle();
    QCOMPARE(valid(one, 1), QStringLiteral("4 conv 5/2"));
}

void HeadGridTest::writingIntoSomeHeadsSplitsTheLayer() {
    auto one = grid({"4 full"});
    one.write(1, 2, 3, "local  17");
    one.settle();
    QCOMPARE(valid(one, 1), QStringLiteral("1 full + 2 local 17 + 1 full"));
    one.write(1, 4, 4, "local 17");
    one.write(1, 1, 1, "local 17");
    one.settle();
    QCOMPARE(valid(one, 1), QStringLiteral("4 local 17"));
    QVERIFY_EXCEPTION_THROWN(one.write(1, 4, 5, "full"), std::out_of_range);
    QVERIFY_EXCEPTION_THROWN(one.write(2, 1, 1, "full"), std::out_of_range);
}

void HeadGridTest::aWindowAloneIsALocalHead() {
    auto one = grid({"4 full"});
    one.write(1, 1, 4, "23");
    one.settle();
    QCOMPARE(valid(one, 1), QStringLiteral("4 local 23"));
}

void HeadGridTest::groupsWithCountsFillTheLayerOrTheSelection() {
    auto one = grid({"4 full", "4 full"});
    one.write(1, 1, 1, "2 local 64 block + 2 conv 5/2");
    one.write(2, 2, 4, "1 local 5 + 2 local 9");
    one.settle();
    QCOMPARE(valid(one, 1), QStringLiteral("2 local 64 block + 2 conv 5/2"));
    QCOMPARE(valid(one, 2), QStringLiteral("1 full + 1 local 5 + 2 local 9"));
    one.write(2, 1, 1, "3 full");
    one.settle();
    QCOMPARE(one.mistakes().size(), std::size_t(1));
}

void HeadGridTest::countsThatDoNotFitStayAsWritten() {
    auto one = grid({"4 full"});
    for (const auto& [text, count] : {std::pair("3 local 17", 3), std::pair("3 local 17 + 2 full", 5), std::pair("4 local 17 + 1 full", 5)}) {
        one.write(1, 1, 4, text);
        one.settle();
        QCOMPARE(written(one, 1), QString::fromLatin1(text));
        QCOMPARE(one.mistakes().size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(one.mistakes().front().sentence),
                 QStringLiteral("%1 heads are named, but the layer has 4").arg(count));
        QCOMPARE(valid(one, 1), QStringLiteral("4 full"));
    }
    one.write(1, 1, 4, "3 local 17 + 1 full");
    one.settle();
    QVERIFY(one.mistakes().empty());
    QCOMPARE(valid(one, 1), QStringLiteral("3 local 17 + 1 full"));
}

/// "4 heads are named, but the layer has 4"
void HeadGridTest::aNumberTooManyIsNoCount() {
    auto one = grid({"4 full"});
    for (const int last : {1, 4})
        for (const char* text : {"4 4 local 13", "1 4 local 13"}) {
            one.write(1, 1, 4, "full");
            one.write(1, 1, last, text);
            one.settle();
            QCOMPARE(one.mistakes().size(), std::size_t(1));
            const auto sentence = QString::fromStdString(one.mistakes().front().sentence);
            QVERIFY2(sentence.startsWith(QStringLiteral("There is no kind “4”")), qPrintable(sentence));
            QVERIFY2(written(one, 1).startsWith(QString::fromLatin1(text)) || last == 1, qPrintable(written(one, 1)));
        }
}

void HeadGridTest::anotherSignThanPlusIsNamed() {
    auto one = grid({"4 full"});
    for (const auto& [text, corrected] : {std::pair("2 full, 2 local 31", "2 full + 2 local 31"),
                                          std::pair("2 full, 1 local 31, 1 conv 5/2", "2 full + 1 local 31 + 1 conv 5/2")}) {
        one.write(1, 1, 4, text);
        one.settle();
        QCOMPARE(written(one, 1), QString::fromLatin1(text));
        QCOMPARE(one.mistakes().size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(one.mistakes().front().sentence),
                 QStringLiteral("Groups are separated by +, not by “,”: use %1").arg(QString::fromLatin1(corrected)));
        QCOMPARE(one.mistakes().front().suggestions, std::vector<std::string>{corrected});
        QCOMPARE(valid(one, 1), QStringLiteral("4 full"));
    }
    one.write(1, 1, 4, "full relaxed 0,1"); // this comma is in a number
    one.settle();
    QVERIFY(!QString::fromStdString(one.mistakes().front().sentence).contains(u'+'));
}

void HeadGridTest::blocksAreSaidHowToWrite() {
    auto one = grid({"4 full"});
    one.write(1, 2, 2, "block 21");
    one.settle();
    QCOMPARE(QString::fromStdString(one.mistakes().front().sentence), QStringLiteral("“block” follows a local window: use local 21 block"));
    QCOMPARE(one.mistakes().front().suggestions, std::vector<std::string>{"local 21 block"});
}

/// Nobody wrote a 4 before the first of them.
void HeadGridTest::groupsWithoutACountStayAsWritten() {
    auto one = grid({"4 full"});
    one.write(1, 1, 4, "full + 3 local 5");
    one.settle();
    QCOMPARE(written(one, 1), QStringLiteral("full + 3 local 5"));
    QVERIFY(one.isMistaken(1));
    one.write(1, 1, 4, "local 5");
    QCOMPARE(written(one, 1), QStringLiteral("4 local 5"));
}

void HeadGridTest::groupsWithoutACountAreNamedWithTheirCount_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("head"); // 0: written into the whole layer
    const QString needs = QStringLiteral("“%1” needs its number of heads: use %2");
    QTest::newRow("the last") << "3 local 9 + local 9" << needs.arg("local 9", "3 local 9 + 1 local 9") << 0;
    QTest::newRow("the last of three") << "2 conv 5/2 + 1 local 9 + masked" << needs.arg("masked", "2 conv 5/2 + 1 local 9 + 1 masked") << 0;
    QTest::newRow("the first") << "local 9 + 1 full" << needs.arg("local 9", "3 local 9 + 1 full") << 0;
    QTest::newRow("all") << "full + masked + local 9" << needs.arg("full", "2 full + 1 masked + 1 local 9") << 0;
    QTest::newRow("an even window besides") << "3 local 9 + local 8" << needs.arg("local 8", "3 local 9 + 1 local 7 or 3 local 9 + 1 local 9") << 0;
    QTest::newRow("no head is left") << "2 local 9 + local 8 + 2 masked"
                                     << "“local 8” needs its number of heads, and all counts must add up to 4" << 0;
    QTest::newRow("in one head") << "3 local 9 + local 9" << needs.arg("local 9", "3 local 9 + 1 local 9") << 2;
    QTest::newRow("other separators") << "2 full, local 31" << "Groups are separated by +, not by “,”: use 2 full + 2 local 31" << 0;
    QTest::newRow("separators, and too many") << "2 full, 3 local 31" << "Groups are separated by +, not by “,”" << 0;
    QTest::newRow("a sign at the count") << "4x full" << "A count must be a plain number: use 4" << 0;
    QTest::newRow("a wrong count with a sign") << "3x full" << "A count must be a plain number" << 0;
    QTest::newRow("a sign before all") << "+ 4 full" << "A group must start with its number of heads" << 0;
    QTest::newRow("no + between") << "local 9 local 9" << "There is no modifier “local”; choose one of relaxed, matched, fuzzy, smoothed, suppressed" << 0;
}

void HeadGridTest::groupsWithoutACountAreNamedWithTheirCount() {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    QFETCH(int, head);
    auto one = grid({"4 full"});
    one.write(1, std::max(head, 1), head > 0 ? head : 4, text.toStdString());
    one.settle();
    QCOMPARE(one.mistakes().size(), std::size_t(1));
    const HeadMistake mistake = one.mistakes().front();
    QCOMPARE(QString::fromStdString(mistake.sentence), sentence);
    QCOMPARE(!mistake.suggestions.empty(), sentence.contains(QStringLiteral(": use ")));
    for (const std::string& suggestion : mistake.suggestions) { // each of them works
        auto other = one;
        other.write(1, mistake.firstHead, mistake.lastHead, suggestion);
        other.settle();
        QVERIFY2(other.mistakes().empty(), suggestion.c_str());
        QCOMPARE(valid(other, 1), QString::fromStdString(suggestion));
    }
}

void HeadGridTest::theFirstLayerIsOfferedNoReuse() {
    auto one = grid({"4 full", "4 full"});
    one.write(1, 1, 4, "r");
    one.settle();
    QCOMPARE(QString::fromStdString(one.mistakes().front().sentence),
             QStringLiteral("There is no kind “r”; choose one of full, local, block, conv, masked"));
}

void HeadGridTest::aMistakeKeepsTheLastValidHeads() {
    auto one = grid({"4 local 13", "4 full"});
    one.write(1, 4, 4, "local 14");
    one.settle();
    QCOMPARE(written(one, 1), QStringLiteral("3 local 13 + 1 local 14"));
    QCOMPARE(valid(one, 1), QStringLiteral("4 local 13"));
    QVERIFY(one.isMistaken(1) && !one.isMistaken(2));
    const auto& mistake = one.mistakes().front();
    QCOMPARE(mistake.firstHead, 4);
    QCOMPARE(mistake.suggestions, (std::vector<std::string>{"local 13", "local 15"}));
    one.write(1, 4, 4, "local 15");
    one.settle();
    QVERIFY(one.mistakes().empty());
    QCOMPARE(valid(one, 1), QStringLiteral("3 local 13 + 1 local 15"));
}

void HeadGridTest::sentencesNameWhatToUse_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("even") << "local 14"
                          << "14 is even: use 13 or 15";
    QTest::newRow("even, with more behind") << "local 14 relaxed 0.1"
                                            << "14 is even: use 13 or 15";
    QTest::newRow("unknown") << "lokal 17"
                             << "There is no kind “lokal”: use local";
    QTest::newRow("unknown, and like block") << "blok 8"
                                             << "There is no kind “blok”: use local 8 block";
    QTest::newRow("unknown and like nothing") << "r"
                                              << "There is no kind “r”; choose one of full, local, block, conv, masked, reuse";
    QTest::newRow("later layer") << "reuse 13"
                                 << "Layer 13 does not come before layer 3: use 1";
    QTest::newRow("no map") << "reuse 2"
                            << "Layer 2 has no map of its own: use 1";
    QTest::newRow("no window") << "local"
                               << "A window in tokens is missing: use local 17";
}

void HeadGridTest::sentencesNameWhatToUse() {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    auto one = grid({"4 full", "4 reuse 1", "4 full"});
    one.write(3, 1, 4, text.toStdString());
    one.settle();
    QCOMPARE(one.mistakes().size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(one.mistakes().front().sentence), sentence);
    QCOMPARE(valid(one, 3), QStringLiteral("4 full"));
}

void HeadGridTest::whatStandsAroundIsJudgedInItsPlace_data() {
    QTest::addColumn<QString>("positions");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("suggestion");
    QTest::newRow("blocks")
        << "relative"
        << "local 64 block"
        << "Relative positions need the distance of each query to its keys, which block heads "
           "do not have: use local 63"
        << "local 63";
    QTest::newRow("conv, relative")
        << "relative"
        << "conv 5/2"
        << "Relative positions need keys that are tokens, and a convolution blends "
           "several tokens into one key"
        << QString();
    QTest::newRow("conv, rotary")
        << "rotary"
        << "conv 5/2 normal"
        << "Rotary positions need keys that are tokens, and a convolution blends several "
           "tokens into one key"
        << QString();
    QTest::newRow("long kernel") << "none"
                                 << "conv 99/2"
                                 << "A kernel of 99 tokens is longer than any utterance: 6,000 frames are 50 "
                                    "tokens: use conv 50/2"
                                 << "conv 50/2";
    QTest::newRow("reuse of conv")
        << "none"
        << "reuse 2"
        << "Layer 2 has conv heads: their map is over shortened keys, which the values "
           "of another layer are not: use 1"
        << "reuse 1";
}

void HeadGridTest::whatStandsAroundIsJudgedInItsPlace() {
    QFETCH(QString, positions);
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    QFETCH(QString, suggestion);
    std::vector<Architecture::Layer> layers{
        {parseHeads("4 full")}, {parseHeads("4 full")}, {parseHeads("4 full")}};
    if (positions == "none")
        layers[1].heads = parseHeads("2 full + 2 conv 5/2");
    LayerSurroundings surroundings;
    surroundings.width = 64;
    surroundings.positions = choiceOf<Positions>(positions.toStdString());
    surroundings.longestTokens = 50;
    surroundings.longestFrames = 6000;
    HeadGrid one(layers, surroundings);
    QVERIFY(one.mistakes().empty());
    one.write(3, 3, 4, text.toStdString());
    one.settle();
    QCOMPARE(one.mistakes().size(), std::size_t(1));
    const auto& mistake = one.mistakes().front();
    QCOMPARE(QString::fromStdString(mistake.sentence), sentence);
    QCOMPARE(mistake.layer, 3);
    QCOMPARE(mistake.firstHead, text.startsWith("reuse") ? 1 : 3);
    QCOMPARE(mistake.lastHead, 4);
    QCOMPARE(valid(one, 3), QStringLiteral("4 full"));
    if (suggestion.isEmpty())
        return;
    QCOMPARE(QString::fromStdString(mistake.suggestions.front()), suggestion);
    one.write(3, mistake.firstHead, mistake.lastHead, mistake.suggestions.front());
    one.settle();
    QVERIFY(one.mistakes().empty());
}

void HeadGridTest::theNearestMapIsFound() {
    const std::vector<Architecture::Layer> layers{
        {parseHeads("4 full")},    {parseHeads("8 full")},
        {parseHeads("4 reuse 1")}, {parseHeads("2 full + 2 conv 5/2")},
        {parseHeads("4 full")},    {parseHeads("8 full")}};
    QCOMPARE(nearestReusable(layers, 5), 1);
    QCOMPARE(nearestReusable(layers, 6), 2);
    QCOMPARE(nearestReusable(layers, 2), 0);
    QCOMPARE(nearestReusable(layers, 1), 0);
}

void HeadGridTest::reuseIsTheWholeLayers() {
    auto one = grid({"4 local 9", "2 full + 2 local 5"});
    one.write(2, 3, 3, "reuse 1");
    one.settle();
    QCOMPARE(valid(one, 2), QStringLiteral("4 reuse 1"));
    one.write(2, 1, 1, "local 7");
    one.settle();
    QCOMPARE(valid(one, 2), QStringLiteral("4 local 7"));
    // The first layer can reuse none, so no number helps.
    for (const char* text : {"4 reuse", "4 reuse 0", "4 reuse 1", "4 reuse x"}) {
        one.write(1, 1, 4, text);
        one.settle();
        QCOMPARE(one.mistakes().front().sentence, std::string("The first layer has no earlier layer to reuse"));
        QVERIFY(one.mistakes().front().suggestions.empty());
    }
    one.write(2, 1, 4, "4 reuse");
    one.settle();
    QCOMPARE(one.mistakes().back().sentence, std::string("The layer whose map is reused is missing: use reuse 1"));
}

void HeadGridTest::aLayerWhoseMapIsNeededIsHeldBack() {
    auto one = grid({"4 local 9", "4 local 9", "4 reuse 2"});
    one.write(2, 1, 4, "reuse 1");
    one.settle();
    QCOMPARE(one.mistakes().size(), std::size_t(1));
    QCOMPARE(one.mistakes().front().layer, 3);
    QCOMPARE(valid(one, 2), QStringLiteral("4 local 9")); // not yet: layer 3 would reuse nothing
    one.write(3, 1, 4, "reuse 1");
    one.settle();
    QCOMPARE(valid(one, 2), QStringLiteral("4 reuse 1"));
    QCOMPARE(valid(one, 3), QStringLiteral("4 reuse 1"));
}

void HeadGridTest::mendingOneMistakeLeavesTheOther() {
    auto one = grid({"4 full", "4 full"});
    one.write(1, 1, 4, "local 14");
    one.write(2, 1, 2, "lokal 5");
    one.settle();
    QCOMPARE(one.mistakes().size(), std::size_t(2));
    one.write(1, 1, 4, "local 15");
    one.settle();
    QCOMPARE(one.mistakes().size(), std::size_t(1));
    QCOMPARE(valid(one, 1), QStringLiteral("4 local 15"));
    QCOMPARE(valid(one, 2), QStringLiteral("4 full"));
}

HEADROOM_TEST(HeadGridTest)

} // namespace headroom::testing::head_grid_test

#include "head_grid_test.moc"
