// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/number_text.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>
#include <cstdio>

namespace headroom::testing::number_text_test {

using namespace headroom::widgets;

class NumberTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreWrittenAsTheHouseWritesThem() {
        QCOMPARE(numberText(-0.334, 2), QString(QChar(0x2212)) + "0.33");
        QCOMPARE(numberText(-0.001, 2), QStringLiteral("0.00"));
        QCOMPARE(numberText(40000, 0), QStringLiteral("40,000"));
        QCOMPARE(numberText(std::nan(""), 2), QStringLiteral("–"));
        QCOMPARE(numberText(-1234567.25, 1), QString(QChar(0x2212)) + "1,234,567.2");
        QCOMPARE(numberText(1e300, 0).count(u','), 100);
        QCOMPARE(shortNumberText(-0.5), QStringLiteral("−0.5"));
        QCOMPARE(shortNumberText(1e-12), QStringLiteral("1e−12"));
        QCOMPARE(shortNumberText(12000), QStringLiteral("12000"));
        QCOMPARE(shortNumberText(std::nan("")), QStringLiteral("–"));
    }

    void oneIsNoPlural() {
        const auto tokens = [](std::int64_t number) { return counted(number, QStringLiteral("1 token"), QStringLiteral("%1 tokens")); };
        QCOMPARE(tokens(0), QStringLiteral("0 tokens"));
        QCOMPARE(tokens(1), QStringLiteral("1 token"));
        QCOMPARE(tokens(1052), QStringLiteral("1,052 tokens"));
    }

    /// The log and the tables of the worker are written by printf.
    void numbersAreRoundedAsTheWorkerRoundsThem() {
        for (int eighths = 0; eighths < 7990; ++eighths) // among them all that lie halfway
            for (int decimals = 0; decimals <= 2; ++decimals) {
                char printed[32];
                std::snprintf(printed, sizeof printed, "%.*f", decimals, eighths / 8.0); // QString's own rounds otherwise
                QCOMPARE(numberText(eighths / 8.0, decimals), QString::fromLatin1(printed));
            }
    }
};

HEADROOM_TEST(NumberTextTest)

} // namespace headroom::testing::number_text_test

#include "number_text_test.moc"
