// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/duration_text.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::duration_text_test {

using namespace headroom::widgets;

class DurationTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void durationsHaveTheUnitsOfAClock() {
        QCOMPARE(durationText(std::nan("")), QStringLiteral("–"));
        QCOMPARE(durationText(12), QStringLiteral("12\u202fs"));
        QCOMPARE(durationText(120), QStringLiteral("2\u202fmin"));
        QCOMPARE(durationText(6600), QStringLiteral("1\u202fh 50\u202fmin"));
        QCOMPARE(timeLeftText(120), QStringLiteral("2\u202fmin left"));
    }

    void speedsOfTextAreOfTokens() {
        QCOMPARE(speedText(9657), QStringLiteral("9,657\u202fframes/s"));
        QCOMPARE(speedText(10'571.4), QStringLiteral("10,571\u202fframes/s")); // the next reading of the same run
        QCOMPARE(speedText(1.92e6), QStringLiteral("1,920,000\u202fframes/s"));
        QCOMPARE(speedText(500, true), QStringLiteral("500\u202ftokens/s"));
        QCOMPARE(byteSpeedText(109e6), QStringLiteral("109\u202fMB/s"));
    }
};

HEADROOM_TEST(DurationTextTest)

} // namespace headroom::testing::duration_text_test

#include "duration_text_test.moc"
