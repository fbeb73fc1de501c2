// SPDX-License-Identifier: GPL-3.0-or-later
// When two maps may be subtracted, and what comes out.
#include "app/workspaces/analyse/compare/map_difference.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>
#include <stdexcept>

namespace headroom::testing::map_difference_test {

using namespace headroom::app;

namespace {

ComparedTokens side(const char* name, std::int64_t tokens = 83, double step = 0.04, double offset = 0.0125) {
    return {QString::fromLatin1(name),
            UtteranceId(1),
            {},
            tokens,
            TokenClock::affine(Seconds(offset), Seconds(step)),
            true,
            {}};
}

} // namespace

class MapDifferenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCellIsALessB() {
        const MaxPyramid a(Matrix<float>(2, 2, {0.5F, 0.5F, 0.25F, 0.75F})),
            b(Matrix<float>(2, 2, {0.25F, 0.75F, 0.25F, 0.75F}));
        const MapDifference difference = differenceOf(a, b);
        QCOMPARE(difference.map->level(0).values(), (std::vector<float>{0.25F, -0.25F, 0, 0}));
        QCOMPARE(difference.negated->level(0).values(), (std::vector<float>{-0.25F, 0.25F, 0, 0}));
        QVERIFY_EXCEPTION_THROWN(differenceOf(a, MaxPyramid(Matrix<float>(3, 3))), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(differenceOf(MaxPyramid(), MaxPyramid()), std::invalid_argument);
    }

    void theSameTokensMayBeSubtracted() {
        QCOMPARE(whyNoDifference(side("a"), side("b")), QString());
        // The same grid, written by two programs.
        QCOMPARE(whyNoDifference(side("a"), side("b", 83, 0.04 + 1e-9)), QString());
    }

    void tokensOfOtherBandsDiffer() {
        auto other = side("b");
        other.clock = TokenClock::affine(Seconds(0.0125), Seconds(0.04), 12);
        QVERIFY(whyNoDifference(side("a"), other).contains(QStringLiteral("ms in 12 bands")));
    }

    void textsNeedTheSamePieces() {
        auto one = side("a", 2, 1, 0.5), other = one;
        one.pieces = other.pieces = QStringList{"the", "dog"};
        QCOMPARE(whyNoDifference(one, other), QString());
        other.name = "b";
        other.pieces = QStringList{"th", "edog"}; // as many
        QCOMPARE(whyNoDifference(one, other),
                 QStringLiteral("A − B needs the same tokens, but the tokenizers differ: a has 2 tokens; b has 2 tokens."));
        other.pieces = QStringList();
        QVERIFY(whyNoDifference(one, other).contains("not analysed yet"));
        other.pieces = one.pieces;
        other.utterance = UtteranceId(2);
        QCOMPARE(whyNoDifference(one, other), QStringLiteral("A − B needs one text, because tokens of two texts do not correspond."));
    }

    void everyReasonIsSaid() {
        auto other = side("b");
        other.utterance = UtteranceId(2);
        QVERIFY(whyNoDifference(side("a"), other).contains(QStringLiteral("one recording")));
        other = side("b");
        other.part = Part{Seconds(1), Seconds(2)};
        QVERIFY(whyNoDifference(side("a"), other).contains(QStringLiteral("same part")));
        QVERIFY(whyNoDifference(side("a"), side("b", 0)).contains(QStringLiteral("not analysed yet")));
        other = side("b");
        other.hasMap = false;
        QVERIFY(whyNoDifference(side("a"), other).contains(QStringLiteral("not available")));
    }

    void mixedFrontEndsAreRefusedEvenWhereTokensFallTogether() {
        Architecture::FrontEnd narrow;
        narrow.kernels = {3, 3};
        auto a = side("s2t"), b = side("conformer");
        a.frontEnd = frontEndWords({});
        QCOMPARE(whyNoDifference(a, b), QString()); // maps from elsewhere say nothing of theirs
        b.frontEnd = frontEndWords({});
        QCOMPARE(whyNoDifference(a, b), QString());
        b.frontEnd = frontEndWords(narrow);
        const QString why = whyNoDifference(a, b);
        QVERIFY2(why.contains(QStringLiteral("front ends differ")) &&
                     why.contains(QStringLiteral("kernels 3, 3")),
                 qPrintable(why));
    }

    void aFrontEndSaysWhatItReads() {
        Architecture::FrontEnd frontEnd;
        frontEnd.kernels = {5, 5};
        frontEnd.strides = {2, 2};
        QCOMPARE(frontEndWords(frontEnd), QStringLiteral("80 features with kernels 5, 5 and strides 2, 2"));
        frontEnd.features = 1;
        QCOMPARE(frontEndWords(frontEnd), QStringLiteral("1 feature with kernels 5, 5 and strides 2, 2"));
        frontEnd.reads = InputKind::Waveform;
        QCOMPARE(frontEndWords(frontEnd), QStringLiteral("samples with kernels 5, 5 and strides 2, 2"));
        frontEnd.reads = InputKind::Text;
        QCOMPARE(frontEndWords(frontEnd), QStringLiteral("the tokens of a text"));
        frontEnd = {};
        frontEnd.kernels = {3};
        frontEnd.strides = {2};
        QCOMPARE(frontEndWords(frontEnd), QStringLiteral("80 features with kernel 3 and stride 2"));
        // wav2vec2-BERT has none: “160 features with kernels  and strides .”
        frontEnd.kind = FrontEndKind::Linear;
        frontEnd.features = 160;
        frontEnd.reads = InputKind::StackedKaldiLogMel;
        frontEnd.kernels = frontEnd.strides = {};
        QCOMPARE(frontEndWords(frontEnd), QStringLiteral("160 features of 2 frames, without convolutions"));
        frontEnd.reads = InputKind::KaldiLogMel;
        QCOMPARE(frontEndWords(frontEnd), QStringLiteral("160 features, without convolutions"));
    }

    void mixedFrontEndsAreNamedWithTheirTokens() {
        const QString rate = whyNoDifference(side("st-small"), side("w2v", 166, 0.02));
        QVERIFY2(rate.contains(QStringLiteral("front ends differ")), qPrintable(rate));
        QVERIFY2(rate.contains(QStringLiteral("st-small has 83 tokens of 40\u202fms")), qPrintable(rate));
        QVERIFY2(rate.contains(QStringLiteral("w2v has 166 tokens of 20\u202fms")), qPrintable(rate));
        const QString offset = whyNoDifference(side("a"), side("b", 83, 0.04, 0.0325));
        QVERIFY2(offset.contains(QStringLiteral("the first at 12.5\u202fms")), qPrintable(offset));
        QVERIFY2(offset.contains(QStringLiteral("the first at 32.5\u202fms")), qPrintable(offset));
    }
};

HEADROOM_TEST(MapDifferenceTest)

} // namespace headroom::testing::map_difference_test

#include "map_difference_test.moc"
