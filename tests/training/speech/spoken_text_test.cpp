// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/speech/spoken_text.h"

#include <QtTest>

namespace headroom::testing::spoken_text_test {

using namespace headroom::training;

namespace {

using Kind = Speech::Event::Kind;

/// One sample a second, so that times are sample numbers.
Speech speech(std::size_t samples, std::vector<Speech::Event> events) {
    Speech result;
    result.rate = SampleRate(1);
    result.samples.resize(samples);
    result.events = std::move(events);
    return result;
}

std::string named(const std::string& name) {
    if (name == "_:")
        return "sil";
    return name == "?" ? "" : name;
}

QString text(const Tier& tier) {
    QStringList parts;
    for (const auto& interval : tier.intervals)
        parts << QString("%1-%2 %3")
                     .arg(interval.start.value())
                     .arg(interval.end.value())
                     .arg(interval.label.c_str());
    return parts.join(", ");
}

} // namespace

class SpokenTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsLosePunctuationAndTheTextKeepsIt() {
        const auto spoken = spokenText("\"Well,\"  said -- the\tdriver's élan!");
        QCOMPARE(spoken.words, (std::vector<std::string>{"Well", "said", "the", "driver's", "élan"}));
        QCOMPARE(spoken.text, std::string("\"Well,\"\u00a0said\u00a0--\u00a0the\u00a0driver's\u00a0élan!"));
    }

    void aTextWithoutWordsIsRefused() {
        QVERIFY_EXCEPTION_THROWN(spokenText(""), Error);
        QVERIFY_EXCEPTION_THROWN(spokenText(" ... -- "), Error);
    }

    void tiersAreFilledToTheEnd() {
        const auto grid =
            gridOf(speech(20, {{Kind::Word, 2, ""},
                               {Kind::Phone, 3, "DH"}, // espeak's pause before it belongs to the word
                               {Kind::Phone, 5, "AH"},
                               {Kind::Word, 7, ""},
                               {Kind::Phone, 7, "K"},
                               {Kind::Phone, 11, "_:"},
                               {Kind::Phone, 13, "_:"},
                               {Kind::Word, 15, ""},
                               {Kind::Phone, 15, "AA R"},
                               {Kind::Phone, 19, "_:"}}),
                   {"the", "c", "are"}, named);
        QCOMPARE(grid.end.value(), 20.0);
        QCOMPARE(text(grid.tiers[0]), QString("0-2 , 2-7 the, 7-11 c, 11-15 , 15-19 are, 19-20 "));
        QCOMPARE(text(grid.tiers[1]),
                 QString("0-2 sil, 2-5 DH, 5-7 AH, 7-11 K, 11-15 sil, 15-17 AA, 17-19 R, 19-20 sil"));
    }

    void eventsBeyondTheSoundAreHeldInside() {
        const auto grid = gridOf(
            speech(5, {{Kind::Word, 0, ""}, {Kind::Phone, 0, "AH"}, {Kind::Phone, 9, "_:"}}), {"a"}, named);
        QCOMPARE(text(grid.tiers[0]), QString("0-5 a"));
        QCOMPARE(text(grid.tiers[1]), QString("0-5 AH"));
    }

    void otherWordsThanWrittenAreRefused() {
        const auto said = speech(5, {{Kind::Word, 0, ""}, {Kind::Phone, 0, "AH"}});
        QVERIFY_EXCEPTION_THROWN(gridOf(said, {"a", "b"}, named), Error);
        QVERIFY_EXCEPTION_THROWN(gridOf(said, {}, named), Error);
    }

    void aPhoneWithoutANameIsRefused() {
        QVERIFY_EXCEPTION_THROWN(
            gridOf(speech(5, {{Kind::Word, 0, ""}, {Kind::Phone, 0, "?"}}), {"a"}, named), Error);
    }
};

HEADROOM_TEST(SpokenTextTest)

} // namespace headroom::testing::spoken_text_test

#include "spoken_text_test.moc"
