// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/word_alignment.h"
#include "tests/support/runner.h"

#include <QTest>

#include <random>

namespace headroom::testing::word_alignment_test {

namespace {

using Words = std::vector<std::string>;

int errorsOf(const std::vector<AlignedWords>& aligned) {
    int errors = 0;
    for (const AlignedWords& one : aligned)
        errors += !one.isHit();
    return errors;
}

/// The textbook's recursion, for short texts.
int fewest(const Words& a, std::size_t i, const Words& b, std::size_t j) {
    if (i == a.size() || j == b.size())
        return static_cast<int>(a.size() - i + b.size() - j);
    return std::min({fewest(a, i + 1, b, j + 1) + (a[i] != b[j]), fewest(a, i + 1, b, j) + 1,
                     fewest(a, i, b, j + 1) + 1});
}

} // namespace

class WordAlignmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfErrorIsNamed() {
        const auto aligned = alignWords({"the", "big", "man", "looks"}, {"the", "pig", "looks", "up"});
        QCOMPARE(aligned.size(), std::size_t(5));
        QVERIFY(aligned[0].isHit());
        QVERIFY(aligned[1].isSubstitution() && *aligned[1].hypothesis == "pig");
        QVERIFY(aligned[2].isDeletion() && *aligned[2].reference == "man");
        QVERIFY(aligned[3].isHit());
        QVERIFY(aligned[4].isInsertion() && *aligned[4].hypothesis == "up");
        QVERIFY(alignWords({}, {}).empty());
    }

    /// Both texts are whole and in order, with the fewest errors there can be.
    void noAlignmentIsShorter() {
        std::mt19937 random(1);
        const Words vocabulary{"a", "b", "c"};
        for (int trial = 0; trial < 200; ++trial) {
            Words texts[2];
            for (Words& text : texts)
                for (auto left = random() % 7; left > 0; --left)
                    text.push_back(vocabulary[random() % 3]);
            const auto aligned = alignWords(texts[0], texts[1]);
            QCOMPARE(errorsOf(aligned), fewest(texts[0], 0, texts[1], 0));
            Words back[2];
            for (const AlignedWords& one : aligned) {
                if (one.reference)
                    back[0].push_back(*one.reference);
                if (one.hypothesis)
                    back[1].push_back(*one.hypothesis);
            }
            QVERIFY(back[0] == texts[0] && back[1] == texts[1]);
        }
    }

    void textsThatAreTooLongAreNotAligned() {
        const Words text(20, "a");
        QCOMPARE(errorsOf(alignWords(text, text, 100)), 40);
        QCOMPARE(errorsOf(alignWords(text, text)), 0);
    }

    /// Half an hour of speech: WER aligns it, so the errors beside it are those of an alignment, too.
    void aLongRecordingIsAligned() {
        Words spoken, written;
        for (int i = 0; i < 4000; ++i) {
            spoken.push_back(std::to_string(i % 700));
            written.push_back(i % 1000 == 500 ? "x" : spoken.back());
        }
        QCOMPARE(errorsOf(alignWords(spoken, written)), 4);
    }
};

HEADROOM_TEST(WordAlignmentTest)

} // namespace headroom::testing::word_alignment_test

#include "word_alignment_test.moc"
