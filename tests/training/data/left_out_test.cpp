// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/data/left_out.h"

#include <QTest>

namespace headroom::testing::left_out_test {

using namespace headroom::training;

class LeftOutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneSentencePerReason() {
        LeftOut leftOut("sentence");
        leftOut.add("it is not UTF-8", "b");
        leftOut.add("there is no text", "c");
        leftOut.add("there is no text", "d");
        const auto said = leftOut.sentences("train");
        QCOMPARE(said.size(), std::size_t(2));
        QCOMPARE(said[0], std::string("1 sentence of “train” left out: it is not UTF-8 (b)."));
        QCOMPARE(said[1], std::string("2 sentences of “train” left out: there is no text (the first is c)."));
    }

    /// The form says 1,500, and the log said 1500.
    void manyAreGrouped() {
        LeftOut leftOut;
        UnknownText unknown(0);
        for (int i = 0; i < 1234; ++i) {
            leftOut.add("there is no text", "u" + std::to_string(i));
            unknown.add("u" + std::to_string(i), "鬱");
        }
        QCOMPARE(leftOut.sentences("train").at(0), std::string("1,234 utterances of “train” left out: there is no text (the first is u0)."));
        Recipe::Data recipe;
        recipe.unknownPieces = "keep";
        std::vector<std::string> notes;
        unknown.judge(recipe, "train", notes);
        QVERIFY2(notes.at(0).starts_with("1,234 utterances of “train” hold characters"), notes.at(0).c_str());
    }
};

HEADROOM_TEST(LeftOutTest)

} // namespace headroom::testing::left_out_test

#include "left_out_test.moc"
