// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/alignment/spoken_phones.h"

#include <QTest>

namespace headroom::testing::spoken_phones_test {

using namespace headroom::training;

class SpokenPhonesTest : public QObject {
    Q_OBJECT

    static SpokenPhones spoken(const std::string& text) {
        try {
            return spokenPhones(text);
        } catch (const Error& error) {
            if (error.code() == "speech.noEspeak")
                return {};
            throw;
        }
    }

private Q_SLOTS:
    void initTestCase() {
        if (spoken("yes").words.empty())
            QSKIP("espeak-ng is not installed");
    }

    void wordsHaveTheirPhones() {
        const auto result = spoken("The cat sleeps.");
        QCOMPARE(result.words.size(), std::size_t(3));
        QCOMPARE(result.words[1].word, std::string("cat"));
        const std::vector<std::string> cat{"K", "AE", "T"}, sleeps{"S", "L", "IY", "P", "S"};
        QCOMPARE(result.words[1].phones, cat);
        QCOMPARE(result.words[2].phones, sleeps);
        QVERIFY(result.warnings.empty());
    }

    void capitalsAreReadAsWords() {
        const auto result = spoken("IT IS A CAT");
        QCOMPARE(result.words.size(), std::size_t(4));
        QCOMPARE(result.words[0].word, std::string("IT")); // as it is written
        const std::vector<std::string> it{"IH", "T"};
        QCOMPARE(result.words[0].phones, it);
    }

    void numbersAreWholeWords() {
        const auto result = spoken("In 1912 it sank");
        QCOMPARE(result.words.size(), std::size_t(4));
        QCOMPARE(result.words[1].word, std::string("1912"));
        QVERIFY(result.words[1].phones.size() > 8); // nineteen twelve
        QCOMPARE(result.warnings.size(), std::size_t(1));
        QCOMPARE(result.warnings[0].code, std::string("align.wordsAlone"));
    }

    void noWordIsAnError() {
        for (const char* text : {"", " \n", "- !"}) {
            try {
                spokenPhones(text);
                QFAIL("a text without a word was spoken");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("speech.noText"));
            }
        }
    }
};

HEADROOM_TEST(SpokenPhonesTest)

} // namespace headroom::testing::spoken_phones_test

#include "spoken_phones_test.moc"
