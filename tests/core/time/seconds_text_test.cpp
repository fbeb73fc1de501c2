// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/seconds_text.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::seconds_text_test {

class SecondsTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void secondsAreRoundedAsTheyAreWritten() {
        for (const auto& [seconds, text] : {std::pair(2.945, "2.95 s"), {2.735, "2.74 s"}, {0.004, "0.00 s"}, {-0.004, "0.00 s"},
                                            {-0.5, "-0.50 s"}, {0.625, "0.63 s"}, {9.655, "9.66 s"}, {1.005, "1.01 s"}, {0.0049, "0.00 s"}, {59.996, "60.00 s"}, {21600.0, "21,600.00 s"}})
            QCOMPARE(secondsText(Seconds(seconds)), std::string(text));
        QCOMPARE(hundredthsText(Seconds(0.625)), std::string("0.63"));
        for (int token = 0; token < 3000; ++token) { // the centres of tokens of 40 ms: half a thousandth each
            const double centre = 0.0125 + 0.04 * token;
            QCOMPARE(roundedTime(centre, 3), double(13 + 40 * token) / 1000);
        }
        QCOMPARE(roundedTime(-4.0525, 3), -4.053);
        QCOMPARE(roundedTime(1e300, 3), 1e300);
        QCOMPARE(hundredthsText(Seconds(NAN)), std::string("–"));
    }
};

HEADROOM_TEST(SecondsTextTest)

} // namespace headroom::testing::seconds_text_test

#include "seconds_text_test.moc"
