// SPDX-License-Identifier: GPL-3.0-or-later
// What the Read-out says of a word that is followed into the sound.
#include "app/workspaces/analyse/words/word_read_out.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::word_read_out_test {

using namespace headroom::app;
using widgets::TimeSpan;

namespace {

/// Tokens of 40 ms centred at 0.02, 0.06 …; "brown fox" of three pieces and the end, in one layer of one head.
SpokenWords foxes() {
    SpokenWords words;
    words.pieces = {{7, "bro", -0.25, false}, {8, "wn", -0.5, false}, {9, "fox", -0.125, false}, {2, "", -1, true}};
    words.words = {{"brown", 0, 2, SpokenWords::Span{Seconds(0.04), Seconds(0.12)}, {}},
                   {"fox", 2, 3, SpokenWords::Span{Seconds(0.12), Seconds(0.16)}, {}}};
    words.clock = TokenClock::affine(Seconds(0.02), Seconds(0.04));
    Matrix<float> map(4, 4, 0.25F);
    map(0, 0) = 0, map(0, 1) = 0.5F, map(0, 2) = 0.5F, map(0, 3) = 0; // one bit, all inside
    const auto made = std::make_shared<const MaxPyramid>(map);
    words.cross = {{made}};
    words.means = {made};
    return words;
}

QString valueOf(const QList<ReadOutLine>& lines, const QString& label) {
    for (const ReadOutLine& line : lines)
        if (line.label == label)
            return line.value;
    return QStringLiteral("no such line");
}

} // namespace

class WordReadOutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWordOfTwoPiecesHasTheMeanOfItsRows() {
        const SpokenWords words = foxes();
        const WordAttention found = attentionOfWord(words, 0, *words.map(1, 1));
        QCOMPARE(found.inside, (1.0 + 0.5) / 2);  // tokens 1 and 2 of the two rows
        QCOMPARE(found.entropy, 1.5 * std::log(2.0)); // two and four equal weights; nats, as in Statistics
        const auto lines = wordLines(words, 0, words.map(1, 1).get(), TimeSpan{Seconds(0.05), Seconds(0.10)}, Seconds(0.07));
        QCOMPARE(valueOf(lines, "Word"), QStringLiteral("brown"));
        QCOMPARE(valueOf(lines, "Pieces"), QStringLiteral("1 to 2 of 4"));
        QCOMPARE(valueOf(lines, "Log-probability"), QStringLiteral("−0.750"));
        QCOMPARE(valueOf(lines, "From, by attention"), QStringLiteral("0.040\u202fs"));
        QCOMPARE(valueOf(lines, "to"), QStringLiteral("0.120\u202fs"));
        QCOMPARE(valueOf(lines, "Reference"), QStringLiteral("0.050 to 0.100\u202fs"));
        QCOMPARE(valueOf(lines, "Difference"), QStringLiteral("−10\u202fms, +20\u202fms"));
        QCOMPARE(valueOf(lines, "Inside the word"), QStringLiteral("0.750"));
        QCOMPARE(valueOf(lines, "Entropy of the row"), QStringLiteral("1.04 nats"));
        QCOMPARE(valueOf(lines, "Pointer (key)"), QStringLiteral("0.060\u202fs, 1")); // its centre, as the tip of the map says
        QCOMPARE(valueOf(lines, "Mean attention there"), QStringLiteral("0.3750"));
    }

    void aWordOfOnePieceHasItsId() {
        const SpokenWords words = foxes();
        const auto lines = wordLines(words, 1, words.map(1, 1).get(), {}, {});
        QCOMPARE(valueOf(lines, "Piece"), QStringLiteral("3 of 4, id 9"));
        QCOMPARE(valueOf(lines, "Reference"), QStringLiteral("–"));
        QCOMPARE(valueOf(lines, "Difference"), QStringLiteral("–"));
        QCOMPARE(valueOf(lines, "Inside the word"), QStringLiteral("0.250"));
        QCOMPARE(valueOf(lines, "Attention there"), QStringLiteral("–")); // of one row, so no mean
    }

    void aWordToWhichNoTokenFellHasNoTime() {
        SpokenWords words = foxes();
        words.words[1].attention = SpokenWords::Span{Seconds(0.12), Seconds(0.12)};
        const auto lines = wordLines(words, 1, words.map(1, 1).get(), {}, {});
        for (const char* label : {"From, by attention", "to", "Inside the word"})
            QCOMPARE(valueOf(lines, label), QStringLiteral("–"));
        QCOMPARE(valueOf(lines, "Entropy of the row"), QStringLiteral("1.39 nats"));
    }

    void withoutADecoderTheTimesAreThoseOfTheCtcOutput() {
        SpokenWords words = foxes();
        words.ctc = words.means.front();
        words.cross.clear();
        words.means.clear();
        for (SpokenWords::Piece& piece : words.pieces)
            piece.logProbability = NAN;
        words.words[0].ctc = SpokenWords::Span{Seconds(0), Seconds(0.08)};
        const auto lines = wordLines(words, 0, words.map(1, 0).get(), {}, Seconds(0.02));
        QCOMPARE(valueOf(lines, "From, by CTC"), QStringLiteral("0.000\u202fs"));
        QCOMPARE(valueOf(lines, "Log-probability"), QStringLiteral("–"));
        QCOMPARE(valueOf(lines, "Mean probability there"), QStringLiteral("0.1250"));
        QCOMPARE(valueOf(lines, "Entropy of the row"), QStringLiteral("no such line")); // its rows are no distributions
    }

    void rowsThatLackTheResidualHaveNoEntropy() {
        const SpokenWords words = foxes();
        const MaxPyramid contributions(Matrix<float>(4, 4, 0.2F)); // the rest is the residual
        const auto lines = wordLines(words, 0, &contributions, {}, Seconds(0.02), QStringLiteral("contribution"));
        QCOMPARE(valueOf(lines, "Entropy of the row"), QStringLiteral("no such line"));
        QCOMPARE(valueOf(lines, "Inside the word"), QStringLiteral("no such line"));
        QCOMPARE(valueOf(lines, "Mean contribution there"), QStringLiteral("0.2000"));
    }

    void overSelfAttentionTheKeyIsATokenOfTheText() {
        const SpokenWords words = foxes();
        Matrix<float> map(4, 4, 0.0F);
        map(0, 0) = 1, map(1, 0) = 0.25F, map(1, 1) = 0.75F;
        const MaxPyramid self(map);
        const QStringList inputs{"start", "bro", "wn", "fox"};
        const auto lines = selfLines(words, 0, &self, inputs, Seconds(1.5), QStringLiteral("attention"));
        QCOMPARE(valueOf(lines, "Word"), QStringLiteral("brown"));
        QCOMPARE(valueOf(lines, "Pointer (key)"), QStringLiteral("bro, token 1"));
        QCOMPARE(valueOf(lines, "Mean attention there"), QStringLiteral("0.3750")); // the mean of 0 and 0.75
        for (const ReadOutLine& line : selfLines(words, -1, nullptr, inputs, {}, QStringLiteral("attention")))
            QCOMPARE(line.value, QStringLiteral("–"));
    }

    void withoutAWordEveryLineIsADash() {
        for (const ReadOutLine& line : wordLines(foxes(), -1, nullptr, {}, {}))
            QCOMPARE(line.value, QStringLiteral("–"));
    }
};

HEADROOM_TEST(WordReadOutTest)

} // namespace headroom::testing::word_read_out_test

#include "word_read_out_test.moc"
