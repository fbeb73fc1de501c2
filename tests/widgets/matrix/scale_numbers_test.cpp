// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/scale_numbers.h"

#include "tests/support/runner.h"

#include <QSet>
#include <QTest>

#include <cmath>

namespace headroom::testing::scale_numbers_test {

using namespace headroom::widgets;

class ScaleNumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A row of N keys sums to 1, so that a long recording has values near 1 / N.
    void ticksOfEveryRangeDiffer_data() {
        QTest::addColumn<double>("high");
        for (const double high : {1.0, 0.31, 0.1, 0.0999, 0.07, 0.0126, 0.01, 0.0042, 0.00095, 0.0001, 0.00007})
            QTest::addRow("%g", high) << high;
    }
    void ticksOfEveryRangeDiffer() {
        QFETCH(double, high);
        const ScaleNumbers numbers = scaleNumbers(high);
        QSet<QString> texts;
        for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
            texts << numbers.text(high * share * share); // gamma 0.5
        QCOMPARE(texts.size(), 5);
        for (const QString& text : texts)
            QVERIFY2(text.size() <= 4, qPrintable(text)); // what the scale has room for
    }

    /// A difference A − B has a sign before its digits, and loses none of them for it.
    void ticksDifferAndTheirEndsAreTheValues_data() {
        QTest::addColumn<double>("high");
        QTest::addColumn<double>("gamma");
        for (const double high : {1.0, 0.31, 0.0996, 0.0945, 0.0126, 0.0042, 0.0007, 0.00007})
            for (const double gamma : {0.2, 0.5, 1.0})
                QTest::addRow("%g, gamma %g", high, gamma) << high << gamma;
    }
    void ticksDifferAndTheirEndsAreTheValues() {
        QFETCH(double, high);
        QFETCH(double, gamma);
        const ScaleNumbers numbers = scaleNumbers(high);
        for (const bool isSigned : {false, true}) {
            const auto ticks = scaleTicks({0, high, gamma, isSigned, false}, 4);
            QCOMPARE(ticks.size(), std::size_t(5));
            QSet<QString> labels;
            for (const ScaleTick& tick : ticks) {
                labels << tick.label;
                const double said = QString(tick.label).replace(QChar(0x2212), u'-').toDouble() * std::pow(10, numbers.exponent);
                QVERIFY2(tick.value == 0 || said * tick.value > 0, qPrintable(tick.label));
            }
            QCOMPARE(labels.size(), 5);
            const double top = ticks.back().label.toDouble() * std::pow(10, numbers.exponent);
            QVERIFY2(std::abs(top - high) <= 0.03 * high, qPrintable(ticks.back().label));
            QCOMPARE(ticks.front().label, isSigned ? QChar(0x2212) + ticks.back().label : QStringLiteral("0"));
        }
        QCOMPARE(scaleTicks({0, high, gamma, true, true}, 2).front().label,
                 QStringLiteral("≤\u202f\u2212") + scaleTicks({0, high, gamma, true, false}, 2).back().label);
    }

    /// "0.01" stood beside 0.006.
    void smallTicksAreNotRoundedAway() {
        for (const double high : {1.0, 0.8, 0.31, 0.1, 0.0126, 0.0042})
            for (const ScaleTick& tick : scaleTicks({0, high, 0.5, false, false}, 4)) {
                const double said = tick.label.toDouble() * std::pow(10, scaleNumbers(high).exponent);
                QVERIFY2(std::abs(said - tick.value) <= 0.1 * tick.value, qPrintable(tick.label));
                QVERIFY2(tick.label.size() <= 5, qPrintable(tick.label));
            }
    }

    void theFactorMakesTheValue() {
        QCOMPARE(scaleNumbers(0.5).factor(), QString());
        QCOMPARE(scaleNumbers(0.5).text(0.123), QStringLiteral("0.12"));
        QCOMPARE(scaleNumbers(0.0042).factor(), QStringLiteral("×10⁻³"));
        QCOMPARE(scaleNumbers(0.0042).text(0.0042), QStringLiteral("4.20"));
        QCOMPARE(scaleNumbers(0.047).text(0.047), QStringLiteral("47.0"));
        QCOMPARE(scaleNumbers(0.0000012).text(0.0000012), QStringLiteral("1.20"));
        QCOMPARE(scaleNumbers(0.0000012).factor(), QStringLiteral("×10⁻⁶"));
        QCOMPARE(scaleNumbers(0).text(0), QStringLiteral("0"));
    }
};

HEADROOM_TEST(ScaleNumbersTest)

} // namespace headroom::testing::scale_numbers_test

#include "scale_numbers_test.moc"
